/** The pit's pictures as numbers: bars of exposure, the place of a hold in its band. */
import type { OutcomeFigure } from "../../http.ts";

export interface Bar {
  readonly dice: string;
  readonly net: number;
  readonly ways: number;
  /** Share of the largest amount of either sign, -1 to 1. */
  readonly share: number;
}

/** Every outcome of the dice, the house's worst first. */
export function barsOf(outcomes: readonly OutcomeFigure[]): Bar[] {
  const most = Math.max(1, ...outcomes.map((one) => Math.abs(one.net)));
  return [...outcomes]
    .sort((a, b) => a.net - b.net)
    .map(({ dice, net, ways }) => ({ dice, net, ways, share: net / most }));
}

export interface Gauge {
  /** All in percent of the scale, 0 to 100. */
  readonly low: number;
  readonly high: number;
  readonly at: number;
  readonly zero: number;
}

/** Where a hold stands against its band, on a scale that holds both. */
export function gaugeOf(hold: number, [low, high]: readonly [number, number]): Gauge {
  const [from, to] = [Math.min(low, hold, 0), Math.max(high, hold, 0)];
  const room = (to - from || 1) * 0.06;
  const place = (value: number): number => (100 * (value - from + room)) / (to - from + 2 * room);
  return { low: place(low), high: place(high), at: place(hold), zero: place(0) };
}

/** How strongly the rolls speak against the dice: doublings of the evidence, 0 at none, 1 at the alarm. */
export const evidenceShare = (eValue: number, alarmAt: number): number =>
  Math.max(0, Math.min(1, Math.log(Math.max(eValue, 1)) / Math.log(alarmAt)));

/** Faster than this nobody deals: rounds that a machine played say nothing of a dealer's pace. */
const PACE_MAX = 1_000;

/** Rounds an hour from the openings of the last ones, newest first; null while there are too few. */
export function pace(openings: readonly number[]): number | null {
  const [newest, oldest] = [openings[0], openings.at(-1)];
  if (newest === undefined || oldest === undefined || openings.length < 3 || newest <= oldest) return null;
  const found = Math.round((3_600_000 * (openings.length - 1)) / (newest - oldest));
  return found > PACE_MAX ? null : found;
}

/** A share in percent, with the minus that money has. */
export const percent = (of: number): string => of.toFixed(1).replace("-", "−");
