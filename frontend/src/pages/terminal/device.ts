/** The machine under the terminal: its condition, as the house has it and as the machine itself reports it. */
import { signal } from "@preact/signals";
import { tell } from "../../lib/announce.ts";
import { isOutOfDate } from "../../lib/build.ts";
import { t } from "../../lib/i18n.ts";
import type { FromTerminal, Service } from "../../lib/types.ts";

export type Condition = Service["state"];

const CONDITIONS: ReadonlySet<unknown> = new Set<Condition>([
  "in-service",
  "out-of-service",
  "door-open",
  "printer-fault",
]);
/** What the software of a cabinet sends to the page: `new CustomEvent("taisai-service", { detail: "door-open" })`. */
const BRIDGE = "taisai-service";

export class Device {
  readonly service = signal<Condition>("in-service");
  /** The player has called for somebody. */
  readonly attendant = signal(false);
  #outOfDate = false;

  constructor(private readonly send: (message: FromTerminal) => boolean) {}

  /** Follows the cabinet's own reports; a browser sees neither its door nor its printer. */
  start(): () => void {
    const report = (event: Event) => {
      const state: unknown = (event as CustomEvent<unknown>).detail;
      if (CONDITIONS.has(state)) this.report(state as Condition);
    };
    addEventListener(BRIDGE, report);
    return () => removeEventListener(BRIDGE, report);
  }

  report = (state: Condition): void => {
    this.send({ type: "Service", state });
  };

  callAttendant = (wanted = !this.attendant.value): void => {
    if (!this.send({ type: "CallAttendant", wanted })) return;
    this.attendant.value = wanted;
    tell(t(wanted ? "attendant_called" : "attendant_not_needed"));
  };

  /** No paper came: nobody else may lose a ticket here, and somebody has to come. */
  notPrinted = (): void => {
    this.report("printer-fault");
    this.callAttendant(true);
  };

  /** The line is back, maybe to another server than before. A call is forgotten with the old connection. */
  back(): void {
    if (this.attendant.value) this.send({ type: "CallAttendant", wanted: true });
    void isOutOfDate().then((is) => (this.#outOfDate ||= is));
  }

  /** Loads the page anew if it is of an older build; only when nothing is in the player's hand. */
  renew(idle: boolean): void {
    if (!this.#outOfDate || !idle || document.querySelector("dialog[open]")) return;
    this.#outOfDate = false;
    location.reload();
  }
}
