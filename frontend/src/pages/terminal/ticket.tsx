/** The ticket that the credits left as: on the screen, and on paper. */
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../../lib/i18n.ts";
import type { TicketView } from "../../lib/types.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { Terminal } from "./model.ts";

const DRAWN = new Set(["svg", "path", "rect", "g", "title", "desc"]);

/** The server's QR code as nodes: a policy without data addresses lets no picture be made of it. */
function Code({ svg, label }: { svg: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    // Without a view box a drawing keeps its size; with one it fills the place it is given.
    const [width, height] = ["width", "height"].map((side) => Number.parseFloat(parsed.getAttribute(side) ?? ""));
    if (!parsed.hasAttribute("viewBox") && width && height) parsed.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const plain = [parsed, ...parsed.querySelectorAll("*")].every(
      (node) => DRAWN.has(node.localName) && !node.hasAttribute("style"),
    );
    if (holder.current && plain && parsed.localName === "svg")
      holder.current.replaceChildren(document.importNode(parsed, true));
  }, [svg]);
  return <div class="code" role="img" aria-label={label} ref={holder} />;
}

const grouped = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ");

export function Ticket({ ticket, money }: { ticket: TicketView; money: (minor: number) => string }) {
  const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <article class="ticket" aria-label={t("ticket")}>
      <p class="number edge">{grouped(ticket.number)}</p>
      <header>
        <b>{ticket.site}</b>
        <span>{t("ticket_kind")}</span>
      </header>
      {ticket.play_money && <p class="play-money">{t("play_money_ticket")}</p>}
      <p class="amount">{money(ticket.amount)}</p>
      <p class="in-words">{ticket.amount_words}</p>
      <Code svg={ticket.qr_svg} label={t("ticket_code")} />
      <p class="number">{grouped(ticket.number)}</p>
      <dl>
        <dt>{t("ticket_issued")}</dt>
        <dd>{date.format(ticket.issued_at)}</dd>
        <dt>{t("ticket_expires")}</dt>
        <dd>{date.format(ticket.expires_at)}</dd>
        <dt>{t("ticket_issuer")}</dt>
        <dd>{ticket.issuer}</dd>
        <dt>{t("ticket_sequence")}</dt>
        <dd>{ticket.sequence}</dd>
      </dl>
    </article>
  );
}

export function TicketPanel({ terminal, ticket }: { terminal: Terminal; ticket: TicketView }) {
  const failed = terminal.device.service.value === "printer-fault";
  return (
    <Dialog name="ticket" title={t("your_ticket")}>
      <Ticket ticket={ticket} money={terminal.money} />
      <p class="small">{t(failed ? "ticket_attendant" : "ticket_keep")}</p>
      <div class="choice">
        {!failed && (
          <button type="button" class="quiet" onClick={terminal.device.notPrinted}>
            {t("ticket_not_printed")}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => print()}>
          {t("print")}
        </button>
        <button type="button" class="solid" onClick={terminal.ticketTaken}>
          {t("ticket_taken")}
        </button>
      </div>
    </Dialog>
  );
}
