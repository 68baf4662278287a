/** Which boxes win on which dice, for the dealer to see before the result is confirmed. The server decides. */
import type { BoxView } from "../../lib/types.ts";

type Printed = Pick<BoxView, "kind" | "numbers">;
type Rule = (dice: readonly number[], numbers: readonly number[]) => boolean;

const total = (dice: readonly number[]): number => dice.reduce((sum, face) => sum + face, 0);
const alike = (dice: readonly number[]): boolean => new Set(dice).size === 1;
const count = (dice: readonly number[], face: number | undefined): number => dice.filter((one) => one === face).length;
const sorted = (dice: readonly number[]): string => [...dice].sort().join();

const RULES: Readonly<Record<string, Rule>> = {
  small: (dice) => !alike(dice) && total(dice) <= 10,
  big: (dice) => !alike(dice) && total(dice) >= 11,
  odd: (dice) => !alike(dice) && total(dice) % 2 === 1,
  even: (dice) => !alike(dice) && total(dice) % 2 === 0,
  single: (dice, [face]) => count(dice, face) >= 1,
  double: (dice, [face]) => count(dice, face) >= 2,
  triple: (dice, [face]) => count(dice, face) === 3,
  "any-triple": alike,
  sum: (dice, [sum]) => total(dice) === sum,
  domino: (dice, numbers) => numbers.every((face) => dice.includes(face)),
  four: (dice, numbers) => new Set(dice).size === 3 && dice.every((face) => numbers.includes(face)),
  trio: (dice, numbers) => sorted(dice) === sorted(numbers),
  pair: (dice, numbers) => sorted(dice) === sorted(numbers),
};

export const wins = (box: Printed, dice: readonly number[]): boolean => RULES[box.kind]?.(dice, box.numbers) ?? false;

/** The boxes that three dice light up, in the order of the felt. */
export function winningBoxes(boxes: readonly BoxView[], dice: readonly number[]): BoxView[] {
  return dice.length === 3 ? boxes.filter((box) => wins(box, dice)) : [];
}
