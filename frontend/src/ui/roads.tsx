/** Past results as pictures: the bead plate and the big roads, each with a table for those who hear the page. */
import type { ComponentChildren } from "preact";
import { diceWords } from "../lib/dice-words.ts";
import { type Key, t } from "../lib/i18n.ts";
import {
  type BigRoad,
  beadPlate,
  bigRoad,
  derivedRoad,
  ROWS,
  runsOf,
  type Side,
  type Stream,
  sideOf,
  sidesOf,
  type TripleStyle,
} from "../lib/roads.ts";
import type { ResultView } from "../lib/types.ts";
import { glyph, KINDS } from "./results.tsx";

const streamName = (stream: Stream): string => t(`stream_${stream.replace("-", "_")}` as Key);
const sideName = (stream: Stream, side: Side): string => t(`kind_${KINDS[stream][side]}` as Key);

/** A picture for the eye, and the same in words, newest first, which no eye sees. */
function Road({
  columns,
  name,
  derived = false,
  heads,
  rows,
  children,
}: {
  columns: number;
  name: string;
  derived?: boolean;
  heads: readonly Key[];
  rows: readonly (readonly (string | number)[])[];
  children: ComponentChildren;
}) {
  return (
    <div class="road-room">
      <svg
        class={derived ? "road derived" : "road"}
        viewBox={`-0.03 -0.03 ${columns + 0.06} ${ROWS + 0.06}`}
        aria-hidden="true"
      >
        <Grid columns={columns} rows={ROWS} />
        {children}
      </svg>
      <div class="unseen">
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col">{t(head)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...others]) => (
              <tr>
                <th scope="row">{first}</th>
                {others.map((other) => (
                  <td>{other}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const RUN: readonly Key[] = ["road_result", "road_times", "kind_triple"];

/** The runs of a big road, as many as have room in its picture. */
const runRows = (road: BigRoad, columns: number, say: (side: Side) => string) =>
  runsOf(road)
    .slice(-columns)
    .reverse()
    .map(({ side, times, triples }) => [say(side), times, triples]);

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
  const beads = beadPlate(
    results.filter((result) => sideOf(result, stream) !== null),
    columns,
  );
  return (
    <Road
      columns={columns}
      name={t("bead_plate", { name: streamName(stream) })}
      heads={["road_round", "road_dice", "road_result"]}
      rows={beads
        .map(({ of }) => [of.round, `${diceWords(of.dice!)}, ${of.total}`, sideName(stream, sideOf(of, stream)!)])
        .reverse()}
    >
      {beads.map(({ column, row, of }) => {
        const side = sideOf(of, stream)!;
        return (
          <g class="bead" data-side={side} transform={`translate(${column} ${row})`}>
            <circle cx="0.5" cy="0.5" r="0.43" />
            <text x="0.5" y="0.71" font-size="0.58">
              {glyph(stream, side)}
            </text>
          </g>
        );
      })}
    </Road>
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
    <Road
      columns={columns}
      name={t("big_road", { name: streamName(stream) })}
      heads={RUN}
      rows={runRows(road, columns, (side) => sideName(stream, side))}
    >
      {road.cells
        .filter((cell) => cell.column >= first)
        .map(({ column, row, of }) => (
          <g class="hoop" data-side={of.side ?? "none"} transform={`translate(${column - first} ${row})`}>
            {of.side && <circle cx="0.5" cy="0.5" r="0.43" />}
            {of.side && (
              <text x="0.5" y="0.71" font-size="0.58">
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
    </Road>
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
    <Road
      columns={columns}
      derived
      name={t(`derived_${k}`)}
      heads={RUN.slice(0, 2)}
      rows={runRows(road, columns, (side) => t(side === "first" ? "road_red" : "road_blue")).map((row) =>
        row.slice(0, 2),
      )}
    >
      {road.cells
        .filter((cell) => cell.column >= first)
        .map(({ column, row, of }) => (
          <g class="hoop" data-side={of.side ?? "none"} transform={`translate(${column - first} ${row})`}>
            {k === 1 && <circle cx="0.5" cy="0.5" r="0.33" />}
            {k === 2 && <circle class="filled" cx="0.5" cy="0.5" r="0.33" />}
            {k === 3 && <path class="stroke" d="M0.2 0.8 0.8 0.2" />}
          </g>
        ))}
    </Road>
  );
}
