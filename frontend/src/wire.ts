// Made by `python -m taisai.server.schema` from taisai/server/wire/__init__.py. Do not edit.

import type { FeltView, PlayedRoundView, ResultView, RoundView, SessionView, TableView, TicketView } from "./views.ts";

export type * from "./views.ts";

/** Everything a page needs to begin; betting stays shut until it has this. */
export interface Snapshot {
  readonly type: "Snapshot";
  readonly seq: number;
  readonly server_time: number;
  readonly table: TableView;
  readonly felt: FeltView;
  readonly session: SessionView | null;
  readonly service: "door-open" | "in-service" | "out-of-service" | "printer-fault";
}

/** The round moved on; also the result, once it is declared. */
export interface RoundChanged {
  readonly type: "RoundChanged";
  readonly seq: number;
  readonly server_time: number;
  readonly round: RoundView;
  readonly history: readonly ResultView[] | null;
}

/** Settings or limits changed for the next round. */
export interface TableChanged {
  readonly type: "TableChanged";
  readonly seq: number;
  readonly server_time: number;
  readonly table: TableView;
  readonly felt: FeltView;
}

/** A slip is durable as it stands here. */
export interface SlipRegistered {
  readonly type: "SlipRegistered";
  readonly id: string;
  readonly round: number;
  readonly version: number;
  readonly slip: Readonly<Record<string, number>>;
  readonly cuts: readonly CutView[];
  readonly credit: number;
  readonly staked: number;
}

/** A box on which less was accepted than asked. */
export interface CutView {
  readonly box: string;
  readonly asked: number;
  readonly accepted: number;
  readonly limit: number;
  readonly clause: string;
}

/** Bets are closed: where this player's slip is in the tree of the round, for the terminal to check.

    `salt` is in hex, `proof` one base64 text of hashes. With the slip as the terminal has it they lead to the
    root that everyone was shown. */
export interface SlipProven {
  readonly type: "SlipProven";
  readonly round: number;
  readonly version: number;
  readonly place: number;
  readonly salt: string;
  readonly proof: string;
}

/** An act that was refused, with its clause, its facts, and the sentence in each language. */
export interface Refused {
  readonly type: "Refused";
  readonly id: string;
  readonly code: string;
  readonly clause: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly sentences: Readonly<Record<string, readonly string[]>>;
  readonly late_by_ms: number | null;
}

/** What the round brought this player, and all that they have staked since the session began. */
export interface Settled {
  readonly type: "Settled";
  readonly seq: number;
  readonly played: PlayedRoundView;
  readonly credit: number;
  readonly net: number;
  readonly wagered: number;
  readonly owed: number;
}

/** Credits came in or went out. */
export interface CreditChanged {
  readonly type: "CreditChanged";
  readonly id: string;
  readonly credit: number;
  readonly net: number;
  readonly owed: number;
}

/** The credits left as this ticket. */
export interface TicketPaper {
  readonly type: "TicketIssued";
  readonly id: string;
  readonly ticket: TicketView;
  readonly credit: number;
}

/** The session as it stands now. */
export interface SessionChanged {
  readonly type: "SessionChanged";
  readonly session: SessionView;
}

/** The terminal's condition as the house has it, with or without a session. */
export interface TerminalService {
  readonly type: "ServiceChanged";
  readonly service: "door-open" | "in-service" | "out-of-service" | "printer-fault";
}

/** At a table without a clock: whether this terminal wants the dice, and how many with bets do not yet.

    Once somebody wants them they roll at `rolls_at` at the latest, whoever is still waited for. */
export interface Readiness {
  readonly type: "Readiness";
  readonly round: number;
  readonly ready: boolean;
  readonly waits_for: number;
  readonly rolls_at: number | null;
}

/** An act was done that has no other answer: a console's, or a player's own limits. */
export interface Acknowledged {
  readonly type: "Done";
  readonly id: string;
  readonly happened: readonly string[];
}

/** A console's act waits for a second person. */
export interface NeedsApproval {
  readonly type: "NeedsApproval";
  readonly id: string;
  readonly approval: string;
  readonly expires_at: number;
}

/** What the dealer sees beside the table: legal acts, breaches, terminals. */
export interface ConsoleView {
  readonly type: "ConsoleView";
  readonly seq: number;
  readonly server_time: number;
  readonly legal: readonly string[];
  readonly next_act: string | null;
  readonly breaches: readonly BreachView[];
  readonly below_minimum: readonly BelowMinimumView[];
  readonly terminals: readonly TerminalView[];
  readonly players: number;
  readonly staked: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly slips: readonly SlipView[];
  readonly dealer: string | null;
  readonly automatic: boolean;
  readonly seats: readonly SeatedView[];
  readonly seats_max: number;
  readonly colours: readonly ColourView[];
  readonly colour_chips: boolean;
}

/** A limit that the bets exceed. */
export interface BreachView {
  readonly on: string;
  readonly box: string;
  readonly limit: number;
  readonly excess: number;
}

/** A bet under its minimum. */
export interface BelowMinimumView {
  readonly player: string;
  readonly box: string;
  readonly stake: number;
  readonly minimum: number;
  readonly advised: boolean;
}

/** A Player Terminal as the console sees it. */
export interface TerminalView {
  readonly terminal: string;
  readonly connected: boolean;
  readonly service: string;
  readonly has_bets: boolean;
  readonly attendant: boolean;
  readonly low_credit: boolean;
}

/** A player at a live table: what they have on the felt, and the credit that is free (none with chips).

    `coloured` is the part of each stake that is in the player's `colour`; `unclaimed` waits for one who had
    gone, `owed` is what a correction left them owing. */
