/** The language switch: three buttons, each in its own language. Bets stay as they are. */
import { LANGUAGE_NAMES, LANGUAGES, language, speak, t } from "../lib/i18n.ts";

const SHORT = { en: "EN", "zh-Hant": "繁", "zh-Hans": "简" } as const;

export function Languages({ short = false }: { short?: boolean }) {
  return (
    <div class="languages" role="group" aria-label={t("language")}>
      {LANGUAGES.map((one) => (
        <button
          type="button"
          class="quiet"
          lang={one}
          aria-pressed={language.value === one}
          aria-label={LANGUAGE_NAMES[one]}
          onClick={() => speak(one)}
        >
          {short ? SHORT[one] : LANGUAGE_NAMES[one]}
        </button>
      ))}
    </div>
  );
}
