import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY,
  reduce,
  type SlipAction,
  type SlipState,
  sendable,
  stakeOn,
  type Table,
  toSend,
  total,
} from "../src/lib/slip.ts";

const TABLE: Table = {
  limits: {
    unit: 100,
    default: { minimum: 500, maximum: 5_000 },
    groups: { even: { minimum: 1_000, maximum: 50_000 } },
    boxes: { "sum-4": { minimum: 500, maximum: 600 } },
    differential: {},
  },
  groups: { big: "even", small: "even", "sum-4": "sum-4-17", "sum-9": "sum-9-12", "triple-1": "triple" },
};
const OPEN: SlipState = { ...EMPTY, round: 7, open: true, credit: 100_000 };

const play = (state: SlipState, ...actions: SlipAction[]): SlipState =>
  actions.reduce((now, action) => reduce(now, action, TABLE), state);
const add = (box: string, amount: number): SlipAction => ({ do: "add", box, amount });
const send = (state: SlipState, id: string): SlipState =>
  play(state, { do: "sending", id, slip: toSend(state, TABLE)! });
const accept = (state: SlipState, id: string): SlipState => {
  const sent = state.sent.find((one) => one.id === id)!;
  return play(state, {
    do: "registered",
    id,
    round: state.round!,
    version: sent.version,
    slip: sent.slip,
    cuts: [],
    credit: 100_000 - total(sent.slip),
  });
};
const refuse = (
  state: SlipState,
  id: string,
  code: string,
  box: string | null,
  registeredVersion: number | null = null,
): SlipState => play(state, { do: "refused", id, code, box, registeredVersion, reason: { sentences: { en: [code] } } });

test("a tap is on the felt at once, pending, and registered when the server says so", () => {
  let state = play(OPEN, add("big", 1_000), add("big", 1_000));
  assert.deepEqual(stakeOn(state, TABLE, "big"), { amount: 2_000, state: "pending", refused: 0 });
  assert.deepEqual(toSend(state, TABLE), { big: 2_000 });
  state = accept(send(state, "a"), "a");
  assert.equal(stakeOn(state, TABLE, "big").state, "registered");
  assert.equal(toSend(state, TABLE), null);
  assert.equal(state.credit, 98_000);
});

test("a bet that is taken away and laid again is not sure before the slip without it is answered", () => {
  let state = accept(send(play(OPEN, add("big", 1_000), add("sum-9", 500)), "a"), "a");
  state = send(play(state, { do: "remove", box: "big", amount: 1_000 }), "b");
  state = play(state, add("big", 1_000));
  assert.equal(stakeOn(state, TABLE, "big").state, "pending");
  assert.equal(stakeOn(state, TABLE, "sum-9").state, "registered");
  state = accept(state, "b");
  assert.equal(stakeOn(state, TABLE, "big").state, "pending");
  state = accept(send(state, "c"), "c");
  assert.equal(stakeOn(state, TABLE, "big").state, "registered");
});

test("the version grows with every sending of a round", () => {
  let state = send(play(OPEN, add("big", 1_000)), "a");
  state = send(play(state, add("big", 1_000)), "b");
  assert.deepEqual(
    state.sent.map((one) => one.version),
    [1, 2],
  );
});

test("nothing is sent twice while its answer is on the way", () => {
  const state = send(play(OPEN, add("big", 1_000)), "a");
  assert.equal(toSend(state, TABLE), null);
});

test("chips below the minimum stay here, pending, and go with the next chip", () => {
  const low = play(OPEN, add("big", 500), add("sum-9", 500));
  assert.equal(stakeOn(low, TABLE, "big").state, "low");
  assert.deepEqual(sendable(low, TABLE), { "sum-9": 500 });
  assert.deepEqual(sendable(play(low, add("big", 500)), TABLE), { big: 1_000, "sum-9": 500 });
});

test("a chip above the box's maximum is refused before it is sent, and the stake stays", () => {
  const state = play(OPEN, add("sum-4", 600), add("sum-4", 100));
  assert.deepEqual(stakeOn(state, TABLE, "sum-4"), { amount: 600, state: "pending", refused: 100 });
  assert.equal(state.notice?.key, "above_maximum");
});

test("a chip beyond the credit is refused", () => {
  const state = play({ ...OPEN, credit: 1_500 }, add("big", 1_000), add("small", 1_000));
  assert.deepEqual(state.wanted, { big: 1_000 });
  assert.equal(state.notice?.key, "funds_short");
});

test("registered stakes count as funds: they can be moved to another box", () => {
  let state = accept(send(play({ ...OPEN, credit: 1_000 }, add("big", 1_000)), "a"), "a");
  state = play({ ...state, credit: 0 }, { do: "remove", box: "big", amount: 1_000 }, add("small", 1_000));
  assert.deepEqual(state.wanted, { small: 1_000 });
});

