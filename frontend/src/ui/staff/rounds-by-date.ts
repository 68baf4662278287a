/** Rounds are asked for by number; this finds the number that a moment falls to. */

/** The first of `last` rounds that opened at or after a moment, by halving; `last + 1` when none did. */
export async function firstRoundFrom(
  moment: number,
  last: number,
  openedAt: (round: number) => Promise<number | null>,
): Promise<number> {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = await openedAt(middle);
    // A round that is not listed yet is newer than every moment one can ask for.
    if (at === null || at >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
