/** Checks a receipt as `taisai receipt verify` does, step by step and sentence by sentence, with no word from the house. */

import * as ed from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import sayings from "../../../src/taisai/proof/sayings.json";
import { base64, bytes, digest, equal, hex, read, text, unhex } from "./bytes.ts";
import { extendsTree, includes, leafHash } from "./merkle.ts";
import { type Checkpoint, cosigners, type Key, type Note, readCheckpoint, readNote } from "./notes.ts";
import { commitmentOf, committedDice, leafOf, roundContext, type Where } from "./rounds.ts";

ed.hashes.sha512 = sha512;

export type Language = keyof typeof sayings;
/** Boxes with their stakes or what came back, in minor units. */
type Stakes = readonly (readonly [box: string, minor: number])[];
type Saying = [string, Record<string, string | number | Stakes>];
export type Verdict = { code: 0 | 1 | 2; said: Saying[] };

class Malformed extends Error {}
class Wrong extends Error {
  constructor(
    readonly id: string,
    readonly facts: Record<string, string | number> = {},
  ) {
    super(id);
  }
}

const WHICH: Record<Language, Record<string, string>> = {
  en: {},
  "zh-Hant": { first: "第一個", second: "第二個", opening: "開局", closing: "截止", result: "結果" },
  "zh-Hans": { first: "第一个", second: "第二个", opening: "开局", closing: "截止", result: "结果" },
};

/** How boxes and amounts are written; a receipt itself has ids and minor units, and names no currency. */
export interface Spelling {
  readonly box: (id: string) => string;
  readonly money: (minor: number) => string;
}
const AS_SIGNED: Spelling = { box: (id) => id, money: String };

/** What is said, in a language. */
export function sentences(verdict: Verdict, language: Language = "en", spelling = AS_SIGNED): string[] {
  const words: Record<string, string> = sayings[language];
  const listed = (stakes: Stakes): string =>
    stakes.map(([box, minor]) => `${spelling.box(box)} ${spelling.money(minor)}`).join(", ") || words["withdrawn"]!;
  return verdict.said.map(([id, facts]) =>
    words[id]!.replace(/\{(\w+)\}/g, (_, name: string) => {
      const fact = facts[name]!;
      if (name === "which") return WHICH[language][String(fact)] ?? String(fact);
      if (name === "returned") return spelling.money(fact as number);
      return typeof fact === "object" ? listed(fact) : String(fact);
    }),
  );
}

