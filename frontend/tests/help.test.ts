import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { asks, exampleOf } from "../src/lib/examples.ts";
import { shares, totals, WAYS } from "../src/lib/statistics.ts";
import { hintOf } from "../src/pages/terminal/tour.tsx";

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const count = (dice: readonly number[], face: number): number => dice.filter((one) => one === face).length;
const isTriple = (dice: readonly number[]): boolean => new Set(dice).size === 1;

/** Whether a box wins on a roll, from the rules and not from the page. */
const WINS: Readonly<Record<string, (dice: readonly number[], numbers: readonly number[]) => boolean>> = {
  small: (dice) => sum(dice) <= 10 && !isTriple(dice),
  big: (dice) => sum(dice) >= 11 && !isTriple(dice),
  odd: (dice) => sum(dice) % 2 === 1 && !isTriple(dice),
  even: (dice) => sum(dice) % 2 === 0 && !isTriple(dice),
  single: (dice, [n]) => dice.includes(n!),
  sum: (dice, [n]) => sum(dice) === n,
  domino: (dice, [a, b]) => dice.includes(a!) && dice.includes(b!),
  double: (dice, [n]) => count(dice, n!) >= 2,
  "any-triple": (dice) => isTriple(dice),
  triple: (dice, [n]) => count(dice, n!) === 3,
  four: (dice, numbers) => new Set(dice).size === 3 && dice.every((face) => numbers.includes(face)),
  trio: (dice, numbers) => [...dice].sort().join() === [...numbers].sort().join(),
  pair: (dice, numbers) => [...dice].sort().join() === [...numbers].sort().join(),
};
const NUMBERS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  single: [[1], [6]],
  sum: Array.from({ length: 14 }, (_, place) => [place + 4]),
  domino: [
    [1, 4],
    [5, 6],
    [2, 3],
  ],
  double: [[1], [2], [6]],
  triple: [[1], [6]],
  four: [
    [6, 5, 4, 3],
    [4, 3, 2, 1],
  ],
  trio: [[1, 2, 6]],
  pair: [
    [1, 1, 3],
    [6, 6, 4],
  ],
};

test("the example dice of every kind win the bet that they stand for", () => {
  for (const [kind, wins] of Object.entries(WINS)) {
    for (const numbers of NUMBERS[kind] ?? [[]]) {
      const { dice, lit } = exampleOf({ kind, numbers });
      assert.equal(dice.length, 3, kind);
      assert.equal(lit.length, 3, kind);
      assert.ok(wins(dice, numbers), `${kind} ${numbers}: ${dice}`);
    }
  }
});

test("a single, a double and a domino light only the dice that they are about", () => {
  assert.deepEqual(exampleOf({ kind: "double", numbers: [4] }).lit, [true, true, false]);
  assert.deepEqual(exampleOf({ kind: "single", numbers: [4] }).lit, [true, false, false]);
  assert.deepEqual(exampleOf({ kind: "domino", numbers: [2, 5] }).lit, [true, true, false]);
});

test("every kind of box has its sentence, and the numbers of the box go into it", () => {
  const words = JSON.parse(readFileSync(join(process.cwd(), "src", "i18n", "en", "terminal.json"), "utf8"));
  for (const kind of Object.keys(WINS)) assert.ok(words[asks({ kind, numbers: [1, 2] }, ", ").key], kind);
  assert.deepEqual(asks({ kind: "pair", numbers: [2, 2, 5] }, ", ").facts, {
    n: "2",
    a: "2",
    b: "5",
    numbers: "2, 2, 5",
  });
});

test("the ways to each total are 216 together", () => {
  assert.equal(sum(Object.values(WAYS)), 216);
  assert.deepEqual([WAYS[3], WAYS[4], WAYS[10], WAYS[17]], [1, 3, 27, 3]);
});

const result = (total: number | null, more = {}) => ({ total, triple: false, void: false, ...more });

test("shares are of the rounds that had a result, beside what is expected", () => {
  const rounds = [result(5), result(12), result(12), result(9, { triple: true }), result(null, { void: true })];
  const found = Object.fromEntries(shares(rounds, true).map((one) => [one.name, one]));
  assert.equal(found["big"]!.times, 2);
  assert.equal(found["big"]!.share, 0.5);
  assert.equal(found["triple"]!.times, 1);
  assert.equal(found["odd"]!.times, 1); // the triple of nine is neither
  assert.equal(found["small"]!.expected, 105 / 216);
  assert.equal(totals(rounds).find((one) => one.total === 12)!.times, 2);
  assert.deepEqual(
    shares([], false).map((one) => one.share),
    [0, 0, 0],
  );
});

test("the tour never tells a reader at a shared table that the dice wait for them alone", () => {
  assert.equal(hintOf("roll", false), "tour_roll_hint");
  assert.equal(hintOf("roll", true), "tour_roll_shared_hint");
  assert.equal(hintOf("box", true), "tour_box_hint");
});
