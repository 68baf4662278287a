/** Bytes and texts in their one spelling. */

import { sha256 } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();
export const bytes = (said: string): Uint8Array => encoder.encode(said);

/** UTF-8 that is UTF-8, with its byte order mark if it has one; else nothing. */
export function read(raw: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return null;
  }
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const equal = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
export const hex = (raw: Uint8Array): string => Array.from(raw, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (raw: string): Uint8Array =>
  Uint8Array.from(raw.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const text = (raw: Uint8Array): string => btoa(String.fromCharCode(...raw));

/** Bytes from base64 in its one spelling; else nothing. */
export function base64(raw: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(raw) || raw.length % 4) return null;
  try {
    const found = Uint8Array.from(atob(raw), (letter) => letter.charCodeAt(0));
    return text(found) === raw ? found : null;
  } catch {
    return null;
  }
}

/** SHA-256 over fields, each after its length in eight bytes. */
export function digest(...fields: (string | Uint8Array)[]): Uint8Array {
  const parts = fields.flatMap((field) => {
    const raw = typeof field === "string" ? bytes(field) : field;
    const length = new Uint8Array(8);
    new DataView(length.buffer).setUint32(4, raw.length);
    return [length, raw];
  });
  return sha256(concat(...parts));
}
