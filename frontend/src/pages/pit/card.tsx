/** One table of the pit: where it stands, what is at risk, what it won, and what needs a look. */
import type { Signal } from "@preact/signals";
import type { AlarmView, PitTableView } from "../../http.ts";
import { diceWords } from "../../lib/dice-words.ts";
import { named, t } from "../../lib/i18n.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { phaseWords } from "../../ui/phase.tsx";
import { ResultList } from "../../ui/results.tsx";
import { RulesNote } from "../../ui/rules-note.tsx";
import { evidenceShare, gaugeOf, percent } from "../../ui/staff/figures.ts";
import { evidence } from "../../ui/staff/numbers.ts";
import { cash, cashSpan, isOneOf, netCash, SUPERVISORS } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { worstWords } from "./exposure.tsx";
import { ALARM_EVIDENCE, acknowledge, standing } from "./model.ts";
import type { PanelName } from "./panels.tsx";

/** Below this the rolls of fair dice say as much any day. */
const SAYS_SOMETHING = 3;

const ALARM_ICONS: Readonly<Record<AlarmView["kind"], IconName>> = {
  stopped: "alarm",
  held: "pause",
  ruling: "shield",
  hold: "alarm",
  dice: "alarm",
  reading: "alarm",
  attendant: "bell",
  rules: "book",
};

/** Whether the win is what the bets should bring, in one sentence, and where it stands. */
export function HoldGauge({ one }: { one: PitTableView }) {
  if (one.hold_percent === null) return <p class="small">{t("hold_none")}</p>;
  const hold = percent(one.hold_percent);
  if (!one.band && one.hold_percent < 0)
    return <p class="small">{t("hold_early_lost", { hold: percent(-one.hold_percent) })}</p>;
  if (!one.band) return <p class="small">{t("hold_early", { hold })}</p>;
  const gauge = gaugeOf(one.hold_percent, one.band);
  const [low, high] = one.band.map(percent) as [string, string];
  const words = t(one.outside ? "hold_outside" : "hold_band", { hold, low, high });
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
              e: evidence(flag.e_value),
            })}
          </li>
        ))}
      </ul>
      <p class="small">{t("flags_hint")}</p>
    </div>
  );
}

/** What the rolls say of the dice, in one sentence. */
function evidenceWords({ fairness }: PitTableView): string {
  const { rolls, e_value, alarm, changed_at, changed_since, alarm_at } = fairness;
  if (alarm && changed_at !== null && changed_at === alarm_at)
    return t("dice_changed", { n: changed_at, since: changed_since ?? changed_at });
  if (alarm) return t("dice_alarm_at", { n: alarm_at ?? rolls });
  if (!rolls) return t("dice_unseen");
  const e = e_value < 10 ? e_value.toFixed(1) : e_value.toFixed(0);
  return t(e_value < SAYS_SOMETHING ? "dice_calm" : "dice_some", { e, rolls });
}

export function Fairness({ one }: { one: PitTableView }) {
  const share = evidenceShare(one.fairness.e_value, ALARM_EVIDENCE);
  const words = evidenceWords(one);
  return (
    <div class="fairness" data-alarm={one.fairness.alarm}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="track" x="0" y="0" width="100" height="6" />
        <rect class="level" x="0" y="0" width={100 * share} height="6" />
      </svg>
      <p class="small">{words}</p>
    </div>
  );
}

