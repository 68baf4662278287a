/** A round in a few figures, and what of it was corrected. */
import type { RoundTimeline } from "../../http.ts";
import { diceWords } from "../../lib/dice-words.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import { Dice } from "../dice.tsx";
import { cash, netCash } from "./session.ts";
import { dateTime } from "./times.ts";

/** What two people corrected, each in one line: the dice as they were and are, or whose bets. */
function corrections({ events }: RoundTimeline): string[] {
  const dice = (of: unknown): string => (Array.isArray(of) ? diceWords(of) : "–");
  return events.flatMap(({ type, facts }) => {
    if (type === "ResultCorrected")
      return [t("corrected_dice", { before: dice(facts["before"]), after: dice(facts["after"]) })];
    return type === "BetsCorrected" ? [t("corrected_bets", { player: String(facts["player"]) })] : [];
  });
}

export function Summary({ round }: { round: RoundTimeline }) {
  const opened = round.events[0]?.at;
  const ground = round.ground ? `ground_${round.ground.replaceAll("-", "_")}` : "";
  return (
    <dl class="summary">
      <div>
        <dt>{t("state")}</dt>
        <dd>
          {t(`state_${round.state.replaceAll("-", "_")}` as Key)}
          {round.held && ` · ${t(`held_${round.held}` as Key)}`}
          {ground && <small>{t(ground as Key)}</small>}
          {corrections(round).map((words) => (
            <strong class="tag">{words}</strong>
          ))}
        </dd>
      </div>
      <div>
        <dt>{t("dice")}</dt>
        <dd>
          {round.dice ? (
            <>
              <Dice faces={round.dice} label={callWords(round.dice).whole} />{" "}
              <small>{callWords(round.dice).whole}</small>
            </>
          ) : round.known ? (
            diceWords(round.known)
          ) : (
            "–"
          )}
        </dd>
      </div>
      <div>
        <dt>{t("opened_at")}</dt>
        <dd>{opened === undefined ? "–" : dateTime(opened)}</dd>
      </div>
      <div>
        <dt>{t("staked_sum")}</dt>
        <dd>{cash(round.staked)}</dd>
      </div>
      <div>
        <dt>{t("paid_sum")}</dt>
        <dd>{cash(round.paid)}</dd>
      </div>
      <div>
        <dt>{t("house_net")}</dt>
        <dd data-sign={Math.sign(round.staked - round.paid)}>{netCash(round.staked - round.paid)}</dd>
      </div>
    </dl>
  );
}
