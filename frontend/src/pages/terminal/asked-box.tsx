/** What the box under the pointer, the finger or the keyboard asks: after a moment, over the rail, in nobody's way. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../../lib/i18n.ts";
import { BetInfo } from "../../ui/bet-info.tsx";
import type { Terminal } from "./model.ts";

const DWELL = 650;
const ID = "asked-box";
const HOVERS = matchMedia("(hover: hover)");

/** Whether a box lies in the lower half of the felt in view: then its note stands at the top. */
function isLow(box: string): boolean {
  const [place, room] = [`[data-box="${box}"]`, ".room"].map((one) => document.querySelector(one));
  if (!place || !room) return false;
  const [its, all] = [place.getBoundingClientRect(), room.getBoundingClientRect()];
  return its.top + its.bottom > all.top + all.bottom;
}

export function AskedBox({ terminal }: { terminal: Terminal }) {
  const shown = useSignal("");
  // Whoever stays on a box wants to know more of it; who passes over it does not.
  useSignalEffect(() => {
    const box = terminal.looking.value;
    if (shown.peek() !== box) shown.value = "";
    // A finger asks by staying on a box; what it has just tapped is not in question.
    if (!box || !(HOVERS.matches || document.activeElement?.matches(":focus-visible"))) return undefined;
    const timer = setTimeout(() => (shown.value = box), DWELL);
    return () => clearTimeout(timer);
  });
  // A finger that stays on a bare box has asked.
  useSignalEffect(() => {
    if (terminal.asked.value) shown.value = terminal.asked.value;
  });
  useSignalEffect(() => {
    const active = document.activeElement;
    if (shown.value && active instanceof HTMLElement && active.dataset["box"] === shown.value)
      active.setAttribute("aria-describedby", ID);
  });
  useEffect(() => {
    const away = (event: KeyboardEvent) => {
      if (event.key === "Escape") shown.value = terminal.asked.value = "";
    };
    const press = () => (shown.value = terminal.asked.value = "");
    addEventListener("keydown", away);
    addEventListener("pointerdown", press);
    return () => {
      removeEventListener("keydown", away);
      removeEventListener("pointerdown", press);
    };
  }, []);
  const box = terminal.felt.value?.boxes.find((one) => one.id === shown.value);
  if (!box || terminal.result.value || terminal.mood.value === "shut") return null;
  return (
    <aside class="asked-box" data-high={isLow(box.id)} aria-label={t("what_it_asks")}>
      <div id={ID}>
        <BetInfo box={box} />
      </div>
    </aside>
  );
}
