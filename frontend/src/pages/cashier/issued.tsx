/** A ticket on the counter: printed, and there until the cashier says that the customer has it. */
import { useSignal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ActForm, TextField } from "../../ui/staff/fields.tsx";
import { cash } from "../../ui/staff/session.ts";
import { Ticket, usePrinted } from "../../ui/ticket.tsx";
import { askReprint, handOver, type Paper, printCopy } from "./issuing.ts";
import { requests } from "./kept.ts";

export function Issued({ paper }: { paper: Paper }) {
  const { ticket, granted, issue } = paper;
  const printed = usePrinted();
  const [asking, reason] = [useSignal(false), useSignal("")];
  const waits = requests.mine.value.some((one) => one.key === issue.key);
  return (
    <Dialog name="ticket" title={t("paper_ticket")}>
      <Ticket ticket={ticket} duplicate={ticket.duplicate || printed.value} money={cash} />
      <p class="small">
        {t(waits ? "waits_for_second" : granted && ticket.duplicate ? "reprint_ready" : "paper_hand_over")}
      </p>
      {granted && (
        <ActForm submit={t("paper_print")} ready run={printCopy}>
          {null}
        </ActForm>
      )}
      {asking.value && !waits && !granted && (
        <ActForm
          submit={t("ask_second")}
          ready={reason.value.trim() !== ""}
          cancel={() => (asking.value = false)}
          run={async () => {
            if (await askReprint(reason.value.trim())) asking.value = false;
          }}
        >
          <TextField label={t("reason")} of={reason} required />
          <p class="two-people">{t("takes_two")}</p>
        </ActForm>
      )}
      <div class="choice">
        {!granted && !waits && !asking.value && (
          <button type="button" class="quiet" onClick={() => (asking.value = true)}>
            {t("paper_again")}
          </button>
        )}
        <button type="button" class={granted ? "quiet" : "solid"} onClick={() => void handOver()}>
          {t("paper_handed")}
        </button>
      </div>
    </Dialog>
  );
}
