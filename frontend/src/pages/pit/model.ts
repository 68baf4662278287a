/** What the pit watches: every table's figures, the gaming day, looked at again and again. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AlarmView, HouseView, IncidentView, PitDayView, PitTableView } from "../../http.ts";
import { localTime, ServerClock } from "../../lib/clock.ts";
import { t } from "../../lib/i18n.ts";
import { type Mood, moodOf, warnSeconds } from "../../lib/phase.ts";
import { play } from "../../lib/sounds.ts";
import { useCalled } from "../../ui/staff/heard.tsx";
import { told } from "../../ui/staff/notice.tsx";
import { actInPit, ask } from "../../ui/staff/session.ts";

const POLL = 2_000;
const RING_EVERY = 20_000;
const DAY_EVERY = 5;
const INCIDENT_FRESH = 24 * 3_600_000;
/** What the fairness monitor alarms at: a hundred to one against fair dice. */
export const ALARM_EVIDENCE = 100;

export const tables = signal<readonly PitTableView[]>([]);
export const day = signal<PitDayView | null>(null);
/** Commands that met a fault of ours since yesterday, newest first. */
export const incidents = signal<readonly IncidentView[]>([]);
export const lost = signal(false);
export const seconds = signal(0);
/** Counts the looks, for those who must look again with them. */
export const looks = signal(0);
const clock = new ServerClock();

const asked = new URLSearchParams(location.search);
const askedNumber = Number(asked.get("round"));
/** The round that the address asks for, as a link in a request does. */
export const askedRound =
  asked.get("table") && Number.isInteger(askedNumber) && askedNumber > 0
    ? { table: asked.get("table")!, round: askedNumber }
    : null;

export const handle = computed(() => tables.value.reduce((sum, one) => sum + one.handle, 0));
export const win = computed(() => tables.value.reduce((sum, one) => sum + one.win, 0));
export const staked = computed(() => tables.value.reduce((sum, one) => sum + one.staked, 0));

/** What time it is there, asked anew with every look at the day: a page may have slept, or waited long for a login. */
async function setClock(): Promise<void> {
  const sent = localTime();
  const { server_time } = await ask<HouseView>("GET", "/house");
  clock.sample(sent, localTime(), server_time);
}

async function look(count: number): Promise<void> {
  try {
    if (count % DAY_EVERY === 0) await setClock();
    tables.value = await ask<readonly PitTableView[]>("GET", "/pit");
    if (count % DAY_EVERY === 0) {
      day.value = await ask<PitDayView>("GET", "/pit/day");
      const met = await ask<readonly IncidentView[]>("GET", "/incidents");
      incidents.value = met.filter(({ at }) => clock.now() - at < INCIDENT_FRESH);
    }
    lost.value = false;
    looks.value += 1;
  } catch {
    lost.value = true; // shown; the next look may bring it back
  }
}

export const lookAgain = (): Promise<void> => look(0);

export function usePit(): void {
  useEffect(() => {
    let count = 0;
    void look(count);
    const polling = setInterval(() => void look((count += 1)), POLL);
    const ticking = setInterval(() => (seconds.value = Math.floor(clock.now() / 1000)), 500);
    return () => {
      clearInterval(polling);
      clearInterval(ticking);
    };
  }, []);
}

/** Where a table's round stands now, and the seconds to its closing; while play is held none are counted. */
export function standing(table: PitTableView): { mood: Mood; left: number | null } {
  const { round } = table.table;
  void seconds.value; // look again each second
  const closes = round?.phase === "betting" ? round.closes_at : null;
  const left = closes === null ? null : Math.ceil(clock.until(closes) / 1000);
  const inTime = round?.phase === "betting" && (closes === null || left! > 0);
  const mood = moodOf(round, inTime, left, warnSeconds(round), table.table.closed);
  return { mood, left: mood === "held" ? null : left };
}

/** What nobody has seen yet, each by what tells it from every other. */
const unseen = computed(() =>
  tables.value.flatMap((one) =>
    one.alarms
      .filter((alarm) => alarm.acknowledged_by === null)
      .map(({ kind, about, mark }) => [one.table.name, kind, about, mark].join("/")),
  ),
);
export const alarms = computed(() => unseen.value.length);

/** Rings for each new alarm, and again and again until somebody has seen them all. */
export function useAlarms(): void {
  useCalled(unseen, "alarm");
  useEffect(() => {
    const ringing = setInterval(() => alarms.value > 0 && play("alarm"), RING_EVERY);
    return () => clearInterval(ringing);
  }, []);
}

/** It stands on the record who has seen an alarm, and every pit's page shows it. */
export async function acknowledge(table: string, { kind, about, mark }: AlarmView): Promise<void> {
  if (await told(actInPit("AcknowledgeAlarm", { table, alarm: kind, about, mark }), t("alarm_seen"))) await lookAgain();
}
