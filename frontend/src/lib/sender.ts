/** Sends the whole slip as the player wants it, a tenth of a second after the first change. */
import type { Slip } from "./slip.ts";

export interface SenderPorts {
  /** The slip that the server does not have yet, or null. */
  readonly waiting: () => Slip | null;
  /** Gives it to the connection; false when there is none. */
  readonly send: (slip: Slip) => boolean;
}

export const SEND_AFTER = 100;

export class SlipSender {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ports: SenderPorts) {}

  /** Something changed. The timer is not started anew by later taps, so a fast hand is not left waiting. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.flush(), SEND_AFTER);
  }

  /** Sends now what waits; called before betting shuts. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const slip = this.ports.waiting();
    if (slip) this.ports.send(slip);
  }
}
