import assert from "node:assert/strict";
import { test } from "node:test";
import { Reveal, thrown } from "../src/lib/reveal.ts";
import type { RoundView } from "../src/lib/types.ts";
import { FACES, inRoom, normalOf, resting, settling, shaken, topFace, tumbling } from "../src/throw/motion.ts";
import { SETTLE_MS, TUMBLE_MS } from "../src/throw/timing.ts";

const DICE = [0, 1, 2];

test("every die comes to rest on the face that the record holds, flat on the floor", () => {
  for (const die of DICE) {
    for (const face of FACES) {
      const end = settling(die, face, SETTLE_MS, tumbling(die, 400, 3));
      assert.equal(topFace(end.turn), face);
      assert.ok(inRoom(end.turn, normalOf(face))[1] > 0.9999, `${face} is not level`);
      assert.deepEqual(end.at, resting(die, face).at);
    }
  }
});

test("opposite faces add up to seven", () => {
  for (const face of FACES) {
    const [x, y, z] = normalOf(face);
    assert.deepEqual(
      normalOf(7 - face).map((part) => part + 0),
      [-x + 0, -y + 0, -z + 0],
    );
  }
});

test("the dice come to rest one after the other, from left to right", () => {
  const lies = (ms: number) =>
    DICE.filter((die) => topFace(settling(die, 5, ms, tumbling(die, 0, 3)).turn) === 5 && isStill(die, ms)).length;
  const isStill = (die: number, ms: number) =>
    settling(die, 5, ms, tumbling(die, 0, 3)).at[1] === settling(die, 5, ms + 1, tumbling(die, 0, 3)).at[1];
  assert.deepEqual([630, 930, SETTLE_MS].map(lies), [1, 2, 3]);
});

test("in the shaker the dice stay above the floor and inside the dome", () => {
  for (const die of DICE) {
    for (let ms = 0; ms < 4_000; ms += 7) {
      const [x, y, z] = tumbling(die, ms, 3).at;
      assert.ok(y >= 0.5 && y < 1.9, `height ${y}`);
      assert.ok(Math.hypot(x, z) < 1.9, `distance ${Math.hypot(x, z)}`);
    }
  }
});

test("the shaker goes up with each of its tumbles, leans to both sides, and then stands still", () => {
  for (const tumbles of [3, 5]) {
    const at = (tumble: number) => shaken(tumble * TUMBLE_MS, tumbles);
    const middles = Array.from({ length: tumbles }, (_, place) => at(place + 0.5));
    assert.ok(middles.every(({ up }) => up > 0.35));
    assert.ok(middles.every(({ lean }, place) => (place % 2 ? lean > 0.05 : lean < -0.05)));
    for (let place = 0; place <= tumbles; place += 1) assert.ok(at(place).up < 0.001, "on the table between tumbles");
    assert.deepEqual(shaken((tumbles + 0.3) * TUMBLE_MS, tumbles), { up: 0, lean: 0 });
  }
});

const round = (more: Partial<RoundView>): RoundView =>
  ({ number: 4, phase: "declared", dice: [1, 2, 3], held: "", ...more }) as RoundView;

test("only dice that nobody has seen yet are thrown", () => {
  const shut = round({ phase: "closed", dice: null });
  assert.deepEqual(thrown(shut, round({})), [1, 2, 3]);
  assert.equal(thrown(round({ dice: [6, 6, 6] }), round({})), null); // a correction
  assert.equal(thrown(round({ number: 3, dice: null }), round({})), null); // a round that we did not see
  assert.equal(thrown(shut, round({ phase: "void" })), null);
  assert.equal(thrown(shut, round({ held: "suspended" })), null);
});

test("what follows the dice waits for them, in its order, and then comes at once", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const seen: string[] = [];
  const reveal = new Reveal<string>(
    (message) => void seen.push(message),
    () => false,
  );
  reveal.ready = true;
  reveal.take("shut");
  reveal.take("dice", [1, 2, 3]);
  reveal.take("settled");
  reveal.take("concluded");
  assert.deepEqual(seen, ["shut"]);
  assert.deepEqual(reveal.coming.value, [1, 2, 3]);
  context.mock.timers.tick(SETTLE_MS + 1_000);
  assert.deepEqual(seen, ["shut", "dice", "settled", "concluded"]);
  assert.equal(reveal.coming.value, null);
});

test("nothing waits for a picture that is not there, for a page that nobody sees, or for the next round", () => {
  const seen: string[] = [];
  let hidden = false;
  const reveal = new Reveal<string>(
    (message) => void seen.push(message),
    () => hidden,
  );
  reveal.take("no scene", [1, 2, 3]);
  reveal.ready = true;
  hidden = true;
  reveal.take("hidden", [1, 2, 3]);
  hidden = false;
  reveal.take("dice", [4, 5, 6]);
  reveal.take("next round", null, true);
  assert.deepEqual(seen, ["no scene", "hidden", "dice", "next round"]);
});
