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

test("a house with chips of its own counts in them, and leaves a rest only where it must", () => {
  const own = [1_000, 2_500, 10_000];
  assert.deepEqual(counted(3_000, own), { piles: [{ chip: 1_000, count: 3 }], rest: 0 });
  assert.deepEqual(counted(12_500, own).rest, 0);
  assert.deepEqual(counted(1_250, own), { piles: [{ chip: 1_000, count: 1 }], rest: 250 });
  assert.deepEqual(chipSet(500, 500, SGD, own), own);
  assert.deepEqual(chipSet(1_000, 1_000, SGD, own), [1_000, 10_000]);
});
