import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../src/lib/change.ts";
import { chipSet } from "../src/lib/money.ts";

const SGD = { code: "SGD", exponent: 2 };

test("an amount is counted out from the largest chip down, and nothing is lost", () => {
  const chips = chipSet(100, 100, SGD);
  for (let amount = 100; amount <= 400_000; amount += 1_300) {
    const { piles, rest } = counted(amount, chips);
    assert.equal(
      piles.reduce((sum, { chip, count }) => sum + chip * count, rest),
      amount,
    );
    assert.equal(rest, 0);
    assert.deepEqual(
      piles.map(({ chip }) => chip),
      piles.map(({ chip }) => chip).sort((one, other) => other - one),
    );
  }
});

test("what no chip of the house can make is said as the rest", () => {
  assert.deepEqual(counted(750, [500]), { piles: [{ chip: 500, count: 1 }], rest: 250 });
  assert.deepEqual(counted(0, [500]), { piles: [], rest: 0 });
});
