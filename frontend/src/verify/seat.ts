/** What a terminal checks for its player while the round is played. It trusts nothing but what it was shown itself. */

import type { RoundProofView, SlipProven } from "../lib/types.ts";
import { base64, equal, unhex } from "./bytes.ts";
import { includes } from "./merkle.ts";
import { commitmentOf, committedDice, leafOf, roundContext, type Where } from "./rounds.ts";

/** A round as this terminal was shown it at its opening. */
export interface ShownRound {
  readonly table: string;
  readonly number: number;
  readonly proof: RoundProofView;
}

/** The player's slip as this terminal has it. */
export interface OwnSlip {
  readonly player: string;
  readonly version: number;
  readonly stakes: Readonly<Record<string, number>>;
}

const whereOf = ({ table, number, proof }: ShownRound): Where => [proof.origin, table, String(number)];
const contextOf = (shown: ShownRound): Uint8Array => {
  const { opened_at, rulebook, pay_table, commitment } = shown.proof;
  return roundContext(whereOf(shown), opened_at, rulebook, pay_table, commitment);
};

/** A slip as its leaf holds it, boxes in the order of their names. */
const bodyOf = ({ player, version, stakes }: OwnSlip): string => {
  const boxes = Object.entries(stakes).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([player, version, Object.fromEntries(boxes)]);
};

/** Whether the slip is among those of the closing, under the root that everyone was shown. */
export function slipFits(shown: ShownRound, closed: RoundProofView, slip: OwnSlip, proven: SlipProven): boolean {
  const raw = base64(proven.proof);
  if (!raw || raw.length % 32 || raw.length > 63 * 32 || !/^[0-9a-f]{32}$/.test(proven.salt)) return false;
  const proof = Array.from({ length: raw.length / 32 }, (_, at) => raw.slice(at * 32, at * 32 + 32));
  const leaf = leafOf(contextOf(shown), unhex(proven.salt), bodyOf(slip));
  return proven.version === slip.version && includes(leaf, proven.place, closed.slips, proof, unhex(closed.root));
}

/** Whether the secret is the one that was committed to, and the dice follow from it and from the root of the closing. */
export function diceFit(shown: ShownRound, root: string, told: RoundProofView, dice: readonly number[]): boolean {
  const secret = unhex(told.secret);
  if (!equal(commitmentOf(whereOf(shown), secret), unhex(shown.proof.commitment))) return false;
  if (told.by_people) return true; // dice of a ruling follow from people
  return committedDice(secret, contextOf(shown), unhex(root), unhex(told.share)) === dice.join("-");
}
