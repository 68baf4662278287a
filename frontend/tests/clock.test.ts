import assert from "node:assert/strict";
import { test } from "node:test";
import { median, ServerClock } from "../src/lib/clock.ts";

test("the median is the middle, or between the two", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test("the offset is the median of the samples, so one late answer moves nothing", () => {
  let local = 1_000;
  const clock = new ServerClock(() => local);
  for (const trip of [40, 40, 40, 900, 40]) {
    const sent = local;
    local += trip;
    clock.sample(sent, local, sent + 20 + 5_000); // the server is 5 s ahead, and answers after 20 ms
  }
  assert.equal(clock.offset, 5_000);
  assert.equal(clock.trip, 40);
  assert.equal(clock.now(), local + 5_000);
});

test("a deadline is absolute: what is left shrinks with our clock and never goes below zero", () => {
  let local = 0;
  const clock = new ServerClock(() => local);
  clock.sample(0, 100, 10_050);
  assert.equal(clock.until(15_000), 5_000);
  local = 2_000;
  assert.equal(clock.until(15_000), 3_000);
  local = 60_000;
  assert.equal(clock.until(15_000), 0);
});

test("before any answer a message's own time serves, and the earliest is the best", () => {
  let local = 1_000;
  const clock = new ServerClock(() => local);
  clock.hint(9_000);
  assert.equal(clock.offset, 8_000);
  local = 2_000;
  clock.hint(9_500); // half a second late: it tells less
  assert.equal(clock.offset, 8_000);
});

test("betting shuts early by the journey, within reason", () => {
  const clock = new ServerClock(() => 0);
  assert.equal(clock.margin, 200);
  clock.sample(0, 700, 350);
  assert.equal(clock.margin, 700);
  clock.renew();
  clock.sample(0, 9_000, 4_500);
  assert.equal(clock.margin, 1_500);
});

test("after a new connection the first new sample replaces the old ones", () => {
  const clock = new ServerClock(() => 0);
  clock.sample(0, 10, 1_005);
  clock.renew();
  assert.equal(clock.offset, 1_000);
  clock.sample(0, 10, 5);
  assert.equal(clock.offset, 0);
});
