/** Receipts, on the screen as on paper. */
import type { ComponentChildren } from "preact";
import { t } from "../../lib/i18n.ts";
import { Dialog } from "../dialog.tsx";
import { cash, house, person } from "./session.ts";
import { dateTime } from "./times.ts";

export interface ReceiptView {
  readonly title: string;
  readonly amount: number;
  readonly at: number;
  readonly lines: readonly (readonly [string, string])[];
}

export function Receipt({ receipt }: { receipt: ReceiptView }) {
  return (
    <article class="ticket receipt" aria-label={receipt.title}>
      <header>
        <b>{house.value?.name}</b>
        <span>{receipt.title}</span>
      </header>
      {house.value?.play_money && <p class="play-money">{t("paper_play_money")}</p>}
      <p class="amount">{cash(receipt.amount)}</p>
      <dl>
        {receipt.lines.map(([term, text]) => (
          <>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </>
        ))}
        <dt>{t("paper_time")}</dt>
        <dd>{dateTime(receipt.at)}</dd>
        <dt>{t("paper_cashier")}</dt>
        <dd>{person.value?.name}</dd>
      </dl>
    </article>
  );
}

/** Paper in a dialog; the print style sheet prints nothing but it. */
export function PaperDialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog name="ticket" title={title} close={close}>
      {children}
      <div class="choice">
        <button type="button" class="quiet" onClick={close}>
          {t("close")}
        </button>
        <button type="button" class="solid" onClick={() => print()}>
          {t("paper_print")}
        </button>
      </div>
    </Dialog>
  );
}
