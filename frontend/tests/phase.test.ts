import assert from "node:assert/strict";
import { test } from "node:test";
import { isSaid, moodOf } from "../src/lib/phase.ts";
import type { RoundView } from "../src/lib/types.ts";

const round = (phase: string, more: Partial<RoundView> = {}): RoundView => ({
  number: 7,
  phase,
  opens_at: null,
  closes_at: null,
  warn_at: null,
  dice: null,
  known: null,
  winning_boxes: [],
  covered: false,
  tumbles: null,
  exposed: false,
  ground: null,
  void_clause: null,
  held: "",
  proof: null,
  ...more,
});

test("the phase, the clock and a hold give the mood", () => {
  assert.equal(moodOf(null, false, null), "idle");
  assert.equal(moodOf(round("betting"), true, 12), "open");
  assert.equal(moodOf(round("betting"), true, 5), "last");
  assert.equal(moodOf(round("betting"), true, 9, 10), "last");
  assert.equal(moodOf(round("betting"), false, 0), "shut");
  assert.equal(moodOf(round("closed"), false, null), "shut");
  assert.equal(moodOf(round("declared", { known: [4, 4] }), false, null), "result");
  assert.equal(moodOf(round("closed", { held: "interrupted" }), false, null), "held");
  assert.equal(moodOf(round("declared", { dice: [1, 2, 3] }), false, null), "result");
  assert.equal(moodOf(round("void"), false, null), "void");
});

test("a closed table says so between rounds, and not while one is in play", () => {
  assert.equal(moodOf(null, false, null, 5, true), "closed");
  assert.equal(moodOf(round("concluded", { dice: [1, 2, 3] }), false, null, 5, true), "closed");
  assert.equal(moodOf(round("betting"), true, 12, 5, true), "open");
  assert.equal(moodOf(round("declared", { dice: [1, 2, 3] }), false, null, 5, true), "result");
});

test("the seconds left are said once as each mark is passed, even when a busy page jumps over it", () => {
  const heard = (seconds: readonly number[]): number[] =>
    seconds.filter((left, at) => isSaid(at ? seconds[at - 1]! : null, left));
  assert.deepEqual(heard([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), [10, 5]);
  assert.deepEqual(heard([11, 8, 6, 3, 1]), [8, 3]);
  assert.deepEqual(heard([12, 4]), [4]);
  assert.deepEqual(heard([8, 7, 6]), []);
  assert.deepEqual(heard([10, 40, 11, 10]), [10, 10]);
});
