/** Where an auditor looks for rounds: by number, by time, and by what is in them. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { FoundRoundView, RoundResult, TableAndFelt } from "../../http.ts";
import { boxById } from "../../lib/box-names.ts";
import { has, type Key, named, t } from "../../lib/i18n.ts";
import type { BoxView } from "../../lib/types.ts";
import { Dice } from "../../ui/dice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { amountIn, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { ask, cash } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import {
  attempt,
  chosen,
  find as findRounds,
  hits,
  lookedAt,
  next,
  older,
  rounds,
  searching,
  table,
  tables,
} from "./model.ts";

interface Criteria {
  readonly player: Signal<string>;
  readonly box: Signal<string>;
  readonly least: Signal<string>;
  readonly most: Signal<string>;
  readonly dealer: Signal<string>;
  readonly clause: Signal<string>;
  readonly refused: Signal<boolean>;
}

/** What is asked for, as the server reads it; nothing where nothing is. */
function queryOf(of: Criteria): string {
  const found = new URLSearchParams();
  for (const name of ["player", "box", "dealer", "clause"] as const)
    if (of[name].value.trim()) found.set(name, of[name].value.trim());
  for (const name of ["least", "most"] as const) {
    const amount = amountIn(of[name]);
    if (amount !== null) found.set(name, String(amount));
  }
  if (of.refused.value) found.set("refused", "true");
  return found.toString();
}

/** The boxes of the table's felt, by their names. */
function useBoxes(): readonly BoxView[] {
  const boxes = useSignal<readonly BoxView[]>([]);
  const of = table.value;
  useEffect(() => {
    if (!of) return;
    void attempt(async () => {
      const found = await ask<TableAndFelt>("GET", `/tables/${encodeURIComponent(of)}`);
      if (table.value === of) boxes.value = found.felt.boxes;
    });
  }, [of]);
  return boxes.value;
}

function More({ of }: { of: Criteria }) {
  const boxes = useBoxes();
  return (
    <details class="more">
      <summary>{t("audit_more")}</summary>
      <div class="search">
        <TextField label={t("audit_player")} of={of.player} />
        <TextField label={t("audit_dealer")} of={of.dealer} />
        <div class="field">
          <label for="audit-box">{t("audit_box")}</label>
          <select id="audit-box" value={of.box} onChange={(event) => (of.box.value = event.currentTarget.value)}>
            <option value="">{t("audit_any_box")}</option>
            {boxes.map((box) => (
              <option value={box.id}>{named(box.names)}</option>
            ))}
          </select>
        </div>
        <TextField label={t("audit_clause")} of={of.clause} />
        <MoneyField label={t("audit_least")} of={of.least} optional />
        <MoneyField label={t("audit_most")} of={of.most} optional />
        <label class="option whole">
          <input
            type="checkbox"
            checked={of.refused.value}
            onChange={(event) => (of.refused.value = event.currentTarget.checked)}
          />
          <span>{t("audit_refused")}</span>
        </label>
      </div>
    </details>
  );
}

interface WhichProps {
  readonly label: string;
  readonly of: Signal<string>;
  /** The other way to say which round it is: what is typed here takes its place. */
  readonly or: Signal<string>;
  readonly input: Readonly<Record<string, string>>;
}

