/**
 * The slip: all of a player's bets in the round, as a pure reducer.
 *
 * A tap changes `wanted` at once; the server's answers change `registered`. What a box shows follows from
 * the two, so the counter cannot drift from the chips. Nothing is carried into the next round.
 */
import type { Key } from "./i18n.ts";
import type { CutView, LimitsView, Sentences } from "./types.ts";

export type Slip = Readonly<Record<string, number>>;

/** A message of our own catalogue, or the server's sentences. */
export interface Reason {
  readonly key?: Key;
  readonly facts?: Readonly<Record<string, number | string>>;
  readonly sentences?: Sentences;
  readonly lateByMs?: number | null;
}

export interface BoxMark {
  readonly kind: "refused" | "cut";
  /** What was wanted on the box and did not come about. */
  readonly asked: number;
  readonly reason: Reason;
}

interface Sent {
  readonly id: string;
  readonly version: number;
  readonly slip: Slip;
  readonly whole: boolean;
}

/** What a bet is checked against before it is sent. */
export interface Table {
  readonly limits: LimitsView;
  /** Which group each box of the felt belongs to. */
  readonly groups: Readonly<Record<string, string>>;
}

export interface SlipState {
  readonly round: number | null;
  readonly open: boolean;
  readonly version: number;
  readonly wanted: Slip;
  readonly registered: Slip;
  readonly registeredVersion: number;
  readonly sent: readonly Sent[];
  /** The last change was a rebet, a double or a saved slip: it goes through whole or not at all. */
  readonly whole: boolean;
  readonly undo: readonly Slip[];
  readonly previous: Slip;
  readonly marks: Readonly<Record<string, BoxMark>>;
  readonly notice: Reason | null;
  /** Free credit as the server last told it; registered stakes are already out of it. */
  readonly credit: number;
}

/** What the player's own hand does. */
export type OwnAct =
  | { readonly do: "add"; readonly box: string; readonly amount: number }
  | { readonly do: "remove"; readonly box: string; readonly amount: number }
  | { readonly do: "undo" | "clear" | "rebet" | "double" }
  | { readonly do: "apply"; readonly slip: Slip };

export type SlipAction =
  | OwnAct
  | { readonly do: "round"; readonly round: number; readonly open: boolean }
  | {
      readonly do: "snapshot";
      readonly round: number | null;
      readonly open: boolean;
      readonly slip: Slip;
      readonly version: number;
      readonly credit: number;
      readonly previous: Slip;
    }
  | {
      readonly do: "session";
      readonly round: number | null;
      readonly slip: Slip;
      readonly version: number;
      readonly credit: number;
    }
  | { readonly do: "cut-off" | "close" | "expire" | "forget-marks" }
  | { readonly do: "credit"; readonly credit: number }
  | { readonly do: "sending"; readonly id: string; readonly slip: Slip }
  | {
      readonly do: "registered";
      readonly id: string;
      readonly round: number;
      readonly version: number;
      readonly slip: Slip;
      readonly cuts: readonly CutView[];
      readonly credit: number;
    }
  | {
      readonly do: "refused";
      readonly id: string;
      readonly code: string;
      readonly box: string | null;
      readonly registeredVersion: number | null;
      readonly reason: Reason;
    };

const UNDO_KEPT = 50;

export const EMPTY: SlipState = {
  round: null,
  open: false,
  version: 0,
  wanted: {},
  registered: {},
  registeredVersion: 0,
  sent: [],
  whole: false,
  undo: [],
  previous: {},
  marks: {},
  notice: null,
  credit: 0,
};

export const total = (slip: Slip): number => Object.values(slip).reduce((sum, amount) => sum + amount, 0);

export const sameSlip = (one: Slip, other: Slip): boolean => {
  const boxes = Object.keys(one);
  return boxes.length === Object.keys(other).length && boxes.every((box) => one[box] === other[box]);
};

/** The limits of one box: its own, or its group's, or the table's. */
export function limitOf(table: Table, box: string): { minimum: number; maximum: number | null } {
  const group = table.groups[box] ?? "";
  return table.limits.boxes[box] ?? table.limits.groups[group] ?? table.limits.default;
}

