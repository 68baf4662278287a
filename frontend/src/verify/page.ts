/** The page that checks a receipt: one file, which works when it is saved and asks nobody for anything. */

import { LANGUAGES, nearestLanguage } from "../lib/languages.ts";
import { checkReceipt, type Language, sentences, type Verdict } from "./check.ts";
import { readKey } from "./notes.ts";
import { readHouseWords, spellingOf } from "./spelling.ts";
import { LABELS, WORDS } from "./words.ts";

const at = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const [file, key, witnesses, verdict] = [
  at<HTMLInputElement>("file"),
  at<HTMLTextAreaElement>("key"),
  at<HTMLTextAreaElement>("witnesses"),
  at<HTMLDivElement>("verdict"),
];
const houseWords = readHouseWords(at("words").textContent ?? "");
/** What the last check found: said again when the reader takes another language. */
let last: Verdict | null = null;
const asked = new URLSearchParams(location.search).get("lang");
let language: Language = nearestLanguage(asked ? [asked] : navigator.languages);

function say(): void {
  document.documentElement.lang = language;
  document.title = WORDS[language].title;
  for (const name of LABELS) at(name).textContent = WORDS[language][name];
  at("chosen").textContent = file.files?.[0]?.name ?? WORDS[language].noneChosen;
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
  last = null;
  if (!picked) return show("no", [words.noFile]);
  if (!house || known.includes(null)) return show("no", [words.noKey]);
  const raw = new Uint8Array(await picked.arrayBuffer());
  last = checkReceipt(
    raw,
    house,
    known.filter((each) => each !== null),
    Math.floor(Date.now() / 1000),
  );
  tell();
}

function tell(): void {
  if (!last) return show("", []);
  const fits = last.code === 0;
  const said = sentences(last, language, spellingOf(houseWords, language));
  show(fits ? "yes" : "no", [WORDS[language][fits ? "fits" : "fails"], ...said]);
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
    tell();
  });
file.addEventListener("change", say);
at("check").addEventListener("click", () => void check());
say();
point();
