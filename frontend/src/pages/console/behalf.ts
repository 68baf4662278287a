/** Bets that staff enter for a player at a live table: a draft on the felt, registered as a whole. */
import { computed, signal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import type { SlipView } from "../../lib/types.ts";
import { note } from "../../ui/staff/notice.tsx";
import type { Console } from "./model.ts";

type Slip = Readonly<Record<string, number>>;

interface Shown {
  readonly player: string;
  readonly slip: Slip;
  readonly registered: Slip;
}

const NOBODY: Shown = { player: "", slip: {}, registered: {} };

export class BetsOnBehalf {
  /** Whose bets are being entered; empty when the felt shows the whole table. */
  readonly player = signal("");
  readonly draft = signal<Slip>({});
  readonly chipIndex = signal(0);
  readonly #undo = signal<readonly Slip[]>([]);

  constructor(private readonly console: Console) {}

  readonly of = computed<SlipView | null>(() => this.console.view.value?.slips.find((one) => one.player === this.player.value) ?? null);
  readonly open = computed(() => this.player.value !== "" && this.console.legal.value.has("PlaceBets") && this.console.inTime.value);
  readonly shown = computed<Shown>(() =>
    this.player.value ? { player: this.player.value, slip: this.draft.value, registered: this.of.value?.slip ?? {} } : NOBODY,
  );
  readonly total = computed(() => Object.values(this.draft.value).reduce((sum, amount) => sum + amount, 0));
  readonly changed = computed(() => {
    const [wanted, known] = [this.draft.value, this.of.value?.slip ?? {}];
    return [...new Set([...Object.keys(wanted), ...Object.keys(known)])].some((box) => (wanted[box] ?? 0) !== (known[box] ?? 0));
  });
  readonly canUndo = computed(() => this.#undo.value.length > 0);
  readonly chip = computed(() => this.console.chips.value[Math.min(this.chipIndex.value, this.console.chips.value.length - 1)] ?? 0);

  begin(player: string): void {
    this.player.value = player;
    this.draft.value = this.of.value?.slip ?? {};
    this.#undo.value = [];
  }

  leave = (): void => {
    this.player.value = "";
    this.draft.value = {};
    this.#undo.value = [];
  };

  #change(slip: Slip): void {
    this.#undo.value = [...this.#undo.value, this.draft.value].slice(-50);
    this.draft.value = slip;
  }

  add = (box: string): void => {
    if (!this.open.value) return;
    this.#change({ ...this.draft.value, [box]: (this.draft.value[box] ?? 0) + this.chip.value });
  };

  remove = (box: string): void => {
    const lies = this.draft.value[box] ?? 0;
    if (!this.open.value || !lies) return;
    const { [box]: _, ...others } = this.draft.value;
    this.#change(lies > this.chip.value ? { ...others, [box]: lies - this.chip.value } : others);
  };

  undo = (): void => {
    const last = this.#undo.value.at(-1);
    if (!last) return;
    this.draft.value = last;
    this.#undo.value = this.#undo.value.slice(0, -1);
  };

  clear = (): void => {
    if (this.total.value) this.#change({});
  };

  /** The whole slip; its version follows the one that is registered. */
  register = async (): Promise<void> => {
    if (!this.open.value || !this.changed.value) return;
    const player = this.player.value;
    const version = (this.of.value?.version ?? 0) + 1;
    const answer = await this.console.act("PlaceBets", { player, slip: this.draft.value, version });
    if (answer.status !== "done") return;
    note("done", t("bets_registered_for", { player, amount: this.console.spoken(this.total.value) }));
    this.leave();
  };
}
