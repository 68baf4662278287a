import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { FromTerminal, SessionView } from "../src/lib/types.ts";
import { type Errand, Errands } from "../src/pages/terminal/errands.ts";
import { Reality } from "../src/pages/terminal/reality.ts";

const kept = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  },
});

let sent: FromTerminal[] = [];
let connected = true;
const errands = (terminal = "C1-1"): Errands =>
  new Errands(terminal, (message) => {
    if (connected) sent.push(message);
    return connected;
  });
const OUT: Errand = { type: "CashOutAll", id: "out", session: "C1-1.1" };
const IN: Errand = { type: "CashIn", id: "in", amount: 500 };

beforeEach(() => {
  kept.clear();
  sent = [];
  connected = true;
});

test("what was not answered is asked for again, once it can be; what was answered is not", () => {
  const some = errands();
  assert.ok(some.ask(IN));
  assert.ok(some.ask({ type: "ConfirmCheck", id: "check" }));
  assert.equal(some.answered("check"), "ConfirmCheck");
  sent = [];
  some.again();
  assert.deepEqual(sent, [IN]);
  assert.ok(some.money);
  some.answered("in");
  assert.ok(!some.money && !some.some);
});

test("without a line nothing is asked for, now or later", () => {
  connected = false;
  const some = errands();
  assert.ok(!some.ask(OUT));
  connected = true;
  some.again();
  errands().again();
  assert.deepEqual(sent, []);
});

test("a ticket is asked for in every life of the page until the player has it", () => {
  errands().ask(OUT);
  const second = errands();
  second.again();
  assert.deepEqual(sent, [OUT, OUT]);
  assert.equal(second.answered("out"), "CashOutAll");
  const third = errands();
  third.again();
  assert.equal(sent.length, 3); // shown and not taken: the page was loaded anew
  third.answered("out");
  third.ticketTaken();
  assert.ok(!errands().some);
  assert.ok(!errands("C1-2").some);
});

test("a ticket that was refused is not asked for again", () => {
  const some = errands();
  some.ask(OUT);
  assert.ok(!some.stays("out", "bets_lying"));
  some.answered("out");
  assert.ok(!errands().some);
});

test("what the house could not write is asked for again by itself", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const some = errands();
  some.ask(OUT);
  assert.ok(some.stays("out", "store_unavailable"));
  mock.timers.tick(3_000);
  assert.deepEqual(sent, [OUT, OUT]);
  assert.ok(some.stays("out", "store_unavailable"));
  some.answered("out");
  mock.timers.tick(3_000);
  assert.equal(sent.length, 2);
  mock.timers.reset();
});

test("a reality check comes by the shorter interval, and each session has its own", () => {
  const session = { session: "a", started_at: 0, reality_check_minutes: 60, limits: null } as unknown as SessionView;
  const own = { now: { reality_check_minutes: 20 }, checked_at: null } as unknown as SessionView["limits"];
  const reality = new Reality();
  assert.ok(reality.look(session));
  assert.deepEqual(
    [59, 60].map((minutes) => reality.isDue(session, minutes * 60_000)),
    [false, true],
  );
  assert.deepEqual(
    [19, 20].map((minutes) => reality.isDue({ ...session, limits: own }, minutes * 60_000)),
    [false, true],
  );
  reality.confirmed(60 * 60_000);
  assert.ok(!reality.look(session));
  assert.ok(!reality.isDue(session, 119 * 60_000));
  assert.ok(!reality.isDue({ ...session, reality_check_minutes: 0 }, 9_999 * 60_000));
  assert.ok(reality.look({ ...session, session: "b" }));
  assert.ok(reality.isDue(session, 119 * 60_000));
});
