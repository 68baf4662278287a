/** Past results in figures: a list, newest first, with the sign of each side. */
import { t } from "../lib/i18n.ts";
import { type Side, type Stream, sideOf } from "../lib/roads.ts";
import type { ResultView } from "../lib/types.ts";
import { Dice } from "./dice.tsx";
import { signOf } from "./face.tsx";

export const KINDS: Readonly<Record<Stream, Readonly<Record<Side, string>>>> = {
  "big-small": { first: "big", second: "small", triple: "triple" },
  "odd-even": { first: "odd", second: "even", triple: "triple" },
};

/** One sign in each bead, so that colour is never alone: 大 小 單 雙 圍. */
export const glyph = (stream: Stream, side: Side): string =>
  side === "triple" ? t("glyph_triple") : signOf(KINDS[stream][side]);

/** The last results in figures, newest first. Each place keeps its element: a new result moves nothing. */
export function ResultList({ results, count }: { results: readonly ResultView[]; count: number }) {
  const shown = [...results].reverse().slice(0, count);
  return (
    <ol class="results" aria-label={t("last_results")}>
      {shown.map((result, place) => (
        <li data-newest={place === 0}>
          {result.dice && !result.void ? (
            <>
              <Dice faces={result.dice} />
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
