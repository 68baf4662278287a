/** A round's own hashes: what its leaves begin with, its slips' leaves, its commitment, and the dice that follow. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytes, concat, digest, unhex } from "./bytes.ts";
import { leafHash } from "./merkle.ts";

/** Whose round it is: the name of the house's log, the table, the number. */
export type Where = readonly [string, string, string];

/** What every leaf of the round begins with; times are whole microseconds, digests and the commitment in hex. */
export const roundContext = (
  where: Where,
  openedAt: number,
  rulebook: string,
  payTable: string,
  commitment: string,
): Uint8Array => digest("taisai round 1", ...where, String(openedAt), rulebook, payTable, unhex(commitment));

export const commitmentOf = (where: Where, secret: Uint8Array): Uint8Array =>
  digest("taisai dice commitment 1", ...where, secret);

/** The hash of a slip's or a result's leaf. */
export const leafOf = (context: Uint8Array, salt: Uint8Array, body: string): Uint8Array =>
  leafHash(concat(context, salt, bytes(body)));

/** The dice: the first byte below 216 of a stream that the secret, all bets and the share determine. */
export function committedDice(secret: Uint8Array, context: Uint8Array, root: Uint8Array, share: Uint8Array): string {
  for (let block = 0; ; block += 1) {
    const drawn = hmac(sha256, secret, digest("taisai dice 1", context, root, share, String(block)));
    const byte = drawn.find((each) => each < 216);
    if (byte !== undefined)
      return [Math.floor(byte / 36) + 1, (Math.floor(byte / 6) % 6) + 1, (byte % 6) + 1].join("-");
  }
}