export const verify = (key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean => {
  try {
    return ed.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
};

const need = (holds: unknown): void => {
  if (!holds) throw new Malformed();
};
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === "string";

/** JSON in its one spelling: what another program would write the same way. */
function json(raw: string): unknown {
  try {
    const found: unknown = JSON.parse(raw);
    if (JSON.stringify(found) === raw) return found;
  } catch {}
  throw new Malformed();
}

type Form = { [name: string]: "text" | "whole" | Form };
const PLACE: Form = { entry: "text", index: "whole", proof: "text" };
const RECEIPT: Form = {
  format: "text",
  opening: PLACE,
  closing: PLACE,
  before: "text",
  slip: { body: "text", salt: "text", index: "whole", proof: "text" },
  result: { ...PLACE, body: "text", salt: "text", path: "text" },
  after: "text",
  consistency: "text",
};

/** Whether a value has these members, in this order, and no others. */
function formed(value: unknown, form: Form): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (Object.keys(value).join() !== Object.keys(form).join()) return false;
  return Object.entries(form).every(([name, kind]) => {
    const member = (value as Record<string, unknown>)[name];
    if (kind === "text") return isText(member);
    return kind === "whole" ? isWhole(member) : formed(member, kind);
  });
}

type Place = { entry: string; index: number; proof: string };
type Receipt = {
  format: string;
  opening: Place;
  closing: Place;
  before: string;
  slip: { body: string; salt: string; index: number; proof: string };
  result: Place & { body: string; salt: string; path: string };
  after: string;
  consistency: string;
};

const OPENING = ["t", "t", "w", "w", "t", "t", "h0,32", "w", "t"];
const CLOSING = ["t", "t", "w", "w", "w", "w", "h32", "w", "t"];
const RESULT = ["t", "t", "w", "w", "n", "w", "n", "d", "t", "h0,32", "h0,64", "w", "h32", "w", "t"];

/** An entry of the log, member by member. */
function entry(raw: string, title: string, form: string[]): unknown[] {
  const found = json(raw);
  need(Array.isArray(found) && found.length === form.length && found[0] === title);
  const members = found as unknown[];
  form.forEach((kind, at) => {
    const member = members[at];
    if (kind === "t") need(isText(member));
    else if (kind === "w") need(isWhole(member));
    else if (kind === "n") need(member === null || isWhole(member));
    else if (kind === "d")
      need(
        member === null ||
          (Array.isArray(member) && member.length === 3 && member.every((die) => isWhole(die) && die >= 1 && die <= 6)),
      );
    else need(isText(member) && /^([0-9a-f]{2})*$/.test(member) && sizes(kind).includes(member.length / 2));
  });
  return members;
}
const sizes = (kind: string): number[] => kind.slice(1).split(",").map(Number);

function stakes(value: unknown): [string, number][] {
  need(typeof value === "object" && value !== null && !Array.isArray(value));
  const found = Object.entries(value as object) as [string, unknown][];
  const names = found.map(([box]) => box);
  // Names like numbers are put into another order here, and other letters are in another order elsewhere.
  need(names.every((box) => /^[\x20-\x7e]*$/.test(box) && !/^[0-9]+$/.test(box)));
  need(names.every((box, at) => at === 0 || names[at - 1]! < box));
  need(found.every(([, stake]) => isWhole(stake) && stake > 0));
  return found as [string, number][];
}

const wholes = (value: unknown): number[] => {
  need(Array.isArray(value) && value.every(isWhole));
  return value as number[];
};

function slipOf(raw: string) {
  const found = json(raw);
  need(Array.isArray(found) && found.length === 3 && isText(found[0]) && isWhole(found[1]));
  const [player, version, placed] = found as [string, number, unknown];
  return { player, version, stakes: stakes(placed) };
}

function resultOf(raw: string) {
  const found = json(raw);
  need(Array.isArray(found) && (found.length === 6 || found.length === 7) && isText(found[0]));
  const [player, version, returned, effective, back, clauses, corrected] = found as unknown[];
  need(isWhole(version) && isWhole(returned) && Array.isArray(clauses) && clauses.every(isText));
  return {
    player: player as string,
    version: version as number,
    returned: returned as number,
    effective: wholes(effective),
    back: wholes(back),
    clauses: clauses as string[],
    corrected: (found as unknown[]).length === 7 ? stakes(corrected) : null,
  };
}

const fixed = (raw: string, size: number): Uint8Array => {
  const found = base64(raw);
  need(found && found.length === size);
  return found!;
};
function proof(raw: string): Uint8Array[] {
  const found = base64(raw);
  need(found && found.length % 32 === 0 && found.length <= 63 * 32);
  return Array.from({ length: found!.length / 32 }, (_, at) => found!.slice(at * 32, at * 32 + 32));
}

function parts(raw: Uint8Array) {
  need(raw.length <= 65_536);
  const written = read(raw);
  need(written !== null && !written.includes("\\u"));
  const receipt = json(written!) as Receipt;
  need(formed(receipt, RECEIPT) && receipt.format === "taisai receipt 1");
  const opening = entry(receipt.opening.entry, "taisai opening 1", OPENING);
  const closing = entry(receipt.closing.entry, "taisai closing 1", CLOSING);
  const result = entry(receipt.result.entry, "taisai result 1", RESULT);
  need(result[7] !== null || /^(void|ruled) /.test(result[8] as string));
  const before = readNote(receipt.before);
  const after = readNote(receipt.after);
  const first = before && readCheckpoint(before.text);
  const second = after && readCheckpoint(after.text);
  need(first && second);
  return {
    receipt,
    opening: named(opening, ["table", "number", "openedAt", "rulebook", "payTable", "commitment"]),
    closing: named(closing, ["table", "number", "at", "openingIndex", "slips", "root"]),
    result: named(result, [
      "table",
      "number",
      "at",
      "closingIndex",
      "attempt",
      "previous",
      "dice",
      "clause",
      "secret",
      "share",
      "results",
      "root",
    ]),
    before: before as Note,
    after: after as Note,
    first: first as Checkpoint,
    second: second as Checkpoint,
    slip: slipOf(receipt.slip.body),
    outcome: resultOf(receipt.result.body),
    proofs: {
      opening: proof(receipt.opening.proof),
      closing: proof(receipt.closing.proof),
      result: proof(receipt.result.proof),
      slip: proof(receipt.slip.proof),
      path: proof(receipt.result.path),
      consistency: proof(receipt.consistency),
    },
    salts: [fixed(receipt.slip.salt, 16), fixed(receipt.result.salt, 16)] as const,
  };
}
type Parts = ReturnType<typeof parts>;
const named = (members: unknown[], names: string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name, at) => [name, members[at + 1]]));

