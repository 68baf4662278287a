import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { FromTerminal } from "../src/lib/types.ts";
import { Device } from "../src/pages/terminal/device.ts";

const events = new EventTarget();
const said = { textContent: "" };
Object.assign(globalThis, {
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  document: { getElementById: () => said, querySelector: () => null },
  requestAnimationFrame: (run: () => void) => run(),
});

let sent: FromTerminal[] = [];
let connected = true;
const device = (): Device =>
  new Device((message) => {
    if (connected) sent.push(message);
    return connected;
  });

beforeEach(() => {
  sent = [];
  connected = true;
});

test("the cabinet's own reports go to the house, and nothing else does", () => {
  const one = device();
  const stop = one.start();
  for (const detail of ["door-open", "on-fire", "in-service"])
    events.dispatchEvent(new CustomEvent("taisai-service", { detail }));
  stop();
  events.dispatchEvent(new CustomEvent("taisai-service", { detail: "printer-fault" }));
  assert.deepEqual(sent, [
    { type: "Service", state: "door-open" },
    { type: "Service", state: "in-service" },
  ]);
});

test("a ticket that did not print stops the terminal and calls somebody", () => {
  const one = device();
  one.notPrinted();
  assert.deepEqual(sent, [
    { type: "Service", state: "printer-fault" },
    { type: "CallAttendant", wanted: true },
  ]);
  assert.equal(one.attendant.value, true);
});

test("a call that could not be sent is not shown as made", () => {
  connected = false;
  const one = device();
  one.callAttendant();
  assert.equal(one.attendant.value, false);
});

test("a second touch takes the call back", () => {
  const one = device();
  one.callAttendant();
  one.callAttendant();
  assert.deepEqual(
    sent.map((message) => message.type === "CallAttendant" && message.wanted),
    [true, false],
  );
});
