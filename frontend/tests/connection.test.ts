import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { ServerClock } from "../src/lib/clock.ts";
import { backoff, Connection, type Socket } from "../src/lib/connection.ts";
import { SEND_AFTER, SlipSender } from "../src/lib/sender.ts";
import type { FromServer } from "../src/lib/types.ts";

class FakeSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  readonly sent: { type: string; [key: string]: unknown }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.onclose?.({} as CloseEvent);
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }
}

let now = 0;
let sockets: FakeSocket[] = [];
let received: FromServer[] = [];

function connect(): Connection {
  const connection = new Connection({
    url: "ws://here",
    clock: new ServerClock(() => now),
    hello: (last_seq) => ({ type: "Hello", table: "t", last_seq }),
    receive: (message) => received.push(message),
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    random: () => 1,
  });
  connection.start();
  return connection;
}

function pass(ms: number): void {
  for (let step = 0; step < ms; step += 50) {
    now += 50;
    mock.timers.tick(50);
  }
}

const ROUND = { type: "RoundChanged", server_time: 0, round: null, history: null };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  now = 0;
  sockets = [];
  received = [];
});

test("full jitter: between nothing and a bound that doubles up to ten seconds", () => {
  assert.deepEqual(
    [0, 1, 2, 20].map((attempt) => backoff(attempt, 1)),
    [300, 600, 1_200, 10_000],
  );
  assert.equal(backoff(5, 0), 0);
});

test("hello goes first, then pings, fast at the beginning", () => {
  connect();
  sockets[0]!.onopen?.({} as Event);
  pass(1_000);
  const kinds = sockets[0]!.sent.map((message) => message.type);
  assert.equal(kinds[0], "Hello");
  assert.equal(kinds.filter((kind) => kind === "Ping").length, 4);
});

test("it is live with the first message, and tells the journey from the pongs", () => {
  const connection = connect();
  sockets[0]!.onopen?.({} as Event);
  assert.equal(connection.state.value, "connecting");
  sockets[0]!.says({ type: "Snapshot", seq: 5 });
  assert.equal(connection.state.value, "live");
  now = 1_000;
  sockets[0]!.says({ type: "Pong", t: 900, server_time: 5_000 });
  assert.equal(connection.trip.value, 100);
});

test("long journeys are called slow", () => {
  const connection = connect();
  sockets[0]!.onopen?.({} as Event);
  now = 2_000;
  sockets[0]!.says({ type: "Pong", t: 0, server_time: 5_000 });
  assert.equal(connection.state.value, "slow");
});

test("a closed line is opened again, with the last sequence number", () => {
  const connection = connect();
  sockets[0]!.onopen?.({} as Event);
  sockets[0]!.says({ type: "Snapshot", seq: 5 });
  sockets[0]!.says({ ...ROUND, seq: 6 });
  sockets[0]!.close();
  assert.equal(connection.state.value, "reconnecting");
  assert.equal(connection.send({ type: "Ping" }), false);
  pass(350);
  assert.equal(sockets.length, 2);
  sockets[1]!.onopen?.({} as Event);
  assert.equal(sockets[1]!.sent[0]?.["last_seq"], 6);
});

test("what was seen before is not given on; a snapshot counts anew", () => {
  connect();
  sockets[0]!.onopen?.({} as Event);
  sockets[0]!.says({ type: "Snapshot", seq: 5 });
  sockets[0]!.says({ ...ROUND, seq: 5 });
  sockets[0]!.says({ ...ROUND, seq: 6 });
  sockets[0]!.says({ type: "Snapshot", seq: 2 });
  sockets[0]!.says({ ...ROUND, seq: 3 });
  assert.deepEqual(
    received.map((message) => ("seq" in message ? message.seq : null)),
    [5, 6, 2, 3],
  );
});

test("silence is a cut, whatever the socket says", () => {
  const connection = connect();
  sockets[0]!.onopen?.({} as Event);
  sockets[0]!.says({ type: "Snapshot", seq: 1 });
  pass(14_000);
  assert.equal(connection.state.value === "reconnecting" || sockets.length > 1, true);
});

test("lost for long, the terminal is out of service, and live again when the line is", () => {
  const connection = connect();
  while (now < 40_000) {
    const before = sockets.length;
    sockets.at(-1)!.close();
    while (sockets.length === before) pass(100);
  }
  assert.equal(connection.state.value, "out-of-service");
  sockets.at(-1)!.onopen?.({} as Event);
  sockets.at(-1)!.says({ type: "Snapshot", seq: 1 });
  assert.equal(connection.state.value, "live");
});

test("a final goodbye is not argued with", () => {
  const connection = connect();
  sockets[0]!.onopen?.({} as Event);
  sockets[0]!.says({ type: "Bye", reason: "replaced" });
  pass(20_000);
  assert.equal(sockets.length, 1);
  assert.equal(connection.ended.value, "replaced");
  assert.equal(connection.state.value, "out-of-service");
});

test("taps of a tenth of a second go as one slip, and a fast hand does not put it off", () => {
  const sent: object[] = [];
  let wanted = {};
  const sender = new SlipSender({ waiting: () => wanted, send: (slip) => sent.push(slip) > 0 });
  for (let tap = 1; tap <= 6; tap += 1) {
    wanted = { big: tap * 100 };
    sender.changed();
    mock.timers.tick(SEND_AFTER / 4);
  }
  assert.deepEqual(sent, [{ big: 400 }]);
  mock.timers.tick(SEND_AFTER);
  assert.deepEqual(sent, [{ big: 400 }, { big: 600 }]);
});

test("what waits can be sent at once, before the close", () => {
  const sent: object[] = [];
  const sender = new SlipSender({
    waiting: () => (sent.length ? null : { big: 100 }),
    send: (slip) => sent.push(slip) > 0,
  });
  sender.changed();
  sender.flush();
  mock.timers.tick(1_000);
  assert.deepEqual(sent, [{ big: 100 }]);
});
