/** Money as it is typed, read into whole minor units without a float. */
import { AMOUNT_MINOR_MAX } from "../../http.ts";

/** Whole minor units, or null when the text is no amount in this currency. */
export function readMoney(raw: string, exponent: number): number | null {
  const text = raw.normalize("NFKC").replace(/[\s,、，']/g, "");
  const found = /^(\d+)(?:\.(\d*))?$/.exec(text);
  if (!found) return null;
  const [, whole = "", part = ""] = found;
  if (part.length > exponent) return null;
  const minor = Number(whole + part.padEnd(exponent, "0"));
  return Number.isSafeInteger(minor) && minor <= AMOUNT_MINOR_MAX ? minor : null;
}

/** Minor units as one types them: `1250.50`, `20`. */
export function typedMoney(minor: number, exponent: number): string {
  const digits = String(minor).padStart(exponent + 1, "0");
  const [whole, part] = exponent ? [digits.slice(0, -exponent), digits.slice(-exponent)] : [digits, ""];
  return /^0*$/.test(part) ? whole : `${whole}.${part}`;
}

const SERIES = [1, 2, 5];

/** The notes and coins of a drawer, largest first: 1, 2 and 5 of every power that the currency has. */
export function denominationsOf(exponent: number, largestMajor = 1_000): number[] {
  const all: number[] = [];
  for (let unit = 1; unit <= largestMajor * 10 ** exponent; unit *= 10) {
    for (const part of SERIES) if (unit * part <= largestMajor * 10 ** exponent) all.push(unit * part);
  }
  return all.filter((minor) => minor >= (exponent ? 5 : 1)).reverse();
}

/** What a count sheet adds up to; a line that cannot be read makes the whole sheet unreadable. */
export function countedSum(counts: Readonly<Record<number, string>>): number | null {
  let sum = 0;
  for (const [minor, raw] of Object.entries(counts)) {
    const text = raw.normalize("NFKC").trim();
    if (text === "") continue;
    if (!/^\d{1,7}$/.test(text)) return null;
    sum += Number(minor) * Number(text);
  }
  return sum;
}
