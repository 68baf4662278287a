/** Holds what the server says of a result until the dice on the screen lie still: nobody reads it off a meter first. */
import { signal } from "@preact/signals";
import { SETTLE_MS } from "../throw/timing.ts";
import type { RoundView } from "./types.ts";

/** A moment to look at the dice before the rest of the page speaks of them. */
const LOOK_MS = 350;

export class Reveal<Message> {
  /** The faces that are on the record and still roll on the screen. */
  readonly coming = signal<readonly number[] | null>(null);
  /** Whether a scene is there that rolls them; without one, and without motion, nothing is held. */
  ready = false;
  #held: Message[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly process: (message: Message) => void,
    private readonly isHidden = () => document.hidden,
  ) {}

  /** The next message, in its order. `dice` are faces that it brings and nobody has seen yet. */
  take(message: Message, dice: readonly number[] | null = null, atOnce = false): void {
    if (atOnce) this.flush();
    if (this.coming.peek()) this.#held.push(message);
    else if (dice && this.ready && !this.isHidden()) {
      this.#held.push(message);
      this.coming.value = dice;
      this.#timer = setTimeout(() => this.flush(), SETTLE_MS + LOOK_MS);
    } else this.process(message);
  }

  /** All that was held, now: the dice lie, or nobody waits for them any more. */
  flush(): void {
    clearTimeout(this.#timer);
    this.coming.value = null;
    for (const message of this.#held.splice(0)) this.process(message);
  }
}

/** The faces of a throw that has just come to its end: not a correction, and not of a round that we did not see shut. */
export function thrown(before: RoundView | null, round: RoundView): readonly number[] | null {
  const same = before?.number === round.number && !before.dice && round.phase !== "void" && !round.held;
  return same ? round.dice : null;
}
