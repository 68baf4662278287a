/** Past results as pictures: the bead plate and the big roads, with a table for those who hear the page. */
import { t, type Key } from "../lib/i18n.ts";
import {
  beadPlate,
  bigRoad,
  derivedRoad,
  ROWS,
  type Side,
  sideOf,
  sidesOf,
  type Stream,
  type TripleStyle,
} from "../lib/roads.ts";
import type { ResultView } from "../lib/types.ts";
import { Die } from "./dice.tsx";
import { signOf } from "./face.tsx";

const KINDS: Readonly<Record<Stream, Readonly<Record<Side, string>>>> = {
  "big-small": { first: "big", second: "small", triple: "triple" },
  "odd-even": { first: "odd", second: "even", triple: "triple" },
};

/** One sign in each bead, so that colour is never alone: 大 小 單 雙 圍. */
const glyph = (stream: Stream, side: Side): string =>
  side === "triple" ? t("glyph_triple") : signOf(KINDS[stream][side]);

function Grid({ columns, rows }: { columns: number; rows: number }) {
  const lines = [
    ...Array.from({ length: columns + 1 }, (_, x) => `M${x} 0V${rows}`),
    ...Array.from({ length: rows + 1 }, (_, y) => `M0 ${y}H${columns}`),
  ];
  return <path class="grid" d={lines.join("")} />;
}

export function BeadPlate({
  results,
  stream,
  columns,
}: {
  results: readonly ResultView[];
  stream: Stream;
  columns: number;
}) {
  const shown = results.filter((result) => sideOf(result, stream) !== null);
  return (
    <svg class="road" viewBox={`-0.03 -0.03 ${columns + 0.06} ${ROWS + 0.06}`} role="img" aria-label={t("bead_plate")}>
      <Grid columns={columns} rows={ROWS} />
      {beadPlate(shown, columns).map(({ column, row, of }) => {
        const side = sideOf(of, stream)!;
        return (
          <g class="bead" data-side={side} transform={`translate(${column} ${row})`}>
            <circle cx="0.5" cy="0.5" r="0.43" />
            <text x="0.5" y="0.69" font-size="0.52">
              {glyph(stream, side)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

export function BigRoadPicture({
  results,
  stream,
  columns,
  triples,
}: {
  results: readonly ResultView[];
  stream: Stream;
  columns: number;
  triples: TripleStyle;
}) {
  const road = bigRoad(sidesOf(results, stream), triples);
  const first = Math.max(0, road.columns - columns);
  return (
    <svg
      class="road"
      viewBox={`-0.03 -0.03 ${columns + 0.06} ${ROWS + 0.06}`}
      role="img"
      aria-label={t("big_road", { name: t(`stream_${stream.replace("-", "_")}` as Key) })}
    >
      <Grid columns={columns} rows={ROWS} />
      {road.cells
        .filter((cell) => cell.column >= first)
        .map(({ column, row, of }) => (
          <g class="hoop" data-side={of.side ?? "none"} transform={`translate(${column - first} ${row})`}>
            {of.side && <circle cx="0.5" cy="0.5" r="0.36" />}
            {of.side && (
              <text x="0.5" y="0.66" font-size="0.44">
                {glyph(stream, of.side)}
              </text>
            )}
            {of.triples > 0 && <path class="triple-mark" d="M0.12 0.88 0.88 0.12" />}
            {of.triples > 1 && (
              <text class="triple-count" x="0.84" y="0.95" font-size="0.36">
                {of.triples}
              </text>
            )}
          </g>
        ))}
    </svg>
  );
}

/** A derived road is a big road of red and blue. */
export function DerivedRoadPicture({
  results,
  stream,
  columns,
  k,
}: {
  results: readonly ResultView[];
  stream: Stream;
  columns: number;
  k: 1 | 2 | 3;
}) {
  const marks = derivedRoad(bigRoad(sidesOf(results, stream)).depths, k);
  const road = bigRoad(marks.map((mark): Side => (mark === "red" ? "first" : "second")));
  const first = Math.max(0, road.columns - columns);
  return (
    <svg
      class="road derived"
      viewBox={`-0.03 -0.03 ${columns + 0.06} ${ROWS + 0.06}`}
      role="img"
      aria-label={t(`derived_${k}`)}
    >
      <Grid columns={columns} rows={ROWS} />
      {road.cells
        .filter((cell) => cell.column >= first)
        .map(({ column, row, of }) => (
          <g class="hoop" data-side={of.side ?? "none"} transform={`translate(${column - first} ${row})`}>
            {k === 1 && <circle cx="0.5" cy="0.5" r="0.33" />}
            {k === 2 && <circle class="filled" cx="0.5" cy="0.5" r="0.33" />}
            {k === 3 && <path class="stroke" d="M0.2 0.8 0.8 0.2" />}
          </g>
        ))}
    </svg>
  );
}

/** The last results in figures, newest first. */
export function ResultList({ results, count }: { results: readonly ResultView[]; count: number }) {
  const shown = [...results].reverse().slice(0, count);
  return (
    <ol class="results" aria-label={t("last_results")}>
      {shown.map((result, place) => (
        <li key={result.round} data-newest={place === 0}>
          {result.dice && !result.void ? (
            <>
              <span class="dice" role="img" aria-label={[...result.dice].sort().join(" ")}>
                {[...result.dice]
                  .sort((a, b) => a - b)
                  .map((face) => (
                    <Die face={face} />
                  ))}
              </span>
              <b>{result.total}</b>
              <i data-side={sideOf(result, "big-small")}>
                {glyph("big-small", sideOf(result, "big-small") ?? "triple")}
              </i>
            </>
          ) : (
            <span class="void">{t("phase_void")}</span>
          )}
          {result.corrected && <small>{t("corrected")}</small>}
        </li>
      ))}
    </ol>
  );
}
