import assert from "node:assert/strict";
import { test } from "node:test";
import shoes from "../../tests/golden/roads.json";
import {
  beadPlate,
  bigRoad,
  counts,
  derivedRoad,
  inOrder,
  runsOf,
  type Side,
  sideOf,
  sidesOf,
} from "../src/lib/roads.ts";
import type { ResultView } from "../src/lib/types.ts";

/** Rolls, and the boards that the server draws from them: tests/golden/roads.py. */
interface Shoe {
  readonly rolls: readonly string[];
  readonly boards: readonly {
    readonly stream: "big-small" | "odd-even";
    readonly triples: "tie" | "column";
    readonly big_road: readonly (readonly [number, number, string, number])[];
    readonly derived: readonly (readonly string[])[];
  }[];
}

/** B and P as players write them, T for a triple. */
const sides = (text: string): Side[] =>
  [...text].map((sign) => (sign === "B" ? "first" : sign === "P" ? "second" : "triple"));
const places = (text: string, style: "mark" | "column" = "mark") =>
  bigRoad(sides(text), style).cells.map((cell) => [cell.column, cell.row]);
const result = (round: number, dice: number[]): ResultView => ({
  round,
  dice,
  total: dice.reduce((a, b) => a + b, 0),
  triple: new Set(dice).size === 1,
  void: false,
  corrected: false,
});

test("the bead plate goes down, then right, and lets the oldest column go", () => {
  const cells = beadPlate([1, 2, 3, 4, 5, 6, 7, 8], 2);
  assert.deepEqual(cells.at(-1), { column: 1, row: 1, of: 8 });
  const more = beadPlate(
    Array.from({ length: 13 }, (_, n) => n),
    2,
  );
  assert.deepEqual(more[0], { column: 0, row: 0, of: 6 });
  assert.equal(more.length, 7);
});

test("a run goes down and a change starts the next column", () => {
  assert.deepEqual(places("BBPB"), [
    [0, 0],
    [0, 1],
    [1, 0],
    [2, 0],
  ]);
});

test("a run of eight turns right at the sixth row", () => {
  assert.deepEqual(places("BBBBBBBB").slice(5), [
    [0, 5],
    [1, 5],
    [2, 5],
  ]);
});

test("a run turns right above the tail of an earlier one, and stays on its row", () => {
  // Eight B leave a tail on row 6 to column 3; six P below it have five rows, the sixth turns.
  assert.deepEqual(places("BBBBBBBBPPPPPPP").slice(8), [
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 4],
    [3, 4],
  ]);
});

test("the tail counts in its own logical column", () => {
  assert.deepEqual(bigRoad(sides("BBBBBBBBPPB")).depths, [8, 2, 1]);
});

test("a triple marks the bead before it and starts no column", () => {
  const road = bigRoad(sides("BTTBP"));
  assert.deepEqual(
    road.cells.map((cell) => cell.of.triples),
    [2, 0, 0],
  );
  assert.deepEqual(road.depths, [2, 1]);
});

test("a triple before anything else waits on the first cell and stays with the first bead", () => {
  const only = bigRoad(sides("T"));
  assert.deepEqual([only.cells.length, only.cells[0]?.of.side, only.depths.length], [1, null, 0]);
  const road = bigRoad(sides("TTBB"));
  assert.deepEqual(
    road.cells.map((cell) => [cell.column, cell.row, cell.of.triples]),
    [
      [0, 0, 2],
      [0, 1, 0],
    ],
  );
  assert.deepEqual(road.depths, [2]);
});

