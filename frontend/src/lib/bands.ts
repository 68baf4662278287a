/** The felt for narrow screens: its boxes in bands by kind, each box large enough for a finger. */
import type { BoxView, FeltView } from "./types.ts";

/** One size of box for a whole band, in the units of its picture; the screen scales it. */
export interface Band {
  readonly kinds: readonly string[];
  readonly columns: number;
  readonly w: number;
  readonly h: number;
  readonly boxes: readonly BoxView[];
}

const BANDS: readonly Omit<Band, "boxes">[] = [
  { kinds: ["big", "small"], columns: 2, w: 300, h: 128 },
  { kinds: ["even", "odd"], columns: 2, w: 300, h: 104 },
  { kinds: ["any-triple"], columns: 1, w: 600, h: 84 },
  { kinds: ["triple"], columns: 3, w: 200, h: 96 },
  { kinds: ["double"], columns: 6, w: 100, h: 140 },
  { kinds: ["sum"], columns: 7, w: 100, h: 118 },
  { kinds: ["domino"], columns: 5, w: 124, h: 104 },
  { kinds: ["single"], columns: 3, w: 200, h: 100 },
  { kinds: ["four"], columns: 2, w: 300, h: 92 },
  { kinds: ["trio"], columns: 4, w: 150, h: 100 },
  { kinds: ["pair"], columns: 4, w: 150, h: 100 },
];

/** Newcomers begin with these: nothing to learn but small, big, a total, and the triple that beats them. */
export const EASY_KINDS: ReadonlySet<string> = new Set(["small", "big", "odd", "even", "any-triple", "sum"]);

const EASY: Readonly<Record<string, Pick<Band, "h">>> = { big: { h: 170 }, even: { h: 130 }, "any-triple": { h: 100 } };

const byNumbers = (a: BoxView, b: BoxView): number => {
  const [one, other] = [a.numbers, b.numbers];
  const differs = one.findIndex((number, place) => number !== other[place]);
  return differs < 0 ? 0 : one[differs]! - other[differs]!;
};

/** Kinds without a place of their own, from a house's file, come last in the felt's own order. */
export function bandsOf(felt: FeltView, easy = false): Band[] {
  const known = new Set(BANDS.flatMap((band) => band.kinds));
  const others = [...new Set(felt.boxes.map((box) => box.kind))].filter((kind) => !known.has(kind));
  const all = [...BANDS, ...others.map((kind) => ({ kinds: [kind], columns: 4, w: 150, h: 100 }))];
  return all
    .filter((band) => !easy || EASY_KINDS.has(band.kinds[0]!))
    .map((band) => ({
      ...band,
      ...(easy ? EASY[band.kinds[0]!] : {}),
      boxes: band.kinds.flatMap((kind) => felt.boxes.filter((box) => box.kind === kind).sort(byNumbers)),
    }))
    .filter((band) => band.boxes.length);
}

/** The shortest side of any box when the felt is drawn so wide, in pixels. */
export function smallestSide(felt: FeltView, width: number): number {
  const unit = width / felt.width;
  return Math.min(...felt.boxes.map((box) => Math.min(box.w, box.h) * unit));
}
