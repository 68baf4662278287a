/** The roads: past results set out in columns, as tables show them. They say nothing about the next. */
import type { ResultView } from "../wire.ts";

export type Mark = "red" | "blue" | "green";

/** One result in a stream: which of two sides, or neither (all three dice alike). */
export type Side = "first" | "second" | "triple";
export type Stream = "big-small" | "odd-even";
/** Triples stand as a mark on the bead before them, or in a column of their own. */
export type TripleStyle = "mark" | "column";

export interface Cell<T> {
  readonly column: number;
  readonly row: number;
  readonly of: T;
}

/** A bead of the big road: how many triples came after it, and where it stands in its logical column. */
export interface Bead {
  readonly side: Side | null;
  readonly triples: number;
  readonly logicalColumn: number;
  readonly depth: number;
}

export interface BigRoad {
  readonly cells: readonly Cell<Bead>[];
  /** How deep each logical column is; the derived roads read these. */
  readonly depths: readonly number[];
  readonly columns: number;
}

export const ROWS = 6;

export function sideOf(result: ResultView, stream: Stream): Side | null {
  if (result.void || result.total === null) return null;
  if (result.triple) return "triple";
  const first = stream === "big-small" ? result.total >= 11 : result.total % 2 === 1;
  return first ? "first" : "second";
}

export function sidesOf(results: readonly ResultView[], stream: Stream): Side[] {
  return results.map((result) => sideOf(result, stream)).filter((side) => side !== null);
}

/** Down, then right, six to a column; when it is full, the oldest column leaves. */
export function beadPlate<T>(results: readonly T[], columns: number, rows = ROWS): Cell<T>[] {
  const all = Math.ceil(results.length / rows);
  const first = Math.max(0, all - columns) * rows;
  return results.slice(first).map((of, place) => ({ column: Math.floor(place / rows), row: place % rows, of }));
}

/** A run goes down; a change starts the next column; where there is no room below, the run turns right. */
export function bigRoad(sides: readonly Side[], triples: TripleStyle = "mark", rows = ROWS): BigRoad {
  const cells: Cell<Bead>[] = [];
  const taken = new Set<string>();
  const depths: number[] = [];
  let start = -1;
  let run: Side | null = null;
  let turned = false;
  const put = (column: number, row: number, side: Side | null, triplesSoFar: number): void => {
    taken.add(`${column},${row}`);
    const depth = depths[depths.length - 1] ?? 0;
    cells.push({ column, row, of: { side, triples: triplesSoFar, logicalColumn: depths.length - 1, depth } });
  };
  for (const side of sides) {
    const last = cells[cells.length - 1];
    if (side === "triple" && triples === "mark") {
      if (last) cells[cells.length - 1] = { ...last, of: { ...last.of, triples: last.of.triples + 1 } };
      else put(0, 0, null, 1); // nothing to mark yet: the mark waits on the first, empty cell
      continue;
    }
    if (last && last.of.side === null) {
      cells.pop();
      taken.clear();
      depths.push(1);
      start = 0;
      put(0, 0, side, last.of.triples);
    } else if (side === run && last) {
      depths[depths.length - 1]! += 1;
      turned ||= last.row + 1 >= rows || taken.has(`${last.column},${last.row + 1}`);
      put(turned ? last.column + 1 : last.column, turned ? last.row : last.row + 1, side, 0);
    } else {
      do start += 1;
      while (taken.has(`${start},0`));
      depths.push(1);
      put(start, 0, side, 0);
      turned = false;
    }
    run = side;
  }
  return { cells, depths, columns: Math.max(0, ...cells.map((cell) => cell.column + 1)) };
}

/** What a big road says in words: how often a side came in a row, and how many triples came between. */
export interface Run {
  readonly side: Side;
  readonly times: number;
  readonly triples: number;
}

export function runsOf(road: BigRoad): Run[] {
  const runs: Run[] = [];
  for (const { of } of road.cells) {
    const place = Math.max(0, of.logicalColumn);
    const { times, triples } = runs[place] ?? { times: 0, triples: 0 };
    // Triples before anything else have no side to stand beside.
    if (of.side === null) runs[place] = { side: "triple", times: of.triples, triples: 0 };
    else runs[place] = { side: of.side, times: times + 1, triples: triples + of.triples };
  }
  return runs;
}

/**
 * A derived road (k = 1: big eye, 2: small, 3: cockroach) from the depths of the logical columns.
 * It starts at column k+1, row 2, or else at column k+2, row 1.
 */
export function derivedRoad(depths: readonly number[], k: 1 | 2 | 3): Mark[] {
  const marks: Mark[] = [];
  depths.forEach((depth, index) => {
    const column = index + 1;
    for (let row = 1; row <= depth; row += 1) {
      if (column < k + (row === 1 ? 2 : 1)) continue;
      const same = row === 1 ? depths[index - 1] === depths[index - k - 1] : row !== depths[index - k]! + 1;
      marks.push(same ? "red" : "blue");
    }
  });
  return marks;
}

/** How often each came, for the statistics beside the roads. */
export function counts(results: readonly ResultView[]): Record<"big" | "small" | "odd" | "even" | "triple", number> {
  const found = { big: 0, small: 0, odd: 0, even: 0, triple: 0 };
  for (const result of results) {
    const size = sideOf(result, "big-small");
    if (size === null) continue;
    if (size === "triple") found.triple += 1;
    else {
      found[size === "first" ? "big" : "small"] += 1;
      found[sideOf(result, "odd-even") === "first" ? "odd" : "even"] += 1;
    }
  }
  return found;
}

/** Oldest first, each round once: whatever order a message has them in. */
export function inOrder(results: readonly ResultView[]): ResultView[] {
  const byRound = new Map(results.map((result) => [result.round, result]));
  return [...byRound.values()].sort((a, b) => a.round - b.round);
}
