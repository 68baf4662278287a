import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY, type SlipState } from "../src/lib/slip.ts";
import type { RoundProofView, RoundView, SlipProven } from "../src/lib/types.ts";
import { type Doubt, Proving } from "../src/pages/terminal/proving.ts";
import * as checks from "../src/verify/seat.ts";

// A round whose hashes were made by another program.
const OPEN: RoundProofView = {
  origin: "house.example/taisai",
  opened_at: 1_767_225_600_000_000,
  rulebook: "1".repeat(64),
  pay_table: "2".repeat(64),
  commitment: "f46ef0102ff5008b90fcde6a767d13d8bf0b336852d70c0e75f355f68304bd2c",
  slips: 0,
  root: "",
  secret: "",
  share: "",
  by_people: false,
};
const ROOT = "263b1ae3bb9acfb92e7891aa04819687eefb301e3c5358d0a55da6401d050d54";
const CLOSED: RoundProofView = { ...OPEN, slips: 3, root: ROOT };
const SECRET = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join("");
const PROVEN: SlipProven = {
  type: "SlipProven",
  round: 7,
  version: 1,
  place: 0,
  salt: "13fdcbc69e51c05633abb71e8afb46ee",
  proof: "lswd1misvmPe6p/KY7b0RIPnoAkQdAwqgtOfJDtD0VF+ugun58/6AjNwwRR4oP1oLWp3yoZGHXf6yff1CKwv0w==",
};
// As a player lays them, not as the leaf orders them.
const STAKES = { "pair-113": 50, big: 100 };

const round = (phase: string, proof: RoundProofView | null, dice: number[] | null = null): RoundView =>
  ({ number: 7, phase, dice, proof }) as RoundView;
const BETTING = round("betting", OPEN);
const SHUT = round("closed", CLOSED);
const shown = (more: Partial<RoundProofView> = {}): RoundView =>
  round("declared", { ...CLOSED, secret: SECRET, ...more }, [3, 5, 6]);

class Watched {
  readonly doubts: [number, Doubt][] = [];
  slip: SlipState = { ...EMPTY, round: 7, registered: STAKES, registeredVersion: 1 };
  readonly proving = new Proving(
    () => ({ player: "p1", slip: this.slip }),
    () => Promise.resolve(checks),
    (number, doubt) => this.doubts.push([number, doubt]),
  );
  #before: RoundView | null = null;