/** Check a receipt by the house's key; `now` is in seconds since 1970. */
export function checkReceipt(raw: Uint8Array, key: Key, witnesses: Key[], now: number): Verdict {
  let found: Parts;
  try {
    found = parts(raw);
  } catch {
    return { code: 2, said: [["malformed", {}]] };
  }
  try {
    return { code: 0, said: [...checked(found, key, witnesses, now)] };
  } catch (wrong) {
    if (!(wrong instanceof Wrong)) throw wrong;
    return { code: 1, said: [[wrong.id, wrong.facts]] };
  }
}

function* checked(found: Parts, key: Key, witnesses: Key[], now: number): Generator<Saying> {
  const { receipt, opening, closing, result, first, second, slip, outcome } = found;
  for (const [which, signed, note] of [
    ["first", first, found.before],
    ["second", second, found.after],
  ] as const) {
    if (signed.origin !== key.name) throw new Wrong("origin", { found: signed.origin, expected: key.name });
    const lines = note.lines.filter((line) => line.name === key.name && equal(line.hint, key.hint));
    const good = lines.every(
      (line) => line.signature.length === 64 && verify(key.public, line.signature, bytes(note.text)),
    );
    if (!lines.length || !good) throw new Wrong("house_signature", { which });
  }
  const seen = cosigners(found.before, witnesses, verify);
  if (!seen) throw new Wrong("witness_signature", { which: "first" });
  const later = cosigners(found.after, witnesses, verify);
  if (!later) throw new Wrong("witness_signature", { which: "second" });
  inLog(found);
  if (closing["table"] !== opening["table"] || result["table"] !== opening["table"]) throw new Wrong("mismatch");
  if (closing["number"] !== opening["number"] || result["number"] !== opening["number"]) throw new Wrong("mismatch");
  const commitment = unhex(opening["commitment"] as string);
  const where: Where = [key.name, opening["table"] as string, String(opening["number"])];
  const context = roundContext(
    where,
    opening["openedAt"] as number,
    opening["rulebook"] as string,
    opening["payTable"] as string,
    opening["commitment"] as string,
  );
  if (closing["openingIndex"] !== receipt.opening.index || result["closingIndex"] !== receipt.closing.index)
    throw new Wrong("mismatch");
  const root = unhex(closing["root"] as string);
  const leaf = leafOf(context, found.salts[0], receipt.slip.body);
  if (!includes(leaf, receipt.slip.index, closing["slips"] as number, found.proofs.slip, root)) throw new Wrong("slip");
  const dice = diceSaying(found, where, context, commitment, root, witnesses);
  const registered: Saying = [
    "registered",
    {
      place: receipt.slip.index + 1,
      slips: closing["slips"] as number,
      round: opening["number"] as number,
      table: opening["table"] as string,
      player: slip.player,
      stakes: slip.stakes,
      time: timeOf(secondsOf(closing["at"] as number)),
    },
  ];
  resultInTree(found, context, root);
  if ([...seen, ...later].some((each) => each.time > now + 600)) throw new Wrong("future");
  yield registered;
  if (outcome.corrected) yield ["corrected", { stakes: outcome.corrected }];
  // A checkpoint that holds the result too shows nothing of what came first.
  const beforeDice = first.size <= receipt.result.index ? seen : [];
  for (const each of beforeDice) yield ["seen", { witness: each.name, time: timeOf(each.time) }];
  if (!beforeDice.length) yield ["unseen", {}];
  const known = [key, ...witnesses];
  const others = [...found.before.lines, ...found.after.lines].filter(
    (line) => !known.some((each) => each.name === line.name && equal(each.hint, line.hint)),
  );
  const names = [...new Set(others.map((line) => line.name))];
  if (names.length) yield ["others", { names: names.sort(byCodePoint).join(", ") }];
  yield dice;
  const boxes = outcome.corrected ?? slip.stakes;
  for (const [at, [box, stake]] of boxes.entries())
    yield ["paid", { bet: [[box, stake]], clauses: outcome.clauses[at]!, returned: outcome.back[at]! }];
  yield ["got", { returned: outcome.returned }];
  if (result["dice"] !== null) yield ["not_recomputed", {}];
  const attempt = result["attempt"] as number;
  yield ["as_of", { entry: receipt.result.index, size: second.size, origin: key.name, attempt }];
}

