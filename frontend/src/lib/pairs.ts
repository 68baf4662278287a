/** The two pairs of sides that a differential stands between, by their names. */
import { type Language, language, t } from "./i18n.ts";

export function pairName(pair: string, of: Language = language.value): string {
  return t(`differential_${pair.replace("-", "_") as "big_small" | "odd_even"}`, {}, of);
}
