/** One round told again: its acts in time with who and which clause, and each bet with what became of it. */
import { signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { InspectedBet, RoundTimeline, RulesView, TimelineEvent } from "../../http.ts";
import { diceWords } from "../../lib/dice-words.ts";
import { type Key, named, said, t } from "../../lib/i18n.ts";
import { chipFigure } from "../../lib/money.ts";
import { callWords } from "../../lib/phase.ts";
import type { FeltView } from "../../lib/types.ts";
import { BARE, BoxSignals, Felt, type FeltPlay } from "../felt.tsx";
import { Icon } from "../icon.tsx";
import { roleName } from "./login.tsx";
import { winningBoxes } from "./outcomes.ts";
import { RefusedBets } from "./refused-bets.tsx";
import { replayed, totalsOf } from "./replay.ts";
import { Summary } from "./round-summary.tsx";
import { ask, cash, currency, faultOf } from "./session.ts";
import { clockTime } from "./times.ts";

const STEP = 900;
const felts = new Map<string, Promise<FeltView>>();
const rules = new Map<string, Promise<RulesView>>();

function kept<T>(store: Map<string, Promise<T>>, path: string): Promise<T> {
  let found = store.get(path);
  if (!found) {
    found = ask<T>("GET", path);
    found.catch(() => store.delete(path));
    store.set(path, found);
  }
  return found;
}
export const feltOf = (payTable: string): Promise<FeltView> => kept(felts, `/felts/${payTable}`);
export const rulesOf = (rulebook: string): Promise<RulesView> => kept(rules, `/rules/${rulebook}`);

interface Loaded {
  readonly round: RoundTimeline;
  readonly felt: FeltView;
  readonly clauses: ReadonlyMap<string, string>;
}

async function load(table: string, number: number): Promise<Loaded> {
  const round = await ask<RoundTimeline>("GET", `/tables/${encodeURIComponent(table)}/rounds/${number}`);
  const [felt, book] = await Promise.all([feltOf(round.pay_table), rulesOf(round.pay_table.split("/")[0]!)]);
  return { round, felt, clauses: new Map(book.clauses.map((clause) => [clause.number, clause.text])) };
}

/** `tick` changes when the round may have changed. */
export function Inspector({ table, number, tick = 0 }: { table: string; number: number; tick?: number }) {
  const loaded = useSignal<Loaded | null>(null);
  const fault = useSignal("");
  useEffect(() => {
    let stale = false;
    fault.value = "";
    if (loaded.peek()?.round.round !== number || loaded.peek()?.round.table !== table) loaded.value = null;
    load(table, number).then(
      (found) => {
        if (!stale) loaded.value = found;
      },
      (problem: unknown) => {
        if (!stale) fault.value = faultOf(problem);
      },
    );
    return () => {
      stale = true;
    };
  }, [table, number, tick]);
  if (fault.value)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    );
  if (!loaded.value) return <p>{t("loading")}</p>;
  const { round, felt, clauses } = loaded.value;
  return (
    <div class="inspector">
      <Summary round={round} />
      <Replay round={round} felt={felt} clauses={clauses} />
      <Bets bets={round.bets} felt={felt} clauses={clauses} />
      <RefusedBets refused={round.refused} felt={felt} />
      <details class="fingerprints">
        <summary>{t("fingerprints")}</summary>
        <dl class="facts">
          <dt>{t("pay_table")}</dt>
          <dd>
            {round.pay_table} <code>{round.pay_table_digest}</code>
          </dd>
          <dt>{t("rulebook")}</dt>
          <dd>
            <code>{round.rulebook_digest}</code>
          </dd>
          {round.dice_source && (
            <>
              <dt>{t("dice_source")}</dt>
              <dd>{round.dice_source}</dd>
            </>
          )}
        </dl>
      </details>
      <a
        class="quiet tool"
        href={`/api/v1/tables/${encodeURIComponent(table)}/rounds/${number}`}
        download={`${table}-${number}.json`}
      >
        <Icon name="save_file" />
        <span>{t("export_round")}</span>
      </a>
    </div>
  );
}

/** A clause by its number; touched, it says what it says. */
function Clause({ number, clauses }: { number: string; clauses: ReadonlyMap<string, string> }) {
  const open = useSignal(false);
  if (!number || number === "house")
    return (
      <span class="clause" data-house="true">
        {t("house_procedure")}
      </span>
    );
  const text = clauses.get(number);
  return (
    <span class="clause">
      <button type="button" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        {t("clause", { clause: number })}
      </button>
      {open.value && <p lang="en">{text ?? number}</p>}
    </span>
  );
}

interface Taken {
  readonly player: string;
  readonly box: string;
  readonly amount: number;
}

