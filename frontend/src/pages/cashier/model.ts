/** What a cashier's page knows: the drawer, the ticket on the counter, what was just sold or paid. */
import { computed, signal } from "@preact/signals";
import type { ApprovalView, DrawerCount, DrawerView, Redeemed, TicketStatusView } from "../../http.ts";
import { tell, warn } from "../../lib/announce.ts";
import { freshId, Problem } from "../../lib/api.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { play } from "../../lib/sounds.ts";
import { note } from "../../ui/staff/notice.tsx";
import type { ReceiptView } from "../../ui/staff/paper.tsx";
import type { ActAnswer } from "../../ui/staff/session.ts";
import { ask, cash, faultOf, netCash, person } from "../../ui/staff/session.ts";
import { readTicketNumber } from "../../ui/staff/ticket-number.ts";
import { isRefusal, sell as issue, issued, look } from "./issuing.ts";
import { type Asked, forgetHanded, type Issue, issues, requests } from "./kept.ts";

export const drawer = signal<DrawerView | null>(null);
export const drawerKnown = signal(false);
export const receipt = signal<ReceiptView | null>(null);
export const typed = signal("");
export const found = signal<TicketStatusView | null>(null);
export const looking = signal(false);
/** The ticket on the counter was paid here and now. */
export const paid = signal(false);
export const sales = signal<
  readonly { readonly at: number; readonly kind: "sold" | "paid"; readonly amount: number }[]
>([]);

/** A number in fours, masked or not. */
export const inFours = (text: string): string => text.replace(/(.{4})(?=.)/g, "$1 ");

