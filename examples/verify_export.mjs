/** Verify exports of a record with nothing of taisai, and in another language: Node and its own crypto.
 *
 *     node verify_export.mjs EXPORT.jsonl … [--key PUBLIC_KEY.pem …] [--witness WITNESS.jsonl]
 *
 * Written from docs/reference/journal-format.md. Without --key the keys inside the export are used: that proves that the file
 * is whole, not whose it is.
 */

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";

class Fault extends Error {}
const sha256 = (raw) => createHash("sha256").update(raw).digest();

/** SHA-256 over the fields, each preceded by its length as eight bytes, most significant first. */
function digest(...fields) {
  const parts = fields.flatMap((field) => {
    const raw = Buffer.isBuffer(field) ? field : Buffer.from(String(field), "utf8");
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(raw.length));
    return [length, raw];
  });
  return sha256(Buffer.concat(parts));
}

/** Bytes stand as text, or in base64 where they are no text. */
const rawBytes = (form, name) =>
  form[`${name}_base64`] === undefined ? Buffer.from(form[name] ?? "", "utf8") : Buffer.from(form[`${name}_base64`], "base64");

/** JSON whose numbers are kept as they are written: amounts may be larger than this language counts. */
const parse = (line) => JSON.parse(line, (_, value, context) => (typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source) ? BigInt(context.source) : value));
/** Whether a number is written with a point or an exponent: 1.0 and 1e0 are no spellings of 1. */
const hasFractions = (line) => /[.eE]/.test(line.replace(/"(?:[^"\\]|\\.)*"|true|false/g, ""));
const spelled = (value) => {
  if (Array.isArray(value)) return `[${value.map(spelled).join(",")}]`;
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value);
};

/** What each part of a line needs; everything else may be left out where it is empty. */
const NEEDED = {
  journal: ["format", "keys"],
  commit: ["writer", "number", "at", "key", "digest", "signature"],
  events: ["stream", "version", "at", "type", "digest"],
  streams: ["stream", "first", "last", "digest"],
  answers: ["sender", "id", "request"],
};
const WHOLE = new Set(["number", "at", "version", "first", "last", "exported_at"]);
const HEX = new Set(["digest", "signature", "request"]);
const PARTS = new Set(["events", "streams", "answers"]);

/** Numbers are whole and bytes have one spelling: what two programs read differently is no export. */
function formed(name, value) {
  if (PARTS.has(name) || name === "transfers")
    return Array.isArray(value) && value.every((each) => (name === "transfers" ? Array.isArray(each) : isPart(name, each)));
  if (name === "after" || name === "keys")
    return isObject(value) && Object.values(value).every((each) => formed(name === "after" ? "number" : "digest", each));
  if (WHOLE.has(name)) return Number.isSafeInteger(value);
  if (typeof value !== "string") return false;
  if (HEX.has(name)) return /^([0-9a-f]{2})*$/.test(value) && value.length === (name === "signature" ? 128 : 64);
  return !name.endsWith("_base64") || Buffer.from(value, "base64").toString("base64") === value;
}
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPart = (kind, part) =>
  isObject(part) && NEEDED[kind].every((name) => name in part) && Object.entries(part).every(([name, value]) => formed(name, value));

/** Names in the order of their bytes in UTF-8. */
const byName = ([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other));

class Verifier {
  constructor(keys) {
    this.keys = keys;
    this.streams = new Map();
    this.writers = new Map();
    this.seen = new Map();
    this.counts = { commits: 0, spans: 0, events: 0, transfers: 0, answers: 0 };
  }

  commit(form) {
    const where = `commit ${form.writer}/${form.number}`;
    const last = this.writers.get(form.writer) ?? { number: 0, digest: Buffer.alloc(0), signature: Buffer.alloc(0) };
    if (form.number !== last.number + 1) throw new Fault(`${where}: expected number ${last.number + 1}`);
    const after = Object.entries(form.after ?? {}).sort(byName);
    for (const [writer, follows] of after)
      if ((this.writers.get(writer)?.number ?? 0) < follows)
        throw new Fault(`${where}: it follows ${writer}/${follows}, which does not come before it`);
    this.events(form.events ?? []);
    const transfers = form.transfers ?? [];
    this.counts.transfers += transfers.length;
    const found = digest(
      "taisai commit 1",
      last.digest,
      last.signature,
      form.writer,
      form.number,
      form.at,
      form.key,
      after.map(([writer, number]) => `${writer}=${number}`).join(","),
      this.spans(form.streams ?? []),
      digest("taisai transfers 1", transfers.map((transfer) => `${spelled(transfer)}\n`).join("")),
      this.answers(form.answers ?? []),
    );
    if (found.toString("hex") !== form.digest)
      throw new Fault(`${where}: its streams, transfers, answers or time are not those that were sealed`);
    const signature = Buffer.from(form.signature, "hex");
    const key = this.keys.get(form.key);
    if (!key) throw new Fault(`${where}: signed by key ${form.key}, which is not among those given`);
    if (!verify(null, Buffer.concat([Buffer.from("taisai signature 1\n"), found]), key, signature))
      throw new Fault(`${where}: the signature is wrong`);
    this.writers.set(form.writer, { number: form.number, digest: found, signature });
    this.seen.set(`${form.writer}/${form.number}`, form.digest);
    this.counts.commits += 1;
  }

