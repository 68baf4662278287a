/** A part of a page that is fetched after its first picture, so that the page itself stays light. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../lib/i18n.ts";

/** The part, once it is there; asked for again after a failure. */
export interface Part<P> {
  readonly fetch: () => Promise<void>;
  readonly get: () => ComponentType<P> | null;
}

export function partOf<P>(load: () => Promise<ComponentType<P>>): Part<P> {
  let found: ComponentType<P> | null = null;
  return { fetch: async () => { found ??= await load(); }, get: () => found };
}

/** Fetches a part soon: whoever wants it later does not wait. */
export function useSoon<P>(part: Part<P>): void {
  useEffect(() => void part.fetch().catch(() => undefined), []); // whoever opens it asks again, and is told
}

export function Later<P extends object>({ part, props }: { part: Part<P>; props: P }) {
  const state = useSignal<"loading" | "no_answer" | "">(part.get() ? "" : "loading");
  useEffect(() => {
    if (state.value) part.fetch().then(() => (state.value = ""), () => (state.value = "no_answer"));
  }, []);
  const Shown = part.get();
  return Shown && !state.value ? <Shown {...props} /> : <p class="fault" role="status">{t(state.value || "loading")}</p>;
}
