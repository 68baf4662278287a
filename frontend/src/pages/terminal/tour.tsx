/** Four steps for a first visit to a practice table: a chip, a box, the dice, what came back. */
import { type Signal, useSignalEffect } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import type { Terminal } from "./model.ts";
import { toured } from "./seat.ts";

const STEPS = ["chip", "box", "roll", "result"] as const;
/** What each step speaks of: it is ringed on the page. */
const TARGETS = [".dock .chips", '[data-box="big"]', ".act.roll", ".result-card"] as const;

/** Dice that wait for everybody do not wait for the reader alone. */
export const hintOf = (step: (typeof STEPS)[number], shared: boolean): Key =>
  shared && step === "roll" ? "tour_roll_shared_hint" : `tour_${step}_hint`;

export function Tour({ terminal, step }: { terminal: Terminal; step: Signal<number> }) {
  useSignalEffect(() => {
    // Whoever does what a step asks for is a step further.
    const [staked, result, ready] = [terminal.staked.value, terminal.result.value, terminal.readiness.value?.ready];
    if (step.value === 1 && staked > 0) step.value = 2;
    if (step.value === 2 && (ready || result) && !terminal.after.value) step.value = result ? 3 : 2;
  });
  useSignalEffect(() => {
    const target = TARGETS[step.value];
    const found = target ? document.querySelector(target) : null;
    found?.setAttribute("data-ringed", "");
    return () => found?.removeAttribute("data-ringed");
  });
  const now = STEPS[step.value];
  if (!now) return null;
  const shared = terminal.table.value?.shared ?? false;
  const end = () => {
    step.value = -1;
    toured.value = true;
  };
  return (
    <section class="tour" aria-label={t("tour")} data-step={now}>
      <p class="small">{t("tour_step", { n: step.value + 1, of: STEPS.length })}</p>
      <p>
        <b>{t(`tour_${now}`)}</b> {t(hintOf(now, shared))}
      </p>
      <div class="choice">
        {now !== "result" && (
          <button type="button" class="quiet" onClick={end}>
            {t("tour_skip")}
          </button>
        )}
        {now === "chip" && (
          <button type="button" class="solid" onClick={() => (step.value = 1)}>
            {t("tour_next")}
          </button>
        )}
        {now === "result" && (
          <button type="button" class="solid" onClick={end}>
            {t("tour_done")}
          </button>
        )}
      </div>
    </section>
  );
}