  events(events) {
    for (const event of events) {
      const { stream, version, at, type } = event;
      const last = this.streams.get(stream) ?? { version: 0, digest: digest("taisai stream 1", stream), at };
      if (version !== last.version + 1) throw new Fault(`${stream} version ${last.version + 1}: the event is missing`);
      if (at < last.at) throw new Fault(`${stream} version ${version}: it is back-dated`);
      const found = digest("taisai event 1", last.digest, version, at, type, rawBytes(event, "body"));
      if (found.toString("hex") !== event.digest)
        throw new Fault(`${stream} version ${version}: the event or one before it was altered`);
      this.streams.set(stream, { version, digest: found, at });
      this.counts.events += 1;
    }
  }

  spans(spans) {
    const fields = ["taisai spans 1"];
    for (const span of spans) {
      const head = this.streams.get(span.stream);
      if (!head || head.version !== span.last || head.digest.toString("hex") !== span.digest)
        throw new Fault(`${span.stream}: expected version ${span.last}, found ${head?.version ?? 0}`);
      fields.push(span.stream, span.first, span.last, head.digest);
      this.counts.spans += 1;
    }
    return digest(...fields);
  }

  answers(answers) {
    const fields = ["taisai answers 1"];
    for (const form of answers) {
      fields.push(form.sender, form.id, Buffer.from(form.request, "hex"), rawBytes(form, "answer"));
      this.counts.answers += 1;
    }
    return digest(...fields);
  }
}

/** A key from its 32 raw bytes. */
const keyOf = (raw) =>
  createPublicKey({ key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]), format: "der", type: "spki" });

function loadKeys(paths) {
  return new Map(
    paths.map((path) => {
      const key = createPublicKey(readFileSync(path));
      const raw = key.export({ format: "der", type: "spki" }).subarray(-32);
      return [sha256(raw).toString("hex").slice(0, 32), key];
    }),
  );
}

async function verifyExport(path, keys, witness) {
  const verifier = new Verifier(keys);
  let end = null;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const form = parse(line);
    if ((number === 1) !== (form.line === "journal") || end || !["journal", "commit", "end"].includes(form.line)) throw new Fault(`line ${number}: expected a header, commits, an end`);
    if (hasFractions(line) || (form.line in NEEDED && !isPart(form.line, form))) throw new Fault(`line ${number}: not in the form of an export`);
    if (form.line === "journal") {
      if (form.format !== "taisai journal 1") throw new Fault(`unknown format ${form.format}`);
      if (!keys.size)
        verifier.keys = new Map(Object.entries(form.keys).map(([name, raw]) => [name, keyOf(Buffer.from(raw, "hex"))]));
    } else if (form.line === "commit") verifier.commit(form);
    else end = form;
  }
  // Before 0.2.0 `streams` counted the streams of each commit anew; since then that is `spans`.
  const told = { ...end, spans: end?.spans ?? end?.streams };
  const isWhole = Object.entries(verifier.counts).every(([name, count]) => told[name] === count);
  if (!end || !isWhole || (end.spans !== undefined && end.streams !== verifier.streams.size)) throw new Fault("the file was cut short");
  for (const line of witness) {
    const tip = parse(line);
    if (verifier.seen.get(`${tip.writer}/${tip.number}`) !== tip.digest)
      throw new Fault(`commit ${tip.writer}/${tip.number}: a witness has seen another`);
  }
  return verifier.counts;
}

const given = { exports: [], keys: [], witness: "" };
for (let at = 2; at < process.argv.length; at += 1) {
  if (process.argv[at] === "--key") given.keys.push(process.argv[++at]);
  else if (process.argv[at] === "--witness") given.witness = process.argv[++at];
  else given.exports.push(process.argv[at]);
}
for (const path of given.exports)
  try {
    const witness = given.witness ? readFileSync(given.witness, "utf8").split("\n").filter(Boolean) : [];
    const counts = await verifyExport(path, loadKeys(given.keys), witness);
    console.log(`sound: ${Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", ")}`);
    if (!given.keys.length) console.log("the keys were taken from the export itself: give --key to know whose it is");
  } catch (fault) {
    console.log(`fault: ${fault.message}`);
    process.exitCode = 1;
  }