/** What goes to the server: chips under their minimum stay here, pending, until there are enough. */
export function sendable(state: SlipState, table: Table): Slip {
  return Object.fromEntries(
    Object.entries(state.wanted).filter(([box, amount]) => amount >= limitOf(table, box).minimum),
  );
}

/** The slip to send now, or null when the server has it or will have it. */
export function toSend(state: SlipState, table: Table): Slip | null {
  if (!state.open || state.round === null) return null;
  const slip = sendable(state, table);
  const known = state.sent.at(-1)?.slip ?? state.registered;
  return sameSlip(slip, known) ? null : slip;
}

export type StakeState = "none" | "pending" | "low" | "registered" | "cut";

export interface Stake {
  readonly amount: number;
  readonly state: StakeState;
  /** Chips that were wanted here and came back. */
  readonly refused: number;
}

/** What a box shows: its amount, how sure it is, and what was refused. */
export function stakeOn(state: SlipState, table: Table, box: string): Stake {
  const amount = state.wanted[box] ?? 0;
  const mark = state.marks[box];
  const refused = mark?.kind === "refused" ? mark.asked : 0;
  if (!amount) return { amount, state: "none", refused };
  if (amount < limitOf(table, box).minimum) return { amount, state: "low", refused };
  // A slip on its way that says otherwise will be registered first: until then nothing is sure.
  const known = [state.registered, ...state.sent.map((one) => one.slip)];
  if (known.some((slip) => (slip[box] ?? 0) !== amount)) return { amount, state: "pending", refused };
  return { amount, state: mark?.kind === "cut" ? "cut" : "registered", refused };
}

export function reduce(state: SlipState, action: SlipAction, table: Table): SlipState {
  switch (action.do) {
    case "round":
      return action.round === state.round ? settleOpen(state, action.open) : nextRound(state, action);
    case "snapshot":
      return fromSnapshot(state, action);
    case "session":
      return fromSession(state, action);
    case "cut-off":
      return { ...state, sent: [] }; // whether it arrived, the server will say
    case "close":
      return settleOpen(state, false);
    case "expire":
      return dropUnregistered({ ...state, sent: [] });
    case "credit":
      return { ...state, credit: action.credit };
    case "add":
      return add(state, action.box, action.amount, table);
    case "remove":
      return remove(state, action.box, action.amount);
    case "undo":
      return state.open && state.undo.length
        ? { ...quiet(state), wanted: state.undo.at(-1)!, undo: state.undo.slice(0, -1), whole: false }
        : state;
    case "clear":
      return state.open && Object.keys(state.wanted).length ? change(state, {}) : state;
    case "rebet":
      return replay(state, state.previous, table);
    case "apply":
      return replay(state, action.slip, table);
    case "double":
      return double(state, table);
    case "forget-marks":
      return { ...state, marks: {}, notice: null };
    case "sending":
      return {
        ...state,
        version: state.version + 1,
        whole: false,
        sent: [...state.sent, { id: action.id, version: state.version + 1, slip: action.slip, whole: state.whole }],
      };
    case "registered":
      return registered(state, action);
    case "refused":
      return refused(state, action);
  }
}

const quiet = (state: SlipState): SlipState => ({ ...state, marks: {}, notice: null });

/** A change of the player's own hand: it can be undone, and clears old messages. */
function change(state: SlipState, wanted: Slip, whole = false): SlipState {
  return { ...quiet(state), wanted, whole, undo: [...state.undo, state.wanted].slice(-UNDO_KEPT) };
}

function deny(state: SlipState, key: Key, facts: Readonly<Record<string, number | string>> = {}): SlipState {
  return { ...state, notice: { key, facts } };
}

/** Why a slip cannot be, before the server is asked; null when it can. */
function fault(state: SlipState, slip: Slip, table: Table): Reason | null {
  for (const [box, amount] of Object.entries(slip)) {
    if (!(box in table.groups)) return { key: "not_on_felt", facts: { box } };
    const { maximum } = limitOf(table, box);
    if (maximum !== null && amount > maximum && amount > (state.wanted[box] ?? 0))
      return { key: "above_maximum", facts: { box, maximum, asked: amount } };
    if (amount % table.limits.unit) return { key: "not_in_units", facts: { box, unit: table.limits.unit } };
  }
  const funds = state.credit + total(state.registered);
  const needed = total(slip);
  return needed > funds && needed > total(state.wanted)
    ? { key: "funds_short", facts: { needed, available: funds } }
    : null;
}

