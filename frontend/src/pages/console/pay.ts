/** The pay list of the round, from the record, and what the dealer has ticked off: ticks decide nothing. */
import { computed, signal } from "@preact/signals";
import type { CorrectionView, PayChange, PayListView, PlayerPay } from "../../http.ts";
import { chipSet } from "../../lib/money.ts";
import { preference } from "../../lib/prefs.ts";
import { ask, currency, faultOf, house } from "../../ui/staff/session.ts";
import type { Console } from "./model.ts";

/** What a correction of a past round means for one player. */
export interface Change {
  readonly key: string;
  readonly round: number;
  readonly act: string;
  readonly change: PayChange;
}

const TICKS_KEPT = 400;
const KEYS = 9;

export class PayDesk {
  readonly list = signal<PayListView | null>(null);
  /** Of the rounds that were changed after somebody had been paid. */
  readonly #changed = signal<ReadonlyMap<number, PayListView>>(new Map());
  readonly #ticks;
  #asked = "";

  constructor(private readonly console: Console) {
    this.#ticks = preference<readonly string[]>(`paid.${console.name}`, []);
  }

  /** With chips the dealer hands over; with credits the list only says what went where. */
  readonly byHand = computed(() => this.list.value?.money === "chips");
  /** As they are listed and paid: whoever gets most comes first. */
  readonly players = computed(() =>
    [...(this.list.value?.players ?? [])].sort((one, other) => handed(other) - handed(one)),
  );
  /** Those who get something: they have the keys 1 to 9, from the top. */
  readonly due = computed(() => this.players.value.filter((one) => handed(one) > 0));
  readonly unpaid = computed(() => (this.byHand.value ? this.due.value.filter((one) => !this.isPaid(one.player)) : []));
  /** All chips that a payment can be made of: the house's own, whatever the table's unit. */
  readonly chips = computed(() => {
    const unit = this.console.table.value?.limits.unit ?? 1;
    const own = house.value?.chips ?? [];
    return own.length ? own : chipSet(unit, unit, currency.value);
  });
  readonly changes = computed<readonly Change[]>(() =>
    [...this.#changed.value.values()].flatMap((list) =>
      list.corrections.flatMap((one) =>
        one.players.map((change) => ({ key: keyOf(list.round, one, change), round: list.round, act: one.act, change })),
      ),
    ),
  );
  readonly openChanges = computed(() => this.changes.value.filter((one) => !this.#ticks.value.includes(one.key)));

  isPaid = (player: string): boolean => this.#ticks.value.includes(`${this.list.value?.round}/${player}`);

  toggle = (player: string): void => this.#tick(`${this.list.value?.round}/${player}`);
  dismiss = (change: Change): void => this.#tick(change.key);

  #tick(key: string): void {
    const ticks = this.#ticks.value;
    this.#ticks.value = ticks.includes(key) ? ticks.filter((one) => one !== key) : [...ticks, key].slice(-TICKS_KEPT);
  }

  /** Keys 1 to 9 tick off whoever is in that row. */
  press = (key: string): boolean => {
    const next = this.console.nextAct.value;
    if (!this.byHand.value || (next !== "SettleBets" && next !== "ConcludeRound")) return false;
    const row = /^[1-9]$/.test(key) ? this.due.value[Number(key) - 1] : undefined;
    if (row) this.toggle(row.player);
    return row !== undefined;
  };

  /** Whenever the round or an earlier result has changed: what the record says now. */
  look(): void {
    const [round, view] = [this.console.round.value, this.console.view.value];
    const changed = this.console.history.value.filter((one) => one.corrected || one.void).map((one) => one.round);
    const key = JSON.stringify([round?.number, round?.phase, round?.dice, round?.ground, view?.totals, changed]);
    if (!view || view.automatic || key === this.#asked) return;
    this.#asked = key;
    void this.#read(key, round?.number ?? 0, new Set([...changed, round?.number ?? 0]));
  }

  async #read(key: string, current: number, rounds: ReadonlySet<number>): Promise<void> {
    try {
      const lists = await Promise.all([...rounds].filter(Boolean).map((round) => this.#of(round)));
      if (key !== this.#asked) return; // the round has moved on meanwhile
      this.list.value = lists.find((one) => one.round === current) ?? null;
      this.#changed.value = new Map(lists.filter((one) => one.corrections.length).map((one) => [one.round, one]));
    } catch (problem) {
      this.#asked = ""; // asked again with the next news
      console.warn(faultOf(problem));
    }
  }

  #of(round: number): Promise<PayListView> {
    return ask<PayListView>("GET", `/tables/${encodeURIComponent(this.console.name)}/rounds/${round}/pay-list`);
  }
}

const keyOf = (round: number, one: CorrectionView, change: PayChange): string =>
  `${round}/${one.at}/${one.act}/${change.player}`;

/** What leaves the tray for a player: stakes that won are on the felt already. */
export const handed = (one: PlayerPay): number => one.pay - one.withheld;

/** The key that ticks a row off, where it has one. */
export const keyOfRow = (place: number): string => (place < KEYS ? String(place + 1) : "");
