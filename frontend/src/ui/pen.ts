/** The arithmetic of a box's picture: frames, fitted text, dice in rows. No drawing here. */

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A part of a frame, in fractions of it. */
export const part = (frame: Frame, x: number, y: number, w: number, h: number): Frame => ({
  x: frame.x + x * frame.w,
  y: frame.y + y * frame.h,
  w: w * frame.w,
  h: h * frame.h,
});

export const isChinese = (text: string): boolean => /^[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]+$/.test(text);

/** About how wide a text runs, in units of its size: measuring would cost a layout. */
export function ems(text: string, spacing = 0): number {
  let width = spacing * text.length;
  for (const sign of text) {
    if (/[\u2e80-\u9fff\uff00-\uffef]/.test(sign)) width += 1;
    else if (/[A-Z]/.test(sign)) width += 0.77;
    else if (/[ :/.,·ijltI]/.test(sign)) width += 0.35;
    else if (/[a-z]/.test(sign)) width += 0.56;
    else width += 0.62;
  }
  return width;
}

export const fitted = (text: string, width: number, size: number, spacing = 0): number =>
  Math.min(size, width / Math.max(ems(text, spacing), 0.1));

const GAP = 0.12; // between dice, in sizes of a die
const STEP = 1 + GAP;

const sizeIn = (frame: Frame, count: number, columns: number): number =>
  Math.min(frame.w / (columns * STEP - GAP), frame.h / (Math.ceil(count / columns) * STEP - GAP));

/** One row where it can be, for it reads best; otherwise what makes the dice largest. */
function columnsIn(frame: Frame, count: number): number {
  let best = count;
  for (let columns = 1; columns < count; columns += 1) {
    if (sizeIn(frame, count, columns) > sizeIn(frame, count, best)) best = columns;
  }
  return sizeIn(frame, count, best) < 1.15 * sizeIn(frame, count, count) ? count : best;
}

export const dieSize = (frame: Frame, count: number): number => sizeIn(frame, count, columnsIn(frame, count));

export interface PlacedDie {
  readonly face: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Dice as large as a frame allows, in the rows that suit its shape, each row in the middle. */
export function placeDice(frame: Frame, faces: readonly number[]): PlacedDie[] {
  const columns = columnsIn(frame, faces.length);
  const size = sizeIn(frame, faces.length, columns);
  const rows = Math.ceil(faces.length / columns);
  const top = frame.y + (frame.h - size * (rows * STEP - GAP)) / 2;
  return faces.map((face, place) => {
    const row = Math.floor(place / columns);
    const inRow = Math.min(columns, faces.length - row * columns);
    const left = frame.x + (frame.w - size * (inRow * STEP - GAP)) / 2;
    return { face, x: left + (place % columns) * STEP * size, y: top + row * STEP * size, size };
  });
}

/** A mark as short as it can be said: `1 WINS 50` is `1:50`, `1:1 / 2 / 12` is `1:1/2/12`. */
export const short = (text: string): string => text.replace(/\b1 WINS /, "1:").replaceAll(" / ", "/");

/** Lines without those of a sentence that is not there to its end: half a rule is another rule. */
export const wholeOrNot = (lines: readonly string[], sentence: readonly string[]): readonly string[] =>
  sentence.every((line) => lines.includes(line)) ? lines : lines.filter((line) => !sentence.includes(line));

/** What is legible from afar, at no less than a size: the text, or less of it, or null for none of it. */
export function legibleText(
  text: string,
  width: number,
  size: number,
  least: number,
  spacing = 0,
): { readonly text: string; readonly size: number } | null {
  for (const said of [text, short(text), text.replace(/ [\u4e00-\u9fff]$/, "")]) {
    const fit = fitted(said, width, Math.max(size, least), spacing);
    if (fit >= least) return { text: said, size: fit };
  }
  return null;
}
