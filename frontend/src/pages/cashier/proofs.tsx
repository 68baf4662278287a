/** The proofs of the bets behind a ticket, on the screen as on paper: a code for each round, and the file itself. */
import { signal } from "@preact/signals";
import type { TicketReceipts } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { note } from "../../ui/staff/notice.tsx";
import { PaperDialog } from "../../ui/staff/paper.tsx";
import { ask, faultOf, house } from "../../ui/staff/session.ts";
import { Svg } from "../../ui/staff/svg.tsx";
import { number } from "./model.ts";

const shown = signal<TicketReceipts | null>(null);

/** Of the ticket on the counter. */
export async function lookForProofs(): Promise<void> {
  try {
    const found = await ask<TicketReceipts>("POST", "/tickets/receipts", { number: number.value.digits });
    if (found.receipts.length) shown.value = found;
    else note("refused", t("proofs_none"));
  } catch (problem) {
    note("refused", faultOf(problem));
  }
}

export function Proofs() {
  const found = shown.value;
  if (!found) return null;
  return (
    <PaperDialog title={t("proofs")} close={() => (shown.value = null)}>
      <article class="ticket receipt proofs" aria-label={t("proofs")}>
        <header>
          <b>{house.value?.name}</b>
          <span>{t("proofs")}</span>
        </header>
        <p>{t("proofs_how", { session: found.session ?? "" })}</p>
        {found.left_off > 0 && <p>{t("proofs_left_off", { n: found.left_off })}</p>}
        <ol>
          {found.receipts.map((one) => (
            <li key={`${one.table}/${one.round}`}>
              <Svg svg={one.qr_svg} label={one.link} />
              <a href={one.address} download={`receipt-${one.table}-${one.round}.json`}>
                {t("proof_of", { table: one.table, round: one.round })}
              </a>
            </li>
          ))}
        </ol>
      </article>
    </PaperDialog>
  );
}
