/** The counter: a ticket comes in and is paid, or cash comes in and leaves as a ticket. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { TicketStatusView } from "../../http.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { isWriting } from "../../lib/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ActForm, amountIn, MoneyField, Switch, TextField } from "../../ui/staff/fields.tsx";
import { IdentityFields, identityIn, useIdentity } from "../../ui/staff/identity.tsx";
import { cash, currency } from "../../ui/staff/session.ts";
import { grouped, retyped, TICKET_DIGITS } from "../../ui/staff/ticket-number.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { unanswered } from "./issuing.ts";
import {
  askPayment,
  askVoid,
  drawer,
  found,
  inFours,
  looking,
  lookUp,
  number,
  paid,
  putAway,
  redeem,
  sell,
  typed,
} from "./model.ts";
import { lookForProofs } from "./proofs.tsx";

const AMOUNTS = [20, 50, 100, 200, 500, 1_000];

export function Sell() {
  const amount = useSignal("");
  const minor = amountIn(amount);
  const shut = !drawer.value;
  const open = unanswered.value;
  if (open)
    return (
      <section class="card sell" aria-labelledby="sell-head">
        <h2 id="sell-head">
          <Icon name="ticket" /> {t("sell_ticket")}
        </h2>
        <ActForm submit={t("sale_ask_again")} ready run={() => sell(open.amount)}>
          <p role="alert">{t("sale_unanswered", { amount: cash(open.amount) })}</p>
        </ActForm>
      </section>
    );
  return (
    <section class="card sell" aria-labelledby="sell-head">
      <h2 id="sell-head">
        <Icon name="ticket" /> {t("sell_ticket")}
      </h2>
      <div class="amounts">
        {AMOUNTS.map((major) => major * 10 ** currency.value.exponent).map((one) => (
          <button
            type="button"
            class="quiet"
            aria-disabled={shut}
            onClick={() => {
              if (!shut) amount.value = String(one / 10 ** currency.value.exponent);
            }}
          >
            {cash(one)}
          </button>
        ))}
      </div>
      <ActForm
        submit={minor ? t("sell_for", { amount: cash(minor) }) : t("sell_ticket")}
        ready={!shut && !!minor}
        run={async () => {
          if (minor && (await sell(minor))) amount.value = "";
        }}
      >
        <MoneyField label={t("cash_received")} of={amount} />
      </ActForm>
      {shut && <p class="small">{t("drawer_first")}</p>}
    </section>
  );
}

function NumberField() {
  const field = useRef<HTMLInputElement>(null);
  const { digits, state } = number.value;
  useEffect(() => {
    if (state === "right") void lookUp();
  }, [digits, state]);
  useEffect(() => {
    field.current?.focus();
    // A scanner types wherever the focus is: its digits belong here.
    const scan = (event: KeyboardEvent) => {
      if (/^\d$/.test(event.key) && !isWriting(event.target) && !document.querySelector("dialog[open]"))
        field.current?.focus();
    };
    addEventListener("keydown", scan);
    return () => removeEventListener("keydown", scan);
  }, []);
  const hint =
    state === "empty"
      ? t("ticket_scan")
      : state === "short"
        ? t("ticket_digits", { n: digits.length, all: TICKET_DIGITS })
        : t(`number_${state}` as Key);
  return (
    <div class="field ticket-field" data-state={state}>
      <label for="ticket-number">{t("ticket_number_is")}</label>
      <input
        id="ticket-number"
        ref={field}
        inputMode="numeric"
        autoComplete="off"
        spellcheck={false}
        placeholder="0000 0000 0000 0000 00"
        value={found.value ? inFours(found.value.number) : typed.value}
        aria-invalid={state === "misread" || state === "long"}
        aria-describedby="ticket-number-hint"
        onBeforeInput={(event) => {
          // What is looked up is shown masked: whatever is typed or scanned now begins another number.
          if (!found.value) return;
          event.currentTarget.value = "";
          putAway();
        }}
        onInput={(event) => {
          const input = event.currentTarget;
          const { text, caret } = retyped(input.value, input.selectionStart ?? input.value.length);
          found.value = null;
          paid.value = false;
          typed.value = text;
          input.value = text;
          input.setSelectionRange(caret, caret);
        }}
      />
      <p id="ticket-number-hint" class="number-hint" data-state={state}>
        {(state === "right" || state === "misread" || state === "long") && (
          <Icon name={state === "right" ? "check" : "alarm"} />
        )}
        {hint}
      </p>
    </div>
  );
}

function Status() {
  const voids = useSignal(false);
  const ticket = found.value;
  if (looking.value) return <p>{t("loading")}</p>;
  if (!ticket) return null;
  const { status } = ticket;
  const open = status === "valid";
  return (
    <div class="status" data-status={paid.value ? "paid" : status}>
      <p class="status-word">
        <Icon name={open || paid.value ? "check" : "alarm"} />
        {paid.value ? t("ticket_paid_now") : t(`ticket_${status}` as Key)}
      </p>
      <p class="status-amount">{cash(ticket.amount)}</p>
      <dl class="facts">
        <dt>{t("ticket_number_is")}</dt>
        <dd>{grouped(ticket.number)}</dd>
        <dt>{t("paper_issued")}</dt>
        <dd>
          {dateTime(ticket.issued_at)} · {ticket.issuer}
        </dd>
        <dt>{t("paper_expires")}</dt>
        <dd>{dateTime(ticket.expires_at)}</dd>
        {ticket.ended_at !== null && (
          <>
            <dt>{t(status === "redeemed" ? "ticket_paid_at" : "ticket_ended_at")}</dt>
            <dd>
              {dateTime(ticket.ended_at)} · {ticket.ended_by} · {ticket.ended_where}
            </dd>
          </>
        )}
      </dl>
      {status === "pending" && <p class="small">{t("ticket_pending_text")}</p>}
      {open && <Pay ticket={ticket} />}
      {open && !drawer.value && <p class="small">{t("drawer_first")}</p>}
      <div class="choice">
        <button type="button" class="quiet" onClick={putAway}>
          {t("next_ticket")}
        </button>
        <button type="button" class="quiet" onClick={() => void lookForProofs()}>
          {t("proofs_print")}
        </button>
        {(open || status === "expired") && (
          <button type="button" class="quiet" onClick={() => (voids.value = true)}>
            {t("ticket_void_ask")}
          </button>
        )}
      </div>
      {voids.value && <VoidDialog ticket={ticket} close={() => (voids.value = false)} />}
    </div>
  );
}

/** Pays; a large amount asks first who is paid, and a larger one for a second person. */
function Pay({ ticket }: { ticket: TicketStatusView }) {
  const [seen, reason] = [useIdentity(), useSignal("")];
  const { amount, needs_identity, needs_second } = ticket;
  const identity = needs_identity ? identityIn(seen) : null;
  const known = !needs_identity || identity !== null;
  const ready = !!drawer.value && known && (!needs_second || reason.value.trim() !== "");
  return (
    <ActForm
      submit={t(needs_second ? "pay_ask" : "pay_out", { amount: cash(amount) })}
      ready={ready}
      run={async () => void (await (needs_second ? askPayment(reason.value.trim(), identity) : redeem(identity)))}
    >
      {needs_identity && <IdentityFields of={seen} />}
      {needs_second && (
        <>
          <TextField label={t("reason")} of={reason} required />
          <p class="two-people">{t("pay_takes_two")}</p>
        </>
      )}
    </ActForm>
  );
}

