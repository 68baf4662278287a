/** A ticket's number as it is typed or scanned: eighteen digits, the last two of which check the others. */

export const TICKET_DIGITS = 18;

export type TicketNumberState = "empty" | "short" | "long" | "misread" | "right";

export interface TicketNumber {
  readonly digits: string;
  readonly state: TicketNumberState;
}

/** The remainder of a long number, a few digits at a time: it does not fit into a double. */
export function mod97(digits: string): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** Digits of any width count; blanks, hyphens and what a scanner adds do not. */
export function readTicketNumber(raw: string): TicketNumber {
  const digits = raw.normalize("NFKC").replace(/\D/g, "");
  if (!digits) return { digits, state: "empty" };
  if (digits.length < TICKET_DIGITS) return { digits, state: "short" };
  if (digits.length > TICKET_DIGITS) return { digits, state: "long" };
  return { digits, state: mod97(digits) === 1 ? "right" : "misread" };
}

/** In fours, as the ticket prints it. */
export const grouped = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, "$1 ");

/** The field's text after a change, and where the caret belongs: behind as many digits as before. */
export function retyped(raw: string, caret: number): { text: string; caret: number } {
  const { digits } = readTicketNumber(raw);
  const before = readTicketNumber(raw.slice(0, caret)).digits.length;
  const text = grouped(digits);
  let place = 0;
  for (let seen = 0; seen < before && place < text.length; place += 1) if (text[place] !== " ") seen += 1;
  return { text, caret: place };
}
