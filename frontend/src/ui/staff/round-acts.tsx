/** Forms for what takes two people in a round: corrections, damaged dice, rulings. The console and the pit have them. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { DiceRoundsView, RoundTimeline } from "../../http.ts";
import { diceWords } from "../../lib/dice-words.ts";
import { type Key, named, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import type { BoxView } from "../../lib/types.ts";
import { type DiceEntry, NO_DICE } from "./dice-keypad.ts";
import { DiceField } from "./dice-pad.tsx";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "./fields.tsx";
import { note } from "./notice.tsx";
import { ask, cash, faultOf } from "./session.ts";
import { dateTime } from "./times.ts";

/** Does an act at the table; true unless it was refused. */
export type Doing = (act: string, done: string, fields: object, round: number | null) => Promise<boolean>;

interface FormProps {
  readonly act: Doing;
  readonly close: () => void;
}

const ROUNDS_AT_ONCE = 1_000;
const TwoPeople = () => <p class="two-people">{t("takes_two")}</p>;

export interface PastRound {
  readonly round: number;
  readonly dice: readonly number[] | null;
}

export function CorrectResultForm({ act, close, rounds }: FormProps & { rounds: readonly PastRound[] }) {
  const [entry, reason, round] = [useSignal<DiceEntry>(NO_DICE), useSignal(""), useSignal(rounds[0]?.round ?? 0)];
  const { faces } = entry.value;
  const run = async () => {
    if (await act("CorrectResult", t("corrected_done"), { roll: faces, reason: reason.value.trim() }, round.value))
      close();
  };
  return (
    <ActForm submit={t("ask_second")} ready={faces.length === 3 && reason.value.trim() !== ""} cancel={close} run={run}>
      <div class="field">
        <label for="which-round">{t("which_round")}</label>
        <select
          id="which-round"
          value={String(round.value)}
          onChange={(event) => (round.value = Number(event.currentTarget.value))}
        >
          {rounds.map((one) => (
            <option value={String(one.round)}>
              {t("told_of", { what: t("round_number", { n: one.round }), more: diceWords(one.dice ?? []) })}
            </option>
          ))}
        </select>
      </div>
      <DiceField label={t("dice_really")} entry={entry} />
      {faces.length === 3 && <p class="said">{callWords(faces).whole}</p>}
      <TextField label={t("reason")} of={reason} required />
      <TwoPeople />
    </ActForm>
  );
}

interface DamagedProps extends FormProps {
  readonly table: string;
  readonly set: string | null;
  readonly from: number;
  readonly last: number;
}

type Range = readonly [first: string, until: string];

/** The rounds of a range that were played with the set, as far as that is known. */
function roundsIn([first, until]: Range, last: number, used: readonly number[] | null): readonly number[] {
  const [low, high] = [Number(first), Number(until)];
  if (!first.trim() || !until.trim() || !Number.isInteger(low) || !Number.isInteger(high)) return [];
  if (low < 1 || low > high || high > last || high - low >= ROUNDS_AT_ONCE) return [];
  const between = Array.from({ length: high - low + 1 }, (_, at) => low + at);
  return used ? between.filter((round) => used.includes(round)) : between;
}

