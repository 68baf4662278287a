/** What a bet asks for, shown with three dice: a roll on which it wins, and which of its dice decide that. */
import type { Key } from "./i18n.ts";
import type { BoxView } from "./types.ts";

export interface Example {
  readonly dice: readonly number[];
  /** Whether each die is one that the bet is about. */
  readonly lit: readonly boolean[];
}

const ALL = [true, true, true];

/** Numbers that the bet does not name, so that only the lit dice make it win. */
const others = (named: readonly number[], count: number): number[] =>
  [2, 5, 3, 6, 1, 4].filter((face) => !named.includes(face)).slice(0, count);

/** Three different dice with a total where there are some, else the nearest to it. */
function withTotal(total: number): number[] {
  let best: number[] = [];
  for (let a = 1; a <= 6; a += 1)
    for (let b = a; b <= 6; b += 1)
      for (let c = b; c <= 6; c += 1)
        if (a + b + c === total && new Set([a, b, c]).size > new Set(best).size) best = [a, b, c];
  return best;
}

export function exampleOf(box: Pick<BoxView, "kind" | "numbers">): Example {
  const [first = 1, second = 2] = box.numbers;
  switch (box.kind) {
    case "small":
      return { dice: [1, 2, 5], lit: ALL };
    case "big":
      return { dice: [3, 5, 6], lit: ALL };
    case "odd":
      return { dice: [2, 3, 4], lit: ALL };
    case "even":
      return { dice: [1, 3, 6], lit: ALL };
    case "single":
      return { dice: [first, ...others([first], 2)], lit: [true, false, false] };
    case "sum":
      return { dice: withTotal(first), lit: ALL };
    case "domino":
      return { dice: [first, second, ...others([first, second], 1)], lit: [true, true, false] };
    case "double":
      return { dice: [first, first, ...others([first], 1)], lit: [true, true, false] };
    case "any-triple":
      return { dice: [5, 5, 5], lit: ALL };
    case "triple":
      return { dice: [first, first, first], lit: ALL };
    default: // four, trio and pair name the dice themselves
      return { dice: [...box.numbers].slice(0, 3), lit: ALL };
  }
}

/** The sentence of a box's kind, and the numbers that go into it. */
export function asks(
  box: Pick<BoxView, "kind" | "numbers">,
  comma: string,
): { key: Key; facts: Record<string, string> } {
  const [a = 0, b = 0] = box.numbers;
  const last = box.numbers.at(-1) ?? 0;
  const facts = {
    n: String(a),
    a: String(a),
    b: String(box.kind === "pair" ? last : b),
    numbers: box.numbers.join(comma),
  };
  return { key: `asks_${box.kind.replace("-", "_")}` as Key, facts };
}

export const ROLLS = 216;