/** The facts that matter of an event, in words. */
function factsOf({ type, facts }: TimelineEvent, felt: FeltView): string {
  const name = (box: string): string => named(felt.boxes.find((one) => one.id === box)?.names ?? { en: box });
  const of = (what: unknown, more: string): string => t("told_of", { what: String(what), more });
  const slip = (bets: unknown): string =>
    Object.entries(bets as Record<string, number>)
      .map(([box, amount]) => `${name(box)} ${cash(amount)}`)
      .join(t("list_comma")) || "–";
  const taken = (facts["taken"] as readonly Taken[] | undefined)
    ?.map((one) => of(one.player, `${name(one.box)} ${cash(one.amount)}`))
    .join(t("list_comma"));
  const dice = (key: string): string => diceWords((facts[key] as readonly number[] | null) ?? []);
  const second = facts["second"] as { name: string; role: string } | undefined;
  const with_ = second ? ` · ${t("with_second", { name: second.name, role: roleName(second.role) })}` : "";
  const why = facts["reason"] ? ` · “${String(facts["reason"])}”` : "";
  switch (type) {
    case "BetsPlaced": {
      const cuts = facts["cuts"] as readonly { box: string; asked: number; accepted: number }[];
      const cut = cuts
        .map((one) => t("cut_from", { box: name(one.box), asked: cash(one.asked), accepted: cash(one.accepted) }))
        .join(t("list_comma"));
      const how = facts["how"] ? ` · ${t(`how_${String(facts["how"]).replace("-", "_")}` as Key)}` : "";
      return of(facts["player"], `${slip(facts["slip"])}${cut && ` (${cut})`}${how}`);
    }
    case "BettingClosed": {
      const excess = facts["excess_by"] ? ` · ${t(`excess_by_${String(facts["excess_by"])}` as Key)}` : "";
      return t("closed_with", { players: Number(facts["players"]), staked: cash(Number(facts["staked"])) }) + excess;
    }
    case "TumblerActivated":
      return (
        t("tumbled_times", { n: Number(facts["tumbles"]) }) +
        (facts["flat"] === false ? ` · ${t("ground_not_flat")}` : "")
      );
    case "DiceExposed":
      return facts["flat"] === false ? t("ground_not_flat") : t("all_flat");
    case "RollDeclared":
    case "DiceDrawn":
    case "DiceRead":
      return callWords(facts["roll"] as readonly number[]).whole;
    case "KnownFacesDeclared":
      return dice("known");
    case "SupervisorCalled":
      return `${dice("declared")} / ${dice("read")} (${String(facts["source"])})`;
    case "PayoutsMade":
    case "SettlementReversed": {
      const payouts = Object.entries(facts["payouts"] as Record<string, number>);
      const paid = payouts.filter(([, amount]) => amount > 0);
      return paid.length
        ? paid.map(([player, amount]) => `${player} ${cash(amount)}`).join(t("list_comma"))
        : t("nobody_paid");
    }
    case "BetsSettled":
      return t("settled_with", {
        bets: Number(facts["bets"]),
        staked: cash(Number(facts["staked"])),
        paid: cash(Number(facts["paid"])),
      });
    case "ExcessRejected":
    case "BetsReturned":
      return taken ?? "";
    case "MinimumAdvised":
      return of(
        facts["player"],
        `${name(String(facts["box"]))} ${cash(Number(facts["stake"]))} < ${cash(Number(facts["minimum"]))}`,
      );
    case "PlayerAbsent":
      return String(facts["player"]);
    case "RoundVoided":
      return t(`ground_${String(facts["ground"]).replaceAll("-", "_")}` as Key);
    case "RoundInterrupted":
      return of(
        t("known_faces"),
        `${dice("known") || "–"} · ${t(facts["established"] ? "outcome_established" : "outcome_not_established")}`,
      );
    case "ResultCorrected":
      return `${dice("before")} → ${dice("after")}${with_}${why}`;
    case "BetsCorrected":
      return of(facts["player"], `${slip(facts["before"])} → ${slip(facts["after"])}${with_}${why}`);
    case "RulingMade":
      return `${t(`ruling_${String(facts["decision"]).replace("-", "_")}` as Key)}${with_}${why}`;
    case "DamagedDiceReported":
      return `${t("round_number", { n: (facts["rounds"] as readonly number[]).join(", ") })}${with_}${why}`;
    case "DisplayFaultRecorded":
      return String(facts["what"]);
    case "WindowSet":
      return facts["closes_at"]
        ? t("bets_until", { at: clockTime(Date.parse(String(facts["closes_at"]))) })
        : t("bets_until_called");
    default:
      return "";
  }
}

