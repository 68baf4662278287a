/** Bets that staff enter for a player at a live table: a draft on the felt, registered as a whole. */
import { computed, signal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import { note } from "../../ui/staff/notice.tsx";
import type { ColourView, SlipView } from "../../wire.ts";
import type { Console } from "./model.ts";

type Slip = Readonly<Record<string, number>>;
/** All that lies in the draft, and how much of it in the player's colour. */
type Draft = readonly [slip: Slip, coloured: Slip];

interface Shown {
  readonly player: string;
  readonly slip: Slip;
  readonly registered: Slip;
}

const NOBODY: Shown = { player: "", slip: {}, registered: {} };

const total = (slip: Slip): number => Object.values(slip).reduce((sum, amount) => sum + amount, 0);
const differ = (one: Slip, other: Slip): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].some((box) => (one[box] ?? 0) !== (other[box] ?? 0));

function put(slip: Slip, box: string, amount: number): Slip {
  const { [box]: _, ...others } = slip;
  return amount ? { ...others, [box]: amount } : others;
}

export class BetsOnBehalf {
  /** Whose bets are being entered; empty when the felt shows the whole table. */
  readonly player = signal("");
  readonly draft = signal<Slip>({});
  readonly coloured = signal<Slip>({});
  readonly inColour = signal(false);
  /** Whether the player asked staff to place them; else the player laid the chips. */
  readonly onRequest = signal(false);
  readonly chipIndex = signal(0);
  readonly #undo = signal<readonly Draft[]>([]);

  constructor(private readonly console: Console) {}

  readonly of = computed<SlipView | null>(
    () => this.console.view.value?.slips.find((one) => one.player === this.player.value) ?? null,
  );
  readonly open = computed(
    () => this.player.value !== "" && this.console.legal.value.has("PlaceBets") && this.console.deadline.inTime.value,
  );
  readonly shown = computed<Shown>(() =>
    this.player.value
      ? { player: this.player.value, slip: this.draft.value, registered: this.of.value?.slip ?? {} }
      : NOBODY,
  );
  /** The player's colour at this table: the one on the felt, else one of which there are chips in hand. */
  readonly colour = computed<ColourView | null>(() => {
    const own = this.console.view.value?.colours.filter((one) => one.player === this.player.value) ?? [];
    return own.find((one) => one.colour === this.of.value?.colour) ?? own.find((one) => one.hand > 0) ?? null;
  });
  /** Chips of that colour that are still in hand once the draft is registered. */
  readonly inHand = computed(() => {
    const colour = this.colour.value;
    if (!colour) return 0;
    return colour.hand + (total(this.of.value?.coloured ?? {}) - total(this.coloured.value)) / colour.value;
  });
  readonly total = computed(() => total(this.draft.value));
  readonly changed = computed(() => {
    return (
      differ(this.draft.value, this.of.value?.slip ?? {}) || differ(this.coloured.value, this.of.value?.coloured ?? {})
    );
  });
  readonly canUndo = computed(() => this.#undo.value.length > 0);
  readonly chip = computed(
    () =>
      (this.inColour.value
        ? this.colour.value?.value
        : this.console.chips.value[Math.min(this.chipIndex.value, this.console.chips.value.length - 1)]) ?? 0,
  );

  begin(player: string): void {
    this.player.value = player;
    this.draft.value = this.of.value?.slip ?? {};
    this.coloured.value = this.of.value?.coloured ?? {};
    this.inColour.value = this.colour.value !== null;
    this.#undo.value = [];
  }

  leave = (): void => {
    this.player.value = "";
    this.draft.value = {};
    this.coloured.value = {};
    this.inColour.value = false;
    this.onRequest.value = false;
    this.#undo.value = [];
  };

  #change([slip, coloured]: Draft): void {
    this.#undo.value = [...this.#undo.value, [this.draft.value, this.coloured.value] as const].slice(-50);
    this.draft.value = slip;
    this.coloured.value = coloured;
  }

  /** One chip more or less on a box, of the sort that is chosen: of the other sort nothing is touched. */
  #move(box: string, amount: number): boolean {
    const [all, inColour] = [this.draft.value[box] ?? 0, this.coloured.value[box] ?? 0];
    const lies = this.inColour.value ? inColour : all - inColour;
    const moved = Math.max(amount, -lies);
    if (!this.open.value || !moved) return false;
    if (this.inColour.value && moved > 0 && this.inHand.value < 1) return false;
    this.#change([
      put(this.draft.value, box, all + moved),
      this.inColour.value ? put(this.coloured.value, box, inColour + moved) : this.coloured.value,
    ]);
    return true;
  }

  add = (box: string): boolean => this.#move(box, this.chip.value);
  remove = (box: string): boolean => this.#move(box, -this.chip.value);

  undo = (): void => {
    const last = this.#undo.value.at(-1);
    if (!last) return;
    [this.draft.value, this.coloured.value] = last;
    this.#undo.value = this.#undo.value.slice(0, -1);
  };

  clear = (): void => {
    if (this.total.value) this.#change([{}, {}]);
  };

  /** The whole slip; its version follows the one that is registered. */
  register = async (): Promise<void> => {
    if (!this.open.value || !this.changed.value) return;
    const [player, amount] = [this.player.value, this.total.value];
    const version = (this.of.value?.version ?? 0) + 1;
    const [colour, boxes] = [this.colour.value, this.coloured.value];
    const chips = colour && total(boxes) ? { chips: { colour: colour.colour, value: colour.value, boxes } } : {};
    const answer = await this.console.act("PlaceBets", {
      player,
      slip: this.draft.value,
      version,
      on_request: this.onRequest.value,
      ...chips,
    });
    if (answer.status !== "done") return;
    note("done", t("bets_registered_for", { player, amount: this.console.spoken(amount) }));
    if (this.player.value === player) this.leave(); // else another player's bets have been begun
  };
}
