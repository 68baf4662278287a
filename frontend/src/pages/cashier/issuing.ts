/** Tickets that leave the counter: sold or reissued once, printed once, and again only by two people. */
import { computed, signal } from "@preact/signals";
import { freshId, Problem } from "../../lib/api.ts";
import { t } from "../../lib/i18n.ts";
import type { TicketView } from "../../lib/types.ts";
import { note } from "../../ui/staff/notice.tsx";
import type { ActAnswer } from "../../ui/staff/session.ts";
import { ask, faultOf, person } from "../../ui/staff/session.ts";
import { handed, type Issue, issues, requests } from "./kept.ts";

/** The ticket on the counter; `granted` when one more copy of it may go to the printer. */
export interface Paper {
  readonly issue: Issue;
  readonly ticket: TicketView;
  readonly granted: boolean;
}

export const paper = signal<Paper | null>(null);
const selling = signal(false);
const asked = computed(() => issues.mine.value.find((one) => one.state === "asked") ?? null);
/** A sale whose answer never came: until it is known nothing else is sold. */
export const unanswered = computed(() => (selling.value ? null : asked.value));

/** Whether the house has said no for good: a lost login or a server that cannot write has decided nothing. */
export const isRefusal = (problem: unknown): boolean =>
  problem instanceof Problem && problem.status < 500 && ![401, 429].includes(problem.status);

/** Sells once: the key is kept until the house has answered, and asked with again. */
export async function sell(amount: number, after: () => Promise<void>): Promise<boolean> {
  const issue: Issue = asked.value ?? { key: freshId(), by: person.value?.name ?? "", amount, state: "asked" };
  selling.value = true;
  issues.put(issue);
  try {
    const ticket = await ask<TicketView>("POST", "/tickets", { amount: issue.amount }, issue.key);
    show({ ...issue, state: "here" }, ticket);
    await after();
    return true;
  } catch (problem) {
    if (isRefusal(problem)) issues.drop((one) => one.key === issue.key);
    note("refused", faultOf(problem));
    return false;
  } finally {
    selling.value = false;
  }
}

function show(issue: Issue, ticket: TicketView, granted = !ticket.duplicate): void {
  issues.put(issue);
  paper.value = { issue, ticket, granted };
}

export const issued = (issue: { readonly key: string }): Promise<TicketView> =>
  ask<TicketView>("GET", `/tickets/issued/${encodeURIComponent(issue.key)}`);

/** Puts a ticket on the counter: one that was not handed over yet, or one that is looked at again. */
export async function look(issue: Issue, granted?: boolean): Promise<void> {
  try {
    show(issue.state === "asked" ? { ...issue, state: "here" } : issue, await issued(issue), granted);
  } catch (problem) {
    // The house may not have heard of a sale without an answer: asking again sells it.
    if (issue.state !== "asked") note("refused", faultOf(problem));
  }
}

/** Whatever lay on the counter when the page was left lies there again. */
export async function resume(): Promise<void> {
  const left = issues.mine.value.find((one) => one.state !== "handed");
  if (left && !paper.value) await look(left);
}

/** The first copy is put on the record before it goes to the printer; the same request again is the same copy. */
export async function printCopy(): Promise<void> {
  const now = paper.value;
  if (!now?.granted) return;
  try {
    const { issue } = now;
    const ticket = now.ticket.duplicate
      ? now.ticket
      : await ask<TicketView>(
          "POST",
          `/tickets/issued/${encodeURIComponent(issue.key)}/print`,
          undefined,
          `${issue.key}.print`,
        );
    paper.value = { issue, ticket, granted: true };
    await new Promise(requestAnimationFrame); // what is printed is what is drawn
    print();
    paper.value = { issue, ticket: { ...ticket, duplicate: true }, granted: false };
  } catch (problem) {
    note("refused", faultOf(problem));
  }
}

export async function askReprint(reason: string): Promise<boolean> {
  const issue = paper.value?.issue;
  if (!issue) return false;
  try {
    const answer = await ask<ActAnswer>("POST", `/tickets/issued/${encodeURIComponent(issue.key)}/reprint`, { reason });
    if (answer.status === "waiting")
      requests.put({
        key: issue.key,
        by: issue.by,
        what: "reprint",
        approval: answer.approval,
        amount: issue.amount,
        at: Date.now(),
      });
    note("waiting", t("waits_for_second"));
    return true;
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
}

/** The cashier says that the customer has it; the next one that waits comes up. */
export async function handOver(): Promise<void> {
  if (paper.value) handed(paper.value.issue);
  paper.value = null;
  await resume();
}