function add(state: SlipState, box: string, amount: number, table: Table): SlipState {
  if (!state.open) return state;
  const asked = (state.wanted[box] ?? 0) + amount;
  const wanted = { ...state.wanted, [box]: asked };
  const reason = fault(state, wanted, table);
  if (!reason) return change(state, wanted);
  const kind = "refused" as const;
  return { ...state, notice: reason, marks: { ...state.marks, [box]: { kind, asked: amount, reason } } };
}

function remove(state: SlipState, box: string, amount: number): SlipState {
  const have = state.wanted[box] ?? 0;
  if (!state.open || !have) return state;
  const { [box]: _, ...others } = state.wanted;
  return change(state, have > amount ? { ...others, [box]: have - amount } : others);
}

/** Rebet and saved slips: on every box at least as much as then, all of it or nothing. Pressing twice is pressing once. */
function replay(state: SlipState, slip: Slip, table: Table): SlipState {
  if (!state.open) return state;
  if (!Object.keys(slip).length) return deny(state, "nothing_to_repeat");
  const wanted: Record<string, number> = { ...state.wanted };
  for (const [box, amount] of Object.entries(slip)) wanted[box] = Math.max(amount, wanted[box] ?? 0);
  if (sameSlip(wanted, state.wanted)) return state;
  const reason = fault(state, wanted, table);
  return reason ? { ...state, notice: reason } : change(state, wanted, true);
}

function double(state: SlipState, table: Table): SlipState {
  if (!state.open) return state;
  if (!Object.keys(state.wanted).length) return deny(state, "nothing_to_double");
  const wanted = Object.fromEntries(Object.entries(state.wanted).map(([box, amount]) => [box, amount * 2]));
  const reason = fault(state, wanted, table);
  return reason ? { ...state, notice: reason } : change(state, wanted, true);
}

function nextRound(state: SlipState, action: { round: number; open: boolean }): SlipState {
  const played = Object.keys(state.registered).length ? state.registered : state.previous;
  return { ...EMPTY, credit: state.credit, previous: played, round: action.round, open: action.open };
}

function settleOpen(state: SlipState, open: boolean): SlipState {
  if (open === state.open) return state;
  if (open) return { ...state, open };
  const shut = { ...state, open, undo: [], wanted: state.sent.at(-1)?.slip ?? state.registered };
  const lost = lostBoxes(state.wanted, shut.wanted);
  return withReturned(shut, lost);
}

/** After the close only what the server has stands; the rest goes back to the player, visibly. */
function dropUnregistered(state: SlipState): SlipState {
  if (state.open) return state;
  return withReturned({ ...state, wanted: state.registered }, lostBoxes(state.wanted, state.registered));
}

function lostBoxes(before: Slip, after: Slip): Slip {
  return Object.fromEntries(
    Object.entries(before)
      .map(([box, amount]) => [box, amount - (after[box] ?? 0)] as const)
      .filter(([, lost]) => lost > 0),
  );
}

function withReturned(state: SlipState, lost: Slip): SlipState {
  if (!Object.keys(lost).length) return state;
  const reason: Reason = { key: "unregistered_returned", facts: { amount: total(lost) } };
  return { ...state, notice: reason, marks: { ...state.marks, ...refusals(lost, reason) } };
}

function fromSnapshot(state: SlipState, action: Extract<SlipAction, { do: "snapshot" }>): SlipState {
  const fresh = {
    registered: action.slip,
    registeredVersion: action.version,
    version: Math.max(action.version, action.round === state.round ? state.version : 0),
    sent: [],
    credit: action.credit,
    round: action.round,
    open: action.open,
  };
  if (action.round !== state.round || state.round === null) {
    const played = Object.keys(action.previous).length ? action.previous : state.previous;
    return { ...EMPTY, previous: played, ...fresh, wanted: action.slip };
  }
  return dropUnregistered({ ...state, ...fresh, wanted: merged(state.wanted, state.registered, action.slip) });
}

