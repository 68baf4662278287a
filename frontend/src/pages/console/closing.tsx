/** Closing with a breach on the screen: what the console shows has been noticed, so it asks (5.1). */
import type { Signal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import type { BreachView } from "../../lib/types.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ActForm } from "../../ui/staff/fields.tsx";
import { cash } from "../../ui/staff/session.ts";
import type { Console } from "./model.ts";

/** A limit that the bets break, in words. */
export function breachWords(console: Console, breach: BreachView): string {
  const facts = { box: console.boxName(breach.box), excess: cash(breach.excess), limit: cash(breach.limit) };
  return breach.on === breach.box
    ? t("breach_maximum", facts)
    : t("breach_differential", { ...facts, pair: t(`differential_${breach.on.replace("-", "_")}` as Key) });
}

/** Reject and close comes first; to close without is the dealer's own decision, and stays on the record. */
export function Closing({ console, asking }: { console: Console; asking: Signal<boolean> }) {
  const breaches = console.view.value?.breaches ?? [];
  const close = () => (asking.value = false);
  if (!asking.value) return null;
  const run = async (excess: "reject" | "leave") => {
    const answer = await console.act("CloseBetting", { excess });
    if (answer.status !== "refused") close();
  };
  return (
    <Dialog name="closing" title={t("do_CloseBetting")} close={close}>
      <ActForm submit={t("close_rejecting")} ready cancel={close} run={() => run("reject")}>
        <ul class="breaches">
          {breaches.map((breach) => (
            <li key={breach.on}>{breachWords(console, breach)}</li>
          ))}
        </ul>
        <p>{t("close_asks")}</p>
        <button type="button" class="quiet danger-line" onClick={() => void run("leave")}>
          {t("close_without")}
        </button>
      </ActForm>
    </Dialog>
  );
}
