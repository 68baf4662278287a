/** The words of the pages in three languages, switched in place. A house may bring words of its own. */
import { computed, effect, signal } from "@preact/signals";
import type admin from "../i18n/en/admin.json";
import type approvals from "../i18n/en/approvals.json";
import type audit from "../i18n/en/audit.json";
import type cashier from "../i18n/en/cashier.json";
import type colours from "../i18n/en/colours.json";
import type common from "../i18n/en/common.json";
import type console from "../i18n/en/console.json";
import type display from "../i18n/en/display.json";
import type index from "../i18n/en/index.json";
import type lost from "../i18n/en/lost.json";
import type pit from "../i18n/en/pit.json";
import type rounds from "../i18n/en/rounds.json";
import type staff from "../i18n/en/staff.json";
import type terminal from "../i18n/en/terminal.json";
import type ticket from "../i18n/en/ticket.json";
import { LANGUAGES, type Language, nearestLanguage } from "./languages.ts";
import { preference } from "./prefs.ts";
import type { Sentences } from "./types.ts";

export { LANGUAGES, type Language };
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  "zh-Hant": "繁體中文",
  "zh-Hans": "简体中文",
};

/** Every message of every page; a test holds the names different. */
export type Key = keyof (typeof common &
  typeof approvals &
  typeof terminal &
  typeof ticket &
  typeof display &
  typeof staff &
  typeof rounds &
  typeof console &
  typeof colours &
  typeof pit &
  typeof cashier &
  typeof admin &
  typeof audit &
  typeof lost &
  typeof index) &
  string;
export type Words = Partial<Readonly<Record<Key, string>>>;
export type Facts = Readonly<Record<string, string | number>>;

let words: Readonly<Record<Language, Words>> = { en: {}, "zh-Hant": {}, "zh-Hans": {} };

const chosen = preference<Language | "">("language", "");

/** What the address asks for: it goes before the choice of this machine, but does not change it. */
const forced = signal<Language | "">("");
let initial: Language = "en";
export const language = computed<Language>(() => forced.value || chosen.value || initial);

/** An address of ours that goes on in the language that this page's own address asked for. */
export const onward = (address: string): string =>
  forced.value ? `${address}${address.includes("?") ? "&" : "?"}lang=${forced.value}` : address;

export function speak(to: Language): void {
  forced.value = "";
  chosen.value = to;
}

/** Takes a page's catalogues and the house's words over them, and keeps the document's language right. */
export function loadWords(
  catalogues: Readonly<Record<Language, Words>>,
  house: Readonly<Record<string, Readonly<Record<string, string>>>>,
  preferred: string,
): void {
  words = {
    en: { ...catalogues.en, ...house["en"] },
    "zh-Hant": { ...catalogues["zh-Hant"], ...house["zh-Hant"] },
    "zh-Hans": { ...catalogues["zh-Hans"], ...house["zh-Hans"] },
  };
  initial = nearestLanguage([preferred, ...navigator.languages].filter(Boolean));
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked) forced.value = nearestLanguage([asked]);
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

/** Puts facts into their places; `{n|round|rounds}` is the first word for one, the second for any other number. */
export function fill(text: string, facts: Facts): string {
  return text.replace(/\{(\w+)(?:\|(.+?)\|(.+?))?\}/g, (whole, name: string, one?: string, more?: string) =>
    one && more ? (String(facts[name]) === "1" ? one : more) : String(facts[name] ?? whole),
  );
}

/** A message in a language; in a component it follows the language by itself. */
export function t(key: Key, facts: Facts = {}, of: Language = language.value): string {
  return fill(words[of][key] ?? words.en[key] ?? key, facts);
}

/** What stands between two sentences: a Chinese full stop brings its own room. */
export const gap = (of: Language = language.value): string => (of === "en" ? " " : "");

/** Whether there is such a message: phases and grounds come from the server by name. */
export const has = (key: string): key is Key => key in words.en;

/** The server's sentences in the player's language. */
export const said = (sentences: Sentences): readonly string[] => sentences[language.value] ?? sentences["en"] ?? [];

/** A name that the server gave in each language. */
export const named = (names: Readonly<Record<string, string>>): string => names[language.value] ?? names["en"] ?? "";
