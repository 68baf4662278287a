/** A WebSocket that comes back by itself, says how it is, and keeps the server's clock. */
import { type Signal, signal } from "@preact/signals";
import type { FromServer } from "../wire.ts";
import type { ServerClock } from "./clock.ts";

export type LinkState = "connecting" | "live" | "slow" | "reconnecting" | "out-of-service";

/** The part of a WebSocket that is used; tests bring their own. */
export interface Socket {
  onopen: ((event: Event) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly clock: ServerClock;
  readonly hello: (lastSeq: number | null) => object;
  readonly receive: (message: FromServer) => void;
  readonly open?: (url: string) => Socket;
  readonly random?: () => number;
}

const BACKOFF_BASE = 300;
const BACKOFF_CAP = 10_000;
const QUICK_PINGS = 5; // the first come fast, so that the clock is right before the first deadline
const QUICK_EVERY = 250;
const PING_EVERY = 4_000;
const SLOW_TRIP = 800;
const SILENT = 9_000; // nothing heard for so long: the line is dead, whatever the socket says
const GIVE_UP = 20_000; // then the player is told that the terminal is out of service
/** Reasons after which coming back would only be refused again. */
const FINAL = new Set(["unknown-terminal", "wrong-key", "replaced", "unknown-table", "not-allowed", "practice-over"]);

/** Full jitter: anything between nothing and a bound that doubles. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF_CAP, BACKOFF_BASE * 2 ** attempt);
}

export class Connection {
  readonly state: Signal<LinkState> = signal<LinkState>("connecting");
  readonly trip: Signal<number | null> = signal<number | null>(null);
  /** Why the server ended it, when that is final. */
  readonly ended: Signal<string> = signal("");
  #socket: Socket | null = null;
  #lastSeq: number | null = null;
  #attempt = 0;
  #pings = 0;
  #heard = 0;
  #lostSince: number | null = null;
  #beat: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ready = false;

  constructor(private readonly options: ConnectionOptions) {}

  get lastSeq(): number | null {
    return this.#lastSeq;
  }

  start(): void {
    clearTimeout(this.#retry);
    if (this.#socket) return;
    const open = this.options.open ?? ((url: string) => new WebSocket(url) as Socket);
    const socket = open(this.options.url);
    this.#socket = socket;
    this.#ready = false;
    this.#heard = this.#local();
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#message(socket, String(event.data));
    socket.onclose = () => this.#closed(socket);
    this.#schedule(QUICK_EVERY);
  }

  stop(): void {
    clearTimeout(this.#beat);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Sends now or not at all; nothing is kept for a later connection. */
  send(message: object): boolean {
    if (!this.#socket || !this.#ready) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #local(): number {
    return this.options.clock.local();
  }

  #opened(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#ready = true;
    this.#pings = 0;
    this.options.clock.renew();
    this.send(this.options.hello(this.#lastSeq));
  }

  #message(socket: Socket, text: string): void {
    if (socket !== this.#socket) return;
    this.#heard = this.#local();
    const message = JSON.parse(text) as FromServer;
    if (message.type === "Pong") {
      this.options.clock.sample(message.t, this.#local(), message.server_time);
      this.trip.value = this.options.clock.trip;
      this.#judge();
      return;
    }
    if (message.type === "Bye" && FINAL.has(message.reason)) {
      this.ended.value = message.reason;
      this.stop();
      this.state.value = "out-of-service";
    }
    if (!this.#inOrder(message)) return;
    if (message.type !== "Bye") this.#alive();
    this.options.receive(message);
  }

  /** What was already seen is left out; a snapshot starts the count anew. */
  #inOrder(message: FromServer): boolean {
    if (!("seq" in message) || message.type === "ConsoleView") return true;
    if (message.type !== "Snapshot" && this.#lastSeq !== null && message.seq <= this.#lastSeq) return false;
    this.#lastSeq = message.seq;
    return true;
  }

  #alive(): void {
    this.#attempt = 0;
    this.#lostSince = null;
    if (this.state.value !== "live" && this.state.value !== "slow") this.#judge();
  }

  #judge(): void {
    const trip = this.options.clock.trip ?? 0;
    const quiet = this.#local() - this.#heard;
    this.state.value = trip > SLOW_TRIP || quiet > PING_EVERY + SLOW_TRIP ? "slow" : "live";
  }

  #closed(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#ready = false;
    clearTimeout(this.#beat);
    const now = this.#local();
    this.#lostSince ??= now;
    this.state.value = now - this.#lostSince > GIVE_UP ? "out-of-service" : "reconnecting";
    this.#retry = setTimeout(() => this.start(), backoff(this.#attempt++, (this.options.random ?? Math.random)()));
  }

  #schedule(after: number): void {
    clearTimeout(this.#beat);
    this.#beat = setTimeout(() => this.#heartbeat(), after);
  }

  #heartbeat(): void {
    const socket = this.#socket;
    if (!socket) return;
    if (this.#local() - this.#heard > SILENT) {
      socket.onclose = null;
      socket.close();
      this.#closed(socket);
      return;
    }
    if (this.#ready) {
      this.send({ type: "Ping", t: Math.round(this.#local()) });
      this.#pings += 1;
      if (this.state.value === "live") this.#judge();
    }
    this.#schedule(this.#pings < QUICK_PINGS ? QUICK_EVERY : PING_EVERY);
  }
}
