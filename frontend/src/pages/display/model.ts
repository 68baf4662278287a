/** What the wall knows: the table as everyone may see it, from a stream that comes back by itself. */
import { batch, computed, signal } from "@preact/signals";
import { isOutOfDate } from "../../lib/build.ts";
import { ServerClock } from "../../lib/clock.ts";
import { backoff, type LinkState } from "../../lib/connection.ts";
import { Deadline } from "../../lib/deadline.ts";
import { moodOf, warnSeconds } from "../../lib/phase.ts";
import { Reveal, thrown } from "../../lib/reveal.ts";
import { inOrder } from "../../lib/roads.ts";
import type {
  FeltView,
  ResultView,
  RoundChanged,
  RoundView,
  Snapshot,
  StillHere,
  TableChanged,
  TableView,
} from "../../lib/types.ts";

const TICK = 100;
const GIVE_UP = 20_000;
/** The server speaks at least every five seconds: after two that never came the line is dead, whatever the browser says. */
const SILENT = 12_000;
/** With so much more past a wall of roads is full. */
const KEPT = 240;

/** The part of an EventSource that is used; tests bring their own. */
export type Stream = Pick<EventSource, "addEventListener" | "onopen" | "onerror" | "readyState" | "close">;

const CLOSED = 2;

export class Display {
  readonly link = signal<LinkState>("connecting");
  readonly table = signal<TableView | null>(null);
  readonly felt = signal<FeltView | null>(null);
  readonly round = signal<RoundView | null>(null);
  readonly history = signal<readonly ResultView[]>([]);
  readonly deadline: Deadline;
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
  /** What comes after the throw waits until the dice on the wall lie still. */
  readonly reveal = new Reveal<() => void>((happens) => batch(happens));
  #stream: Stream | null = null;
  #heard = 0;
  #attempt = 0;
  #lostAt: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly name: string,
    readonly clock = new ServerClock(),
    private readonly open = (url: string): Stream => new EventSource(url),
  ) {
    this.deadline = new Deadline(clock);
  }

  start(): () => void {
    this.#open();
    const timer = setInterval(() => batch(() => this.#look()), TICK);
    return () => {
      clearInterval(timer);
      clearTimeout(this.#retry);
      this.#stream?.close();
    };
  }

  /** A cable that was pulled out somewhere on the way ends nothing: only the silence tells. */
  #look(): void {
    this.deadline.look(this.round.value);
    if (this.#stream && this.clock.local() - this.#heard > SILENT) {
      this.#stream.close();
      this.#lost(this.#stream);
    }
    if (this.#lostAt !== null && this.clock.local() - this.#lostAt > GIVE_UP) this.link.value = "out-of-service";
  }

  #open(): void {
    const stream = this.open(`/api/v1/tables/${encodeURIComponent(this.name)}/events`);
    this.#stream = stream;
    this.#heard = this.clock.local();
    const on = <T>(name: string, take: (message: T) => void) =>
      stream.addEventListener(name, (event) => {
        batch(() => {
          this.#heard = this.clock.local();
          this.link.value = "live";
          const message = JSON.parse((event as MessageEvent<string>).data) as T;
          const round = name === "round" ? (message as RoundChanged).round : null;
          const goneOn = round !== null && round.number !== this.round.value?.number;
          this.reveal.take(
            () => take(message),
            round && thrown(this.round.value, round),
            goneOn || name === "snapshot",
          );
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
    on<StillHere>("ping", (message) => this.clock.hint(message.server_time));
    stream.onopen = () => this.#isBack();
    stream.onerror = () => this.#lost(stream);
  }

  /** Nothing may have happened meanwhile, so no message need come; but the server may have other pages now. */
  #isBack(): void {
    const wasLost = this.#lostAt !== null;
    this.#attempt = 0;
    this.#lostAt = null;
    this.#heard = this.clock.local();
    if (this.table.value) this.link.value = "live";
    if (wasLost) void isOutOfDate().then((is) => is && location.reload());
  }

  /** The browser comes back by itself after a cut; where it gives up (an error page), or we did, we open anew. */
  #lost(stream: Stream): void {
    this.#lostAt ??= this.clock.local();
    if (this.link.value !== "out-of-service") this.link.value = "reconnecting";
    if (stream.readyState !== CLOSED) return;
    stream.close();
    this.#stream = null;
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
