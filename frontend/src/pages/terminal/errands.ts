/**
 * What the player asked for besides bets, each kept until it is answered. After a break in the line it is asked
 * for again under the same id: the house does it once and gives the same answer, however often it is asked.
 */
import type { Signal } from "@preact/signals";
import { preference } from "../../lib/prefs.ts";
import type { CashOutAll, FromTerminal } from "../../lib/types.ts";

export type Errand = Extract<
  FromTerminal,
  { readonly type: "CashIn" | "TicketIn" | "CashOutAll" | "SetLimits" | "ConfirmLimits" | "ConfirmCheck" }
>;

/** Left undone by the house for a reason that passes; whether it was done, asking again will tell. */
const PASSING = "store_unavailable";
const AGAIN_AFTER = 3_000;
const MONEY: ReadonlySet<string> = new Set<Errand["type"]>(["CashIn", "TicketIn", "CashOutAll"]);

export class Errands {
  readonly #open = new Map<string, Errand>();
  /** The ticket that was asked for: known to this machine until the player says that they have it. */
  readonly #ticket: Signal<CashOutAll | null>;

  constructor(
    terminal: string,
    private readonly send: (message: FromTerminal) => boolean,
  ) {
    this.#ticket = preference<CashOutAll | null>(`cash-out.${terminal}`, null);
    if (this.#ticket.value) this.#open.set(this.#ticket.value.id, this.#ticket.value);
  }

  get some(): boolean {
    return this.#open.size > 0;
  }

  /** Whether money is on its way in or out: one such errand at a time. */
  get money(): boolean {
    return [...this.#open.values()].some((errand) => MONEY.has(errand.type));
  }

  /** Asks now or not at all; false when there is no line. */
  ask(errand: Errand): boolean {
    if (!this.send(errand)) return false;
    this.#open.set(errand.id, errand);
    if (errand.type === "CashOutAll") this.#ticket.value = errand;
    return true;
  }

  /** The line is back, maybe in another life of the page or of the server. */
  again(): void {
    for (const errand of this.#open.values()) this.send(errand);
  }

  /** What an answer belongs to, which is done with now. */
  answered(id: string): Errand["type"] | null {
    const errand = this.#open.get(id);
    this.#open.delete(id);
    return errand?.type ?? null;
  }

  /** Whether what was refused stays open, and is asked for again by itself. */
  stays(id: string, code: string): boolean {
    const errand = this.#open.get(id);
    if (errand && code === PASSING) {
      setTimeout(() => this.#open.has(id) && this.send(errand), AGAIN_AFTER);
      return true;
    }
    if (this.#ticket.value?.id === id) this.#ticket.value = null; // there is no such ticket
    return false;
  }

  /** The player has the ticket in hand. */
  ticketTaken(): void {
    this.#ticket.value = null;
  }
}
