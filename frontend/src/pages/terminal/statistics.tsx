/** The past in figures and in roads that are large enough to read; and always that it does not change the next. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../lib/api.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { hasParity } from "../../lib/phase.ts";
import { inOrder, type Stream } from "../../lib/roads.ts";
import { decided, shares, totals } from "../../lib/statistics.ts";
import type { ResultView } from "../../lib/types.ts";
import { ResultList } from "../../ui/results.tsx";
import { BeadPlate, BigRoadPicture, DerivedRoadPicture } from "../../ui/roads.tsx";
import type { Terminal } from "./model.ts";

const SPANS = [50, 100, 500] as const;
const ROADS = ["bead", "big", "derived_1", "derived_2", "derived_3"] as const;
type RoadName = (typeof ROADS)[number];
const COLUMNS = 24;
const PAGE = 200;

/** The last 500 rounds of a table, oldest first, from its public history. */
async function lastRounds(table: string): Promise<ResultView[]> {
  const found: ResultView[] = [];
  let cursor = "";
  do {
    const page: { items: ResultView[]; next: string | null } = await call(
      "GET",
      `/tables/${encodeURIComponent(table)}/rounds?limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    found.push(...page.items);
    cursor = page.next ?? "";
  } while (cursor && found.length < 500);
  return inOrder(found);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

function Shares({ results, parity }: { results: readonly ResultView[]; parity: boolean }) {
  return (
    <table class="shares">
      <thead>
        <tr>
          <th scope="col">{t("road_result")}</th>
          <th scope="col">{t("stat_times")}</th>
          <th scope="col">{t("stat_share")}</th>
          <th scope="col">{t("stat_expected")}</th>
        </tr>
      </thead>
      <tbody>
        {shares(results, parity).map(({ name, times, share, expected }) => (
          <tr>
            <th scope="row">{t(`kind_${name}` as Key)}</th>
            <td>{times}</td>
            <td>
              <meter class="share" min={0} max={1} value={share} aria-label={percent(share)} />{" "}
              <span>{percent(share)}</span>
            </td>
            <td>{percent(expected)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same for those who hear the page: each total with how often it came. */
const totalWords = (found: ReturnType<typeof totals>): string =>
  `${t("stat_totals")}: ${found.map(({ total, times }) => `${total} × ${times}`).join(t("list_comma"))}`;

/** A column for each total; a line where it is expected to be. */
function Totals({ results }: { results: readonly ResultView[] }) {
  const found = totals(results);
  const most = Math.max(0.14, ...found.map((one) => one.share));
  const height = (share: number): number => (90 * share) / most;
  return (
    <svg class="totals" viewBox="0 0 320 118" role="img" aria-label={totalWords(found)}>
      {found.map(({ total, times, share, expected }, place) => (
        <g transform={`translate(${place * 20} 0)`}>
          <rect x="3" width="14" y={96 - height(share)} height={height(share)} />
          <path d={`M1 ${96 - height(expected)}h18`} />
          <text x="10" y="112">
            {total}
          </text>
          <title>{`${total}: ${times}, ${percent(share)} (${percent(expected)})`}</title>
        </g>
      ))}
    </svg>
  );
}

function Road({ name, results, stream }: { name: RoadName; results: readonly ResultView[]; stream: Stream }) {
  if (name === "bead") return <BeadPlate results={results} stream={stream} columns={COLUMNS} />;
  if (name === "big") return <BigRoadPicture results={results} stream={stream} columns={COLUMNS} triples="mark" />;
  return (
    <DerivedRoadPicture results={results} stream={stream} columns={COLUMNS} k={Number(name.at(-1)) as 1 | 2 | 3} />
  );
}

export function Statistics({ terminal }: { terminal: Terminal }) {
  const older = useSignal<readonly ResultView[]>([]);
  const span = useSignal<number>(100);
  const road = useSignal<RoadName>("big");
  const stream = useSignal<Stream>("big-small");
  const table = terminal.table.value?.name ?? "";
  useEffect(() => {
    lastRounds(table).then(
      (found) => (older.value = found),
      () => undefined, // what the page has itself is shown all the same
    );
  }, [table]);
  // A round whose dice still roll on the screen is not told here first.
  const now = terminal.round.value;
  const known = older.value.filter((one) => !now || now.dice || one.round < now.number);
  const all = inOrder([...known, ...terminal.history.value]);
  const results = all.slice(-span.value);
  const parity = hasParity(terminal.felt.value?.boxes ?? []);
  const pick = <T extends string | number>(of: { value: T }, one: T, label: string) => (
    <button type="button" class="quiet" aria-pressed={of.value === one} onClick={() => (of.value = one)}>
      {label}
    </button>
  );
  return (
    <div class="statistics">
      <p class="caution">{t("past_is_past")}</p>
      <div class="pick" role="group" aria-label={t("stat_span")}>
        {SPANS.map((rounds) => pick(span, rounds, t("stat_last", { n: rounds })))}
      </div>
      <p class="small">{t("stat_of", { n: decided(results).length })}</p>
      <Shares results={results} parity={parity} />
      <h3>{t("stat_totals")}</h3>
      <Totals results={results} />
      <p class="small">{t("stat_totals_hint")}</p>
      <h3>{t("stat_roads")}</h3>
      <div class="pick" role="group" aria-label={t("stat_roads")}>
        {ROADS.map((name) =>
          pick(road, name, t(name === "bead" ? "road_bead" : name === "big" ? "road_big" : (name as Key))),
        )}
      </div>
      {parity && (
        <div class="pick" role="group" aria-label={t("stat_stream")}>
          {pick<Stream>(stream, "big-small", t("stream_big_small"))}
          {pick<Stream>(stream, "odd-even", t("stream_odd_even"))}
        </div>
      )}
      <Road name={road.value} results={all} stream={parity ? stream.value : "big-small"} />
      <h3>{t("last_results")}</h3>
      <ResultList results={all} count={20} />
      <p class="caution">{t("past_is_past")}</p>
    </div>
  );
}