/** The session as the server has it: after a cut, or when another hand than the player's changed the bets. */
function fromSession(state: SlipState, action: Extract<SlipAction, { do: "session" }>): SlipState {
  const credited = { ...state, credit: action.credit };
  if (action.round !== state.round || action.version < state.registeredVersion) return credited;
  const sent = state.sent.filter((one) => one.version > action.version);
  const wanted = merged(state.wanted, state.registered, action.slip);
  const next = {
    ...credited,
    sent,
    wanted,
    registered: action.slip,
    registeredVersion: action.version,
    version: Math.max(state.version, action.version),
  };
  return sent.length ? next : dropUnregistered(next);
}

/** Where the player changed nothing since, a box follows the server; elsewhere it is still as wanted. */
function merged(wanted: Slip, before: Slip, after: Slip): Slip {
  const found: Record<string, number> = {};
  for (const box of new Set([...Object.keys(wanted), ...Object.keys(after)])) {
    const amount = (wanted[box] ?? 0) === (before[box] ?? 0) ? (after[box] ?? 0) : (wanted[box] ?? 0);
    if (amount) found[box] = amount;
  }
  return found;
}

function registered(state: SlipState, action: Extract<SlipAction, { do: "registered" }>): SlipState {
  if (action.round !== state.round) return state;
  const sent = state.sent.filter((one) => one.id !== action.id && one.version > action.version);
  if (action.version < state.registeredVersion) return { ...state, sent };
  const wanted: Record<string, number> = { ...state.wanted };
  const marks: Record<string, BoxMark> = { ...state.marks };
  let { notice } = state;
  for (const cut of action.cuts) {
    if (wanted[cut.box] !== cut.asked) continue; // the player has changed it since
    if (cut.accepted) wanted[cut.box] = cut.accepted;
    else delete wanted[cut.box];
    const reason: Reason = {
      key: "cut_to_limit",
      facts: { box: cut.box, asked: cut.asked, accepted: cut.accepted, limit: cut.limit, clause: cut.clause },
    };
    marks[cut.box] = { kind: cut.accepted ? "cut" : "refused", asked: cut.asked, reason };
    notice = reason;
  }
  const next = {
    ...state,
    sent,
    wanted,
    marks,
    notice,
    registered: action.slip,
    registeredVersion: action.version,
    credit: action.credit,
  };
  return !next.open && !sent.length ? dropUnregistered(next) : next;
}

function refused(state: SlipState, action: Extract<SlipAction, { do: "refused" }>): SlipState {
  const was = state.sent.find((one) => one.id === action.id);
  if (!was) return { ...state, notice: action.reason };
  const sent = state.sent.filter((one) => one !== was);
  if (action.code === "slip_stale" && action.registeredVersion !== null)
    return { ...state, sent, version: Math.max(state.version, action.registeredVersion) };
  if (sent.length) return { ...state, sent }; // a newer slip is on its way and has its own answer
  const box = was.whole || !state.open ? null : action.box;
  if (box !== null && (state.wanted[box] ?? 0) !== (was.slip[box] ?? 0)) return { ...state, sent }; // already changed
  const alone = box !== null && (state.wanted[box] ?? 0) !== (state.registered[box] ?? 0);
  const wanted = alone ? back(state.wanted, state.registered, box) : state.registered;
  const lost = lostBoxes(state.wanted, wanted);
  return {
    ...state,
    sent,
    wanted,
    marks: { ...state.marks, ...refusals(lost, action.reason) },
    notice: action.reason,
    undo: alone ? state.undo : [],
  };
}

const refusals = (lost: Slip, reason: Reason): Record<string, BoxMark> =>
  Object.fromEntries(Object.entries(lost).map(([box, asked]) => [box, { kind: "refused", asked, reason }]));

/** One box as it is registered, the others as they are. */
function back(wanted: Slip, registeredSlip: Slip, box: string): Slip {
  const { [box]: _, ...others } = wanted;
  const amount = registeredSlip[box];
  return amount ? { ...others, [box]: amount } : others;
}
