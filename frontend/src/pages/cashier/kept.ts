/** What must not be forgotten when a page is loaded anew: tickets on their way to a customer, and requests to a second person. */
import { computed, signal } from "@preact/signals";
import { person } from "../../ui/staff/session.ts";

/** A ticket by the key of the request that brought it; its number is kept nowhere. */
export interface Issue {
  readonly key: string;
  readonly by: string;
  readonly amount: number;
  /** Asked for without an answer yet; on the counter; with its customer. */
  readonly state: "asked" | "here" | "handed";
}

/** An act that two people make, and the ticket that it is about. */
export interface Asked {
  readonly key: string;
  readonly by: string;
  readonly what: "void" | "reissue" | "reprint" | "payment";
  /** Empty as long as no answer has named the request. */
  readonly approval: string;
  readonly amount: number;
  readonly at: number;
}

const HANDED_MAX = 12;

/** A list in the browser's storage: read again before each change, since another window may have changed it. */
function list<T extends { readonly key: string; readonly by: string }>(name: string) {
  const all = signal<readonly T[]>([]);
  const read = (): readonly T[] => {
    try {
      return JSON.parse(localStorage.getItem(name) ?? "[]") as readonly T[];
    } catch {
      return all.peek(); // storage shut off, or spoilt: it lives as long as the page
    }
  };
  all.value = read();
  const write = (change: (before: readonly T[]) => readonly T[]): void => {
    all.value = change(read());
    try {
      localStorage.setItem(name, JSON.stringify(all.value));
    } catch {
      // as above
    }
  };
  addEventListener("storage", (event) => {
    if (event.key === name) all.value = read();
  });
  return {
    mine: computed(() => all.value.filter((one) => one.by === person.value?.name)),
    put: (one: T): void => write((before) => [one, ...before.filter((other) => other.key !== one.key)]),
    drop: (gone: (one: T) => boolean): void => write((before) => before.filter((one) => !gone(one))),
  };
}

export const issues = list<Issue>("taisai.issues");
export const requests = list<Asked>("taisai.requests");

/** A ticket has gone to its customer; the last few can still be found for a duplicate. */
export function handed(issue: Issue): void {
  issues.put({ ...issue, state: "handed" });
  const old = issues.mine.value.filter((one) => one.state === "handed").slice(HANDED_MAX);
  issues.drop((one) => old.some((other) => other.key === one.key));
}

/** The drawer is closed: what was handed over belongs to the day's reports. */
export const forgetHanded = (): void => issues.drop((one) => one.by === person.value?.name && one.state === "handed");
