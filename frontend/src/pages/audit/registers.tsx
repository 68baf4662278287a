/** Lists that an auditor reads beside the rounds; each is asked for when it is opened. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { LoggedTicketView, MetersRow, RefusedActView, SignificantView, TicketLiability } from "../../http.ts";
import { has, type Key, said, t } from "../../lib/i18n.ts";
import { Icon } from "../../ui/icon.tsx";
import { TextField } from "../../ui/staff/fields.tsx";
import { figure } from "../../ui/staff/numbers.ts";
import { ask, cash } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { attempt, table } from "./model.ts";

const CAGE = "cage";
const CODES = [
  "101:system_started",
  "102:incident",
  "201:hand_pay",
  "202:large_win",
  "203:large_wager",
  "204:large_transaction",
  "205:ticket_voided",
  "206:count_differs",
  "207:ticket_reprinted",
  "301:door_opened",
  "302:printer_fault",
  "303:out_of_service",
  "304:in_service",
  "305:terminal_enrolled",
  "306:terminal_cut_off",
  "401:round_voided",
  "402:result_corrected",
  "403:bets_corrected",
  "404:ruling_made",
  "405:damaged_dice",
  "406:interrupted",
  "407:display_fault",
  "408:reading_differed",
  "409:bets_refused",
  "501:login_failed",
  "502:locked_out",
  "503:staff_changed",
  "504:password_reset",
  "505:second_factor_removed",
  "506:staff_incident",
  "601:table_settings_changed",
  "602:staff_policy_changed",
  "603:dice_changed",
  "604:inspection_failed",
  "701:player_excluded",
  "702:name_erased",
  "801:key_rotated",
  "802:witness_missed",
  "803:restore_declared",
  "804:record_archived",
].map((one) => one.split(":") as [string, string]);
/** Meters that count times; the others count money. */
const TIMES: ReadonlySet<string> = new Set(["games", "games_won", "door_opens", "printer_faults"]);

const word = (key: string, otherwise: string): string => (has(key) ? t(key) : otherwise);

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | number | null;
}

/** A list in pages; another path begins it anew, and late answers to the old one are dropped. */
function usePages<T>(path: string) {
  const [items, next, wanted] = [useSignal<readonly T[] | null>(null), useSignal<Page<T>["next"]>(null), useRef(path)];
  const load = (from: Page<T>["next"]) =>
    attempt(async () => {
      const page = await ask<Page<T>>("GET", from === null ? path : `${path}&cursor=${encodeURIComponent(from)}`);
      if (wanted.current !== path) return;
      items.value = from === null ? page.items : [...(items.value ?? []), ...page.items];
      next.value = page.next;
    });
  useEffect(() => {
    wanted.current = path;
    items.value = null;
    void load(null);
  }, [path]);
  return { items: items.value, older: next.value === null ? null : () => void load(next.value) };
}

/** Asked for once, when it is first drawn, and again for another path. */
function useAnswer<T>(path: string): T | null {
  const answer = useSignal<T | null>(null);
  useEffect(() => {
    let stale = false;
    answer.value = null;
    void attempt(async () => {
      const found = await ask<T>("GET", path);
      if (!stale) answer.value = found;
    });
    return () => {
      stale = true;
    };
  }, [path]);
  return answer.value;
}

function Register({ title, children }: { title: Key; children: () => ComponentChildren }) {
  const open = useSignal(false);
  return (
    <details class="card register" onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        <h2>{t(title)}</h2>
      </summary>
      {open.value && children()}
    </details>
  );
}

interface GridProps {
  readonly title: Key;
  readonly heads: readonly string[];
  /** The first cell of a row is its name; amounts stand to the right. */
  readonly rows: readonly (readonly (string | number)[])[] | null;
  readonly sums?: number;
  readonly older?: (() => void) | null;
}

