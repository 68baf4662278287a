/** One table of the pit: where it stands, what is at risk, what it won, and what needs a look. */
import type { Signal } from "@preact/signals";
import type { PitTableView } from "../../http.ts";
import { named, t } from "../../lib/i18n.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { phaseWords } from "../../ui/phase.tsx";
import { ResultList } from "../../ui/results.tsx";
import { RulesNote } from "../../ui/rules-note.tsx";
import { evidenceShare, gaugeOf } from "../../ui/staff/figures.ts";
import { cash, isOneOf, netCash, SUPERVISORS } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { ExposureBars, worstText } from "./exposure.tsx";
import { ALARM_EVIDENCE, type Alarm, alarmsOf, standing } from "./model.ts";
import type { PanelName } from "./panels.tsx";

const ALARM_ICONS: Readonly<Record<Alarm, IconName>> = {
  stopped: "alarm",
  held: "pause",
  ruling: "shield",
  hold: "alarm",
  dice: "alarm",
  reading: "alarm",
  attendant: "bell",
  rules: "book",
};

export function HoldGauge({ one }: { one: PitTableView }) {
  if (one.hold_percent === null) return <p class="small">{t("hold_none")}</p>;
  if (!one.band) return <p class="small">{t("hold_early", { hold: one.hold_percent.toFixed(1) })}</p>;
  const gauge = gaugeOf(one.hold_percent, one.band);
  const [low, high] = one.band;
  const words = t("hold_band", { hold: one.hold_percent.toFixed(1), low: low.toFixed(1), high: high.toFixed(1) });
  return (
    <div class="gauge" data-outside={one.outside}>
      <svg viewBox="0 0 100 14" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="track" x="0" y="5" width="100" height="4" />
        <rect class="band" x={gauge.low} y="3" width={gauge.high - gauge.low} height="8" />
        <rect class="zero" x={gauge.zero - 0.15} y="1" width="0.3" height="12" />
        <rect class="hand" x={gauge.at - 0.8} y="0" width="1.6" height="14" />
      </svg>
      <p class="small">{words}</p>
    </div>
  );
}

/** Who wins or loses what the bets do not explain: the table, its dealers of today, its players. */
export function HoldFlags({ one }: { one: PitTableView }) {
  if (one.flags.length === 0) return null;
  return (
    <div class="flags">
      <ul class="small">
        {one.flags.map((flag) => (
          <li>
            {t(`flag_${flag.kind}`, {
              name: flag.name,
              win: netCash(flag.win),
              expected: netCash(Math.round(flag.theoretical_win)),
              e: Math.round(flag.e_value),
            })}
          </li>
        ))}
      </ul>
      <p class="small">{t("flags_hint")}</p>
    </div>
  );
}

export function Fairness({ one }: { one: PitTableView }) {
  const { rolls, e_value, alarm } = one.fairness;
  const share = evidenceShare(e_value, ALARM_EVIDENCE);
  const { changed_at, changed_since } = one.fairness;
  const words = alarm
    ? changed_at !== null && changed_at === one.fairness.alarm_at
      ? t("dice_changed", { n: changed_at, since: changed_since ?? changed_at })
      : t("dice_alarm_at", { n: one.fairness.alarm_at ?? rolls })
    : t("dice_calm", { e: e_value < 100 ? e_value.toFixed(2) : e_value.toPrecision(3), rolls });
  return (
    <div class="fairness" data-alarm={alarm}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="track" x="0" y="0" width="100" height="6" />
        <rect class="level" x="0" y="0" width={100 * share} height="6" />
      </svg>
      <p class="small">{words}</p>
    </div>
  );
}