/** What a damaged set of dice puts in doubt, at every table where it was used: all of it goes in one report. */
export function DamagedDiceForm({ act, close, table, set, from, last }: DamagedProps) {
  const reason = useSignal("");
  const ranges = useSignal<Readonly<Record<string, Range>>>({ [table]: [String(from), String(from)] });
  const found = useSignal<DiceRoundsView | null>(null);
  useEffect(() => {
    if (!set) return;
    ask<DiceRoundsView>("GET", `/dice/${encodeURIComponent(set)}/rounds`).then(
      (answer) => {
        found.value = answer;
        const proposed = Object.entries(answer.proposed).map(([name, rounds]): [string, Range] => [
          name,
          [String(rounds[0]), String(rounds.at(-1))],
        ]);
        const here: Range = answer.rounds.some((one) => one.table === table) ? ranges.value[table]! : ["", ""];
        ranges.value = { [table]: here, ...Object.fromEntries(proposed) };
      },
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [table, set]);
  const at = (name: string): readonly number[] => {
    const used = found.value?.rounds.filter((one) => one.table === name).map((one) => one.round) ?? null;
    return roundsIn(ranges.value[name]!, name === table ? last : Math.max(0, ...(used ?? [])), used);
  };
  const tables = Object.keys(ranges.value);
  const rounds = at(table);
  const elsewhere = Object.fromEntries(
    tables.filter((name) => name !== table && at(name).length > 0).map((name) => [name, at(name)]),
  );
  const isVoid = (name: string, round: number): boolean =>
    found.value?.rounds.some((one) => one.table === name && one.round === round && one.state === "void") ?? false;
  const run = async () => {
    const facts = { rounds, elsewhere, reason: reason.value.trim(), ...(set ? { dice_set: set } : {}) };
    if (await act("ReportDamagedDice", t("recorded"), facts, null)) close();
  };
  const passed = found.value?.dice.passed_at;
  return (
    <ActForm
      submit={t("ask_second")}
      ready={(rounds.length > 0 || Object.keys(elsewhere).length > 0) && reason.value.trim() !== ""}
      danger
      cancel={close}
      run={run}
    >
      <p>{t("damaged_text")}</p>
      {found.value && (
        <p class="small">
          {passed
            ? t("damaged_since", { set: set ?? "", at: dateTime(passed) })
            : t("damaged_never", { set: set ?? "" })}
        </p>
      )}
      {tables.map((name) => (
        <RangeFields
          key={name}
          table={tables.length > 1 ? name : ""}
          of={ranges.value[name]!}
          set={(range) => (ranges.value = { ...ranges.value, [name]: range })}
          rounds={at(name)}
          skipped={at(name).filter((round) => isVoid(name, round))}
        />
      ))}
      <TextField label={t("reason")} of={reason} required />
      <TwoPeople />
    </ActForm>
  );
}

interface RangeProps {
  /** Named where there is more than one. */
  readonly table: string;
  readonly of: Range;
  readonly set: (range: Range) => void;
  readonly rounds: readonly number[];
  readonly skipped: readonly number[];
}

function RangeFields({ table, of, set, rounds, skipped }: RangeProps) {
  const id = useId();
  const ends = [t("round_from"), t("round_to")] as const;
  return (
    <fieldset class="rounds-of-table">
      {table && <legend>{t("at_table_named", { table })}</legend>}
      <div class="two-fields">
        {ends.map((label, end) => (
          <div class="field">
            <label for={`${id}-${end}`}>{label}</label>
            <input
              id={`${id}-${end}`}
              inputMode="numeric"
              autoComplete="off"
              value={of[end]}
              onInput={(event) =>
                set(end === 0 ? [event.currentTarget.value, of[1]] : [of[0], event.currentTarget.value])
              }
            />
          </div>
        ))}
      </div>
      <p>{t("damaged_rounds", { n: rounds.length, rounds: listed(rounds) })}</p>
      {skipped.length > 0 && <p class="small">{t("damaged_skipped", { rounds: listed(skipped) })}</p>}
    </fieldset>
  );
}

/** The set of dice that a round was opened with. */
export const setOf = (events: RoundTimeline["events"]): string | null =>
  (events.find((one) => one.type === "BettingOpened")?.facts["dice_set"] as string | null | undefined) ?? null;

/** Rounds as people say them: 3–5, 9. */
function listed(rounds: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const round of rounds) {
    const run = runs.at(-1);
    if (run && run[1] === round - 1) run[1] = round;
    else runs.push([round, round]);
  }
  return runs.map(([low, high]) => (low === high ? `${low}` : `${low}–${high}`)).join(t("list_comma")) || "–";
}

type Decision = "record" | "void" | "declare" | "settle-known" | "return-bets";

export interface NamedBet {
  readonly player: string;
  readonly box: string;
  readonly stake: number;
}

interface RulingProps extends FormProps {
  readonly round: number;
  readonly bets: readonly NamedBet[];
  /** Whether it waits for a ruling: some dice were read, and the others never can be. */
  readonly waits: boolean;
  readonly boxName: (box: string) => string;
}

export function RulingForm({ act, close, round, bets, waits, boxName }: RulingProps) {
  const [decision, reason, entry] = [
    useSignal<Decision>(waits ? "settle-known" : "record"),
    useSignal(""),
    useSignal<DiceEntry>(NO_DICE),
  ];
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const what = decision.value;
  const offered: readonly Decision[] = [
    ...(waits ? (["settle-known"] as const) : []),
    "record",
    "void",
    "declare",
    ...(bets.length ? (["return-bets"] as const) : []),
  ];
  const ready =
    reason.value.trim() !== "" &&
    (what !== "declare" || entry.value.faces.length === 3) &&
    (what !== "return-bets" || chosen.value.size > 0);
  const run = async () => {
    const facts = {
      decision: what,
      reason: reason.value.trim(),
      ...(what === "declare" ? { roll: entry.value.faces } : {}),
      ...(what === "return-bets"
        ? { bets: bets.filter((_, place) => chosen.value.has(place)).map(({ player, box }) => ({ player, box })) }
        : {}),
    };
    if (await act("MakeRuling", t("recorded"), facts, round)) close();
  };
  const toggle = (place: number) => {
    const next = new Set(chosen.value);
    if (!next.delete(place)) next.add(place);
    chosen.value = next;
  };
  return (
    <ActForm submit={t("ask_second")} ready={ready} danger={what === "void"} cancel={close} run={run}>
      <p>{t("ruling_text")}</p>
      <Choice
        label={t("ruling")}
        of={decision}
        options={offered.map((value) => ({
          value,
          text: t(`ruling_${value.replace("-", "_")}` as Key),
        }))}
      />
      {what === "declare" && <DiceField label={t("dice")} entry={entry} />}
      {what === "return-bets" && (
        <fieldset class="options">
          <legend>{t("bets")}</legend>
          {bets.map((bet, place) => (
            <label class="option">
              <input type="checkbox" checked={chosen.value.has(place)} onChange={() => toggle(place)} />
              <span>
                {bet.player}
                <small>
                  {boxName(bet.box)} · {cash(bet.stake)}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <TextField label={t("reason")} of={reason} required />
      <TwoPeople />
    </ActForm>
  );
}

type Slip = Readonly<Record<string, number>>;

interface CorrectBetsProps extends FormProps {
  readonly round: number;
  readonly boxes: readonly BoxView[];
  readonly slips: Readonly<Record<string, Slip>>;
}

/** The register corrected to the felt: box by box, for one player. */
export function CorrectBetsForm({ act, close, round, boxes, slips }: CorrectBetsProps) {
  const players = Object.keys(slips);
  const [player, reason, box, amount] = [
    useSignal(players[0] ?? ""),
    useSignal(""),
    useSignal(boxes[0]?.id ?? ""),
    useSignal(""),
  ];
  // Whose slip was changed goes with it: another player's bets begin with their own.
  const changed: Signal<{ of: string; slip: Slip } | null> = useSignal<{ of: string; slip: Slip } | null>(null);
  const own = changed.value?.of === player.value ? changed.value.slip : null;
  const slip = own ?? slips[player.value] ?? {};
  const name = (id: string): string => named(boxes.find((one) => one.id === id)?.names ?? { en: id });
  const put = (id: string, minor: number | null) => {
    if (minor === null) return;
    const { [id]: _, ...others } = slip;
    changed.value = { of: player.value, slip: minor ? { ...others, [id]: minor } : others };
    amount.value = "";
  };
  const run = async () => {
    if (
      await act("CorrectBets", t("corrected_done"), { player: player.value, slip, reason: reason.value.trim() }, round)
    )
      close();
  };
  return (
    <ActForm
      submit={t("ask_second")}
      ready={player.value !== "" && own !== null && reason.value.trim() !== ""}
      cancel={close}
      run={run}
    >
      <p>{t("correct_bets_text")}</p>
      <TextField label={t("player")} of={player} list={players} required />
      <ul class="bet-lines">
        {Object.entries(slip).map(([id, minor]) => (
          <li>
            <span>{name(id)}</span>
            <b>{cash(minor)}</b>
            <button type="button" class="quiet" onClick={() => put(id, 0)}>
              {t("take_off")}
            </button>
          </li>
        ))}
        {!Object.keys(slip).length && <li class="small">{t("bets_none")}</li>}
      </ul>
      <div class="bet-line-new">
        <div class="field">
          <label for="correct-box">{t("box")}</label>
          <select id="correct-box" value={box.value} onChange={(event) => (box.value = event.currentTarget.value)}>
            {boxes.map((one) => (
              <option value={one.id}>{name(one.id)}</option>
            ))}
          </select>
        </div>
        <MoneyField label={t("stake_placed")} of={amount} optional />
        <button type="button" class="quiet" onClick={() => put(box.value, amountIn(amount))}>
          {t("put_on")}
        </button>
      </div>
      <TextField label={t("reason")} of={reason} required />
      <TwoPeople />
    </ActForm>
  );
}
