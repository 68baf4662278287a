/** Numbers that are no money. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chance, evidence, figure } from "../src/ui/staff/numbers.ts";

test("evidence is read as a number, however strong it is", () => {
  assert.equal(evidence(0.66), "0.660");
  assert.equal(evidence(12.4), "12");
  assert.equal(evidence(8_300), "8,300");
  assert.equal(evidence(5.05e47), "> 1,000,000");
});

test("a chance that is next to nothing is said to be less than one in a million", () => {
  assert.equal(chance(0.0413), "0.0413");
  assert.equal(chance(1.98e-48), "< 0.000001");
});

test("figures have their thousands apart", () => assert.equal(figure(1_228_000), "1,228,000"));
