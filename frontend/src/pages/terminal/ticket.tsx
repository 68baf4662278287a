/** The ticket that the credits left as. */
import { t } from "../../lib/i18n.ts";
import type { TicketView } from "../../lib/types.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Ticket, usePrinted } from "../../ui/ticket.tsx";
import type { Terminal } from "./model.ts";

export function TicketPanel({ terminal, ticket }: { terminal: Terminal; ticket: TicketView }) {
  const failed = terminal.device.service.value === "printer-fault";
  const printed = usePrinted(ticket.duplicate);
  const copy = () => {
    print();
    printed.value = true;
  };
  return (
    <Dialog name="ticket" title={t("your_ticket")}>
      <Ticket ticket={ticket} duplicate={printed.value} money={terminal.money} />
      <p class="small">{t(failed ? "ticket_attendant" : "ticket_keep")}</p>
      <div class="choice">
        {!failed && (
          <button type="button" class="quiet" onClick={terminal.device.notPrinted}>
            {t("ticket_not_printed")}
          </button>
        )}
        <button type="button" class="quiet" onClick={copy}>
          {t("paper_print")}
        </button>
        <button type="button" class="solid" onClick={terminal.ticketTaken}>
          {t("ticket_taken")}
        </button>
      </div>
    </Dialog>
  );
}
