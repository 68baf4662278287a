/** What the house nets on each of the 56 outcomes, the worst first. */
import type { ExposureView, PitTableView } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { Dice } from "../../ui/dice.tsx";
import { barsOf } from "../../ui/staff/figures.ts";
import { cash, netCash } from "../../ui/staff/session.ts";

const BAR = 10;
const HALF = 50;

/** Heights by square root: one triple outweighs all else, and the small bars should still be seen. */
const height = (share: number): number => Math.sqrt(Math.abs(share)) * HALF;

export function ExposureBars({ exposure }: { exposure: ExposureView }) {
  const bars = barsOf(exposure.by_outcome);
  if (!bars.length || bars.every((bar) => bar.net === 0)) return <p class="bars-none small">{t("exposure_none")}</p>;
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${bars.length * BAR} ${2 * HALF}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t("exposure_bars", { worst: netCash(exposure.worst), dice: exposure.worst_dice })}
    >
      {bars.map((bar, place) => (
        <rect
          class={bar.net < 0 ? "loses" : "wins"}
          x={place * BAR + 1}
          y={bar.net < 0 ? HALF : HALF - height(bar.share)}
          width={BAR - 2}
          height={Math.max(0.8, height(bar.share))}
        >
          <title>{`${bar.dice}: ${netCash(bar.net)}`}</title>
        </rect>
      ))}
      <line x1="0" y1={HALF} x2={bars.length * BAR} y2={HALF} />
    </svg>
  );
}

const faces = (dice: string): number[] => dice.split("-").map(Number);

export function ExposureTable({ exposure, count }: { exposure: ExposureView; count: number }) {
  const bars = barsOf(exposure.by_outcome).slice(0, count);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("exposure_worst")}>
      <table class="grid">
        <caption>{t("exposure_worst")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("dice")}</th>
            <th scope="col" class="sum">
              {t("ways")}
            </th>
            <th scope="col" class="sum">
              {t("house_net")}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr>
              <th scope="row">
                <Dice faces={faces(bar.dice)} />
              </th>
              <td class="sum">{bar.ways} / 216</td>
              <td class="sum" data-sign={Math.sign(bar.net)}>
                {netCash(bar.net)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The worst that the bets on the felt can bring, in one sentence. */
export function worstWords({ exposure, staked }: PitTableView): string {
  if (!staked || !exposure.worst_dice) return t("worst_none");
  if (exposure.worst >= 0) return t("worst_safe");
  return t("worst_is", { dice: exposure.worst_dice, loss: cash(-exposure.worst) });
}