test("removing takes one chip, and the box is empty when none is left", () => {
  const two = play(OPEN, add("big", 1_000), add("big", 1_000), { do: "remove", box: "big", amount: 1_000 });
  assert.deepEqual(two.wanted, { big: 1_000 });
  assert.deepEqual(play(two, { do: "remove", box: "big", amount: 5_000 }).wanted, {});
});

test("undo goes back step by step, over clear and double too", () => {
  let state = play(OPEN, add("big", 1_000), add("sum-9", 500), { do: "double" }, { do: "clear" });
  assert.deepEqual(state.wanted, {});
  state = play(state, { do: "undo" });
  assert.deepEqual(state.wanted, { big: 2_000, "sum-9": 1_000 });
  state = play(state, { do: "undo" }, { do: "undo" }, { do: "undo" }, { do: "undo" });
  assert.deepEqual(state.wanted, {});
});

test("double doubles every box or none", () => {
  const state = play(OPEN, add("big", 1_000), add("sum-4", 600), { do: "double" });
  assert.deepEqual(state.wanted, { big: 1_000, "sum-4": 600 });
  assert.equal(state.notice?.key, "above_maximum");
});

test("rebet lays the last round's registered slip, and pressing it twice is pressing it once", () => {
  let state = accept(send(play(OPEN, add("big", 1_000), add("sum-9", 500)), "a"), "a");
  state = play(state, { do: "close" }, { do: "round", round: 8, open: true });
  assert.deepEqual(state.wanted, {}, "nothing is carried into the next round");
  state = play(state, { do: "rebet" }, { do: "rebet" });
  assert.deepEqual(state.wanted, { big: 1_000, "sum-9": 500 });
  assert.equal(state.whole, true);
});

test("rebet is all or nothing against the credit", () => {
  let state = accept(send(play(OPEN, add("big", 1_000), add("sum-9", 500)), "a"), "a");
  state = play(state, { do: "round", round: 8, open: true }, { do: "credit", credit: 1_200 }, { do: "rebet" });
  assert.deepEqual(state.wanted, {});
  assert.equal(state.notice?.key, "funds_short");
});

test("a saved slip with a box that is not on this felt is refused whole", () => {
  const state = play(OPEN, { do: "apply", slip: { big: 1_000, "four-1234": 500 } });
  assert.deepEqual(state.wanted, {});
  assert.equal(state.notice?.key, "not_on_felt");
});

test("a refusal that names a box takes that box back and leaves the others wanted", () => {
  let state = send(play(OPEN, add("big", 1_000), add("sum-9", 500)), "a");
  state = refuse(state, "a", "box_full", "big");
  assert.deepEqual(state.wanted, { "sum-9": 500 });
  assert.deepEqual(stakeOn(state, TABLE, "big"), { amount: 0, state: "none", refused: 1_000 });
  assert.deepEqual(toSend(state, TABLE), { "sum-9": 500 });
});

test("a refusal without a box takes everything back to what is registered", () => {
  let state = accept(send(play(OPEN, add("big", 1_000)), "a"), "a");
  state = refuse(send(play(state, add("big", 1_000), add("small", 1_000)), "b"), "b", "funds_insufficient", null);
  assert.deepEqual(state.wanted, { big: 1_000 });
  assert.equal(toSend(state, TABLE), null);
});

test("a refused rebet goes back whole, whichever box was named", () => {
  let state = accept(send(play(OPEN, add("big", 1_000), add("sum-9", 500)), "a"), "a");
  state = play(state, { do: "round", round: 8, open: true }, { do: "rebet" });
  state = send(state, "b");
  assert.equal(state.sent[0]?.whole, true);
  assert.deepEqual(refuse(state, "b", "box_full", "big").wanted, {});
});

test("a refusal of an older slip waits for the answer to the newer one", () => {
  let state = send(play(OPEN, add("big", 1_000)), "a");
  state = send(play(state, add("sum-9", 500)), "b");
  state = refuse(state, "a", "box_full", "big");
  assert.deepEqual(state.wanted, { big: 1_000, "sum-9": 500 });
  assert.deepEqual(refuse(state, "b", "box_full", "big").wanted, { "sum-9": 500 });
});

test("a stale version is taken over and the slip goes again", () => {
  let state = send(play(OPEN, add("big", 1_000)), "a");
  state = refuse(state, "a", "slip_stale", null, 9);
  assert.deepEqual(toSend(state, TABLE), { big: 1_000 });
  assert.equal(send(state, "b").sent[0]?.version, 10);
});

