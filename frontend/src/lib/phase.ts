/** What a round's phase means to those who look on. */
import { diceWords } from "./dice-words.ts";
import { t } from "./i18n.ts";
import type { RoundView } from "./types.ts";

export type Mood = "idle" | "open" | "last" | "shut" | "result" | "void" | "held" | "closed";

/** Between two rounds: nothing is in play. */
const OVER: ReadonlySet<string> = new Set(["not-open", "concluded", "void"]);

/** The mood gives the colour; the words come with it, so that colour is never alone. */
export function moodOf(
  round: RoundView | null,
  takesBets: boolean,
  left: number | null,
  warnAt = 5,
  closed = false,
): Mood {
  if (closed && (!round || OVER.has(round.phase))) return "closed";
  if (!round || round.phase === "not-open") return "idle";
  if (round.phase === "void") return "void";
  if (round.held || round.phase === "interrupted" || round.phase === "awaiting-ruling") return "held";
  if (round.phase === "betting") {
    if (!takesBets) return "shut";
    return left !== null && left <= warnAt ? "last" : "open";
  }
  return round.dice || round.known ? "result" : "shut";
}

/** Seconds before the close from which the last call is made. */
export const warnSeconds = (round: RoundView | null): number =>
  round?.warn_at && round.closes_at ? Math.max(1, Math.round((round.closes_at - round.warn_at) / 1000)) : 5;

const SAID_SECONDS = [10, 5];

/** Whether the seconds left are said aloud: once as each mark is passed, though a busy page may jump over it. */
export const isSaid = (before: number | null, left: number): boolean =>
  SAID_SECONDS.some((mark) => left <= mark && (before === null ? left === mark : before > mark));

/** Big, small, or neither, and odd, even: what is called after the dice. */
export function callOf(dice: readonly number[]): {
  total: number;
  triple: boolean;
  size: "big" | "small" | null;
  parity: "odd" | "even" | null;
} {
  const total = dice.reduce((sum, face) => sum + face, 0);
  const triple = new Set(dice).size === 1;
  return {
    total,
    triple,
    size: triple ? null : total >= 11 ? "big" : "small",
    parity: triple ? null : total % 2 ? "odd" : "even",
  };
}

/** Whether the felt in play has boxes for odd and even at all. */
export const hasParity = (boxes: readonly { readonly kind: string }[]): boolean =>
  boxes.some((box) => box.kind === "odd");

/** The call in words: the dice from low to high, the total, and what it is. */
export function callWords(dice: readonly number[]): { whole: string; kinds: string } {
  const call = callOf(dice);
  const kinds = (
    call.triple ? [t("kind_triple")] : [call.size && t(`kind_${call.size}`), call.parity && t(`kind_${call.parity}`)]
  )
    .filter(Boolean)
    .join(t("list_comma"));
  return {
    kinds,
    whole: t("call", { dice: diceWords(dice), total: call.total, kinds }),
  };
}
