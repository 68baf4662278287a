/** What a rulebook's front page says: who approved it, and when it is in force at this house. */
import { language, t } from "../lib/i18n.ts";
import { standWords } from "./rules-note.tsx";

export interface FrontPageFacts {
  readonly approved: boolean;
  readonly authority: string | null;
  readonly reference: string | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly in_force: string;
}

/** Front pages tell Singapore's time. */
const asPrinted = (at: number): string =>
  new Intl.DateTimeFormat(language.value, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone: "Asia/Singapore",
  }).format(at);

/** All of it in a line. */
export function frontPageWords(rulebook: string, page: FrontPageFacts): string {
  const { approved, authority, reference, since, until } = page;
  const by =
    authority === null ? t("rules_approved") : t("rules_approved_by", { authority, reference: reference ?? "–" });
  return [
    approved ? by : "",
    standWords(page.in_force, rulebook) ||
      (since === null ? t("rules_undated") : t("rules_since", { time: asPrinted(since) })),
    until === null ? "" : t("rules_until", { time: asPrinted(until) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

export const FrontPage = ({ rulebook, page }: { rulebook: string; page: FrontPageFacts }) => (
  <p class="small front-page">{frontPageWords(rulebook, page)}</p>
);
