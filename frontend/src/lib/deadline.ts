/** How long bets are taken still, told again and again from the server's clock. */
import { signal } from "@preact/signals";
import type { ServerClock } from "./clock.ts";
import type { RoundView } from "./types.ts";

export class Deadline {
  /** Whole seconds to the close, or null without a deadline. */
  readonly left = signal<number | null>(null);
  /** How much of the betting time is left, 1 to 0. */
  readonly share = signal(1);
  /** Betting is open and its close not reached; a page may stop a little early. */
  readonly inTime = signal(false);

  constructor(
    private readonly clock: ServerClock,
    private readonly early: () => number = () => 0,
  ) {}

  /** When a page stops taking bets, on the server's clock; null without a deadline. */
  stopsAt(round: RoundView | null): number | null {
    return round?.phase === "betting" && round.closes_at !== null ? round.closes_at - this.early() : null;
  }

  look(round: RoundView | null): void {
    const now = this.clock.now();
    const stops = this.stopsAt(round);
    this.inTime.value = round?.phase === "betting" && (stops === null || now < stops);
    const closes = stops === null ? null : (round?.closes_at ?? null);
    this.left.value = closes === null ? null : Math.ceil(this.clock.until(closes) / 1000);
    const length = closes !== null && round?.opens_at ? closes - round.opens_at : 0;
    this.share.value = closes !== null && length > 0 ? Math.max(0, Math.min(1, (closes - now) / length)) : 1;
  }
}