export const number = computed(() => readTicketNumber(typed.value));
/** One key for each ticket on the counter: a repeated press pays nothing twice. */
let redeemKey = freshId();
let voidKey = freshId();
/** So long a request whose answer was lost may still bring a ticket. */
const UNNAMED_MAX = 3_600_000;

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
    forgetHanded();
    receipt.value = {
      title: t("drawer_report"),
      amount: count.counted,
      at: Date.now(),
      lines: [
        [t("drawer_expected"), cash(count.expected)],
        [t("counted"), cash(count.counted)],
        [t("drawer_variance"), netCash(count.variance)],
      ],
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

const overCounter = (kind: "sold" | "paid", amount: number): void =>
  void (sales.value = [{ at: Date.now(), kind, amount }, ...sales.value].slice(0, 12));

export const sell = (amount: number): Promise<boolean> =>
  issue(amount, async () => {
    overCounter("sold", amount);
    await readDrawer();
  });

/** Looks a number up as soon as it is complete and right. */
export async function lookUp(): Promise<void> {
  const { digits, state } = number.value;
  if (state !== "right") return;
  const isHere = (): boolean => number.value.digits === digits; // else another ticket lies on the counter by now
  looking.value = true;
  await attempt(async () => {
    const ticket = await ask<TicketStatusView>("POST", "/tickets/look-up", { number: digits }).catch(
      (problem: unknown) => {
        if (isHere()) throw problem;
      },
    );
    if (!ticket || !isHere()) return;
    found.value = ticket;
    redeemKey = freshId();
    voidKey = freshId();
    const { status, amount } = ticket;
    (status === "valid" ? tell : warn)(`${t(`ticket_${status}` as Key)}. ${cash(amount)}`);
    play(status === "valid" ? "result" : "refused");
  });
  if (isHere() || number.value.state !== "right") looking.value = false;
}

export function putAway(): void {
  typed.value = "";
  paid.value = false;
  found.value = null;
}

/** Whom a large payment is made to, as far as the record needs it. */
export interface Identity {
  readonly document: string;
  readonly last: string;
}

function payOut(
  amount: number,
  ticket: Pick<TicketStatusView, "number" | "sequence" | "issuer" | "ended_at"> | null,
): void {
  overCounter("paid", amount);
  play("win");
  const lines: readonly (readonly [string, string])[] = ticket
    ? [
        [t("ticket_number_is"), inFours(ticket.number)],
        [t("paper_sequence"), String(ticket.sequence)],
        [t("paper_issuer"), ticket.issuer],
      ]
    : [];
  receipt.value = { title: t("receipt"), amount, at: ticket?.ended_at ?? Date.now(), lines };
}

export async function redeem(identity: Identity | null): Promise<void> {
  const { digits } = number.value;
  try {
    const body = { number: digits, identity };
    const { amount, ticket } = await ask<Redeemed>("POST", "/tickets/redeem", body, redeemKey);
    found.value = ticket;
    paid.value = true;
    payOut(amount, ticket);
    await readDrawer();
  } catch (problem) {
    note("refused", faultOf(problem));
    if (problem instanceof Problem && problem.status < 500) await lookUp(); // it may have been paid elsewhere meanwhile
  }
}

/** Requests on their way to the house, which does not know of them yet. */
const asking = new Set<string>();

/** Asks a second person for an act on the ticket on the counter, and keeps what is needed when they have decided. */
async function askSecond(path: string, body: object, what: Asked["what"], key: string): Promise<boolean> {
  const request: Asked = {
    key,
    by: person.value?.name ?? "",
    what,
    approval: "",
    amount: found.value?.amount ?? 0,
    at: Date.now(),
  };
  asking.add(key);
  if (what === "reissue") requests.put(request); // its key alone leads to the ticket that follows
  const asked = await attempt(async () => {
    try {
      const about = { number: number.value.digits, ...body };
      const answer = await ask<ActAnswer>("POST", `/tickets/${path}`, about, key);
      if (answer.status === "waiting") requests.put({ ...request, approval: answer.approval });
      note("waiting", t("waits_for_second"));
    } catch (problem) {
      if (isRefusal(problem)) requests.drop((one) => one.key === key);
      throw problem;
    }
  });
  asking.delete(key);
  if (asked) await lookUp();
  return asked;
}

export const askPayment = (reason: string, identity: Identity | null): Promise<boolean> =>
  askSecond("payment", { reason, identity }, "payment", redeemKey);

export const askVoid = (reason: string, reissue: boolean, identity: Identity | null): Promise<boolean> =>
  askSecond("void", { reason, reissue, identity }, reissue ? "reissue" : "void", voidKey);

/** When a request has left the list of those that wait, the house tells what became of it. */
export async function followRequests(waiting: readonly ApprovalView[]): Promise<void> {
  for (const one of requests.mine.peek()) {
    if (asking.has(one.key) || waiting.some((request) => request.id === one.approval)) continue;
    if (!one.approval) {
      await followUnnamed(one);
      continue;
    }
    await attempt(async () => {
      const { status } = await ask<ApprovalView>("GET", `/approvals/${encodeURIComponent(one.approval)}`);
      if (status === "waiting" || status === "approved") return; // decided, and not done yet: the next look tells
      requests.drop((other) => other.approval === one.approval);
      await (status === "done" ? carriedOut(one) : note("refused", t(NOT_APPROVED[one.what])));
      if (found.value && !paid.value) await lookUp();
    });
  }
}

async function followUnnamed(one: Asked): Promise<void> {
  const came = await issued(one).catch(() => null);
  if (came || Date.now() - one.at > UNNAMED_MAX) requests.drop((other) => other.key === one.key);
  if (came) await carriedOut(one);
}

const NOT_APPROVED = {
  void: "void_not_approved",
  reissue: "void_not_approved",
  reprint: "reprint_not_approved",
  payment: "payment_not_approved",
} as const;

async function carriedOut({ what, key, by, amount }: Asked): Promise<void> {
  const here: Issue = { key, by, amount, state: "here" };
  if (what === "reissue") issues.put(here); // kept before anything is waited for: the request is forgotten already
  if (what === "payment") {
    const shown =
      found.value?.amount === amount && number.value.digits
        ? await ask<TicketStatusView>("POST", "/tickets/look-up", { number: number.value.digits })
        : null;
    payOut(amount, shown?.status === "redeemed" ? shown : null);
    note("done", t("payment_done", { amount: cash(amount) }));
    await readDrawer();
  } else if (what === "reprint") {
    note("done", t("reprint_ready"));
    await look(here, true);
  } else {
    note("done", t("void_done"));
    if (what === "reissue") await look(here);
  }
}