  hear(...rounds: RoundView[]): this {
    for (const next of rounds) {
      this.proving.look("T1", this.#before, next, this.#before !== null);
      this.#before = next;
    }
    return this;
  }

  async prove(message: SlipProven = PROVEN): Promise<this> {
    this.proving.proven(message);
    await this.settle();
    return this;
  }

  settle = (): Promise<void> => new Promise((done) => setImmediate(done));
}

test("a round that is what was shown is found to be so", async () => {
  const seat = new Watched().hear(BETTING);
  assert.equal(seat.proving.commitment.value, OPEN.commitment);
  await seat.hear(SHUT).prove();
  assert.equal(seat.proving.proved.value, true);
  seat.hear(shown());
  await seat.settle();
  assert.deepEqual(seat.doubts, []);
});

test("another commitment than the one that was shown is an alarm", async () => {
  const seat = new Watched().hear(BETTING, round("closed", { ...CLOSED, commitment: "00".repeat(32) }));
  assert.deepEqual(seat.doubts, [[7, "changed"]]);
  assert.deepEqual(seat.proving.alarm.value, { round: 7, doubt: "changed" });
  seat.proving.seen();
  assert.equal(seat.proving.alarm.value, null);
});

const LIES: Partial<SlipProven>[] = [
  { place: 1 },
  { place: 3 },
  { place: -1 },
  { version: 2 },
  { salt: "00".repeat(16) },
  { salt: "13" },
  { proof: "" },
  { proof: "QR==" },
  { proof: PROVEN.proof.replace("l", "m") },
];
for (const lie of LIES)
  test(`a proof that does not lead to the root is an alarm: ${JSON.stringify(lie)}`, async () => {
    const seat = await new Watched().hear(BETTING, SHUT).prove({ ...PROVEN, ...lie });
    assert.deepEqual(seat.doubts, [[7, "slip"]]);
    assert.equal(seat.proving.proved.value, false);
  });

test("a proof of other bets than those of this player is an alarm", async () => {
  const seat = new Watched();
  seat.slip = { ...seat.slip, registered: { ...STAKES, big: 101 } };
  await seat.hear(BETTING, SHUT).prove();
  assert.deepEqual(seat.doubts, [[7, "slip"]]);
});

test("another root or number of slips than that of the closing is an alarm", () => {
  for (const more of [{ root: "00".repeat(32) }, { slips: 4 }])
    assert.deepEqual(new Watched().hear(BETTING, SHUT, round("closed", { ...CLOSED, ...more })).doubts, [
      [7, "changed"],
    ]);
});

test("dice that come before the proof are an alarm, unless there was nothing to prove", () => {
  assert.deepEqual(new Watched().hear(BETTING, SHUT, shown()).doubts, [[7, "missing"]]);
  const idle = new Watched();
  idle.slip = { ...EMPTY, round: 7 };
  assert.deepEqual(idle.hear(BETTING, SHUT, shown()).doubts, []);
});

test("whoever did not hear the closing itself waits for no proof", () => {
  const late = new Watched().hear(SHUT, shown());
  const broken = new Watched().hear(BETTING, SHUT);
  broken.proving.cutOff();
  assert.deepEqual([late.doubts, broken.hear(shown()).doubts], [[], []]);
});

test("dice and secrets that do not follow are an alarm; dice of a ruling follow from people", async () => {
  for (const [more, dice, doubts] of [
    [{}, [3, 5, 5], 1],
    [{ secret: "ff".repeat(32) }, [3, 5, 6], 1],
    [{ secret: "" }, [3, 5, 6], 1],
    [{ share: "00".repeat(64) }, [3, 5, 6], 1],
    [{ by_people: true }, [3, 5, 5], 0],
    [{ by_people: true, secret: "ff".repeat(32) }, [3, 5, 5], 1],
  ] as const) {
    const seat = await new Watched().hear(BETTING, SHUT).prove();
    seat.hear({ ...shown(more), dice });
    await seat.settle();
    assert.equal(seat.doubts.length, doubts, JSON.stringify(more));
  }
});

test("the proof of a slip whose answer is still on its way waits for it", async () => {
  const seat = new Watched();
  const sent = { id: "a", version: 1, slip: STAKES, whole: false };
  seat.slip = { ...EMPTY, round: 7, sent: [sent] };
  await seat.hear(BETTING, SHUT).prove();
  assert.deepEqual([seat.doubts, seat.proving.proved.value], [[], false]);
  seat.slip = { ...EMPTY, round: 7, registered: STAKES, registeredVersion: 1 };
  seat.proving.registered();
  await seat.settle();
  assert.deepEqual([seat.doubts, seat.proving.proved.value], [[], true]);
});

test("a house that does not hand out what it is checked with is an alarm", async () => {
  const doubts: Doubt[] = [];
  const slip = { ...EMPTY, round: 7, registered: STAKES, registeredVersion: 1 };
  const proving = new Proving(
    () => ({ player: "p1", slip }),
    () => Promise.reject(new TypeError("not found")),
    (_, doubt) => doubts.push(doubt),
  );
  proving.fetch();
  proving.look("T1", null, BETTING, false);
  proving.look("T1", BETTING, SHUT, true);
  proving.proven(PROVEN);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(doubts, ["unchecked"]);
});

test("a house without proofs is asked for none", () => {
  const seat = new Watched().hear(round("betting", null), round("closed", null), round("declared", null, [1, 2, 3]));
  assert.deepEqual([seat.doubts, seat.proving.commitment.value], [[], ""]);
});
