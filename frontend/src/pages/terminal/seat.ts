/** A player's place at the cluster: what is known there, as signals, and how it is said. */
import { computed, signal } from "@preact/signals";
import { boxById } from "../../lib/box-names.ts";
import { ServerClock } from "../../lib/clock.ts";
import { Deadline } from "../../lib/deadline.ts";
import { gap, type Key, language, named, said, t } from "../../lib/i18n.ts";
import {
  chipFigure,
  chipSet,
  currencyOf,
  money,
  netMoney,
  RAIL_CHIPS,
  railChips,
  spokenMoney,
  topChip,
} from "../../lib/money.ts";
import { moodOf, warnSeconds } from "../../lib/phase.ts";
import { preference } from "../../lib/prefs.ts";
import { EMPTY, limitOf, type Reason, type Slip, stakeOn, type Table, total } from "../../lib/slip.ts";
import type {
  FeltView,
  LimitView,
  PlayedRoundView,
  Readiness,
  ResultView,
  RoundView,
  SessionView,
  SetLimits,
  TableView,
  TicketView,
} from "../../lib/types.ts";
import { BARE, BoxSignals, NO_STAKE } from "../../ui/felt.tsx";

/** What a player allows themselves in this session; none is no limit. */
export type OwnLimits = Omit<SetLimits, "type" | "id">;

export interface SavedSlip {
  readonly payTable: string;
  readonly slip: Slip;
}

export const letterKeys = preference("letter-keys", true);
export const easyMode = preference("easy-mode", false);
export const leftHand = preference("left-hand", false);
/** The tour was taken, or skipped. */
export const toured = preference("toured", false);
/** Which chips stand on the rail, by table. */
const chosenChips = preference<Readonly<Record<string, readonly number[]>>>("rail", {});
export const savedSlips = preference<readonly SavedSlip[]>("saved-slips", []);

const NO_RULES: Table = {
  limits: { unit: 1, default: { minimum: 0, maximum: null }, groups: {}, boxes: {}, differential: {} },
  groups: {},
};

const RECALL_KEPT = 10;

/** What the page refuses before it asks, under the codes by which the table names its clauses. */
const CODES: Readonly<Partial<Record<Key, string>>> = {
  betting_is_shut: "betting_closed",
  not_on_felt: "box_unknown",
  not_in_units: "stake_not_in_units",
  above_maximum: "above_maximum",
  funds_short: "funds_insufficient",
};

export const newestFirst = (rounds: readonly PlayedRoundView[]): PlayedRoundView[] =>
  [...rounds].sort((a, b) => b.round - a.round).slice(0, RECALL_KEPT);

export class Seat {
  readonly clock = new ServerClock();
  readonly deadline = new Deadline(this.clock, () => this.clock.margin);
  readonly table = signal<TableView | null>(null);
  readonly felt = signal<FeltView | null>(null);
  readonly session = signal<SessionView | null>(null);
  readonly round = signal<RoundView | null>(null);
  readonly history = signal<readonly ResultView[]>([]);
  readonly slip = signal(EMPTY);
  /** What the round in view brought, once it is settled. */
  readonly played = signal<PlayedRoundView | null>(null);
  /** A result that stays in view though the next round is open already. */
  readonly after = signal<{ readonly round: RoundView; readonly played: PlayedRoundView | null } | null>(null);
  /** The round whose result is in view, and what it brought. */
  readonly result = computed(() => {
    const [round, played] = [this.round.value, this.played.value];
    return this.after.value ?? (round?.dice && round.phase !== "void" && !round.held ? { round, played } : null);
  });
  /** Why no bet is taken, while the line is up. */
  readonly whyShut = computed((): Key => {
    const round = this.round.value;
    if (round?.held) return "announce_held";
    const open = round?.phase === "betting" && this.deadline.inTime.value;
    return open && !this.session.value ? "buy_in_first" : "betting_is_shut";
  });
  /** The last rounds, newest first; they stay in view when the session has ended. */
  readonly recall = signal<readonly PlayedRoundView[]>([]);
  readonly ticket = signal<TicketView | null>(null);
  /** A message that needs to be seen: the last refusal, or what was returned. */
  readonly message = signal<Reason | null>(null);
  readonly checkDue = signal(false);
  /** At a table without a clock: who wants the dice. */
  readonly readiness = signal<Readiness | null>(null);
  /** The server's time in whole seconds. */
  readonly now = signal(0);
  readonly chipIndex = preference("chip", 1);
  readonly boxes = new BoxSignals((value) => signal(value));
  readonly looking = signal("");
  /** A bare box on which a finger stayed: what does it ask? */
  readonly asked = signal("");

