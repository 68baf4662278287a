/** The banner with the phase and the clock: words, colour and number together. */
import type { ReadonlySignal } from "@preact/signals";
import { diceWords } from "../lib/dice-words.ts";
import { has, type Key, language, t } from "../lib/i18n.ts";
import { callOf, callWords, type Mood } from "../lib/phase.ts";
import type { RoundView } from "../lib/types.ts";
import { Dice } from "./dice.tsx";

const RADIUS = 44;
const ROUND = 2 * Math.PI * RADIUS;

/** The ring empties with the time; its number is what counts. */
export function Clock({ left, share }: { left: ReadonlySignal<number | null>; share: ReadonlySignal<number> }) {
  if (left.value === null) return null;
  return (
    <span class="clock" role="timer" aria-label={t("seconds_left", { n: left.value })}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r={RADIUS} class="track" />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          class="hand"
          stroke-dasharray={ROUND}
          stroke-dashoffset={ROUND * (1 - share.value)}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <b>{left.value}</b>
    </span>
  );
}

/** The phase in words; a void names its ground. A wall says it in two languages. */
export function phaseWords(round: RoundView | null, mood: Mood, of = language.value): { head: string; more: string } {
  const say = (key: Key, facts = {}): string => t(key, facts, of);
  if (mood === "void") {
    const ground = `ground_${(round?.ground ?? "").replaceAll("-", "_")}`;
    const clause =
      round?.void_clause && round.void_clause !== "house" ? say("clause", { clause: round.void_clause }) : "";
    return { head: say("phase_void"), more: [has(ground) ? say(ground) : "", clause].filter(Boolean).join(" · ") };
  }
  if (mood === "result" && round?.known)
    return { head: say("phase_known"), more: say("phase_known_more", { faces: diceWords(round.known) }) };
  const more = mood === "held" && round?.phase === "awaiting-ruling" ? say("phase_awaiting_ruling") : "";
  return { head: say(`mood_${mood}` as Key), more };
}

export interface BannerProps {
  readonly round: RoundView | null;
  readonly mood: Mood;
  readonly left: ReadonlySignal<number | null>;
  readonly share: ReadonlySignal<number>;
  /** What else there is to say while bets are taken. */
  readonly hint?: string;
}

export function Banner({ round, mood, left, share, hint = "" }: BannerProps) {
  const dice = mood === "result" ? round?.dice : null;
  const call = dice ? callWords(dice) : null;
  const words = dice && call ? { head: String(callOf(dice).total), more: call.kinds } : phaseWords(round, mood);
  const more = words.more || (mood === "open" ? hint : "");
  return (
    <section class="banner" data-mood={mood} aria-label={t("phase")}>
      {mood === "open" || mood === "last" ? <Clock left={left} share={share} /> : null}
      {dice && call ? <Dice faces={dice} label={call.whole} /> : null}
      <span class="words" key={`${words.head} ${more}`} /* other words, not the same ones that moved */>
        <strong>{words.head}</strong>
        {more && <small>{more}</small>}
      </span>
      {round && <span class="round-number">{t("round_number", { n: round.number })}</span>}
    </section>
  );
}