/** The acts in order, a slider over them, and the felt as it was after the chosen one. */
function Replay({
  round,
  felt,
  clauses,
}: {
  round: RoundTimeline;
  felt: FeltView;
  clauses: ReadonlyMap<string, string>;
}) {
  const { events } = round;
  const at = useSignal(events.length);
  const playing = useSignal(false);
  const list = useRef<HTMLOListElement>(null);
  const boxes = useMemo(() => new BoxSignals((value) => signal(value)), [felt]);
  const play = useMemo<FeltPlay>(
    () => ({
      open: signal(false),
      add: () => undefined,
      remove: () => false,
      chip: (amount) => ({ figure: chipFigure(amount, currency.value), colour: 1 }),
      spoken: cash,
      looking: signal(""),
    }),
    [],
  );
  const now = useComputed(() => replayed(events, at.value));
  useEffect(() => {
    at.value = events.length;
  }, [events]);
  useEffect(() => {
    const totals = totalsOf(now.value.slips);
    const won = now.value.dice ? new Set(winningBoxes(felt.boxes, now.value.dice).map((box) => box.id)) : null;
    for (const { id } of felt.boxes) {
      const amount = totals[id] ?? 0;
      boxes.set(id, {
        ...BARE,
        stake: { amount, state: amount ? "registered" : "none", refused: 0 },
        lit: won ? (won.has(id) ? "won" : "lost") : "",
      });
    }
  }, [now.value, felt]);
  useEffect(() => {
    if (!playing.value) return undefined;
    if (at.value >= events.length) at.value = 0;
    const timer = setInterval(() => {
      at.value += 1;
      if (at.value >= events.length) playing.value = false;
    }, STEP);
    return () => clearInterval(timer);
  }, [playing.value]);
  useEffect(() => {
    if (playing.value) list.current?.children[at.value - 1]?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  // When the betting really closed: by its window, or when the dealer called it.
  const limit = events.find((event) => event.type === "BettingClosed")?.at ?? round.closes_at;
  return (
    <section class="replay" aria-label={t("timeline")}>
      <div class="replay-felt">
        <div class="mini">
          <Felt felt={felt} show={boxes.of} play={play} always />
        </div>
        <div class="replay-hands">
          <button
            type="button"
            class="quiet square"
            aria-label={t("step_back")}
            onClick={() => (at.value = Math.max(0, at.value - 1))}
          >
            <Icon name="back" />
          </button>
          <button
            type="button"
            class="solid square"
            aria-label={t(playing.value ? "replay_pause" : "replay_play")}
            onClick={() => (playing.value = !playing.value)}
          >
            <Icon name={playing.value ? "pause" : "play"} />
          </button>
          <button
            type="button"
            class="quiet square"
            aria-label={t("step_on")}
            onClick={() => (at.value = Math.min(events.length, at.value + 1))}
          >
            <Icon name="next" />
          </button>
          <input
            type="range"
            min="0"
            max={events.length}
            value={at.value}
            aria-label={t("timeline")}
            aria-valuetext={t("step_of", { n: at.value, all: events.length })}
            onInput={(event) => (at.value = Number(event.currentTarget.value))}
          />
          <span class="small">{t("step_of", { n: at.value, all: events.length })}</span>
        </div>
      </div>
      <ol class="timeline" ref={list}>
        {events.map((event, place) => (
          <li data-past={place < at.value} data-now={place === at.value - 1} data-type={event.type}>
            <button
              type="button"
              class="line-button"
              onClick={() => (at.value = place + 1)}
              aria-current={place === at.value - 1 ? "step" : undefined}
            >
              <time>{clockTime(event.at)}</time>
              <span class="what">
                <b>{t(`event_${event.type}` as Key)}</b> <span>{factsOf(event, felt)}</span>
              </span>
              <span class="who">
                {event.by} <small>{roleName(event.role)}</small>
              </span>
            </button>
            <Clause number={event.clause} clauses={clauses} />
            {limit !== null && event.type === "BetsPlaced" && (
              <small class="before">{t("before_closing", { seconds: ((limit - event.at) / 1000).toFixed(2) })}</small>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Bets({
  bets,
  felt,
  clauses,
}: {
  bets: readonly InspectedBet[];
  felt: FeltView;
  clauses: ReadonlyMap<string, string>;
}) {
  if (!bets.length) return <p class="small">{t("bets_none")}</p>;
  const name = (box: string): string => named(felt.boxes.find((one) => one.id === box)?.names ?? { en: box });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("bets")}>
      <table class="grid">
        <caption>
          {t("bets")} ({bets.length})
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("player")}</th>
            <th scope="col">{t("box")}</th>
            <th scope="col" class="sum">
              {t("stake_placed")}
            </th>
            <th scope="col" class="sum">
              {t("stake_counted")}
            </th>
            <th scope="col" class="sum">
              {t("came_back")}
            </th>
            <th scope="col">{t("why")}</th>
          </tr>
        </thead>
        <tbody>
          {bets.map((bet) => (
            <tr data-won={bet.won}>
              <td>{bet.player}</td>
              <th scope="row">
                {bet.won && <Icon name="easy" />}
                {name(bet.box)}
              </th>
              <td class="sum">{cash(bet.stake)}</td>
              <td class="sum">{cash(bet.effective)}</td>
              <td class="sum">{cash(bet.returned)}</td>
              <td class="why">
                {said(bet.sentences).map((sentence) => (
                  <p>{sentence}</p>
                ))}
                {!said(bet.sentences).length &&
                  bet.clauses.map((clause) => <Clause number={clause} clauses={clauses} />)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
