/** What every page does first: read its data, load its words, draw itself. */
import { effect, signal } from "@preact/signals";
import { type ComponentChild, render } from "preact";
import { useCsrf } from "./api.ts";
import { has, type Language, loadWords, named, t, type Words } from "./i18n.ts";
import { wakeSound } from "./sounds.ts";
import type { PageData } from "./types.ts";

export function pageData(): PageData {
  return JSON.parse(document.getElementById("data")!.textContent ?? "{}") as PageData;
}

/** The house as this reader calls it. */
export const houseName = (data: PageData): string => named(data.house_names) || data.house;

/** Where help is found, if the house says it. */
export const helpLine = (data: PageData = pageData()): string => named(data.help_line);

/** How many things wait for this person: in the tab's title, for whoever has another tab in front. */
export const calling = signal(0);

/** The title of the tab follows the language, too. */
function keepTitle(data: PageData): void {
  effect(() => {
    const page = `page_${data.page}`;
    const title = [has(page) ? t(page) : "", houseName(data)].filter(Boolean).join(" · ");
    document.title = calling.value ? `(${calling.value}) ${title}` : title;
  });
}

/** The table that an address asks for, or the page's own. */
export function askedTable(data: PageData): string {
  return new URLSearchParams(location.search).get("table") ?? data.table;
}

export function startPage(
  catalogues: Readonly<Record<Language, Words>>,
  view: (data: PageData) => ComponentChild,
): void {
  const data = pageData();
  loadWords(catalogues, data.catalogue, data.language);
  useCsrf(data.csrf);
  keepTitle(data);
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, wakeSound, { passive: true });
  const root = document.getElementById("page")!;
  root.textContent = "";
  render(view(data), root);
}
