/** Signed notes, checkpoints and cosignatures as C2SP has them. */

import { sha256 } from "@noble/hashes/sha2.js";
import { base64, bytes, concat, equal, hex } from "./bytes.ts";

export type Key = { name: string; kind: number; public: Uint8Array; hint: Uint8Array };
export type Line = { name: string; hint: Uint8Array; signature: Uint8Array };
export type Note = { text: string; lines: Line[] };
export type Checkpoint = { origin: string; size: number; root: Uint8Array };
type Verify = (key: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have
const NAME = /^[^\s+\x00-\x1f\x7f\x85]{1,128}$/u;
const SMALL_ORDER = new Set(
  [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  ].flatMap((key) => [
    key,
    key.slice(0, 62) + (Number.parseInt(key.slice(62), 16) ^ 0x80).toString(16).padStart(2, "0"),
  ]),
);

/** A verifier key such as `house.example/taisai+f714bf17+AYqI…`, or nothing. */
export function readKey(said: string): Key | null {
  const [name, hint, ...rest] = said.trim().split("+");
  const raw = base64(rest.join("+"));
  if (!name || !hint || !raw || raw.length !== 33 || !NAME.test(name) || ![1, 4].includes(raw[0]!)) return null;
  const found = sha256(concat(bytes(`${name}\n`), raw)).slice(0, 4);
  const key = raw.slice(1);
  return hex(found) === hint && !SMALL_ORDER.has(hex(key)) ? { name, kind: raw[0]!, public: key, hint: found } : null;
}

export function readNote(raw: string): Note | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a note must not have
  if (bytes(raw).length > 16_384 || /[\x00-\x09\x0b-\x1f\ufeff]/.test(raw)) return null;
  const end = raw.lastIndexOf("\n\n");
  if (end < 0 || !raw.endsWith("\n") || raw.length === end + 2) return null;
  const lines = raw
    .slice(end + 2, -1)
    .split("\n")
    .map(readLine);
  if (lines.length > 32 || lines.includes(null)) return null;
  return { text: raw.slice(0, end + 1), lines: lines as Line[] };
}

function readLine(raw: string): Line | null {
  const [dash, name, ...rest] = raw.split(" ");
  const found = base64(rest.join(" "));
  if (dash !== "\u2014" || !name || !NAME.test(name) || !found || found.length < 5) return null;
  return { name, hint: found.slice(0, 4), signature: found.slice(4) };
}

export function readCheckpoint(raw: string): Checkpoint | null {
  const lines = raw.split("\n");
  const [origin, size, encoded, ...more] = lines;
  const root = base64(encoded ?? "");
  if (lines.length < 4 || lines.at(-1) !== "" || !NAME.test(origin!) || !/^(0|[1-9][0-9]{0,15})$/.test(size!))
    return null;
  if (root?.length !== 32 || Number(size) > Number.MAX_SAFE_INTEGER || more.slice(0, -1).includes("")) return null;
  return { origin: origin!, size: Number(size), root };
}

/** The known witnesses of a checkpoint; nothing at all where a line by one of them is not good. */
export function cosigners(note: Note, keys: Key[], verify: Verify): { name: string; time: number }[] | null {
  const seen = [];
  for (const key of keys)
    for (const line of note.lines.filter((each) => each.name === key.name && equal(each.hint, key.hint))) {
      if (line.signature.length !== 72) return null;
      const time = Number(new DataView(line.signature.slice(0, 8).buffer).getBigUint64(0));
      const message = bytes(`cosignature/v1\ntime ${time}\n${note.text}`);
      if (time > Number.MAX_SAFE_INTEGER || !verify(key.public, line.signature.slice(8), message)) return null;
      seen.push({ name: key.name, time });
    }
  return seen;
}
