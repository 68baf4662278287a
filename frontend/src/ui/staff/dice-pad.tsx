/** The keypad for dice: six faces to touch, or the keys 1 to 6; what was entered stands above it. */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Key, t } from "../../lib/i18n.ts";
import { Die } from "../dice.tsx";
import { Icon } from "../icon.tsx";
import { type DiceEntry, press } from "./dice-keypad.ts";

const FACES = ["1", "2", "3", "4", "5", "6"] as const;

interface DicePadProps {
  readonly entry: Signal<DiceEntry>;
  /** Fewer than three: faces that were read before an interruption. */
  readonly most?: number;
}

export function DiceSlots({ faces, most = 3 }: { faces: readonly number[]; most?: number }) {
  return (
    <div
      class="slots"
      role="img"
      aria-label={faces.length ? t("dice_entered", { dice: faces.join("-") }) : t("dice_none")}
    >
      {Array.from({ length: most }, (_, place) => (
        <span class="slot" data-full={faces[place] !== undefined}>
          {faces[place] !== undefined && <Die face={faces[place]} />}
        </span>
      ))}
    </div>
  );
}

export function DicePad({ entry, most = 3 }: DicePadProps) {
  const hit = (key: string) => {
    const pressed = press(entry.value, key, most);
    if (pressed) entry.value = pressed.entry;
  };
  const full = entry.value.faces.length >= most || entry.value.checking;
  return (
    <div class="dice-pad" role="group" aria-label={t("dice_keypad")}>
      {FACES.map((face) => (
        <button
          type="button"
          class="pad-key"
          aria-label={t(`face_${face}` as Key)}
          aria-disabled={full}
          onClick={() => hit(face)}
        >
          <Die face={Number(face)} />
          <kbd aria-hidden="true">{face}</kbd>
        </button>
      ))}
      <button
        type="button"
        class="pad-key pad-back"
        aria-label={t("dice_back")}
        aria-disabled={!entry.value.faces.length}
        onClick={() => hit("Backspace")}
      >
        <Icon name="undo" />
        <span>{t("dice_back")}</span>
      </button>
    </div>
  );
}

/** A field that is being written gets its own digits; so does whatever lies over this one. */
function isForField(field: HTMLElement, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]")) return false;
  const top = [...document.querySelectorAll("dialog[open]")].at(-1);
  return !top || top.contains(field);
}

/** A keypad inside a form: digits typed anywhere in it count, unless a field is being written. */
export function DiceField({ label, entry, most = 3 }: DicePadProps & { label: string }) {
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const hit = (event: KeyboardEvent) => {
      if (!/^([1-6]|Backspace)$/.test(event.key) || !field.current || !isForField(field.current, event)) return;
      const pressed = press(entry.value, event.key, most);
      if (pressed) entry.value = pressed.entry;
      event.preventDefault();
    };
    addEventListener("keydown", hit);
    return () => removeEventListener("keydown", hit);
  }, [entry, most]);
  return (
    <div class="dice-field" role="group" aria-label={label} ref={field}>
      <p class="label">{label}</p>
      <DiceSlots faces={entry.value.faces} most={most} />
      <DicePad entry={entry} most={most} />
    </div>
  );
}
