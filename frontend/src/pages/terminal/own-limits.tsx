/** What a player allows themselves in this session. The server holds them to it. */
import { useSignal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import { helpLine } from "../../lib/page.ts";
import type { OwnLimitsView } from "../../lib/types.ts";
import { moment } from "../../ui/rules-note.tsx";
import type { Terminal } from "./model.ts";
import type { OwnLimits } from "./seat.ts";

type Name = keyof OwnLimitsView;

const AMOUNTS = ["loss_session", "wager_session"] as const;
const SHOWN: readonly Name[] = [
  "loss_session",
  "wager_session",
  "minutes_session",
  "reality_check_minutes",
  "loss_day",
  "wager_day",
  "minutes_day",
];
const MINUTES = [10, 15, 20, 30, 60, 120, 240, 480];

const said = (terminal: Terminal, name: Name, value: number | null): string =>
  value === null
    ? t("no_limit")
    : name === "reality_check_minutes"
      ? t("minutes", { n: value })
      : name.includes("minutes")
        ? String(value)
        : terminal.money(value);

const labelOf = (name: Name): string => t(name === "reality_check_minutes" ? "remind_me" : (`limit_${name}` as Key));

/** How the limits stand on the record: those that hold, and looser ones that wait. */
function Standing({ terminal }: { terminal: Terminal }) {
  const stand = terminal.session.value?.limits;
  if (!stand) return <p class="standing">{t("limits_none")}</p>;
  const { now, later } = stand;
  const held = SHOWN.filter((name) => now[name] !== null);
  const ripe = terminal.now.value * 1000 >= (stand.later_from ?? Infinity);
  const changes = later ? SHOWN.filter((name) => later[name] !== now[name]) : [];
  return (
    <>
      {held.length ? (
        <Listed terminal={terminal} title={t("own_limits_now")} names={held} limits={now} />
      ) : (
        <p class="standing">{t("limits_none")}</p>
      )}
      {later && changes.length > 0 && (
        <>
          <Listed
            terminal={terminal}
            title={t(ripe ? "own_limits_ripe" : "own_limits_later", { at: moment(stand.later_from ?? 0) })}
            names={changes}
            limits={later}
          />
          {ripe && (
            <button type="button" class="quiet" onClick={terminal.confirmLimits}>
              {t("limits_confirm")}
            </button>
          )}
        </>
      )}
    </>
  );
}

interface ListedProps {
  readonly terminal: Terminal;
  readonly title: string;
  readonly names: readonly Name[];
  readonly limits: OwnLimitsView;
}

function Listed({ terminal, title, names, limits }: ListedProps) {
  return (
    <section class="standing">
      <h3>{title}</h3>
      <dl>
        {names.map((name) => (
          <div>
            <dt>{labelOf(name)}</dt>
            <dd>{said(terminal, name, limits[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function OwnLimitsPanel({ terminal, close }: { terminal: Terminal; close: () => void }) {
  const session = terminal.session.value;
  const stand = session?.limits;
  const { loss_session, wager_session, minutes_session, reality_check_minutes } = stand?.later ??
    stand?.now ?? { loss_session: null, wager_session: null, minutes_session: null, reality_check_minutes: null };
  const wanted = useSignal<OwnLimits>({ loss_session, wager_session, minutes_session, reality_check_minutes });
  const scale = 10 ** (terminal.table.value?.currency_exponent ?? 0);
  const help = helpLine();
  const set = (name: keyof OwnLimits, value: string, times = 1) => {
    const amount = Math.round(Number(value) * times);
    wanted.value = { ...wanted.value, [name]: value && amount >= 0 ? amount : null };
  };
  return (
    <form
      class="settings"
      onSubmit={(event) => {
        event.preventDefault();
        terminal.setLimits(wanted.value);
        close();
      }}
    >
      <p>{t("own_limits_text")}</p>
      <Standing terminal={terminal} />
      {AMOUNTS.map((name) => (
        <div class="field">
          <label for={name}>{labelOf(name)}</label>
          <input
            id={name}
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            value={wanted.value[name] == null ? "" : wanted.value[name] / scale}
            onInput={(event) => set(name, event.currentTarget.value, scale)}
          />
        </div>
      ))}
      <div class="field">
        <label for="minutes_session">{labelOf("minutes_session")}</label>
        <input
          id="minutes_session"
          type="number"
          min="1"
          step="1"
          inputMode="numeric"
          value={wanted.value.minutes_session ?? ""}
          onInput={(event) => set("minutes_session", event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="reality_check_minutes">{labelOf("reality_check_minutes")}</label>
        <select
          id="reality_check_minutes"
          value={wanted.value.reality_check_minutes ?? ""}
          onChange={(event) => set("reality_check_minutes", event.currentTarget.value)}
        >
          <option value="">{t("remind_house")}</option>
          {MINUTES.map((minutes) => (
            <option value={minutes}>{t("minutes", { n: minutes })}</option>
          ))}
        </select>
      </div>
      <p class="small">
        {t("exclusion_way")} {help}
      </p>
      <button
        type="button"
        class="quiet"
        aria-pressed={terminal.device.attendant.value}
        onClick={() => terminal.device.callAttendant()}
      >
        {t("attendant")}
      </button>
      {!session && <p class="small">{t("limits_session_first")}</p>}
      <div class="choice">
        <button type="button" class="quiet" onClick={close}>
          {t("close")}
        </button>
        <button type="submit" class="solid" disabled={!session}>
          {t("limits_apply")}
        </button>
      </div>
    </form>
  );
}
