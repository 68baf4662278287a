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

/** Waits for an act and says what became of it; true when it was done or waits for a second person. */
export async function told(answer: Promise<ActAnswer>, done: string): Promise<boolean> {
  try {
    const found = await answer;
    note(found.status === "waiting" ? "waiting" : "done", found.status === "waiting" ? t("waits_for_second") : done);
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
