/** The server's time, told from samples of how far its clock is from ours. */

const KEPT = 9;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A clock that never jumps, in epoch milliseconds. */
export const localTime = (): number => performance.timeOrigin + performance.now();

export class ServerClock {
  #offsets: number[] = [];
  #trips: number[] = [];
  #hint: number | null = null;
  #renewed = false;

  constructor(readonly local: () => number = localTime) {}

  /** A ping's journey: sent and received by our clock, answered at `server` by theirs. */
  sample(sent: number, received: number, server: number): void {
    if (received < sent) return;
    if (this.#renewed) {
      this.#offsets = [];
      this.#trips = [];
    }
    this.#renewed = false;
    this.#offsets = [...this.#offsets, server - (sent + received) / 2].slice(-KEPT);
    this.#trips = [...this.#trips, received - sent].slice(-KEPT);
  }

  /** A message that carried the server's time one way: late by its journey, so the earliest is the best. */
  hint(server: number): void {
    const offset = server - this.local();
    this.#hint = this.#hint === null ? offset : Math.max(offset, this.#hint);
  }

  get offset(): number {
    return this.#offsets.length ? median(this.#offsets) : (this.#hint ?? 0);
  }

  /** The usual journey there and back in milliseconds, or null before the first answer. */
  get trip(): number | null {
    return this.#trips.length ? median(this.#trips) : null;
  }

  now(): number {
    return this.local() + this.offset;
  }

  /** Milliseconds until an absolute time on the server's clock; never below zero. */
  until(deadline: number): number {
    return Math.max(0, deadline - this.now());
  }

  /** How early a page shuts its own betting, so that what it takes still arrives in time. */
  get margin(): number {
    return Math.min(1500, Math.max(200, this.trip ?? 0));
  }

  /** After a new connection the old journeys say nothing any more; they serve until the first new one. */
  renew(): void {
    this.#renewed = true;
    this.#hint = null;
  }
}