export interface SlipView {
  readonly player: string;
  readonly slip: Readonly<Record<string, number>>;
  readonly version: number;
  readonly credit: number | null;
  readonly absent: string;
  readonly coloured: Readonly<Record<string, number>>;
  readonly colour: string;
  readonly unclaimed: number;
  readonly owed: number;
}

/** A seat at a live table that somebody has taken. */
export interface SeatedView {
  readonly seat: number;
  readonly player: string;
}

/** A colour that is out: whose it is, what a chip is worth, and how many chips are out.

    `hand` of them are in the player's hand, the others on the felt. */
export interface ColourView {
  readonly colour: string;
  readonly player: string;
  readonly value: number;
  readonly chips: number;
  readonly hand: number;
}

/** The answer to a ping, with the server's time. */
export interface Pong {
  readonly type: "Pong";
  readonly t: number;
  readonly server_time: number;
}

/** Nothing new for a display, but the line is whole: whoever hears neither news nor this is cut off. */
export interface StillHere {
  readonly type: "StillHere";
  readonly server_time: number;
}

/** The server ends the connection, and why. */
export interface Bye {
  readonly type: "Bye";
  readonly reason: string;
}

/** First message: who connects, and the last sequence number it has seen. */
export interface Hello {
  readonly type: "Hello";
  readonly table: string;
  readonly terminal?: string;
  readonly key?: string;
  readonly last_seq?: number | null;
}

/** The whole slip as the player wants it. */
export interface Place {
  readonly type: "Place";
  readonly id: string;
  readonly round: number;
  readonly version: number;
  readonly slip: Readonly<Record<string, number>>;
  readonly all_or_nothing?: boolean;
}

/** Notes accepted by the terminal (play money: any amount). */
export interface CashIn {
  readonly type: "CashIn";
  readonly id: string;
  readonly amount: number;
}

/** A ticket put in. */
export interface TicketIn {
  readonly type: "TicketIn";
  readonly id: string;
  readonly number: string;
}

/** Pay all credits out as a ticket: those of this session where it is named, of no later one.

    The same id again gives the same ticket, as long as the record stands. */
export interface CashOutAll {
  readonly type: "CashOutAll";
  readonly id: string;
  readonly session?: string | null;
}

/** The terminal's own condition. */
export interface Service {
  readonly type: "Service";
  readonly state: "door-open" | "in-service" | "out-of-service" | "printer-fault";
}

/** The player wants somebody to come; or no longer. */
export interface CallAttendant {
  readonly type: "CallAttendant";
  readonly wanted: boolean;
}

/** At a table without a clock: the player wants the dice for the slip on the felt; or no longer. */
export interface Ready {
  readonly type: "Ready";
  readonly id: string;
  readonly round: number;
  readonly ready: boolean;
}

/** The player's own limits for this session; none is no limit. Looser ones wait to be confirmed. */
export interface SetLimits {
  readonly type: "SetLimits";
  readonly id: string;
  readonly loss_session?: number | null;
  readonly wager_session?: number | null;
  readonly minutes_session?: number | null;
  readonly reality_check_minutes?: number | null;
}

/** The player still wants the looser limits, whose wait is over. */
export interface ConfirmLimits {
  readonly type: "ConfirmLimits";
  readonly id: string;
}

/** The player has seen how long they have played, and goes on. */
export interface ConfirmCheck {
  readonly type: "ConfirmCheck";
  readonly id: string;
}

/** For the clock offset and the quality of the connection. */
export interface Ping {
  readonly type: "Ping";
  readonly t: number;
}

/** An act at the Game Console: the command's type and its own fields, without who and when. */
export interface ConsoleAct {
  readonly type: "ConsoleAct";
  readonly id: string;
  readonly act: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly round?: number | null;
}

/** What a page is given with its HTML. `catalogue` holds the house's own words by language and key.

    `phone` is where another machine finds the front page, with its code in `phone_qr`; `lost` says why an
    address leads nowhere. In an `open_house` anyone may be anyone: `open_logins` are whom this visitor may
    be. */
export interface PageData {
  readonly page: string;
  readonly house: string;
  readonly play_money: boolean;
  readonly table: string;
  readonly person: string;
  readonly role: string;
  readonly csrf: string;
  readonly language: string;
  readonly help_line: Readonly<Record<string, string>>;
  readonly build: string;
  readonly catalogue: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly practice: boolean;
  readonly house_names: Readonly<Record<string, string>>;
  readonly phone: string;
  readonly phone_qr: string;
  readonly open_house: boolean;
  readonly open_logins: readonly OpenLogin[];
  readonly lost: "" | "not-a-terminal" | "page" | "table";
}

/** A name on the staff list that a visitor may take by one press. */
export interface OpenLogin {
  readonly name: string;
  readonly role: Role;
}

/** A position. `SYSTEM` is the Game Console acting by itself, as in an automatic game. */
export type Role = "administrator" | "auditor" | "cashier" | "casino-manager" | "dealer" | "pit-manager" | "pit-supervisor" | "player" | "shift-manager" | "system";

export type FromServer = Snapshot | RoundChanged | TableChanged | SlipRegistered | SlipProven | Refused | Settled | CreditChanged | TicketPaper | SessionChanged | TerminalService | Readiness | Acknowledged | NeedsApproval | ConsoleView | Pong | StillHere | Bye;

export type FromTerminal = Hello | Place | CashIn | TicketIn | CashOutAll | Service | CallAttendant | Ready | SetLimits | ConfirmLimits | ConfirmCheck | Ping;

export type FromConsole = Hello | ConsoleAct | Ping;
