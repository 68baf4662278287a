/** Lamplight or daylight for those who read and count; a table's console keeps the light of its table. */
import { useLayoutEffect } from "preact/hooks";
import { t } from "../../lib/i18n.ts";
import { preference } from "../../lib/prefs.ts";
import { Icon } from "../icon.tsx";

type Theme = "dark" | "light";

const theme = preference<Theme>("theme", "dark");
/** Beside a felt and a countdown in a dim room nothing is to shine. */
const AT_THE_TABLE = "console";

export function useTheme(page: string): void {
  const wanted = page === AT_THE_TABLE ? "dark" : theme.value;
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = wanted;
  }, [wanted]);
}

/** Changed at a press, and remembered. */
export function ThemeButton({ page }: { page: string }) {
  if (page === AT_THE_TABLE) return null;
  return (
    <button
      type="button"
      class="quiet square"
      aria-pressed={theme.value === "light"}
      aria-label={t("theme_light")}
      title={t("theme_light")}
      onClick={() => {
        theme.value = theme.value === "light" ? "dark" : "light";
      }}
    >
      <Icon name="sun" />
    </button>
  );
}