/** The alarms of a table: what each is about, and who has seen it, or a button to say so. */
function Alarms({ one }: { one: PitTableView }) {
  if (!one.alarms.length) return null;
  const supervises = isOneOf(SUPERVISORS);
  const about = (alarm: AlarmView): string =>
    alarm.kind === "reading" && one.differing
      ? `${diceWords(one.differing.declared)} / ${diceWords(one.differing.read)} (${one.differing.source})`
      : alarm.name;
  return (
    <ul class="alarm-list">
      {one.alarms.map((alarm) => (
        <li key={[alarm.kind, alarm.about, alarm.mark].join("/")} data-seen={alarm.acknowledged_by !== null}>
          <Icon name={ALARM_ICONS[alarm.kind]} />
          <span>
            {about(alarm)
              ? t("told_of", { what: t(`alarm_${alarm.kind}`), more: about(alarm) })
              : t(`alarm_${alarm.kind}`)}
            {alarm.acknowledged_by !== null && (
              <small>
                {t("alarm_seen_by", { name: alarm.acknowledged_by, time: dateTime(alarm.acknowledged_at!) })}
              </small>
            )}
          </span>
          {alarm.acknowledged_by === null && supervises && (
            <button
              type="button"
              class="seen"
              aria-label={t("alarm_see_it", { alarm: t(`alarm_${alarm.kind}`) })}
              onClick={() => void acknowledge(one.table.name, alarm)}
            >
              {t("alarm_see")}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly words: string;
  readonly run: () => void;
  /** Said in words, too. */
  readonly named?: boolean;
}

function Tool({ icon, words, run, named: inWords = false }: ToolProps) {
  return inWords ? (
    <button type="button" class="quiet tool" onClick={run}>
      <Icon name={icon} />
      <span>{words}</span>
    </button>
  ) : (
    <button type="button" class="quiet square" aria-label={words} title={words} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}

export function Card({ one, panel }: { one: PitTableView; panel: Signal<PanelName | null> }) {
  const { table, exposure } = one;
  const { mood, left } = standing(one);
  const words = phaseWords(table.round, mood);
  const open = (name: string) => () => (panel.value = `${name}:${table.name}` as PanelName);
  const supervises = isOneOf(SUPERVISORS);
  return (
    <article
      class="card table-card"
      data-alarm={one.alarms.some((alarm) => alarm.acknowledged_by === null)}
      aria-labelledby={`table-${table.name}`}
    >
      <header>
        <h2 id={`table-${table.name}`}>
          {table.name} <small>{named(table.titles)}</small>
        </h2>
        <p class="mood" data-mood={mood}>
          {table.round?.dice && mood === "result"
            ? diceWords(table.round.dice)
            : mood === "idle"
              ? t("pit_idle")
              : words.head}
          {left !== null && <b>{left}</b>}
        </p>
      </header>
      <Alarms one={one} />
      <p class="table-facts small">
        <span>
          <Icon name="person" />
          {one.dealer ?? t(one.automatic ? "dealer_itself" : "dealer_none")}
        </span>
        <span>{t("players_on", { n: one.players })}</span>
        <span>{table.round ? t("round_number", { n: table.round.number }) : t("not_opened_yet")}</span>
        <span>{cashSpan(table.limits.default)}</span>
        <span>{table.pay_table}</span>
        <RulesNote table={table} />
      </p>
      <ResultList results={table.history} count={3} />
      <dl class="takings">
        <div>
          <dt>{t("bets_on_felt")}</dt>
          <dd>{cash(one.staked)}</dd>
        </div>
        <div title={t("since", { time: dateTime(one.since) })}>
          <dt>{t("handle")}</dt>
          <dd>{cash(one.handle)}</dd>
        </div>
        <div title={t("since", { time: dateTime(one.since) })}>
          <dt>{t("win")}</dt>
          <dd data-sign={Math.sign(one.win)}>{netCash(one.win)}</dd>
        </div>
        <div>
          <dt>{t("rounds_played")}</dt>
          <dd>{one.rounds}</dd>
        </div>
      </dl>
      <p class="small worst" data-sign={Math.sign(exposure.worst)}>
        {worstWords(one)}
      </p>
      <HoldGauge one={one} />
      <Fairness one={one} />
      <footer>
        <Tool icon="info" words={t("details")} run={open("table")} named />
        <Tool icon="history" words={t("rounds")} run={open("rounds")} named />
        {supervises && <Tool icon="gear" words={t("limits_set")} run={open("limits")} />}
        {supervises && <Tool icon="book" words={t("rules_set")} run={open("rules")} />}
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
