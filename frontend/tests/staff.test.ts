/** The pure logic of the staff pages: keypad, ticket numbers, money, outcomes, replay, figures. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TimelineEvent } from "../src/http.ts";
import { diceWords } from "../src/lib/dice-words.ts";
import { factsOf } from "../src/ui/staff/approval-facts.ts";
import { called, type DiceEntry, NO_DICE, press } from "../src/ui/staff/dice-keypad.ts";
import { barsOf, evidenceShare, gaugeOf, pace } from "../src/ui/staff/figures.ts";
import { countedSum, denominationsOf, readMoney, typedMoney } from "../src/ui/staff/money-entry.ts";
import { wins } from "../src/ui/staff/outcomes.ts";
import { replayed, totalsOf } from "../src/ui/staff/replay.ts";
import { firstRoundFrom } from "../src/ui/staff/rounds-by-date.ts";
import { grouped, mod97, readTicketNumber, retyped } from "../src/ui/staff/ticket-number.ts";

const FACES = [1, 2, 3, 4, 5, 6];
const ROLLS = FACES.flatMap((a) => FACES.flatMap((b) => FACES.map((c) => [a, b, c])));
const ways = (kind: string, numbers: number[]): number => ROLLS.filter((dice) => wins({ kind, numbers }, dice)).length;

function typed(keys: string, most = 3): { entry: DiceEntry; confirmed: boolean } {
  let entry = NO_DICE;
  let confirmed = false;
  for (const key of keys.split(" ")) {
    const pressed = press(entry, key, most);
    if (pressed) ({ entry, confirmed } = pressed);
  }
  return { entry, confirmed };
}

describe("dice by keypad", () => {
  it("confirms only after three faces, a look, and a second Enter", () => {
    assert.deepEqual(typed("5 2 Enter"), { entry: { faces: [5, 2], checking: false }, confirmed: false });
    assert.deepEqual(typed("5 2 3 Enter"), { entry: { faces: [5, 2, 3], checking: true }, confirmed: false });
    assert.equal(typed("5 2 3 Enter Enter").confirmed, true);
  });
  it("takes no fourth face and no face while it is looked at", () => {
    assert.deepEqual(typed("5 2 3 6").entry.faces, [5, 2, 3]);
    assert.deepEqual(typed("5 2 3 Enter 6").entry, { faces: [5, 2, 3], checking: true });
  });
  it("goes back one step at a time, and to the start with Escape", () => {
    assert.deepEqual(typed("5 2 3 Enter Backspace").entry, { faces: [5, 2, 3], checking: false });
    assert.deepEqual(typed("5 2 3 Enter Backspace Backspace").entry.faces, [5, 2]);
    assert.deepEqual(typed("5 2 Escape").entry, NO_DICE);
  });
  it("leaves every other key alone", () => {
    for (const key of ["0", "7", "a", "Tab", "12"]) assert.equal(press(NO_DICE, key), null);
  });
  it("calls the dice from low to high", () => assert.deepEqual(called([5, 2, 3]), [2, 3, 5]));
});

describe("what a second person signs", () => {
  const terms = (fields: Record<string, unknown>): Record<string, string> => Object.fromEntries(factsOf({ fields }));
  const settings = (unit: number, boxes: object) => ({
    pay_table: "tai-sai-v6/2",
    limits: {
      unit,
      default: { minimum: 5, maximum: null },
      groups: {},
      boxes,
      differential: { "big-small": unit },
      box_totals: {},
      notice: "at-placement",
    },
    money: "credits",
    timing: { betting_seconds: null, warn_seconds: 5, round_seconds_min: 0 },
    seats: 12,
  });
  it("names table and time of a count, and the box of a drop", () => {
    assert.deepEqual(Object.keys(terms({ table: "T1", when: "opening", counted: 5 })), [
      "at_table",
      "count_at",
      "counted",
    ]);
    assert.equal(terms({ box: "B7", counted: 5 })["drop_box_of"], "B7");
    assert.equal(terms({ table: "T1", amount: 5, slip: "F1" })["slip_number"], "F1");
  });
  it("names each bet that goes back, and a ticket by its last four", () => {
    assert.equal(
      terms({ decision: "return-bets", bets: [{ player: "ann", box: "sum-9" }] })["bet_to_return"],
      "ann · kind_sum 9",
    );
    const ticket = terms({ ticket: "0".repeat(64), amount: 900, last_four: "1234" });
    assert.deepEqual(Object.keys(ticket), ["ticket_ends", "amount"]);
    assert.equal(ticket["ticket_ends"], "…1234");
  });
  it("says of settings what they were, box by box, and what ends", () => {
    const big = { minimum: 5, maximum: 50 };
    const lines = terms({ settings: settings(10, { big }), before: settings(5, { small: big }) });
    for (const term of ["chip_unit", "kind_big", "kind_small", "differential_big_small"])
      assert.equal(lines[term], "before_now", term);
    assert.equal(lines["seats_count"], "12");
  });
  it("puts what changes before what stays", () => {
    const lines = factsOf({ fields: { settings: settings(10, {}), before: settings(5, {}) } });
    assert.deepEqual(
      lines.slice(0, 2).map(([term]) => term),
      ["chip_unit", "differential_big_small"],
    );
    assert.deepEqual(
      lines.map(([, text]) => text === "before_now"),
      lines.map((_, at) => at < 2),
    );
  });
  it("says from when a change of rules holds", () => {
    assert.ok(
      terms({ settings: settings(5, {}), effective: "2026-12-01T00:00:00Z" })["effective_from"]?.includes("2026"),
    );
  });
});

describe("outcomes", () => {
  it("win on as many of the 216 rolls as the odds are made for", () => {
    const known: [string, number[], number][] = [
      ["small", [], 105],
      ["big", [], 105],
      ["odd", [], 105],
      ["even", [], 105],
      ["single", [4], 91],
      ["double", [4], 16],
      ["triple", [4], 1],
      ["any-triple", [], 6],
      ["sum", [4], 3],
      ["sum", [9], 25],
      ["sum", [11], 27],
      ["domino", [1, 6], 30],
      ["four", [6, 5, 4, 3], 24],
      ["trio", [1, 2, 6], 6],
      ["pair", [1, 1, 3], 3],
    ];
    for (const [kind, numbers, count] of known) assert.equal(ways(kind, numbers), count, kind);
  });
  it("let totals win on triples and the even chances lose", () => {
    assert.equal(wins({ kind: "sum", numbers: [9] }, [3, 3, 3]), true);
    assert.equal(wins({ kind: "small", numbers: [] }, [3, 3, 3]), false);
    assert.equal(wins({ kind: "odd", numbers: [] }, [3, 3, 3]), false);
  });
});

describe("ticket numbers", () => {
  const body = "1234567890123456";
  const check = String(98 - Number((BigInt(body) * 100n) % 97n)).padStart(2, "0");
  const number = body + check;
  it("are right when they leave 1 by 97", () => {
    assert.equal(mod97(number), 1);
    assert.equal(readTicketNumber(number).state, "right");
    assert.equal(readTicketNumber(grouped(number)).state, "right");
    assert.equal(readTicketNumber(` ${number}\n`).state, "right");
  });
  it("show every single wrong digit and every neighbouring transposition", () => {
    for (let place = 0; place < number.length; place += 1) {
      for (const digit of "0123456789") {
        if (digit === number[place]) continue;
        assert.equal(readTicketNumber(number.slice(0, place) + digit + number.slice(place + 1)).state, "misread");
      }
      const next = number[place + 1];
      if (next === undefined || next === number[place]) continue;
      const swapped = number.slice(0, place) + next + number[place] + number.slice(place + 2);
      assert.equal(readTicketNumber(swapped).state, "misread");
    }
  });
  it("say how far the typing is", () => {
    assert.equal(readTicketNumber("").state, "empty");
    assert.equal(readTicketNumber("1234").state, "short");
    assert.equal(readTicketNumber(`${number}1`).state, "long");
    assert.equal(readTicketNumber("１２３４").digits, "1234");
  });
  it("keep the caret behind the same digit when blanks are put in", () => {
    assert.deepEqual(retyped("12345", 5), { text: "1234 5", caret: 6 });
    assert.deepEqual(retyped("1234x5", 2), { text: "1234 5", caret: 2 });
  });
});

describe("money as it is typed", () => {
  it("becomes whole minor units", () => {
    assert.equal(readMoney("20", 2), 2000);
    assert.equal(readMoney("1,250.5", 2), 125050);
    assert.equal(readMoney("０.０５", 2), 5);
    assert.equal(readMoney("0.29", 2), 29); // 0.29 * 100 is 28.999… as a float
    assert.equal(readMoney("500", 0), 500);
  });
  it("is refused when it is no amount", () => {
    for (const raw of ["", "-5", "1.234", "abc", "1.2.3", "1e3", "99999999999999999"])
      assert.equal(readMoney(raw, 2), null, raw);
    assert.equal(readMoney("1.5", 0), null);
  });
  it("goes back into the text that gives it", () => {
    for (const minor of [0, 5, 29, 100, 125050]) assert.equal(readMoney(typedMoney(minor, 2), 2), minor);
    assert.equal(typedMoney(2000, 2), "20");
    assert.equal(typedMoney(7, 0), "7");
  });
  it("is counted by notes and coins", () => {
    assert.deepEqual(denominationsOf(0, 100), [100, 50, 20, 10, 5, 2, 1]);
    assert.equal(denominationsOf(2)[0], 100_000);
    assert.equal(denominationsOf(2).at(-1), 5);
    assert.equal(countedSum({ 5000: "3", 1000: "", 5: "7" }), 15035);
    assert.equal(countedSum({ 5000: "x" }), null);
  });
});

const event = (type: string, facts: Record<string, unknown> = {}): TimelineEvent => ({
  at: 0,
  type,
  clause: "",
  by: "",
  role: "",
  text: "",
  facts,
});

describe("a round played again", () => {
  const events = [
    event("BettingOpened"),
    event("BetsPlaced", { player: "ann", slip: { big: 500, "sum-4": 100 } }),
    event("BetsPlaced", { player: "bo", slip: { big: 300 } }),
    event("ExcessRejected", { taken: [{ player: "bo", box: "big", amount: 100 }] }),
    event("BettingClosed"),
    event("TumblerActivated", { tumbles: 3 }),
    event("RollDeclared", { roll: [6, 5, 4] }),
    event("PayoutsMade", { payouts: { ann: 1000, bo: 400 } }),
    event("SettlementReversed", { payouts: { ann: 1000, bo: 400 } }),
    event("ResultCorrected", { after: [1, 1, 2] }),
    event("PayoutsMade", { payouts: { ann: 6300 } }),
  ];
  it("has on each box what lay there at that time", () => {
    assert.deepEqual(totalsOf(replayed(events, 3).slips), { big: 800, "sum-4": 100 });
    assert.deepEqual(totalsOf(replayed(events, 4).slips), { big: 700, "sum-4": 100 });
  });
  it("ends with the corrected dice and the net that was paid", () => {
    const end = replayed(events, events.length);
    assert.deepEqual(end.dice, [1, 1, 2]);
    assert.equal(end.paid, 6300);
    assert.equal(replayed(events, 8).paid, 1400);
  });
});

describe("rounds by date", () => {
  const opened = [100, 200, 300, 400];
  const at = (round: number) => Promise.resolve(opened[round - 1] ?? null);
  it("are found by halving", async () => {
    assert.equal(await firstRoundFrom(50, 4, at), 1);
    assert.equal(await firstRoundFrom(200, 4, at), 2);
    assert.equal(await firstRoundFrom(201, 4, at), 3);
    assert.equal(await firstRoundFrom(500, 4, at), 5);
    assert.equal(await firstRoundFrom(1, 0, at), 1);
  });
});

describe("figures of the pit", () => {
  it("put the house's worst outcome first", () => {
    const bars = barsOf([
      { dice: "1-1-2", ways: 3, net: 50 },
      { dice: "1-1-1", ways: 1, net: -200 },
    ]);
    assert.deepEqual(
      bars.map((bar) => [bar.dice, bar.share]),
      [
        ["1-1-1", -1],
        ["1-1-2", 0.25],
      ],
    );
  });
  it("place a hold inside or outside of its band", () => {
    const inside = gaugeOf(5, [-10, 20]);
    assert.ok(inside.low < inside.at && inside.at < inside.high);
    const outside = gaugeOf(40, [-10, 20]);
    assert.ok(outside.at > outside.high && outside.at < 100);
  });
  it("count evidence in doublings", () => {
    assert.equal(evidenceShare(0.5, 100), 0);
    assert.equal(evidenceShare(10, 100), 0.5);
    assert.equal(evidenceShare(1e9, 100), 1);
  });
  it("tell the pace from the openings", () => {
    assert.equal(pace([120_000, 60_000, 0]), 60);
    assert.equal(pace([1, 0]), null);
  });
});

describe("dice", () => {
  it("are written lowest first with dashes, and stay as they were", () => {
    const faces = [6, 2, 4];
    assert.equal(diceWords(faces), "2-4-6");
    assert.deepEqual(faces, [6, 2, 4]);
    assert.equal(diceWords([]), "");
  });
});
