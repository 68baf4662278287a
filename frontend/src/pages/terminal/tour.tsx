/** Four steps for a first visit to a practice table: a chip, a box, the dice, what came back. */
import { type Signal, useComputed, useSignalEffect } from "@preact/signals";
import { gap, type Key, t } from "../../lib/i18n.ts";
import type { Terminal } from "./model.ts";
import { toured } from "./seat.ts";

const STEPS = ["chip", "box", "roll", "result"] as const;

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
  // What was to be done is done: nobody is told over the dice.
  const rolling = useComputed(() => step.value === 2 && terminal.mood.value === "shut");
  // The style sheet rings what the step speaks of, also when the felt is drawn anew.
  useSignalEffect(() => {
    const page = document.documentElement.dataset;
    page["tour"] = rolling.value ? "" : (STEPS[step.value] ?? "");
    return () => delete page["tour"];
  });
  const now = STEPS[step.value];
  if (!now || rolling.value) return null;
  const shared = terminal.table.value?.shared ?? false;
  const end = () => {
    step.value = -1;
    toured.value = true;
  };
  return (
    <section class="tour" key={now} aria-label={t("tour")} data-step={now}>
      <p class="small">{t("tour_step", { n: step.value + 1, of: STEPS.length })}</p>
      <p>
        <b>{t(`tour_${now}`)}</b>
        {gap() + t(hintOf(now, shared))}
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
