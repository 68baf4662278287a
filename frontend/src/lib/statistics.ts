/** What has come in the last rounds beside what is expected. It says nothing of the next. */
import type { ResultView } from "./types.ts";

/** How many of the 216 rolls give each total. */
export const WAYS: Readonly<Record<number, number>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, place) => place + 3).map((total) => [total, waysTo(total)]),
);

function waysTo(total: number): number {
  let ways = 0;
  for (let a = 1; a <= 6; a += 1)
    for (let b = 1; b <= 6; b += 1) if (total - a - b >= 1 && total - a - b <= 6) ways += 1;
  return ways;
}

export interface Share {
  readonly name: "small" | "big" | "triple" | "odd" | "even";
  readonly times: number;
  /** Of the rounds that were looked at, 0 to 1. */
  readonly share: number;
  readonly expected: number;
}

/** Of 216 rolls: 105 are small, 105 big, 6 triples; of those that are no triples half are odd. */
const EXPECTED: Readonly<Record<Share["name"], number>> = { small: 105, big: 105, triple: 6, odd: 105, even: 105 };

export type Counted = Pick<ResultView, "total" | "triple" | "void">;

/** Rounds that had a result: voids and rulings are left out. */
export const decided = (results: readonly Counted[]): Counted[] =>
  results.filter((result) => !result.void && result.total !== null);

function nameOf({ total, triple }: Counted, parity: boolean): Share["name"] {
  if (triple) return "triple";
  if (parity) return total! % 2 ? "odd" : "even";
  return total! >= 11 ? "big" : "small";
}

export function shares(results: readonly Counted[], parity: boolean): Share[] {
  const rounds = decided(results);
  const names: Share["name"][] = parity ? ["small", "big", "odd", "even", "triple"] : ["small", "big", "triple"];
  return names.map((name) => {
    const times = rounds.filter((one) => nameOf(one, name === "odd" || name === "even") === name).length;
    return { name, times, share: rounds.length ? times / rounds.length : 0, expected: EXPECTED[name] / 216 };
  });
}

/** How often each total from 3 to 18 came. */
export function totals(
  results: readonly Counted[],
): { total: number; times: number; share: number; expected: number }[] {
  const rounds = decided(results);
  return Object.entries(WAYS).map(([total, ways]) => {
    const times = rounds.filter((one) => one.total === Number(total)).length;
    return { total: Number(total), times, share: rounds.length ? times / rounds.length : 0, expected: ways / 216 };
  });
}
