/** What the wall knows: the table as everyone may see it, from a stream that comes back by itself. */
import { batch, computed, signal } from "@preact/signals";
import { isOutOfDate } from "../../lib/build.ts";
import { ServerClock } from "../../lib/clock.ts";
import { Deadline } from "../../lib/deadline.ts";
import { backoff, type LinkState } from "../../lib/connection.ts";
import { moodOf, warnSeconds } from "../../lib/phase.ts";
import { inOrder } from "../../lib/roads.ts";
import type {
  FeltView,
  ResultView,
  RoundChanged,
  RoundView,
  Snapshot,
  TableChanged,
  TableView,
} from "../../lib/types.ts";

const TICK = 100;
const GIVE_UP = 20_000;
/** With so much more past a wall of roads is full. */
const KEPT = 240;

export class Display {
  readonly clock = new ServerClock();
  readonly link = signal<LinkState>("connecting");
  readonly table = signal<TableView | null>(null);
  readonly felt = signal<FeltView | null>(null);
  readonly round = signal<RoundView | null>(null);
  readonly history = signal<readonly ResultView[]>([]);
  readonly deadline = new Deadline(this.clock);
  readonly mood = computed(() =>
    moodOf(
      this.round.value,
      this.deadline.inTime.value,
      this.deadline.left.value,
      warnSeconds(this.round.value),
      this.table.value?.closed,
    ),
  );
  readonly winners = computed<ReadonlySet<string>>(() => new Set(this.round.value?.winning_boxes ?? []));
  #stream: EventSource | null = null;
  #attempt = 0;
  #lostAt: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly name: string) {}

  start(): () => void {
    this.#open();
    const timer = setInterval(() => batch(() => this.deadline.look(this.round.value)), TICK);
    return () => {
      clearInterval(timer);
      clearTimeout(this.#retry);
      this.#stream?.close();
    };
  }

  #open(): void {
    const stream = new EventSource(`/api/v1/tables/${encodeURIComponent(this.name)}/events`);
    this.#stream = stream;
    const on = <T>(name: string, take: (message: T) => void) =>
      stream.addEventListener(name, (event) => {
        batch(() => {
          this.link.value = "live";
          take(JSON.parse((event as MessageEvent<string>).data) as T);
        });
      });
    on<Snapshot>("snapshot", (message) => {
      this.clock.renew();
      this.clock.hint(message.server_time);
      this.#tableIs(message.table, message.felt);
      this.history.value = inOrder([...this.history.value, ...message.table.history]).slice(-KEPT);
      this.#roundIs(message.table.round);
    });
    on<RoundChanged>("round", (message) => {
      this.clock.hint(message.server_time);
      if (message.history) this.history.value = inOrder([...this.history.value, ...message.history]).slice(-KEPT);
      this.#roundIs(message.round);
    });
    on<TableChanged>("table", (message) => {
      this.clock.hint(message.server_time);
      this.#tableIs(message.table, message.felt);
      this.history.value = inOrder([...this.history.value, ...message.table.history]).slice(-KEPT);
      this.#roundIs(message.table.round);
    });
    stream.onopen = () => this.#isBack();
    stream.onerror = () => this.#lost(stream);
  }

  /** Nothing may have happened meanwhile, so no message need come; but the server may have other pages now. */
  #isBack(): void {
    const wasLost = this.#lostAt !== null;
    this.#attempt = 0;
    this.#lostAt = null;
    if (this.table.value) this.link.value = "live";
    if (wasLost) void isOutOfDate().then((is) => is && location.reload());
  }

  /** The browser comes back by itself after a cut; where it gives up (an error page), we open anew. */
  #lost(stream: EventSource): void {
    this.#lostAt ??= performance.now();
    this.link.value = performance.now() - this.#lostAt > GIVE_UP ? "out-of-service" : "reconnecting";
    if (stream.readyState !== EventSource.CLOSED) return;
    stream.close();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), backoff(this.#attempt++, Math.random()));
  }

  #tableIs(table: TableView, felt: FeltView): void {
    if (this.table.value && this.table.value.name !== table.name) this.history.value = [];
    this.table.value = table;
    if (this.felt.value?.digest !== felt.digest) this.felt.value = felt;
  }

  #roundIs(round: RoundView | null): void {
    this.round.value = round;
    this.deadline.look(round);
  }
}
