/** The terminal checks the house: its own slip among those of the closing, and the commitment that it was shown. */
import { signal } from "@preact/signals";
import type { SlipState } from "../../lib/slip.ts";
import type { RoundProofView, RoundView, SlipProven } from "../../lib/types.ts";
import type * as Checks from "../../verify/seat.ts";
import type { OwnSlip, ShownRound } from "../../verify/seat.ts";

/** What does not fit: what was shown changed, the slip is not in the tree, no proof came, the dice do not follow, or nothing could be checked. */
export type Doubt = "changed" | "slip" | "missing" | "dice" | "unchecked";

/** The library is fetched after the first picture; what is to be checked meanwhile waits for it. */
type Load = () => Promise<typeof Checks>;

/** What the terminal knows of its own slip. */
export type Mine = () => { readonly player: string; readonly slip: SlipState } | null;

const FIXED = ["origin", "opened_at", "rulebook", "pay_table", "commitment"] as const;

export class Proving {
  /** The commitment of the round in view, and whether the player's slip was found in its tree. */
  readonly commitment = signal("");
  readonly proved = signal(false);
  /** It stays until somebody has seen it. */
  readonly alarm = signal<{ readonly round: number; readonly doubt: Doubt } | null>(null);

  #shown: ShownRound | null = null;
  #closed: RoundProofView | null = null;
  /** The closing came over this very line, so that the proof must come before the dice do. */
  #due = false;
  #waiting: SlipProven | null = null;

  constructor(
    private readonly mine: Mine,
    private readonly load: Load,
    private readonly alarmed: (round: number, doubt: Doubt) => void,
  ) {}

  /** Soon after the first picture, so that no check waits for the line. */
  fetch = (): void => {
    void this.load().catch(() => undefined); // asked for again with the first check
  };

  /** The round moved on; `heard` when this follows what was there before, without a gap. */
  look(table: string, before: RoundView | null, round: RoundView | null, heard: boolean): void {
    const told = round?.proof;
    if (!round || !told) return this.#forget();
    if (this.#shown?.number !== round.number || this.#shown.table !== table) {
      this.#forget();
      this.#shown = { table, number: round.number, proof: told };
      this.commitment.value = told.commitment;
    }
    const shown = this.#shown!;
    if (FIXED.some((name) => told[name] !== shown.proof[name])) this.#doubt(round.number, "changed");
    if (told.root && !this.#closed) {
      this.#closed = told;
      this.#due = heard && before?.phase === "betting";
    } else if (this.#closed && (told.root !== this.#closed.root || told.slips !== this.#closed.slips))
      this.#doubt(round.number, "changed");
    if (heard && round.dice && before?.number === round.number && !before.dice) this.#dice(shown, told, round.dice);
  }

  /** The place of the player's slip came. */
  proven(message: SlipProven): void {
    const [shown, mine] = [this.#shown, this.mine()];
    if (shown?.number !== message.round || !this.#closed || !mine) return;
    this.#due = false;
    const { slip } = mine;
    // The answer to the last slip may come after the closing.
    if (slip.registeredVersion < message.version && slip.sent.some((one) => one.version === message.version)) {
      this.#waiting = message;
      return;
    }
    this.#waiting = null;
    const own: OwnSlip = { player: mine.player, version: slip.registeredVersion, stakes: slip.registered };
    void this.#check(shown, this.#closed, own, message);
  }

  /** A slip was answered. */
  registered(): void {
    if (this.#waiting) this.proven(this.#waiting);
  }

  /** The line broke: what came meanwhile was not heard. */
  cutOff(): void {
    this.#due = false;
    this.#waiting = null;
  }

  seen = (): void => {
    this.alarm.value = null;
  };

  #forget(): void {
    this.#shown = this.#closed = this.#waiting = null;
    this.#due = false;
    this.commitment.value = "";
    this.proved.value = false;
  }

  async #check(shown: ShownRound, closed: RoundProofView, own: OwnSlip, message: SlipProven): Promise<void> {
    const checks = await this.#checks(shown);
    if (!checks) return;
    if (!checks.slipFits(shown, closed, own, message)) this.#doubt(shown.number, "slip");
    else if (this.#shown === shown) this.proved.value = true;
  }

  #dice(shown: ShownRound, told: RoundProofView, dice: readonly number[]): void {
    const mine = this.mine();
    const staked = mine?.slip.round === shown.number && Object.keys(mine.slip.registered).length > 0;
    if (this.#due && staked) this.#doubt(shown.number, "missing");
    this.#due = false;
    const root = this.#closed?.root;
    if (shown.proof.commitment && root) void this.#checkDice(shown, root, told, dice);
  }

  async #checkDice(shown: ShownRound, root: string, told: RoundProofView, dice: readonly number[]): Promise<void> {
    const checks = await this.#checks(shown);
    if (checks && !checks.diceFit(shown, root, told, dice)) this.#doubt(shown.number, "dice");
  }

  /** A house that does not hand out what it is checked with is not believed either. */
  async #checks(shown: ShownRound): Promise<typeof Checks | null> {
    try {
      return await this.load();
    } catch {
      this.#doubt(shown.number, "unchecked");
      return null;
    }
  }

  #doubt(round: number, doubt: Doubt): void {
    if (this.#shown?.number === round) this.proved.value = false;
    if (this.alarm.value?.round === round) return; // the first doubt says enough
    this.alarm.value = { round, doubt };
    this.alarmed(round, doubt);
  }
}
