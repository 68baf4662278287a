/** An amount in chips, as a dealer counts it out: the largest first. */

export interface Pile {
  readonly chip: number;
  readonly count: number;
}

/** What no chip can make is the rest; with a chip of the table's unit there is none. */
export interface Counted {
  readonly piles: readonly Pile[];
  readonly rest: number;
}

export function counted(amount: number, chips: readonly number[]): Counted {
  const sorted = [...chips].sort((one, other) => other - one);
  let best = largestFirst(amount, sorted);
  // A house of 25s and 10s pays 30 as three 10s: one less of a larger chip may leave no rest.
  for (const { chip } of best.rest ? best.piles : []) {
    const other = largestFirst(amount, sorted, chip);
    if (other.rest < best.rest) best = other;
  }
  return best;
}

function largestFirst(amount: number, chips: readonly number[], oneLess = 0): Counted {
  const piles: Pile[] = [];
  let rest = amount;
  for (const chip of chips) {
    const count = Math.max(0, Math.floor(rest / chip) - (chip === oneLess ? 1 : 0));
    if (count) piles.push({ chip, count });
    rest -= count * chip;
  }
  return { piles, rest };
}
