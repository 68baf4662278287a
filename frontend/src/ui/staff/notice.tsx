/** What became of the last act: said once, shown until the next. */
import { signal } from "@preact/signals";
import { tell, warn } from "../../lib/announce.ts";
import { t } from "../../lib/i18n.ts";
import { play } from "../../lib/sounds.ts";
import { Icon } from "../icon.tsx";
import { type ActAnswer, faultOf } from "./session.ts";

export type NoticeKind = "done" | "waiting" | "refused";

interface Shown {
  readonly kind: NoticeKind;
  readonly text: string;
}

const STAYS = 8_000;
export const notice = signal<Shown | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export function note(kind: NoticeKind, text: string): void {
  notice.value = { kind, text };
  (kind === "refused" ? warn : tell)(text);
  if (kind === "refused") play("refused");
  clearTimeout(timer);
  if (kind !== "refused") timer = setTimeout(() => (notice.value = null), STAYS);
}

/** The rounds that a report of damaged dice made void, and those that were void before, table by table. */
function voided(answer: ActAnswer): string[] {
  if (answer.status !== "done") return [];
  const words = (rounds: readonly number[], skipped: readonly number[]): string[] => [
    ...(rounds.length ? [t("voided_now", { rounds: rounds.join(t("list_comma")) })] : []),
    ...(skipped.length ? [t("voided_before", { rounds: skipped.join(t("list_comma")) })] : []),
  ];
  return [
    ...words(answer.rounds, answer.skipped),
    ...Object.entries(answer.elsewhere).map(([table, { rounds, skipped, refused }]) =>
      [`${table}:`, ...(refused ? [t("voided_not", { why: refused })] : words(rounds, skipped))].join(" "),
    ),
  ];
}

/** Waits for an act and says what became of it; true when it was done or waits for a second person. */
export async function told(answer: Promise<ActAnswer>, done: string): Promise<boolean> {
  try {
    const found = await answer;
    const waits = found.status === "waiting";
    note(waits ? "waiting" : "done", waits ? t("waits_for_second") : [done, ...voided(found)].join(" "));
    return true;
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
}

const ICONS = { done: "check", waiting: "history", refused: "info" } as const;

export function Notice() {
  const shown = notice.value;
  if (!shown) return null;
  return (
    <section class="notice" data-kind={shown.kind} aria-label={t("last_answer")}>
      <Icon name={ICONS[shown.kind]} />
      <p>{shown.text}</p>
      <button type="button" class="quiet square" aria-label={t("close")} onClick={() => (notice.value = null)}>
        <Icon name="close" />
      </button>
    </section>
  );
}