/** A ticket that nothing replaces is paid in cash, so it takes what a payment takes. */
function VoidDialog({ ticket, close }: { ticket: TicketStatusView; close: () => void }) {
  const [reason, reissue, seen] = [useSignal(""), useSignal(false), useIdentity()];
  const asks = ticket.needs_identity && !reissue.value;
  const paid = reissue.value || (!!drawer.value && (!asks || identityIn(seen) !== null));
  return (
    <Dialog name="void-ticket" title={t("act_VoidTicket")} close={close}>
      <ActForm
        submit={t("ask_second")}
        ready={reason.value.trim() !== "" && paid}
        danger
        cancel={close}
        run={async () => {
          if (await askVoid(reason.value.trim(), reissue.value, asks ? identityIn(seen) : null)) close();
        }}
      >
        <TextField label={t("reason")} of={reason} required />
        <Switch label={t("ticket_reissue")} hint={t("ticket_reissue_hint")} of={reissue} />
        {asks && <IdentityFields of={seen} />}
        {!reissue.value && !drawer.value && <p class="small">{t("drawer_first")}</p>}
        <p class="two-people">{t("takes_two")}</p>
      </ActForm>
    </Dialog>
  );
}

export function Redeem() {
  return (
    <section class="card redeem" aria-labelledby="redeem-head">
      <h2 id="redeem-head">
        <Icon name="cash" /> {t("redeem_ticket")}
      </h2>
      <NumberField />
      <Status />
    </section>
  );
}
