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
  const piles: Pile[] = [];
  let rest = amount;
  for (const chip of [...chips].sort((one, other) => other - one)) {
    const count = Math.floor(rest / chip);
    if (count) piles.push({ chip, count });
    rest -= count * chip;
  }
  return { piles, rest };
}
