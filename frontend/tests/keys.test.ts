import assert from "node:assert/strict";
import { test } from "node:test";
import { keyAct, neighbour, type Rect } from "../src/lib/keys.ts";

const press = (key: string, held: Partial<{ ctrlKey: boolean; altKey: boolean; metaKey: boolean }> = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});
const FELT = { onFelt: true, letters: true };

test("arrows, Home and End move on the felt and nowhere else", () => {
  assert.deepEqual(keyAct(press("ArrowLeft"), FELT), { act: "move", to: "left" });
  assert.deepEqual(keyAct(press("End"), FELT), { act: "move", to: "last" });
  assert.equal(keyAct(press("ArrowLeft"), { ...FELT, onFelt: false }), null);
});

test("Backspace and Delete take a chip away", () => {
  assert.deepEqual(keyAct(press("Backspace"), FELT), { act: "remove" });
  assert.deepEqual(keyAct(press("Delete"), FELT), { act: "remove" });
});

test("digits choose the chip", () => {
  assert.deepEqual(keyAct(press("1"), FELT), { act: "chip", index: 0 });
  assert.deepEqual(keyAct(press("6"), { onFelt: false, letters: false }), { act: "chip", index: 5 });
  assert.equal(keyAct(press("0"), FELT), null);
});

test("U C R D act, in either case, and can be switched off", () => {
  const acts = [..."ucrd"].map((key) => keyAct(press(key), FELT)?.act);
  assert.deepEqual(acts, ["undo", "clear", "rebet", "double"]);
  assert.equal(keyAct(press("U"), FELT)?.act, "undo");
  assert.equal(keyAct(press("u"), { ...FELT, letters: false }), null);
});

test("a key held with Ctrl, Alt or the command key belongs to the browser", () => {
  assert.equal(keyAct(press("r", { ctrlKey: true }), FELT), null);
  assert.equal(keyAct(press("c", { metaKey: true }), FELT), null);
});

test("Enter and Space stay with the button", () => {
  assert.equal(keyAct(press("Enter"), FELT), null);
  assert.equal(keyAct(press(" "), FELT), null);
});

const rect = (left: number, top: number, width = 10, height = 10): Rect => ({ left, top, width, height });
// 0 1 2 in a row, below them one wide box 3, and 4 under its right half
const PLAN = [rect(0, 0), rect(10, 0), rect(20, 0), rect(0, 10, 30, 10), rect(20, 20)];

test("arrows go to the neighbour that one sees", () => {
  assert.equal(neighbour(PLAN, 0, "right"), 1);
  assert.equal(neighbour(PLAN, 2, "left"), 1);
  assert.equal(neighbour(PLAN, 1, "down"), 3);
  assert.equal(neighbour(PLAN, 3, "up"), 1);
  assert.equal(neighbour(PLAN, 3, "down"), 4);
  assert.equal(neighbour(PLAN, 4, "up"), 3);
});

test("at an edge one stays, and Home and End go to the ends", () => {
  assert.equal(neighbour(PLAN, 0, "left"), 0);
  assert.equal(neighbour(PLAN, 0, "up"), 0);
  assert.equal(neighbour(PLAN, 2, "first"), 0);
  assert.equal(neighbour(PLAN, 2, "last"), 4);
});
