/** What a page says of its table's rulebook: that it is not approved or not in force, and what follows it when. */
import { type Key, type Language, language, t } from "../lib/i18n.ts";
import type { TableView } from "../lib/types.ts";

export const moment = (at: number, of: Language = language.value): string =>
  new Intl.DateTimeFormat(of, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(at);

/** How a rulebook stands that may not be played for money; nothing where it is in force. */
export function standWords(inForce: string, rules: string, of: Language = language.value): string {
  return inForce === "in-force" ? "" : t(`rules_${inForce.replace("-", "_")}` as Key, { rules }, of);
}

/** One short line; a house for money shows it where no round can open. `second` is the other language of a wall. */
export function RulesNote({ table, second }: { table: TableView; second?: Language }) {
  const words = (of: Language): string => {
    const { next_rules: next } = table;
    return [
      standWords(table.in_force, table.rulebook, of),
      next ? t("rules_next", { time: moment(next.effective, of), rules: next.pay_table }, of) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  };
  if (!words(language.value)) return null;
  return (
    <strong class="rules-note">
      {words(language.value)}
      {second && (
        <span class="second" lang={second}>
          {" "}
          {words(second)}
        </span>
      )}
    </strong>
  );
}
