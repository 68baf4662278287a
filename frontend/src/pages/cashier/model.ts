/** What a cashier's page knows: the drawer, the ticket on the counter, what was just sold or paid. */
import { computed, signal } from "@preact/signals";
import type { ActAnswer } from "../../ui/staff/session.ts";
import type { ApprovalView, DrawerCount, DrawerView, Redeemed, TicketStatusView } from "../../http.ts";
import { tell, warn } from "../../lib/announce.ts";
import { freshId, Problem } from "../../lib/api.ts";
import { t, type Key } from "../../lib/i18n.ts";
import { play } from "../../lib/sounds.ts";
import type { TicketView } from "../../lib/types.ts";
import { note } from "../../ui/staff/notice.tsx";
import type { ReceiptView } from "../../ui/staff/paper.tsx";
import { ask, cash, faultOf, netCash, person } from "../../ui/staff/session.ts";
import { grouped, readTicketNumber } from "../../ui/staff/ticket-number.ts";

export type Paper = { readonly kind: "ticket"; readonly ticket: TicketView } | { readonly kind: "receipt"; readonly receipt: ReceiptView };

/** A ticket that two people are making void; its successor is found by the request's own key. */
interface Voiding {
  readonly number: string;
  readonly approval: string;
  readonly key: string;
  readonly reissue: boolean;
  readonly at: number;
}

/** So long a fresh request may be missing from the list of those that wait. */
const LISTED_WITHIN = 5_000;

export const drawer = signal<DrawerView | null>(null);
export const drawerKnown = signal(false);
export const paper = signal<Paper | null>(null);
export const typed = signal("");
export const found = signal<TicketStatusView | null>(null);
export const looking = signal(false);
/** The ticket on the counter was paid here and now. */
export const paid = signal(false);
export const voiding = signal<readonly Voiding[]>([]);
export const sales = signal<readonly { readonly at: number; readonly kind: "sold" | "paid"; readonly amount: number }[]>([]);

export const number = computed(() => readTicketNumber(typed.value));
/** One key for each ticket on the counter: a repeated press pays nothing twice. */
let redeemKey = freshId();

export async function readDrawer(): Promise<void> {
  try {
    const drawers = await ask<readonly DrawerView[]>("GET", "/drawers");
    drawer.value = drawers.find((one) => one.cashier === person.value?.name) ?? null;
    drawerKnown.value = true;
  } catch (problem) {
    note("refused", faultOf(problem));
  }
}

export async function openDrawer(float: number): Promise<boolean> {
  const opened = await attempt(async () => {
    drawer.value = await ask<DrawerView>("POST", "/drawers", { float });
    note("done", t("drawer_opened", { amount: cash(float) }));
  });
  if (!opened) await readDrawer(); // it may have been opened on another page meanwhile
  return opened;
}

export async function closeDrawer(counted: number): Promise<boolean> {
  return attempt(async () => {
    const count = await ask<DrawerCount>("POST", "/drawers/close", { counted });
    drawer.value = null;
    sales.value = [];
    paper.value = {
      kind: "receipt",
      receipt: {
        title: t("drawer_report"),
        amount: count.counted,
        at: Date.now(),
        lines: [[t("drawer_expected"), cash(count.expected)], [t("counted"), cash(count.counted)], [t("drawer_variance"), netCash(count.variance)]],
      },
    };
    (count.variance ? warn : tell)(t("drawer_variance_is", { amount: netCash(count.variance) }));
  });
}

async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
}

export async function sell(amount: number): Promise<boolean> {
  return attempt(async () => {
    const ticket = await ask<TicketView>("POST", "/tickets", { amount });
    paper.value = { kind: "ticket", ticket };
    sales.value = [{ at: Date.now(), kind: "sold" as const, amount }, ...sales.value].slice(0, 12);
    await readDrawer();
  });
}

/** Looks a number up as soon as it is complete and right. */
export async function lookUp(): Promise<void> {
  const { digits, state } = number.value;
  if (state !== "right" || looking.value) return;
  looking.value = true;
  await attempt(async () => {
    found.value = await ask<TicketStatusView>("GET", `/tickets/${digits}`);
    redeemKey = freshId();
    const { status, amount } = found.value;
    (status === "valid" ? tell : warn)(`${t(`ticket_${status}` as Key)}. ${cash(amount)}`);
    play(status === "valid" ? "result" : "refused");
  });
  looking.value = false;
}

export function putAway(): void {
  typed.value = "";
  paid.value = false;
  found.value = null;
}

export async function redeem(): Promise<void> {
  const { digits } = number.value;
  try {
    const { amount, ticket } = await ask<Redeemed>("POST", `/tickets/${digits}/redeem`, undefined, redeemKey);
    found.value = ticket;
    paid.value = true;
    sales.value = [{ at: Date.now(), kind: "paid" as const, amount }, ...sales.value].slice(0, 12);
    play("win");
    paper.value = {
      kind: "receipt",
      receipt: { title: t("receipt"), amount, at: ticket.ended_at ?? Date.now(), lines: [[t("ticket_number_is"), grouped(digits)], [t("paper_sequence"), String(ticket.sequence)], [t("paper_issuer"), ticket.issuer]] },
    };
    await readDrawer();
  } catch (problem) {
    note("refused", faultOf(problem));
    if (problem instanceof Problem && problem.status < 500) await lookUp(); // it may have been paid elsewhere meanwhile
  }
}

export async function askVoid(reason: string, reissue: boolean): Promise<boolean> {
  const { digits } = number.value;
  const key = freshId();
  return attempt(async () => {
    const answer = await ask<ActAnswer>("POST", `/tickets/${digits}/void`, { reason, reissue }, key);
    if (answer.status === "waiting") voiding.value = [...voiding.value, { number: digits, approval: answer.approval, key, reissue, at: Date.now() }];
    note("waiting", t("waits_for_second"));
  });
}

/** When a request has left the list of those that wait, the ticket tells what became of it. */
export async function followVoids(waiting: readonly ApprovalView[]): Promise<void> {
  for (const one of voiding.value) {
    if (waiting.some((request) => request.id === one.approval) || Date.now() - one.at < LISTED_WITHIN) continue;
    voiding.value = voiding.value.filter((other) => other !== one);
    await attempt(async () => {
      const status = await ask<TicketStatusView>("GET", `/tickets/${one.number}`);
      if (number.value.digits === one.number) found.value = status;
      if (status.status !== "void") return note("refused", t("void_not_approved"));
      note("done", t("void_done"));
      if (one.reissue) paper.value = { kind: "ticket", ticket: await ask<TicketView>("GET", `/tickets/issued/${one.key}`) };
      return undefined;
    });
  }
}
