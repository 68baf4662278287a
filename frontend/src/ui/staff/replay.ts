/** A round played again from its timeline: where it stood after each act. */
import type { TimelineEvent } from "../../http.ts";

type Slips = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Replayed {
  readonly slips: Slips;
  readonly closed: boolean;
  readonly covered: boolean;
  readonly tumbles: number | null;
  readonly dice: readonly number[] | null;
  readonly void: boolean;
  readonly paid: number;
}

const START: Replayed = { slips: {}, closed: false, covered: false, tumbles: null, dice: null, void: false, paid: 0 };

interface Taken {
  readonly player: string;
  readonly box: string;
  readonly amount: number;
}

const sum = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((all, one) => all + one, 0);

function without(slips: Slips, taken: readonly Taken[]): Slips {
  const left: Record<string, Readonly<Record<string, number>>> = { ...slips };
  for (const { player, box, amount } of taken) {
    const { [box]: lies = 0, ...others } = left[player] ?? {};
    left[player] = lies > amount ? { ...others, [box]: lies - amount } : others;
  }
  return left;
}

function step(now: Replayed, { type, facts }: TimelineEvent): Replayed {
  const player = facts["player"] as string;
  switch (type) {
    case "BetsPlaced":
      return { ...now, slips: { ...now.slips, [player]: facts["slip"] as Readonly<Record<string, number>> } };
    case "BetsCorrected":
      return { ...now, slips: { ...now.slips, [player]: facts["after"] as Readonly<Record<string, number>> } };
    case "ExcessRejected":
    case "BetsReturned":
      return { ...now, slips: without(now.slips, facts["taken"] as readonly Taken[]) };
    case "BettingClosed":
      return { ...now, closed: true };
    case "TumblerCovered":
      return { ...now, covered: true };
    case "TumblerActivated":
      return { ...now, tumbles: facts["tumbles"] as number };
    case "DiceExposed":
      return { ...now, covered: false };
    case "RollDeclared":
      return { ...now, dice: facts["roll"] as readonly number[] };
    case "ResultCorrected":
      return { ...now, dice: facts["after"] as readonly number[] };
    case "PayoutsMade":
      return { ...now, paid: now.paid + sum(facts["payouts"] as Readonly<Record<string, number>>) };
    case "SettlementReversed":
      return { ...now, paid: now.paid - sum(facts["payouts"] as Readonly<Record<string, number>>) };
    case "RoundVoided":
      return { ...now, void: true, dice: null, paid: sum(facts["returned"] as Readonly<Record<string, number>>) };
    default:
      return now;
  }
}

/** The round after so many of its events. */
export const replayed = (events: readonly TimelineEvent[], count: number): Replayed =>
  events.slice(0, count).reduce(step, START);

/** What is on each box, all players together. */
export function totalsOf(slips: Slips): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const slip of Object.values(slips))
    for (const [box, amount] of Object.entries(slip)) totals[box] = (totals[box] ?? 0) + amount;
  return totals;
}
