/** A ticket, on the screen as on paper: the same wherever it was issued. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Key, LANGUAGES, named, t } from "../lib/i18n.ts";
import type { TicketView } from "../lib/types.ts";
import { Svg } from "./staff/svg.tsx";
import { grouped } from "./staff/ticket-number.ts";
import { dateTime } from "./staff/times.ts";

/** True once a copy has left through the printer, by our button or by the browser's own. */
export function usePrinted(before = false): Signal<boolean> {
  const printed = useSignal(before);
  useEffect(() => {
    const left = () => (printed.value = true);
    addEventListener("afterprint", left);
    return () => removeEventListener("afterprint", left);
  }, []);
  return printed;
}

/** `duplicate`: what would be printed now is not the first copy. The mark is for every reader. */
export function Ticket({
  ticket,
  duplicate,
  money,
}: {
  ticket: TicketView;
  duplicate: boolean;
  money: (minor: number) => string;
}) {
  const facts: readonly (readonly [Key, string])[] = [
    ["paper_issued", dateTime(ticket.issued_at)],
    ["paper_expires", dateTime(ticket.expires_at)],
    ["paper_issuer", ticket.issuer],
    ["paper_sequence", String(ticket.sequence)],
  ];
  return (
    <article class="ticket" aria-label={t("paper_ticket")}>
      <p class="number edge">{grouped(ticket.number)}</p>
      <header>
        <b>{ticket.site}</b>
        <span>{t(`paper_kind_${ticket.kind.replace("-", "_")}` as Key)}</span>
      </header>
      {duplicate && (
        <p class="duplicate">{[...new Set(LANGUAGES.map((one) => t("paper_duplicate", {}, one)))].join(" · ")}</p>
      )}
      {ticket.play_money && <p class="play-money">{t("paper_play_money")}</p>}
      <p class="amount">{money(ticket.amount)}</p>
      <p class="in-words">{named(ticket.amount_words)}</p>
      <Svg svg={ticket.qr_svg} label={t("paper_code")} />
      <p class="number">{grouped(ticket.number)}</p>
      <dl>
        {facts.map(([term, text]) => (
          <>
            <dt>{t(term)}</dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
    </article>
  );
}