export function Card({ one, panel }: { one: PitTableView; panel: Signal<PanelName | null> }) {
  const { table, exposure } = one;
  const { mood, left } = standing(one);
  const words = phaseWords(table.round, mood);
  const { minimum, maximum } = table.limits.default;
  const found = alarmsOf(one);
  const open = (name: string) => () => (panel.value = `${name}:${table.name}` as PanelName);
  const supervises = isOneOf(SUPERVISORS);
  return (
    <article class="card table-card" data-alarm={found.length > 0} aria-labelledby={`table-${table.name}`}>
      <header>
        <h2 id={`table-${table.name}`}>
          {table.name} <small>{named(table.titles)}</small>
        </h2>
        <p class="mood" data-mood={mood}>
          {table.round?.dice && mood === "result" ? table.round.dice.join("-") : words.head}
          {left !== null && <b>{left}</b>}
        </p>
      </header>
      {found.length > 0 && (
        <ul class="alarm-list">
          {found.map((alarm) => (
            <li>
              <Icon name={ALARM_ICONS[alarm]} />
              {t(`alarm_${alarm}`)}
              {alarm === "rules" && `: ${one.named_rules}`}
              {alarm === "attendant" && `: ${one.attendants.join(", ")}`}
              {alarm === "reading" &&
                `: ${one.differing!.declared.join("-")} / ${one.differing!.read.join("-")} (${one.differing!.source})`}
            </li>
          ))}
        </ul>
      )}
      <p class="table-facts">
        <span>
          <Icon name="person" />
          {one.dealer ?? t("dealer_none")}
        </span>
        <span>
          {cash(minimum)} – {maximum === null ? "∞" : cash(maximum)}
        </span>
        <span>{table.pay_table}</span>
        <RulesNote table={table} />
        <span>{table.round ? t("round_number", { n: table.round.number }) : t("not_opened_yet")}</span>
        <span>
          {table.kind === "cluster" ? t("terminals_on", { n: one.connected }) : t("players_on", { n: one.players })}
        </span>
      </p>
      <ResultList results={table.history} count={3} />
      <div class="risk">
        <dl class="pairs">
          <dt>{t("worst_case")}</dt>
          <dd data-sign={Math.sign(exposure.worst)}>{worstText(exposure)}</dd>
          <dt>{t("staked_sum")}</dt>
          <dd>{cash(one.staked)}</dd>
          <dt title={t("var95_hint")}>{t("var95")}</dt>
          <dd>{cash(Math.max(0, exposure.var95))}</dd>
        </dl>
        <ExposureBars exposure={exposure} />
      </div>
      <dl class="takings">
        <div>
          <dt>{t("handle")}</dt>
          <dd>{cash(one.handle)}</dd>
        </div>
        <div>
          <dt>{t("win")}</dt>
          <dd data-sign={Math.sign(one.win)}>{netCash(one.win)}</dd>
        </div>
        <div>
          <dt>{t("rounds_played")}</dt>
          <dd>{one.rounds}</dd>
        </div>
      </dl>
      <p class="small">{t("since", { time: dateTime(one.since) })}</p>
      <HoldGauge one={one} />
      <HoldFlags one={one} />
      <Fairness one={one} />
      <footer>
        <button type="button" class="quiet tool" onClick={open("rounds")}>
          <Icon name="history" />
          <span>{t("rounds")}</span>
        </button>
        <button type="button" class="quiet tool" onClick={open("table")}>
          <Icon name="info" />
          <span>{t("details")}</span>
        </button>
        {supervises && (
          <button type="button" class="quiet tool" onClick={open("limits")}>
            <Icon name="gear" />
            <span>{t("limits_set")}</span>
          </button>
        )}
        {supervises && (
          <button
            type="button"
            class="quiet square"
            aria-label={t("rules_set")}
            title={t("rules_set")}
            onClick={open("rules")}
          >
            <Icon name="book" />
          </button>
        )}
        {supervises && (
          <a
            class="quiet square"
            href={`/console?table=${encodeURIComponent(table.name)}`}
            aria-label={t("page_console")}
            title={t("page_console")}
          >
            <Icon name="screen" />
          </a>
        )}
      </footer>
    </article>
  );
}