/** The last `sums` columns are figures. */
function Grid({ title, heads, rows, sums = 0, older = null }: GridProps) {
  if (!rows) return <p>{t("loading")}</p>;
  if (!rows.length) return <p class="small">{t("register_none")}</p>;
  const sum = (place: number): string => (place >= heads.length - sums ? "sum" : "");
  return (
    <>
      <div class="scroll found" tabIndex={0} role="region" aria-label={t(title)}>
        <table class="grid">
          <thead>
            <tr>
              {heads.map((head, place) => (
                <th scope="col" class={sum(place)}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...others]) => (
              <tr>
                <th scope="row">{first}</th>
                {others.map((cell, place) => (
                  <td class={sum(place + 1)}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {older && (
        <button type="button" class="quiet" onClick={older}>
          {t("register_older")}
        </button>
      )}
    </>
  );
}

/** What an event was about: grounds and positions in the reader's words, names as they are. */
const factWords = (what: string): string =>
  what
    .split(", ")
    .map((part, place) => {
      const code = part.replaceAll("-", "_");
      return word(`ground_${code}`, place > 0 ? word(`role_${code}`, part) : part);
    })
    .join(t("list_comma"));

function Events() {
  const code = useSignal("");
  const { items, older } = usePages<SignificantView>(
    `/audit/significant?limit=50${code.value && `&code=${code.value}`}`,
  );
  const rows = items?.map((event) => [
    dateTime(event.at),
    `${event.code} · ${word(`significant_${event.name}`, event.name)}`,
    event.device,
    event.by,
    factWords(event.what),
    event.amount === null ? "" : cash(event.amount),
  ]);
  return (
    <>
      <div class="field">
        <label for="event-code">{t("register_kind")}</label>
        <select id="event-code" value={code} onChange={(event) => (code.value = event.currentTarget.value)}>
          <option value="">{t("register_all")}</option>
          {CODES.map(([number, name]) => (
            <option value={number}>
              {number} · {word(`significant_${name}`, name)}
            </option>
          ))}
        </select>
      </div>
      <Grid
        title="register_events"
        heads={(["when", "event", "device", "who", "facts", "amount"] as const).map((one) => t(`register_${one}`))}
        rows={rows ?? null}
        sums={1}
        older={older}
      />
    </>
  );
}

/** Every act that was refused, of players and of staff: who asked, why not, and by which clause. */
function RefusedActs() {
  const [by, clause] = [useSignal(""), useSignal("")];
  const wanted = [by, clause].map((one) => encodeURIComponent(one.value.trim()));
  const { items, older } = usePages<RefusedActView>(`/audit/refused?limit=50&by=${wanted[0]}&clause=${wanted[1]}`);
  const rows = items?.map((act) => [
    dateTime(act.at),
    act.by,
    act.table ? `${act.table} · ${t("round_number", { n: act.round ?? 0 })}` : "",
    act.clause === "house" ? t("house_procedure") : t("clause", { clause: act.clause }),
    said(act.sentences).join(" "),
  ]);
  return (
    <>
      <div class="search">
        <TextField label={t("register_who")} of={by} />
        <TextField label={t("audit_clause")} of={clause} />
      </div>
      <Grid
        title="register_refused"
        heads={[t("register_when"), t("register_who"), t("register_device"), t("register_clause"), t("register_why")]}
        rows={rows ?? null}
        older={older}
      />
    </>
  );
}

function Owed() {
  const owed = useAnswer<TicketLiability>("/tickets/liability");
  if (!owed) return <p>{t("loading")}</p>;
  const sound = owed.outstanding === owed.ledger;
  return (
    <div class="verdict" data-sound={sound}>
      <p class="verdict-word">
        <Icon name={sound ? "check" : "alarm"} />
        {t(sound ? "owed_agree" : "owed_differ")}
      </p>
      <dl class="findings">
        <div>
          <dt>{t("owed_tickets")}</dt>
          <dd>{figure(owed.tickets)}</dd>
        </div>
        <div>
          <dt>{t("owed_outstanding")}</dt>
          <dd>{cash(owed.outstanding)}</dd>
        </div>
        <div>
          <dt>{t("owed_expired")}</dt>
          <dd>{cash(owed.expired)}</dd>
        </div>
        <div>
          <dt>{t("owed_ledger")}</dt>
          <dd>{cash(owed.ledger)}</dd>
        </div>
      </dl>
    </div>
  );
}

const useMeters = () => useAnswer<readonly MetersRow[]>(`/tables/${encodeURIComponent(table.value)}/meters`);

function Tickets() {
  const where = useSignal(CAGE);
  const places = [CAGE, ...(useMeters() ?? []).map((row) => row.terminal)];
  useEffect(() => {
    where.value = CAGE;
  }, [table.value]);
  const { items, older } = usePages<LoggedTicketView>(`/tickets?limit=35&where=${encodeURIComponent(where.value)}`);
  const rows = items?.map((ticket) => [
    ticket.sequence,
    ticket.number,
    word(`register_${ticket.status}`, ticket.status),
    dateTime(ticket.issued_at),
    dateTime(ticket.expires_at),
    ticket.ended_at === null ? "–" : dateTime(ticket.ended_at),
    cash(ticket.amount),
  ]);
  return (
    <>
      <Owed />
      <div class="field">
        <label for="ticket-place">{t("register_place")}</label>
        <select id="ticket-place" value={where} onChange={(event) => (where.value = event.currentTarget.value)}>
          {places.map((place) => (
            <option value={place}>{place === CAGE ? t("register_cage") : place}</option>
          ))}
        </select>
      </div>
      <Grid
        title="register_tickets"
        heads={(["sequence", "number", "status", "issued", "expires", "ended", "amount"] as const).map((one) =>
          t(`register_${one}`),
        )}
        rows={rows ?? null}
        sums={1}
        older={older}
      />
    </>
  );
}

function Meters() {
  const found = useMeters();
  const names = Object.keys(found?.[0]?.meters ?? {});
  const rows = found?.map(({ terminal, meters }) => [
    terminal,
    ...names.map((name) => (TIMES.has(name) ? figure(meters[name]!) : cash(meters[name]!))),
  ]);
  return (
    <Grid
      title="register_meters"
      heads={[t("register_terminal"), ...names.map((name) => word(`meter_${name}`, name))]}
      rows={rows ?? null}
      sums={names.length}
    />
  );
}

export function Registers() {
  return (
    <div class="registers">
      <Register title="register_events">{() => <Events />}</Register>
      <Register title="register_refused">{() => <RefusedActs />}</Register>
      <Register title="register_tickets">{() => <Tickets />}</Register>
      <Register title="register_meters">{() => <Meters />}</Register>
    </div>
  );
}
