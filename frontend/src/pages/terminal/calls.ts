/** What is called out at the table: by sound, and in the live regions for those who hear the page. */
import { tell, warn } from "../../lib/announce.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import type { Reason } from "../../lib/slip.ts";
import { play as sound } from "../../lib/sounds.ts";
import type { RoundView } from "../../lib/types.ts";
import { phaseWords } from "../../ui/phase.tsx";

export function noMoreBets(): void {
  sound("close");
  warn(t("no_more_bets"));
}

/** The round moved on. `inTime` tells whether the page had not yet called the close by its own clock. */
export function announceRound(before: RoundView | null, round: RoundView, inTime: boolean): void {
  const same = before?.number === round.number && before.phase === round.phase && before.held === round.held;
  if (same) return;
  if (round.held) warn(t("announce_held"));
  else if (round.phase === "betting") {
    sound("open");
    tell(t("place_your_bets"));
  } else if (round.phase === "closed" && before?.phase === "betting" && inTime) noMoreBets();
  else if (round.phase !== "void" && round.dice && !before?.dice) {
    sound("result");
    tell(callWords(round.dice).whole);
  } else if (round.known && !before?.known) {
    sound("result");
    tell(phaseWords(round, "result").head);
  }
}

/** What a void round means for who has bet: it is shown as a message, and warned of like every message. */
export const voided = (round: RoundView): Reason => ({
  key: "announce_void",
  facts: { ground: t(`ground_${(round.ground ?? "ruling").replaceAll("-", "_")}` as Key) },
});
