/** What is called out at the table: by voice, by sound, and in the live regions for those who hear the page. */
import { tell, warn } from "../../lib/announce.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import type { Reason } from "../../lib/slip.ts";
import { play as sound } from "../../lib/sounds.ts";
import type { PlayedRoundView, RoundView } from "../../lib/types.ts";
import { say, spokenCall } from "../../lib/voice.ts";
import { phaseWords } from "../../ui/phase.tsx";

export function noMoreBets(): void {
  sound("close");
  say(t("no_more_bets"));
  warn(t("no_more_bets"));
}

/** The round moved on. `inTime` tells whether the page had not yet called the close by its own clock. */
export function announceRound(before: RoundView | null, round: RoundView, inTime: boolean): void {
  const same = before?.number === round.number && before.phase === round.phase && before.held === round.held;
  if (same) return;
  if (round.held) warn(t("announce_held"));
  else if (round.phase === "betting") {
    sound("open");
    say(t("place_your_bets"));
    tell(t("place_your_bets"));
  } else if (round.phase === "closed" && before?.phase === "betting" && inTime) noMoreBets();
  else if (round.phase !== "void" && round.dice && !before?.dice) {
    sound("result");
    say(spokenCall(round.dice));
    tell(callWords(round.dice).whole);
  } else if (round.known && !before?.known) {
    sound("result");
    tell(phaseWords(round, "result").head);
  }
}

/** From this on, for one of the stake, a win is a great one. */
const GREAT = 100;

/** How glad the page is: not at all where less came back than was staked, most where one box paid a hundredfold. */
export function joyOf(played: PlayedRoundView): 0 | 1 | 2 {
  if (played.void || played.returned <= played.staked) return 0;
  return played.bets.some((bet) => bet.won && bet.returned >= GREAT * bet.stake) ? 2 : 1;
}

export function soundOfWin(played: PlayedRoundView): void {
  const joy = joyOf(played);
  if (!joy) return; // a round that brought back less than it cost is never celebrated
  sound("stack");
  sound(joy > 1 ? "jackpot" : "win");
}

/** What a void round means for who has bet: it is shown as a message, and warned of like every message. */
export const voided = (round: RoundView): Reason => ({
  key: "announce_void",
  facts: { ground: t(`ground_${(round.ground ?? "ruling").replaceAll("-", "_")}` as Key) },
});
