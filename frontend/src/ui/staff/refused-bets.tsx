/** Bets that were asked for in a round and refused: who, what, why, and how late. Nothing moved for them. */
import type { RefusedBetView } from "../../http.ts";
import { named, said, t } from "../../lib/i18n.ts";
import type { FeltView } from "../../lib/types.ts";
import { cash } from "./session.ts";
import { dateTime } from "./times.ts";

export function RefusedBets({ refused, felt }: { refused: readonly RefusedBetView[]; felt: FeltView }) {
  if (!refused.length) return null;
  const name = (box: string): string => named(felt.boxes.find((one) => one.id === box)?.names ?? { en: box });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("refused_bets")}>
      <table class="grid">
        <caption>
          {t("refused_bets")} ({refused.length})
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("refused_at")}</th>
            <th scope="col">{t("player")}</th>
            <th scope="col">{t("bets")}</th>
            <th scope="col" class="sum">
              {t("refused_late")}
            </th>
            <th scope="col">{t("why")}</th>
          </tr>
        </thead>
        <tbody>
          {refused.map((one) => (
            <tr>
              <td>{dateTime(one.at)}</td>
              <th scope="row">
                {one.player}
                {one.by !== one.player && <small> · {one.by}</small>}
              </th>
              <td>
                {Object.entries(one.slip)
                  .map(([box, amount]) => `${name(box)} ${cash(amount)}`)
                  .join(t("list_comma")) || "–"}
              </td>
              <td class="sum">{one.late_ms === null ? "" : t("late_ms", { n: one.late_ms })}</td>
              <td class="why">
                {said(one.sentences).map((sentence) => (
                  <p>{sentence}</p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
