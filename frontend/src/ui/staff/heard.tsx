/** What staff should hear and see from afar: a bell when something new waits, and its count in the tab's title. */
import { type ReadonlySignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { t } from "../../lib/i18n.ts";
import { calling } from "../../lib/page.ts";
import { play, type SoundName, soundOn, wakeSound } from "../../lib/sounds.ts";
import { Icon } from "../icon.tsx";

/** A sound for each thing that was not there at the last look; what the page opens with is not news. */
export function useCalled(waiting: ReadonlySignal<readonly string[]>, sound: SoundName): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useSignalEffect(() => {
    const before = known.current;
    if (before && waiting.value.some((one) => !before.has(one))) play(sound);
    known.current = new Set(waiting.value);
  });
}

/** `(2) Pit`: whoever has other tabs in front sees that something waits. */
export function useTitleCount(count: ReadonlySignal<number>): void {
  useSignalEffect(() => {
    calling.value = count.value;
  });
}

/** Off at a press, and remembered. */
export function SoundButton() {
  return (
    <button
      type="button"
      class="quiet square"
      aria-pressed={soundOn.value}
      aria-label={t("sound")}
      title={t(soundOn.value ? "sound_is_on" : "sound_is_off")}
      onClick={() => {
        soundOn.value = !soundOn.value;
        wakeSound();
      }}
    >
      <Icon name={soundOn.value ? "sound" : "mute"} />
    </button>
  );
}
