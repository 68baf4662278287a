/** When a player has to be told time and money again: by their own interval or the house's, the shorter one. */
import type { SessionView } from "../../lib/types.ts";

export class Reality {
  #checked = 0;
  #session = "";

  /** The session as the server has it; true when it is another player's than before. */
  look(session: SessionView | null): boolean {
    const name = session?.session ?? "";
    const other = name !== this.#session;
    const checked = session?.limits?.checked_at ?? session?.started_at ?? 0;
    this.#checked = other ? checked : Math.max(checked, this.#checked);
    this.#session = name;
    return other;
  }

  confirmed(now: number): void {
    this.#checked = now;
  }

  isDue(session: SessionView, now: number): boolean {
    const asked = [session.reality_check_minutes, session.limits?.now.reality_check_minutes ?? 0];
    const minutes = Math.min(...asked.filter((value) => value > 0));
    return now - this.#checked >= minutes * 60_000;
  }
}
