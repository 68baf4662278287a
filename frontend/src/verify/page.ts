/** The page that checks a receipt: one file, which works when it is saved and asks nobody for anything. */

import { LANGUAGES, nearestLanguage } from "../lib/languages.ts";
import { checkReceipt, type Language, sentences } from "./check.ts";
import { readKey } from "./notes.ts";
import { WORDS } from "./words.ts";

const at = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const [file, key, witnesses, verdict] = [
  at<HTMLInputElement>("file"),
  at<HTMLTextAreaElement>("key"),
  at<HTMLTextAreaElement>("witnesses"),
  at<HTMLDivElement>("verdict"),
];
const asked = new URLSearchParams(location.search).get("lang");
let language: Language = nearestLanguage(asked ? [asked] : navigator.languages);

function say(): void {
  document.documentElement.lang = language;
  document.title = WORDS[language].title;
  for (const name of ["title", "lead", "pick", "house", "others", "check", "keep"] as const)
    at(name).textContent = WORDS[language][name];
  for (const each of LANGUAGES) at(each).setAttribute("aria-pressed", String(each === language));
}

function show(kind: string, lines: string[]): void {
  verdict.className = kind;
  verdict.replaceChildren(
    ...lines.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }),
  );
}

async function check(): Promise<void> {
  const words = WORDS[language];
  const picked = file.files?.[0];
  const house = readKey(key.value);
  const known = witnesses.value
    .split("\n")
    .filter((line) => line.trim())
    .map(readKey);
  if (!picked) return show("no", [words.noFile]);
  if (!house || known.includes(null)) return show("no", [words.noKey]);
  const raw = new Uint8Array(await picked.arrayBuffer());
  const found = checkReceipt(
    raw,
    house,
    known.filter((each) => each !== null),
    Math.floor(Date.now() / 1000),
  );
  show(found.code === 0 ? "yes" : "no", [found.code === 0 ? words.fits : words.fails, ...sentences(found, language)]);
}

/** The code on a receipt's paper: where the file is, as a link that somebody presses. */
function point(): void {
  const [, table, round, place, salt] = location.hash.slice(1).split(",").map(decodeURIComponent);
  if (!table || !round || !place || !/^[0-9a-f]{32}$/.test(salt ?? "")) return;
  const link = at<HTMLAnchorElement>("link");
  link.href = `/receipts/${encodeURIComponent(table)}/${Number(round)}/${Number(place)}/${salt}`;
  link.textContent = `${WORDS[language].fetch} ${table}/${round}`;
  link.hidden = false;
}

for (const each of LANGUAGES)
  at(each).addEventListener("click", () => {
    language = each;
    say();
    point();
  });
at("check").addEventListener("click", () => void check());
say();
point();