test("as an option triples stand in columns of their own", () => {
  assert.deepEqual(places("BTTB", "column"), [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
});

test("BBPP gives one red in the first derived road", () => {
  assert.deepEqual(derivedRoad(bigRoad(sides("BBPP")).depths, 1), ["red"]);
});

test("hand-worked derived roads", () => {
  // B, P, B: the third column begins; the two before it are equally deep.
  assert.deepEqual(derivedRoad([1, 1, 1], 1), ["red"]);
  // BB P B: columns of 2 and 1 differ.
  assert.deepEqual(derivedRoad([2, 1, 1], 1), ["blue"]);
  // B PP: row 2 of the second column is one below the first column's end.
  assert.deepEqual(derivedRoad([1, 2], 1), ["blue"]);
  // B PPP: row 3 is two below it: red again.
  assert.deepEqual(derivedRoad([1, 3], 1), ["blue", "red"]);
  // Ten results by hand: BB PPP B PP BB as depths 2 3 1 2 2.
  assert.deepEqual(derivedRoad([2, 3, 1, 2, 2], 1), ["red", "blue", "blue", "blue", "blue", "blue", "red"]);
});

test("the second and third derived roads start one column later each", () => {
  assert.deepEqual(derivedRoad([2, 2], 2), []);
  assert.deepEqual(derivedRoad([2, 2, 2], 2), ["red"]);
  assert.deepEqual(derivedRoad([2, 2, 2], 3), []);
  assert.deepEqual(derivedRoad([2, 2, 2, 2], 3), ["red"]);
  assert.deepEqual(derivedRoad([1, 1, 1, 1], 2), ["red"]);
});

test("totals from 11 are big, odd totals odd, and a triple is neither", () => {
  assert.equal(sideOf(result(1, [5, 5, 1]), "big-small"), "first");
  assert.equal(sideOf(result(1, [4, 5, 1]), "big-small"), "second");
  assert.equal(sideOf(result(1, [4, 5, 2]), "odd-even"), "first");
  assert.equal(sideOf(result(1, [4, 4, 4]), "big-small"), "triple");
  assert.equal(sideOf({ ...result(1, [1, 2, 3]), void: true, total: null, dice: null }, "odd-even"), null);
});

test("counts tell each once, and a triple as neither", () => {
  assert.deepEqual(counts([result(1, [1, 2, 3]), result(2, [6, 5, 4]), result(3, [2, 2, 2])]), {
    big: 1,
    small: 1,
    odd: 1,
    even: 1,
    triple: 1,
  });
});

test("results are put in order by round, the later message winning", () => {
  const corrected = { ...result(2, [1, 1, 2]), corrected: true };
  const ordered = inOrder([result(3, [1, 2, 3]), result(2, [6, 6, 5]), result(1, [1, 2, 4]), corrected]);
  assert.deepEqual(
    ordered.map((one) => one.round),
    [1, 2, 3],
  );
  assert.equal(ordered[1]?.corrected, true);
});

test("a big road in words: each run with its length and the triples that came in it", () => {
  assert.deepEqual(runsOf(bigRoad(sides("TBBTTPB"))), [
    { side: "first", times: 2, triples: 3 },
    { side: "second", times: 1, triples: 0 },
    { side: "first", times: 1, triples: 0 },
  ]);
  assert.deepEqual(runsOf(bigRoad(sides("TT"))), [{ side: "triple", times: 2, triples: 0 }]);
  assert.deepEqual(runsOf(bigRoad(sides("BTT"), "column")), [
    { side: "first", times: 1, triples: 0 },
    { side: "triple", times: 2, triples: 0 },
  ]);
  assert.equal(runsOf(bigRoad(sides("PPPPPPPPP")))[0]!.times, 9);
});

test("every board is the one that the server draws from the same rolls", () => {
  for (const shoe of shoes as unknown as Shoe[]) {
    const results = shoe.rolls.map((roll, at) => result(at + 1, [...roll].map(Number)));
    for (const board of shoe.boards) {
      const names = board.stream === "big-small" ? ["big", "small"] : ["odd", "even"];
      const road = bigRoad(sidesOf(results, board.stream), board.triples === "tie" ? "mark" : "column");
      const kind = (side: Side | null) =>
        side === null ? "" : side === "triple" ? side : names[side === "first" ? 0 : 1];
      const cells = road.cells.map(({ column, row, of }) => [column, row, kind(of.side), of.triples]);
      assert.deepEqual(cells, board.big_road);
      assert.deepEqual(
        ([1, 2, 3] as const).map((k) => derivedRoad(road.depths, k)),
        board.derived,
      );
    }
  }
});