function WhichRound({ label, of, or, input }: WhichProps) {
  const id = useId();
  return (
    <div class={input["type"] ? "field moment" : "field"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        autoComplete="off"
        value={of}
        {...input}
        onInput={(event) => {
          of.value = event.currentTarget.value;
          or.value = "";
        }}
      />
    </div>
  );
}

export function Search() {
  const [number, moment] = [useSignal(""), useSignal("")];
  const criteria: Criteria = {
    player: useSignal(""),
    box: useSignal(""),
    least: useSignal(""),
    most: useSignal(""),
    dealer: useSignal(""),
    clause: useSignal(""),
    refused: useSignal(false),
  };
  const find = (event: Event) => {
    event.preventDefault();
    void findRounds(Number(number.value.trim()), Date.parse(moment.value), queryOf(criteria));
  };
  return (
    <form onSubmit={find} class="search-form">
      <div class="search">
        <div class="field whole">
          <label for="audit-table">{t("audit_table")}</label>
          <select
            id="audit-table"
            value={table.value}
            onChange={(event) => {
              table.value = event.currentTarget.value;
              chosen.value = null;
              criteria.box.value = "";
              void findRounds(Number.NaN, Number.NaN);
            }}
          >
            {tables.value.map((one) => (
              <option value={one.name}>
                {one.name} · {named(one.titles)}
              </option>
            ))}
          </select>
        </div>
        <div class="search-round">
          <WhichRound label={t("audit_number")} of={number} or={moment} input={{ inputMode: "numeric" }} />
          <WhichRound label={t("audit_moment")} of={moment} or={number} input={{ type: "datetime-local", step: "1" }} />
        </div>
      </div>
      <More of={criteria} />
      <button type="submit" class="solid tool" aria-busy={searching}>
        <Icon name="search" />
        <span>{t("audit_find")}</span>
      </button>
    </form>
  );
}

/** What in a round was looked for: bets with their amounts, acts with their clauses. */
function Hits({ of }: { of: FoundRoundView | undefined }) {
  if (!of || (!of.bets.length && !of.acts.length)) return null;
  return (
    <tr class="hits">
      <td colSpan={4}>
        <ul class="small">
          {of.bets.map((bet) => (
            <li data-refused={bet.code !== ""}>
              {bet.player} · {boxById(bet.box)} · {cash(bet.amount)}
              {bet.code && ` · ${t("audit_was_refused", { clause: clauseWords(bet.clause) })}`}
            </li>
          ))}
          {of.acts.map((act) => (
            <li>
              {has(`event_${act.type}`) ? t(`event_${act.type}` as Key) : act.type} · {clauseWords(act.clause)} ·{" "}
              {act.by}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

const clauseWords = (clause: string): string => (clause === "house" ? t("house_procedure") : t("clause", { clause }));

function Row({ round }: { round: RoundResult }) {
  const is = chosen.value === round.round;
  return (
    <tr data-chosen={is}>
      <th scope="row">
        <button
          type="button"
          class="row-link"
          aria-current={is ? "true" : undefined}
          onClick={() => (chosen.value = round.round)}
        >
          {round.round}
        </button>
      </th>
      <td>{dateTime(round.at)}</td>
      <td>
        {round.dice ? (
          <>
            <Dice faces={round.dice} /> {round.total}
          </>
        ) : round.known ? (
          <>
            <Dice faces={round.known} /> <small>{t("known_faces")}</small>
          </>
        ) : (
          "–"
        )}
      </td>
      <td>
        {t(`state_${round.state.replaceAll("-", "_")}` as Key)}
        {round.corrected && <small class="tag">{t("corrected")}</small>}
      </td>
    </tr>
  );
}

export function Results() {
  return (
    <>
      {lookedAt.value !== null && (
        <p class="small">{t("audit_looked_at", { found: rounds.value.length, n: lookedAt.value })}</p>
      )}
      <div class="scroll found" tabIndex={0} role="region" aria-label={t("rounds_list")}>
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">{t("audit_round")}</th>
              <th scope="col">{t("opened_at")}</th>
              <th scope="col">{t("dice")}</th>
              <th scope="col">{t("state")}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.value.map((round) => (
              <>
                <Row round={round} />
                <Hits of={hits.value.get(round.round)} />
              </>
            ))}
          </tbody>
        </table>
      </div>
      {next.value && (
        <button type="button" class="quiet" onClick={() => void older()}>
          {t(lookedAt.value === null ? "rounds_older" : "audit_look_on")}
        </button>
      )}
    </>
  );
}
