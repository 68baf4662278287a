/** Numbers that are no money, as people read them. */
import { language } from "../../lib/i18n.ts";

const MILLION = 1_000_000;

export const figure = (value: number): string => new Intl.NumberFormat(language.value).format(value);

/** Evidence: two decimals while it says little; from a million to one on it is only said to be more. */
export function evidence(value: number): string {
  if (value > MILLION) return `> ${figure(MILLION)}`;
  return value < 10 ? value.toPrecision(3) : figure(Math.round(value));
}

/** A chance; what is smaller than one in a million is only said to be smaller. */
export const chance = (value: number): string => (value < 1 / MILLION ? "< 0.000001" : value.toPrecision(3));
