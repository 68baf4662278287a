/** What an auditor searches: the rounds of a table, by number or by date. */
import { computed, signal } from "@preact/signals";
import type { AuditReport, FoundPage, FoundRoundView, RoundPage, RoundResult } from "../../http.ts";
import { tell, warn } from "../../lib/announce.ts";
import { t } from "../../lib/i18n.ts";
import type { TableView } from "../../lib/types.ts";
import { note } from "../../ui/staff/notice.tsx";
import { firstRoundFrom } from "../../ui/staff/rounds-by-date.ts";
import { ask, faultOf } from "../../ui/staff/session.ts";

export const PAGE = 25;

export const tables = signal<readonly TableView[]>([]);
export const table = signal("");
export const rounds = signal<readonly RoundResult[]>([]);
export const next = signal<string | null>(null);
/** Of rounds that were looked for by what is in them: how many were looked at, and what was found in each. */
export const lookedAt = signal<number | null>(null);
export const hits = signal<ReadonlyMap<number, FoundRoundView>>(new Map());
export const chosen = signal<number | null>(null);
export const searching = signal(false);
export const report = signal<AuditReport | null>(null);
export const verifying = signal(false);

export const newest = computed(() => tables.value.find((one) => one.name === table.value)?.round?.number ?? 0);
export const payTables = computed(() => [...new Set(tables.value.map((one) => one.pay_table))]);

/** What the rounds in view were looked for by, as a query; nothing where they are simply the table's. */
let asked = "";

const path = (cursor: number | string, limit: number): string =>
  `/tables/${encodeURIComponent(table.value)}/rounds?cursor=${cursor}&limit=${limit}`;

export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    note("refused", faultOf(problem));
  }
}

let loaded: Promise<void> = Promise.resolve();
let searches = 0;

/** The newest search alone is shown: whoever asks again does not wait for what they no longer want. */
function search(work: (wanted: () => boolean) => Promise<void>): Promise<void> {
  searches += 1;
  const mine = searches;
  const wanted = () => mine === searches;
  searching.value = true;
  return attempt(() => work(wanted)).finally(() => {
    if (wanted()) searching.value = false;
  });
}

export async function begin(): Promise<void> {
  const asked = new URLSearchParams(location.search);
  loaded = attempt(async () => {
    tables.value = await ask<readonly TableView[]>("GET", "/tables");
    table.value = asked.get("table") ?? tables.value[0]?.name ?? "";
  });
  await loaded;
  const number = Number(asked.get("round"));
  if (Number.isInteger(number) && number > 0) await find(number, NaN);
  else await fromNumber(newest.value);
}

/** Rounds by what is in them, from a number back. */
async function fromQuery(query: string, cursor: string | null): Promise<FoundPage> {
  const place = `/audit/rounds/${encodeURIComponent(table.value)}?${query}`;
  return ask<FoundPage>("GET", cursor === null ? place : `${place}&cursor=${cursor}`);
}

function take(page: FoundPage, before: readonly RoundResult[]): void {
  rounds.value = [...before, ...page.items.map((one) => one.round)];
  hits.value = new Map([
    ...(before.length ? hits.value : []),
    ...page.items.map((one) => [one.round.round, one] as const),
  ]);
  lookedAt.value = (before.length || lookedAt.value ? (lookedAt.value ?? 0) : 0) + page.looked_at;
  next.value = page.next;
  tell(t("rounds_found", { n: rounds.value.length }));
}

/** A round by its number, or else from a moment on, or else the newest ones; by what is in them, if that is asked. */
export async function find(number: number, moment: number, query = ""): Promise<void> {
  await loaded;
  asked = query;
  lookedAt.value = null;
  hits.value = new Map();
  if (query) {
    const cursor = Number.isInteger(number) && number > 0 ? String(number) : null;
    return search(async (wanted) => {
      const page = await fromQuery(query, cursor);
      if (wanted()) take(page, []);
    });
  }
  if (Number.isInteger(number) && number > 0) {
    chosen.value = Math.min(number, newest.value);
    await fromNumber(number);
  } else if (Number.isFinite(moment)) await fromMoment(moment);
  else await fromNumber(newest.value);
}

async function show(number: number, wanted: () => boolean): Promise<void> {
  const page = await ask<RoundPage>("GET", path(Math.max(1, number), PAGE));
  if (!wanted()) return;
  rounds.value = page.items;
  next.value = page.next;
  tell(t("rounds_found", { n: page.items.length }));
}

/** The rounds from this number back. */
export const fromNumber = (number: number): Promise<void> => search((wanted) => show(number, wanted));

/** The first round that opened at this moment or later, which halving finds, and those around it. */
const fromMoment = (moment: number): Promise<void> =>
  search(async (wanted) => {
    const opened = async (round: number): Promise<number | null> =>
      (await ask<RoundPage>("GET", path(round, 1))).items[0]?.at ?? null;
    const first = await firstRoundFrom(moment, newest.value, opened);
    if (!wanted()) return;
    if (first > newest.value) note("refused", t("rounds_none_from"));
    await show(Math.min(newest.value, first + PAGE - 1), wanted);
    if (wanted() && first <= newest.value) chosen.value = first;
  });

export const older = (): Promise<void> =>
  attempt(async () => {
    if (!next.value) return;
    if (asked) return take(await fromQuery(asked, next.value), rounds.value);
    const page = await ask<RoundPage>("GET", path(next.value, PAGE));
    rounds.value = [...rounds.value, ...page.items];
    next.value = page.next;
  });

export async function verify(): Promise<void> {
  if (verifying.value) return;
  verifying.value = true;
  await attempt(async () => {
    report.value = await ask<AuditReport>("POST", "/audit/verify");
    (report.value.sound ? tell : warn)(t(report.value.sound ? "record_sound" : "record_broken"));
  });
  verifying.value = false;
}
