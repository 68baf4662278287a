/** Money as people of a language write and say it, from whole minor units. */
import type { TableView } from "./types.ts";

export interface Currency {
  readonly code: string;
  readonly exponent: number;
}

export const currencyOf = (table: TableView): Currency => ({ code: table.currency, exponent: table.currency_exponent });

const kept = new Map<string, Intl.NumberFormat>();

function formatter(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let found = kept.get(key);
  if (!found) {
    try {
      found = new Intl.NumberFormat(language, options);
    } catch {
      // A house's own code, such as CREDITS, is not one that Intl knows: the number alone, the code beside it.
      const { style: _, currency, currencyDisplay: __, ...plain } = options;
      const number = new Intl.NumberFormat(language, plain);
      found = { format: (value: number) => `${number.format(value)} ${currency}` } as Intl.NumberFormat;
    }
    kept.set(key, found);
  }
  return found;
}

function show(minor: number, currency: Currency, language: string, options: Intl.NumberFormatOptions): string {
  const scale = 10 ** currency.exponent;
  const digits = minor % scale ? currency.exponent : 0;
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return formatter(language, { style: "currency", currency: currency.code, ...fractions, ...options }).format(
    minor / scale,
  );
}

/** `$1,250` or `$12.50`: cents only where there are some. */
export const money = (minor: number, currency: Currency, language: string): string =>
  show(minor, currency, language, { currencyDisplay: "narrowSymbol" });

/** With its sign, for net positions: `+$20`, `−$5`, `$0`. */
export const netMoney = (minor: number, currency: Currency, language: string): string =>
  show(minor, currency, language, { currencyDisplay: "narrowSymbol", signDisplay: "exceptZero" }).replace("-", "−");

/** As one says it: `20 Hong Kong dollars`. */
export const spokenMoney = (minor: number, currency: Currency, language: string): string =>
  show(minor, currency, language, { currencyDisplay: "name" });

/** As a chip has room for it: `25`, `1.5K`, `0.5`. */
export function chipFigure(minor: number, currency: Currency): string {
  const major = minor / 10 ** currency.exponent;
  if (major >= 1_000_000) return `${trim(major / 1_000_000)}M`;
  if (major >= 1_000) return `${trim(major / 1_000)}K`;
  return trim(major);
}

const trim = (value: number): string => String(Math.round(value * 100) / 100);

const SERIES = [1, 5, 10, 25, 50, 100, 500, 1_000, 5_000, 10_000, 25_000, 100_000, 500_000, 1_000_000];
const SMALL = [0.01, 0.05, 0.1, 0.5];

export const RAIL_CHIPS = 6;

/** All chips that a table's unit can pay, from the smallest that makes sense at its minimum; `own` are the house's. */
export function chipSet(unit: number, minimum: number, currency: Currency, own: readonly number[] = []): number[] {
  const scale = 10 ** currency.exponent;
  const usual = [...SMALL, ...SERIES].map((major) => Math.round(major * scale));
  const possible = (own.length ? own : usual).filter(
    (minor, place, all) => minor >= 1 && minor % unit === 0 && all.indexOf(minor) === place,
  );
  const start = Math.max(
    0,
    possible.findLastIndex((minor) => minor <= minimum),
  );
  return possible.slice(start);
}

/** The chips of a rail: the six smallest of the table's. */
export const denominations = (
  unit: number,
  minimum: number,
  currency: Currency,
  own: readonly number[] = [],
): number[] => chipSet(unit, minimum, currency, own).slice(0, RAIL_CHIPS);

/** Six of a table's chips to begin with: from the least up to where ten chips make the most that a box takes. */
export function railChips(all: readonly number[], maximum: number | null): number[] {
  const reach = Math.max(RAIL_CHIPS, all.filter((chip) => maximum !== null && chip * 10 <= maximum).length);
  const last = Math.min(reach, all.length) - 1;
  if (last < RAIL_CHIPS) return all.slice(0, RAIL_CHIPS);
  return Array.from({ length: RAIL_CHIPS }, (_, place) => all[Math.round((place * last) / (RAIL_CHIPS - 1))]!);
}

/** The largest chip of the rail that lies in a stake: it gives the stack its colour. */
export const topChip = (amount: number, chips: readonly number[]): number =>
  Math.max(
    0,
    chips.findLastIndex((chip) => chip <= amount),
  );
