import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { ServerClock } from "../src/lib/clock.ts";
import { Display, type Stream } from "../src/pages/display/model.ts";

/** An event stream in the hands of the test; like a browser's, it says nothing when it is closed. */
class FakeStream implements Stream {
  onopen: Stream["onopen"] = null;
  onerror: Stream["onerror"] = null;
  readyState = 1;
  readonly #heard = new Map<string, (event: MessageEvent<string>) => void>();
  addEventListener(name: string, hear: unknown): void {
    this.#heard.set(name, hear as (event: MessageEvent<string>) => void);
  }
  close(): void {
    this.readyState = 2;
  }
  says(name: string, message: object): void {
    this.#heard.get(name)?.({ data: JSON.stringify(message) } as MessageEvent<string>);
  }
  opens(): void {
    this.onopen?.call(this as unknown as EventSource, {} as Event);
  }
  errs(): void {
    this.onerror?.call(this as unknown as EventSource, {} as Event);
  }
}

let now = 0;
let streams: FakeStream[] = [];

const SNAPSHOT = {
  type: "Snapshot",
  server_time: 0,
  table: { name: "T1", history: [], round: null, closed: false },
  felt: { digest: "felt" },
};

function hang(): { display: Display; takeDown: () => void } {
  const display = new Display("T1", new ServerClock(() => now), () => {
    streams.push(new FakeStream());
    return streams.at(-1)!;
  });
  const takeDown = display.start();
  streams[0]!.opens();
  streams[0]!.says("snapshot", SNAPSHOT);
  return { display, takeDown };
}

function pass(ms: number, ping = 0): void {
  for (let step = 100; step <= ms; step += 100) {
    now += 100;
    mock.timers.tick(100);
    if (ping && step % ping === 0) streams.at(-1)!.says("ping", { type: "StillHere", server_time: now });
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  // Asking whether the pages are still those of the server finds nobody here, which the wall takes as a yes.
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent: "{}" }) } });
  now = 0;
  streams = [];
});

test("a quiet table is live as long as its pings come", () => {
  const { display, takeDown } = hang();
  pass(120_000, 5_000);
  assert.equal(display.link.value, "live");
  assert.equal(streams.length, 1);
  takeDown();
});

test("a line that falls silent without an end is given up, said, and opened anew", () => {
  const { display, takeDown } = hang();
  pass(12_000);
  assert.equal(display.link.value, "live");
  pass(100);
  assert.equal(display.link.value, "reconnecting");
  assert.equal(streams[0]!.readyState, 2);
  pass(1_000);
  assert.equal(streams.length, 2);
  streams[1]!.opens();
  assert.equal(display.link.value, "live");
  pass(30_000, 5_000);
  assert.equal(display.link.value, "live");
  takeDown();
});

test("a wall that stays cut off says that it is out of service, and goes on trying", () => {
  const { display, takeDown } = hang();
  pass(12_100 + 20_100);
  assert.equal(display.link.value, "out-of-service");
  const tried = streams.length;
  pass(60_000);
  assert.ok(streams.length > tried);
  assert.equal(display.link.value, "out-of-service");
  streams.at(-1)!.opens();
  pass(1_000);
  assert.equal(display.link.value, "live");
  takeDown();
});

test("a cut that the browser mends by itself is left to it, but not for ever", () => {
  const { display, takeDown } = hang();
  streams[0]!.readyState = 0;
  streams[0]!.errs();
  assert.equal(display.link.value, "reconnecting");
  pass(10_000);
  assert.equal(streams.length, 1);
  pass(3_000);
  assert.equal(streams.length, 2);
  takeDown();
});
