/** What the settlement does with the chips: lost ones leave, winners get their winnings and go to the credit. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { wantsCalm } from "../../lib/motion.ts";
import type { PlayedRoundView } from "../../lib/types.ts";
import { Chip } from "../../ui/chip.tsx";
import { joyOf } from "./calls.ts";
import type { Terminal } from "./model.ts";

const LEAVE_MS = 700;
const PAY_MS = 1_700;
/** The share of that in which the chips stay on their box, to be seen. */
const STAY = 0.55;

interface Moving {
  readonly key: string;
  readonly fate: "taken" | "paid" | "winnings";
  readonly amount: number;
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

/** From where each chip is on the screen. The page knows of the settlement, and has not drawn it yet. */
function chipsOf(played: PlayedRoundView): Moving[] {
  const room = document.querySelector(".room");
  const seen = room?.getBoundingClientRect();
  return played.bets.flatMap((bet): Moving[] => {
    const chip = room?.querySelector(`[data-box="${bet.box}"] .stake`)?.getBoundingClientRect();
    if (!chip || !seen || chip.bottom < seen.top || chip.top > seen.bottom) return [];
    const place = { left: chip.left, top: chip.top, size: chip.width };
    if (!bet.returned) return [{ key: bet.box, fate: "taken", amount: bet.stake, ...place }];
    const won = bet.returned - bet.stake;
    const beside = { ...place, left: Math.max(2, chip.left - 0.8 * chip.width) };
    return [
      ...(won > 0 ? [{ key: `${bet.box}+`, fate: "winnings" as const, amount: won, ...beside }] : []),
      { key: bet.box, fate: "paid", amount: Math.min(bet.stake, bet.returned), ...place },
    ];
  });
}

const LEAVES: Keyframe[] = [{ opacity: 1 }, { opacity: 0, transform: "translateY(-70%) scale(0.8)" }];

/** Onto the box if it is won money, a moment there, and to the credit. */
function wayTo(credit: DOMRect, chip: Moving): Keyframe[] {
  const half = chip.size / 2;
  const x = credit.left + credit.width / 2 - chip.left - half;
  const y = credit.top + credit.height / 2 - chip.top - half;
  const start = chip.fate === "winnings" ? { opacity: 0, transform: "translateY(-110%)" } : { transform: "none" };
  return [
    start,
    { opacity: 1, transform: "none", offset: 0.25 },
    { opacity: 1, transform: "none", offset: STAY, easing: "cubic-bezier(0.5, 0, 0.75, 0.6)" },
    { opacity: 1, transform: `translate(${x}px, ${y}px) scale(0.6)`, offset: 0.98 },
    { opacity: 0, transform: `translate(${x}px, ${y}px) scale(0.6)` },
  ];
}

const GLOW: Keyframe[] = [{ backgroundColor: "rgb(232 200 119 / 0.45)" }, { backgroundColor: "transparent" }];

/** Over everything and in nobody's way. Who wants no motion sees the chips gone and the credit risen. */
export function Payout({ terminal }: { terminal: Terminal }) {
  const layer = useRef<HTMLDivElement>(null);
  const chips = useSignal<readonly Moving[]>([]);
  const shown = useRef(0);
  const joy = useRef(0);
  useSignalEffect(() => {
    const played = terminal.played.value ?? terminal.after.value?.played;
    if (!played || played.round === shown.current) return;
    shown.current = played.round;
    joy.current = joyOf(played);
    chips.value = wantsCalm() || document.hidden ? [] : chipsOf(played);
  });
  useLayoutEffect(() => {
    const meter = document.querySelector(".meters .credit");
    if (!layer.current || !meter || !chips.value.length) return;
    const moving = chips.value;
    const goal = meter.getBoundingClientRect();
    const done = moving.map((chip, place) => {
      const element = layer.current!.children[place] as HTMLElement;
      element.style.cssText = `left:${chip.left}px;top:${chip.top}px;width:${chip.size}px`;
      return chip.fate === "taken"
        ? element.animate(LEAVES, { duration: LEAVE_MS, easing: "ease-in", fill: "forwards" }).finished
        : element.animate(wayTo(goal, chip), { duration: PAY_MS, fill: "forwards" }).finished;
    });
    void Promise.all(done).then(
      () => {
        if (chips.value !== moving) return;
        if (joy.current) meter.animate(GLOW, 600);
        chips.value = [];
      },
      () => undefined, // the page is going away
    );
  }, [chips.value]);
  return (
    <div class="payout" ref={layer} aria-hidden="true">
      {chips.value.map((chip) => (
        <span key={`${shown.current} ${chip.key}`} class="stake" data-fate={chip.fate}>
          <Chip {...terminal.chipOf(chip.amount)} />
        </span>
      ))}
    </div>
  );
}
