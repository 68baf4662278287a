/** What a player sets for this machine: language, sound, layout, keys, and the chips of the rail. */
import type { Signal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import { RAIL_CHIPS } from "../../lib/money.ts";
import { soundOn } from "../../lib/sounds.ts";
import { voiceOn } from "../../lib/voice.ts";
import { Icon } from "../../ui/icon.tsx";
import { Languages } from "../../ui/languages.tsx";
import type { Terminal } from "./model.ts";
import { easyMode, leftHand, letterKeys } from "./seat.ts";

function Switch({ label, of, hint }: { label: string; of: Signal<boolean>; hint?: string }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={of.value}
        onChange={(event) => (of.value = event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

export function Settings({ terminal, limits }: { terminal: Terminal; limits: () => void }) {
  return (
    <div class="settings">
      <h3>{t("language")}</h3>
      <Languages />
      <Switch label={t("sound")} of={soundOn} />
      <Switch label={t("voice")} hint={t("voice_hint")} of={voiceOn} />
      <Switch label={t("easy_mode")} hint={t("easy_mode_hint")} of={easyMode} />
      <Switch label={t("left_hand")} of={leftHand} />
      <Switch label={t("letter_keys")} hint={t("letter_keys_hint")} of={letterKeys} />
      <button type="button" class="quiet" onClick={limits}>
        {t("own_limits")}
      </button>
      <ChipChoice terminal={terminal} />
      <h3>{t("keyboard")}</h3>
      <p>{t("keyboard_help")}</p>
    </div>
  );
}

/** Which chips stand on the rail; when it is full, one has to go before another comes. */
function ChipChoice({ terminal }: { terminal: Terminal }) {
  const rail = terminal.chips.value;
  const full = rail.length >= RAIL_CHIPS;
  return (
    <>
      <h3 id="rail-chips">{t("rail_chips")}</h3>
      <p class="small">{t("rail_chips_hint", { n: RAIL_CHIPS })}</p>
      <div class="amounts" role="group" aria-labelledby="rail-chips">
        {terminal.allChips.value.map((chip) => {
          const on = rail.includes(chip);
          return (
            <button
              type="button"
              class="quiet"
              aria-pressed={on}
              aria-disabled={on ? rail.length === 1 : full}
              onClick={() => terminal.toggleChip(chip)}
            >
              {on && <Icon name="check" />} {terminal.money(chip)}
            </button>
          );
        })}
      </div>
    </>
  );
}
