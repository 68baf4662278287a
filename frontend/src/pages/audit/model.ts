/** What an auditor searches: the rounds of a table, by number or by date. */
import { computed, signal } from "@preact/signals";
import type { AuditReport, RoundPage, RoundResult } from "../../http.ts";
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
export const chosen = signal<number | null>(null);
export const searching = signal(false);
export const report = signal<AuditReport | null>(null);
export const verifying = signal(false);

export const newest = computed(() => tables.value.find((one) => one.name === table.value)?.round?.number ?? 0);
export const payTables = computed(() => [...new Set(tables.value.map((one) => one.pay_table))]);

const path = (cursor: number | string, limit: number): string => `/tables/${encodeURIComponent(table.value)}/rounds?cursor=${cursor}&limit=${limit}`;

export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    note("refused", faultOf(problem));
  }
}

export const begin = (): Promise<void> =>
  attempt(async () => {
    tables.value = await ask<readonly TableView[]>("GET", "/tables");
    const asked = new URLSearchParams(location.search);
    const wanted = asked.get("table") ?? tables.value[0]?.name ?? "";
    table.value = wanted;
    const number = Number(asked.get("round"));
    await fromNumber(Number.isInteger(number) && number > 0 ? number : newest.value);
    if (number > 0) chosen.value = number;
  });

/** The rounds from this number back. */
export const fromNumber = (number: number): Promise<void> =>
  attempt(async () => {
    searching.value = true;
    const page = await ask<RoundPage>("GET", path(Math.max(1, number), PAGE));
    rounds.value = page.items;
    next.value = page.next;
    searching.value = false;
    tell(t("rounds_found", { n: page.items.length }));
  }).finally(() => (searching.value = false));

/** The first page that begins with the last round before a day and a half after the moment: halving finds the round itself. */
export const fromMoment = (moment: number): Promise<void> =>
  attempt(async () => {
    searching.value = true;
    const opened = async (round: number): Promise<number | null> => (await ask<RoundPage>("GET", path(round, 1))).items[0]?.at ?? null;
    const first = await firstRoundFrom(moment, newest.value, opened);
    if (first > newest.value) note("refused", t("rounds_none_from"));
    await fromNumber(Math.min(newest.value, first + PAGE - 1));
    if (first <= newest.value) chosen.value = first;
  }).finally(() => (searching.value = false));

export const older = (): Promise<void> =>
  attempt(async () => {
    if (!next.value) return;
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