test("a cut leaves what was accepted and says so", () => {
  let state = send(play(OPEN, add("sum-9", 5_000)), "a");
  const cuts = [{ box: "sum-9", asked: 5_000, accepted: 3_000, limit: 3_000, clause: "4.2" }];
  state = play(state, {
    do: "registered",
    id: "a",
    round: 7,
    version: 1,
    slip: { "sum-9": 3_000 },
    cuts,
    credit: 97_000,
  });
  assert.deepEqual(stakeOn(state, TABLE, "sum-9"), { amount: 3_000, state: "cut", refused: 0 });
  assert.equal(toSend(state, TABLE), null);
});

test("at the close, what was never sent goes back visibly and what was registered stands", () => {
  let state = accept(send(play(OPEN, add("big", 1_000)), "a"), "a");
  state = play(state, add("sum-9", 500), { do: "close" });
  assert.deepEqual(state.wanted, { big: 1_000 });
  assert.equal(stakeOn(state, TABLE, "sum-9").refused, 500);
  assert.equal(state.notice?.key, "unregistered_returned");
});

test("at the close, what is on the way waits for its answer", () => {
  const sent = send(play(OPEN, add("big", 1_000)), "a");
  const shut = play(sent, { do: "close" });
  assert.equal(stakeOn(shut, TABLE, "big").state, "pending");
  assert.equal(stakeOn(accept(shut, "a"), TABLE, "big").state, "registered");
  assert.deepEqual(play(shut, { do: "expire" }).wanted, {});
  assert.deepEqual(refuse(shut, "a", "betting_closed", null).wanted, {});
});

test("no act changes a slip that is shut", () => {
  const shut = play(accept(send(play(OPEN, add("big", 1_000)), "a"), "a"), { do: "close" });
  const after = play(
    shut,
    add("big", 1_000),
    { do: "remove", box: "big", amount: 500 },
    { do: "undo" },
    { do: "clear" },
    { do: "double" },
    { do: "rebet" },
  );
  assert.deepEqual(after.wanted, shut.wanted);
});

test("after a cut connection the same round's chips are wanted again", () => {
  let state = play(send(play(OPEN, add("big", 1_000)), "a"), add("sum-9", 500), { do: "cut-off" });
  const back = play(state, {
    do: "snapshot",
    round: 7,
    open: true,
    slip: { big: 1_000 },
    version: 1,
    credit: 99_000,
    previous: {},
  });
  assert.deepEqual(toSend(back, TABLE), { big: 1_000, "sum-9": 500 });
  state = play(state, { do: "session", round: 7, slip: { big: 1_000 }, version: 1, credit: 99_000 });
  assert.deepEqual(toSend(state, TABLE), { big: 1_000, "sum-9": 500 });
  assert.equal(stakeOn(state, TABLE, "big").state, "registered");
});

test("a slip that never arrived goes again with a higher version", () => {
  let state = play(
    send(play(OPEN, add("big", 1_000)), "a"),
    { do: "cut-off" },
    { do: "session", round: null, slip: {}, version: 0, credit: 100_000 },
  );
  assert.deepEqual(toSend(state, TABLE), { big: 1_000 });
  state = send(state, "b");
  assert.equal(state.sent[0]?.version, 2);
});

test("bets that another hand gave back stay away", () => {
  let state = accept(send(play(OPEN, add("big", 2_000), add("sum-9", 500)), "a"), "a");
  state = play(state, add("small", 1_000), {
    do: "session",
    round: 7,
    slip: { "sum-9": 500 },
    version: 1,
    credit: 99_500,
  });
  assert.deepEqual(state.wanted, { "sum-9": 500, small: 1_000 });
});

test("after a cut over the close, only the server's slip stands", () => {
  let state = send(play(OPEN, add("big", 1_000)), "a");
  state = play(state, { do: "snapshot", round: 7, open: false, slip: {}, version: 0, credit: 100_000, previous: {} });
  assert.deepEqual(state.wanted, {});
  assert.equal(stakeOn(state, TABLE, "big").refused, 1_000);
});

test("a snapshot of another round brings nothing of the old one", () => {
  const state = play(play(OPEN, add("big", 1_000)), {
    do: "snapshot",
    round: 9,
    open: true,
    slip: {},
    version: 0,
    credit: 5_000,
    previous: { big: 2_000 },
  });
  assert.deepEqual(state.wanted, {});
  assert.deepEqual(state.previous, { big: 2_000 });
});

test("an answer for an earlier round or an older version changes nothing", () => {
  const state = accept(send(play(OPEN, add("big", 1_000)), "a"), "a");
  const old = { do: "registered", id: "x", cuts: [], credit: 1, slip: {} } as const;
  assert.deepEqual(play(state, { ...old, round: 6, version: 5 }).registered, { big: 1_000 });
  assert.deepEqual(play(state, { ...old, round: 7, version: 0 }).registered, { big: 1_000 });
});
