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

/** The chips of the rail: six that the table's unit can pay, from the smallest that makes sense at its minimum. */
export function denominations(unit: number, minimum: number, currency: Currency, count = 6): number[] {
  const scale = 10 ** currency.exponent;
  const possible = [...SMALL, ...SERIES]
    .map((major) => Math.round(major * scale))
    .filter((minor, place, all) => minor >= 1 && minor % unit === 0 && all.indexOf(minor) === place);
  const start = Math.max(
    0,
    possible.findLastIndex((minor) => minor <= minimum),
  );
  return possible.slice(start, start + count);
}

/** The largest chip of the rail that lies in a stake: it gives the stack its colour. */
export const topChip = (amount: number, chips: readonly number[]): number =>
  Math.max(
    0,
    chips.findLastIndex((chip) => chip <= amount),
  );
