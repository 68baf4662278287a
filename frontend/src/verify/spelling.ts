/** Boxes and money as the house's pages write them, by what the house put into the page when it was fetched. */

import { type Currency, money } from "../lib/money.ts";
import type { Language, Spelling } from "./check.ts";

/** The house's currency, and its word for each kind of box, with `{n}` or `{faces}` for the numbers. */
export interface HouseWords {
  readonly currency: Currency;
  readonly boxes: Record<Language, Readonly<Record<string, string>>>;
}

/** `sum-10`, `domino-56`: the kind, then the numbers; a kind may have a dash of its own. */
function boxName(id: string, words: Readonly<Record<string, string>>): string {
  const [, kind, numbers] = /^(.+?)(?:-([0-9]+))?$/.exec(id) ?? [];
  const word = words[kind ?? ""];
  if (!word) return id;
  return word.replace("{n}", numbers ?? "").replace("{faces}", [...(numbers ?? "")].join("-"));
}

/** Nothing where the house's words are not in the page: then ids and minor units stand as they were signed. */
export function spellingOf(house: HouseWords | null, language: Language): Spelling | undefined {
  if (!house) return undefined;
  return {
    box: (id) => boxName(id, house.boxes[language]),
    money: (minor) => money(minor, house.currency, language),
  };
}

/** What the house wrote into the page; a page from elsewhere has nothing there. */
export function readHouseWords(text: string): HouseWords | null {
  try {
    return JSON.parse(text) as HouseWords;
  } catch {
    return null;
  }
}