  readonly rules = computed<Table>(() => {
    const [table, felt] = [this.table.value, this.felt.value];
    if (!table || !felt) return NO_RULES;
    return { limits: table.limits, groups: Object.fromEntries(felt.boxes.map((box) => [box.id, box.group])) };
  });
  /** Every chip that the table takes and a box has room for. */
  readonly allChips = computed(() => {
    const table = this.table.value;
    if (!table) return [];
    const { unit, default: limit } = table.limits;
    return chipSet(unit, limit.minimum, currencyOf(table)).filter((chip) => chip <= (limit.maximum ?? Infinity));
  });
  /** The chips of the rail: those that were chosen on this machine, or six that reach far enough. */
  readonly chips = computed(() => {
    const table = this.table.value;
    const chosen = chosenChips.value[table?.name ?? ""] ?? [];
    const found = this.allChips.value.filter((chip) => chosen.includes(chip)).slice(0, RAIL_CHIPS);
    return found.length ? found : railChips(this.allChips.value, table?.limits.default.maximum ?? null);
  });
  readonly chip = computed(() => this.chips.value[Math.min(this.chipIndex.value, this.chips.value.length - 1)] ?? 0);
  readonly mood = computed(() =>
    moodOf(
      this.round.value,
      this.deadline.inTime.value,
      this.deadline.left.value,
      warnSeconds(this.round.value),
      this.table.value?.closed,
    ),
  );
  /** What lies on the felt as the server has it, and what it does not have yet. */
  readonly staked = computed(() => (this.isPaid() ? 0 : total(this.slip.value.registered)));
  readonly pending = computed(() =>
    this.isPaid() ? 0 : Math.max(0, total(this.slip.value.wanted) - total(this.slip.value.registered)),
  );

  /** The round is settled: what it brought is in the credit, and nothing of it is on the felt any more. */
  private isPaid(): boolean {
    return this.played.value !== null && this.played.value.round === this.slip.value.round;
  }

  /** Puts a chip on the rail or takes it off; at least one stays, and no more than the rail has room for. */
  toggleChip = (chip: number): void => {
    const [rail, table] = [this.chips.value, this.table.value];
    const next = rail.includes(chip) ? rail.filter((one) => one !== chip) : [...rail, chip];
    if (!table || !next.length || next.length > RAIL_CHIPS) return;
    const held = this.chip.value;
    chosenChips.value = { ...chosenChips.value, [table.name]: next };
    this.chipIndex.value = Math.max(0, this.chips.value.indexOf(held)); // the chip in the hand stays there
  };

  choose = (index: number): void => {
    if (index < this.chips.value.length) this.chipIndex.value = index;
  };

  saveSlip = (): void => {
    const [felt, slip] = [this.felt.value, this.slip.value.wanted];
    if (!felt || !Object.keys(slip).length) return;
    savedSlips.value = [{ payTable: felt.pay_table, slip }, ...savedSlips.value].slice(0, 8);
  };

  money = (minor: number): string => this.#said(minor, money);
  net = (minor: number): string => this.#said(minor, netMoney);
  spoken = (minor: number): string => this.#said(minor, spokenMoney);

  chipOf = (minor: number): { figure: string; colour: number } => {
    const table = this.table.value;
    const figure = table ? chipFigure(minor, currencyOf(table)) : String(minor);
    return { figure, colour: topChip(minor, this.chips.value) };
  };

  limitOf = (box: string): LimitView => limitOf(this.rules.value, box);

  /** A box by its name; one of a round before the felt was another by its kind and numbers. */
  boxName = (box: string): string => {
    const here = this.felt.value?.boxes.find((one) => one.id === box);
    return here ? named(here.names) : boxById(box);
  };

  /** A reason in the player's language: the server's own sentence, or ours. */
  say = (reason: Reason): string => {
    if (reason.sentences) {
      const late = reason.lateByMs ? [t("late_by", { ms: reason.lateByMs })] : [];
      return [...said(reason.sentences), ...late].join(gap());
    }
    const facts = Object.entries(reason.facts ?? {}).map(([name, value]): [string, string] => {
      if (name === "box") return [name, this.boxName(String(value))];
      return [name, typeof value === "number" ? this.money(value) : value];
    });
    const key = reason.key ?? "refused_plain";
    const clause = reason.facts?.["clause"] ?? this.table.value?.clauses[CODES[key] ?? ""];
    return t(key, { ...Object.fromEntries(facts), source: this.source(clause) });
  };

  /** Where a refusal comes from, as the server's own sentences say it. */
  source = (clause: number | string | undefined): string =>
    clause === undefined ? "" : clause === "house" ? t("source_house") : t("source_clause", { clause });

  /** Gives each box its chips and its light; only boxes that differ wake up. */
  protected paint(): void {
    const [felt, slip, shown] = [this.felt.value, this.slip.value, this.result.value];
    if (!felt) return;
    const winners = new Set(shown?.round.winning_boxes ?? []);
    // Settled on the faces that were read, a round has no dice to show, and its bets are off the felt all the same.
    const played = shown ? shown.played : this.round.value?.known ? this.played.value : null;
    const bets = new Map(played?.bets.map((bet) => [bet.box, bet]) ?? []);
    const old = this.after.value !== null;
    for (const { id } of felt.boxes) {
      const bet = bets.get(id);
      // A settled bet is off the felt. Of the last round only its lights stay in view; chips are the next round's.
      const stake = bet && !old ? NO_STAKE : stakeOn(slip, this.rules.value, id);
      const lit = !winners.size ? "" : winners.has(id) ? "won" : "lost";
      const paid = bet?.won ? bet.returned : 0;
      const bare = !stake.amount && !stake.refused && !lit;
      this.boxes.set(id, bare ? BARE : { stake, lit, paid });
    }
  }

  #said(minor: number, how: typeof money): string {
    const table = this.table.value;
    return table ? how(minor, currencyOf(table), language.value) : String(minor);
  }
}