// UTF-8 has the order of code points, and the language's own strings have not.
const byCodePoint = (one: string, other: string): number => (hex(bytes(one)) < hex(bytes(other)) ? -1 : 1);

function inLog({ receipt, first, second, proofs }: Parts): void {
  const [opening, closing, result] = [receipt.opening.index, receipt.closing.index, receipt.result.index];
  if (!(opening < closing && closing < first.size && closing < result && result < second.size))
    throw new Wrong("order");
  for (const [which, place, signed] of [
    ["opening", receipt.opening, first],
    ["closing", receipt.closing, first],
    ["result", receipt.result, second],
  ] as const)
    if (!includes(leafHash(bytes(place.entry)), place.index, signed.size, proofs[which], signed.root))
      throw new Wrong("inclusion", { which });
  if (!extendsTree(first.size, second.size, first.root, second.root, proofs.consistency))
    throw new Wrong("consistency");
}

function diceSaying(
  { result }: Parts,
  where: Where,
  context: Uint8Array,
  commitment: Uint8Array,
  root: Uint8Array,
  witnesses: Key[],
): Saying {
  const clause = result["clause"] as string;
  const [secret, share] = [unhex(result["secret"] as string), unhex(result["share"] as string)];
  if (commitment.length && !equal(commitmentOf(where, secret), commitment)) throw new Wrong("commitment");
  const by = clause.slice(clause.indexOf(" ") + 1);
  if (result["dice"] === null) return [clause.slice(0, clause.indexOf(" ")), { clause: by }];
  const dice = (result["dice"] as number[]).join("-");
  if (clause.startsWith("corrected ")) return ["ruled_dice", { dice, clause: by }];
  if (!commitment.length) return ["declared", { dice }];
  if (committedDice(secret, context, root, share) !== dice) throw new Wrong("dice");
  if (!share.length) return ["committed", { dice }];
  const said = ["taisai dice share 1", ...where, text(commitment), text(root)].map((line) => `${line}\n`).join("");
  const witness = witnesses.find((each) => verify(each.public, share, bytes(said)));
  return witness ? ["chosen_by_nobody", { dice, witness: witness.name }] : ["unknown_share", { dice }];
}

function resultInTree(
  { receipt, result, outcome, slip, salts, proofs }: Parts,
  round: Uint8Array,
  root: Uint8Array,
): void {
  const clause = result["clause"] as string;
  const said = (result["dice"] as number[] | null)?.join("-") ?? clause.slice(0, clause.indexOf(" "));
  const context = digest("taisai results 1", round, root, String(result["attempt"]), said);
  const leaf = leafOf(context, salts[1], receipt.result.body);
  const results = unhex(result["root"] as string);
  if (!includes(leaf, receipt.slip.index, result["results"] as number, proofs.path, results)) throw new Wrong("result");
  const boxes = outcome.corrected ?? slip.stakes;
  const lengths = [outcome.effective.length, outcome.back.length, outcome.clauses.length];
  const returned = outcome.back.reduce((sum, back) => sum + back, 0);
  if (outcome.player !== slip.player || outcome.version !== slip.version) throw new Wrong("other_slip");
  if (lengths.some((length) => length !== boxes.length) || returned !== outcome.returned) throw new Wrong("other_slip");
}

// A quotient of large numbers may be rounded up to the next second; a remainder is exact.
const secondsOf = (micros: number): number => (micros - (micros % 1_000_000)) / 1_000_000;
const timeOf = (seconds: number): string =>
  seconds > 253_402_300_799
    ? `${seconds} s`
    : `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
