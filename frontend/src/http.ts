// Made by `python -m taisai.server.schema` from taisai/server/http/staff_views.py. Do not edit.

import type { FeltView, Role, TableView } from "./wire.ts";

export const AMOUNT_MINOR_MAX = 9007199254740991;

/** Who is logged in. `csrf` goes into the header X-CSRF-Token of every write. */
export interface PersonView {
  readonly name: string;
  readonly role: Role;
  readonly csrf: string;
  readonly dues: readonly string[];
  readonly previous_login_at: number | null;
  readonly notices: readonly NoticeView[];
}

/** What others did to the account of whoever logged in. */
export interface NoticeView {
  readonly what: string;
  readonly by: string;
  readonly second: string | null;
  readonly at: number;
  readonly reason: string;
}

/** A secret for an authenticator app; it holds once a code made from it is sent back. */
export interface TotpOffer {
  readonly secret: string;
  readonly uri: string;
  readonly qr_svg: string;
}

/** What was done, and what waits for a second person. */
export interface Happened {
  readonly happened: readonly string[];
  readonly waiting: readonly ActWaiting[];
}

/** The act waits for a second person, until then. */
export interface ActWaiting {
  readonly status: "waiting";
  readonly approval: string;
  readonly expires_at: number;
}

/** A person of the staff as an administrator sees them. */
export interface MemberView {
  readonly name: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly locked: boolean;
  readonly has_totp: boolean;
  readonly must_change: boolean;
  readonly sessions: number;
  readonly last_login_at: number | null;
}

/** A password, shown this once: it opens nothing before the request, and is changed at the first login. */
export interface OneTimePassword {
  readonly name: string;
  readonly password: string;
  readonly approval: string | null;
  readonly expires_at: number | null;
}

/** What the house asks of logins and passwords.

    `lock_minutes` 0 locks until an administrator unlocks. `password_days_max` none never asks for another
    password; regulated houses set 90. Roles in `totp_roles` must have a second factor. `seconds` are the
    positions that agree to what an administrator does to the staff list. */
export interface StaffPolicy {
  readonly failures_max: number;
  readonly lock_minutes: number;
  readonly idle_minutes: number;
  readonly session_hours_max: number;
  readonly one_session: boolean;
  readonly password_length_min: number;
  readonly password_signs_min: number;
  readonly password_days_max: number | null;
  readonly passwords_remembered: number;
  readonly totp_roles: readonly Role[];
  readonly seconds: readonly Role[];
}

/** The house as it is in force. `backup_known` says whether copies leave a note here at all. */
export interface InstallationView {
  readonly at: number;
  readonly settings: readonly SettingView[];
  readonly tables: readonly AdminTableView[];
  readonly backup: BackupView | null;
  readonly backup_known: boolean;
  readonly keys: readonly HouseKeyView[];
  readonly witness: WitnessView | null;
}

/** A setting as it is in force, and whether the house has set it or it is as it came. */
export interface SettingView {
  readonly section: string;
  readonly name: string;
  readonly value: string;
  readonly is_default: boolean;
}

/** A table as the record has it: what it plays by now, and what is planned. */
export interface AdminTableView {
  readonly name: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly settings: TableSettings | null;
  readonly planned: TableSettings | null;
  readonly planned_at: number | null;
  readonly closed: boolean;
}

/** The rules a table plays by, pinned when a round opens. Bets come from credits, or from cash chips. */
export interface TableSettings {
  readonly pay_table: string;
  readonly limits: Limits;
  readonly money: "chips" | "credits";
  readonly timing: Timing;
  readonly seats: number;
}

/** Everything that a table displays about amounts, pinned when its round opens. */
export interface Limits {
  readonly unit: number;
  readonly default: Limit;
  readonly groups: Readonly<Record<string, Limit>>;
  readonly boxes: Readonly<Record<string, Limit>>;
  readonly differential: Readonly<Record<string, number>>;
  readonly box_totals: Readonly<Record<string, number>>;
  readonly notice: "at-placement" | "by-dealer";
}

/** What one box takes. No maximum means that none is set. */
export interface Limit {
  readonly minimum: number;
  readonly maximum: number | null;
}

/** A table's pace. Without `betting_seconds` the dealer calls the closing.

    `round_seconds_min` is the least time between the openings of two rounds, as jurisdictions ask of
    electronic tables. */
export interface Timing {
  readonly betting_seconds: number | null;
  readonly warn_seconds: number;
  readonly round_seconds_min: number;
}

/** The last copy that was made with `taisai backup`. */
export interface BackupView {
  readonly at: number;
  readonly where: string;
  readonly bytes: number;
}

/** A key of the house: a public one by its id and where it came from, a secret by its check value. */
export interface HouseKeyView {
  readonly name: string;
  readonly id: string;
  readonly where: string;
}

/** The witness: where it is, when it last answered, and what keeps it from being told. */
export interface WitnessView {
  readonly where: string;
  readonly required: boolean;
  readonly told_at: number | null;
  readonly trouble: string;
  readonly writers: readonly WriterView[];
}

/** How far the record of one writer is, and how far its witness has heard. */
export interface WriterView {
  readonly writer: string;
  readonly commits: number;
  readonly witnessed: number | null;
}

/** What `taisai doctor --quick` finds, and the gravest of it. */
export interface HealthView {
  readonly at: number;
  readonly worst: Level;
  readonly findings: readonly Finding[];
}

/** How serious a finding is. */
export type Level = "failed" | "ok" | "warning";

/** One thing that was looked at. `expected` and `advice` are empty where nothing is wrong. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly found: string;
  readonly expected: string;
  readonly advice: string;
}

/** The act was done; what happened, in names. */
export interface ActDone {
  readonly status: "done";
  readonly happened: readonly string[];
  readonly round: number | null;
  readonly amount: number | null;
  readonly player: string | null;
  readonly rounds: readonly number[];
  readonly skipped: readonly number[];
  readonly elsewhere: Readonly<Record<string, RoundsElsewhere>>;
}

/** What a report of damaged dice did at another table: void now, void before, or why it was refused. */
export interface RoundsElsewhere {
  readonly rounds: readonly number[];
  readonly skipped: readonly number[];
  readonly refused: string;
}

/** A request for a second person. */
export interface ApprovalView {
  readonly id: string;
  readonly by: string;
  readonly role: string;
  readonly at: number;
  readonly target: string;
  readonly act: string;
  readonly round: number | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly expires_at: number;
  readonly status: string;
  readonly second: string | null;
  readonly outcome: string;
}

/** What an act would do to one round; `sentences` say why it would not be done, as things stand. */
export interface RoundEffectView {
  readonly table: string;
  readonly round: number;
  readonly state_before: string;
  readonly state_after: string;
  readonly dice_before: readonly number[] | null;
  readonly dice_after: readonly number[] | null;
  readonly bets: readonly BetsChanged[];
  readonly money: readonly PayChange[];
  readonly sentences: Readonly<Record<string, readonly string[]>>;
}

/** A player's bets as they are on the register, and as they would be. */
export interface BetsChanged {
  readonly player: string;
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
}

/** What a player had from the round, has now, and so still gets or, below zero, gives back. */
export interface PayChange {
  readonly player: string;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
}

/** What a round pays whom, box by box. With chips it is handed over; else it goes to the credit. */
export interface PayListView {
  readonly table: string;
  readonly round: number;
  readonly state: string;
  readonly money: string;
  readonly players: readonly PlayerPay[];
  readonly corrections: readonly CorrectionView[];
}

/** What one player gets. `withheld` of the pay goes to what the player owes. */
export interface PlayerPay {
  readonly player: string;
  readonly absent: string;
  readonly colour: string;
  readonly lines: readonly PayLine[];
  readonly staked: number;
  readonly back: number;
  readonly pay: number;
  readonly withheld: number;
}

/** One bet on the pay list: `pay` comes on top of `back`, the part of the stake that is the player's. */
export interface PayLine {
  readonly box: string;
  readonly stake: number;
  readonly odds: string;
  readonly pay: number;
  readonly back: number;
}

/** A change of a round after people had been paid: what each of them still gets or gives back. */
export interface CorrectionView {
  readonly at: number;
  readonly by: string;
  readonly act: string;
  readonly players: readonly PayChange[];
}

/** One table as the pit watches it.

    `named_rules` is the pay table that the house's settings name where the record has another. */
export interface PitTableView {
  readonly table: TableView;
  readonly automatic: boolean;
  readonly dealer: string | null;
  readonly dice_set: string | null;
  readonly players: number;
  readonly staked: number;
  readonly exposure: ExposureView;
  readonly since: number;
  readonly handle: number;
  readonly win: number;
  readonly theoretical_win: number;
  readonly hold_percent: number | null;
  readonly band: readonly [number, number] | null;
  readonly outside: boolean;
  readonly flags: readonly HoldFlag[];
  readonly rounds: number;
  readonly fairness: FairnessFigures;
  readonly connected: number;
  readonly attendants: readonly string[];
  readonly alarms: readonly AlarmView[];
  readonly differing: DifferingView | null;
  readonly stopped: boolean;
  readonly named_rules: string | null;
}

/** What the house stands to lose on the bets on the felt. */
export interface ExposureView {
  readonly worst: number;
  readonly worst_dice: string;
  readonly var95: number;
  readonly by_outcome: readonly OutcomeFigure[];
}

/** What the house nets on one outcome of the dice: below zero it pays. */
export interface OutcomeFigure {
  readonly dice: string;
  readonly ways: number;
  readonly net: number;
}

/** Somebody whose win is not what the bets should bring; `e_value` to one says so. */
export interface HoldFlag {
  readonly kind: "dealer" | "player" | "table";
  readonly name: string;
  readonly direction: string;
  readonly e_value: number;
  readonly rounds: number;
  readonly handle: number;
  readonly win: number;
  readonly theoretical_win: number;
}

/** The evidence against the dice that are in use; it starts again with each set.

    Two tests watch: one asks whether they were ever fair, the other whether they have changed. `changed_at`
    is the roll at which the latter raised the alarm, `changed_since` where the change seems to have begun;
    fair dice raise it once in `run_length` rolls on average, or less often. */
export interface FairnessFigures {
  readonly rolls: number;
  readonly e_value: number;
  readonly p_value: number;
  readonly alarm: boolean;
  readonly alarm_at: number | null;
  readonly dice_set: string | null;
  readonly changed_at: number | null;
  readonly changed_since: number | null;
  readonly suspicion: string;
  readonly run_length: number;
}

/** An alarm, whom or what it is about as people say it, and who has seen it when. */
export interface AlarmView {
  readonly kind: "attendant" | "dice" | "held" | "hold" | "reading" | "rules" | "ruling" | "stopped";
  readonly about: string;
  readonly mark: string;
  readonly name: string;
  readonly acknowledged_by: string | null;
  readonly acknowledged_at: number | null;
}

/** The dealer's dice and a second reading that is not the same; a supervisor has to look. */
export interface DifferingView {
  readonly declared: readonly number[];
  readonly read: readonly number[];
  readonly source: string;
}

/** The gaming day that is open, its shift, and which day it is by the house's clock. */
export interface PitDayView {
  readonly day: string | null;
  readonly today: string;
  readonly shift: string | null;
  readonly tables: readonly PitDayTable[];
  readonly failed_dice: readonly string[];
  readonly boxes: Readonly<Record<string, string>>;
  readonly uncounted: readonly string[];
}

/** What the pit knows of a table today. */
export interface PitDayTable {
  readonly table: string;
  readonly dealer: string | null;
  readonly dealer_since: number | null;
  readonly dice_set: string | null;
  readonly dice_since: number | null;
  readonly shaker_passed: boolean | null;
}

/** One line: a table in a shift, or all tables of a day, a month, a year.

    Percentages are of the drop and of the handle, with one decimal; none where there is nothing to divide by.
    `band` is in per cent of the handle, and `outside` says that the win is not what the bets should bring. */
export interface TakingsLine {
  readonly span: "day" | "month" | "shift" | "year";
  readonly of: string;
  readonly table: string;
  readonly handle: number;
  readonly drop: number;
  readonly win: number;
  readonly hold_on_drop: number | null;
  readonly hold_on_handle: number | null;
  readonly band: readonly [number, number] | null;
  readonly outside: boolean;
}

/** A bug of ours that a command ran into: nothing was done, and the number leads to the evidence. */
export interface IncidentView {
  readonly number: string;
  readonly at: number;
  readonly desk: string;
  readonly act: string;
  readonly error: string;
}

/** What a table plays by, what is planned, what the house's settings name instead, and what there is. */
export interface TableRules {
  readonly settings: TableSettings;
  readonly planned: PlannedChange | null;
  readonly named: TableSettings | null;
  readonly offered: readonly OfferedRules[];
}

/** A change that two people agreed to and that waits for its time. */
export interface PlannedChange {
  readonly settings: TableSettings;
  readonly effective: number;
  readonly by: string;
  readonly second: string | null;
  readonly reason: string;
}

/** A rulebook that the table can play by, with what its front page says and how it stands now. */
export interface OfferedRules {
  readonly rulebook: string;
  readonly title: string;
  readonly version: string;
  readonly pay_tables: readonly OfferedTable[];
  readonly front_page: FrontPage;
  readonly notice: readonly string[];
}

/** A pay table: the chip unit in which it pays whole amounts, and which pairs may have a differential. */
export interface OfferedTable {
  readonly id: string;
  readonly unit: number;
  readonly pairs: readonly string[];
}

/** What a rulebook's front page says, until when the house plays by it, and how it stands now. */
export interface FrontPage {
  readonly approved: boolean;
  readonly authority: string | null;
  readonly reference: string | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly in_force: "ended" | "in-force" | "not-approved" | "not-yet";
}

/** A whole round, with everything that it was decided by. */
export interface RoundTimeline {
  readonly table: string;
  readonly round: number;
  readonly state: string;
  readonly held: string;
  readonly pay_table: string;
  readonly rulebook_digest: string;
  readonly pay_table_digest: string;
  readonly dice: readonly number[] | null;
  readonly known: readonly number[] | null;
  readonly dice_source: string | null;
  readonly ground: string | null;
  readonly staked: number;
  readonly paid: number;
  readonly closes_at: number | null;
  readonly events: readonly TimelineEvent[];
  readonly bets: readonly InspectedBet[];
  readonly refused: readonly RefusedBetView[];
}

/** One act: when, by whom, under which clause, and its facts in a line. */
export interface TimelineEvent {
  readonly at: number;
  readonly type: string;
  readonly clause: string;
  readonly by: string;
  readonly role: string;
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A bet and whose it was. */
export interface InspectedBet {
  readonly box: string;
  readonly stake: number;
  readonly effective: number;
  readonly returned: number;
  readonly won: boolean;
  readonly clauses: readonly string[];
  readonly sentences: Readonly<Record<string, readonly string[]>>;
  readonly player: string;
}

/** A bet that was asked for and refused: nothing moved, and how late it came where that is why. */
export interface RefusedBetView {
  readonly at: number;
  readonly player: string;
  readonly by: string;
  readonly role: string;
  readonly slip: Readonly<Record<string, number>>;
  readonly code: string;
  readonly clause: string;
  readonly late_ms: number | null;
  readonly sentences: Readonly<Record<string, readonly string[]>>;
}

/** Some rounds, newest first; `next` is the cursor of those before them. */
export interface RoundPage {
  readonly items: readonly RoundResult[];
  readonly next: string | null;
}

/** A round as the history lists it. `at` is when it opened.

    `known` are the faces on which a ruling settled it, where the dice never could be read whole. */
export interface RoundResult {
  readonly round: number;
  readonly at: number;
  readonly state: string;
  readonly pay_table: string;
  readonly dice: readonly number[] | null;
  readonly total: number | null;
  readonly triple: boolean;
  readonly void: boolean;
  readonly corrected: boolean;
  readonly ground: string | null;
  readonly known: readonly number[] | null;
}

/** A rulebook for people to read. */
export interface RulesView {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly source: string;
  readonly digest: string;
  readonly electronic: boolean;
  readonly front_page: FrontPage;
  readonly pay_tables: readonly string[];
  readonly clauses: readonly ClauseView[];
}

/** One clause of a rulebook, in our words. */
export interface ClauseView {
  readonly number: string;
  readonly text: string;
  readonly heading: boolean;
}

/** What a house says of itself; `build` is that of its pages. */
export interface HouseView {
  readonly name: string;
  readonly currency: string;
  readonly currency_exponent: number;
  readonly play_money: boolean;
  readonly server_time: number;
  readonly tables: readonly string[];
  readonly build: string;
  readonly identify_from: number;
  readonly chips: readonly number[];
}

/** A table with the layout that it plays on. */
export interface TableAndFelt {
  readonly table: TableView;
  readonly felt: FeltView;
}

/** A terminal as staff see it. */
export interface SeatView {
  readonly terminal: string;
  readonly connected: boolean;
  readonly service: string;
  readonly attendant: boolean;
  readonly session: string | null;
  readonly credit: number;
  readonly staked: number;
  readonly low_credit: boolean;
}

/** A code that a terminal enrols with, once and soon. */
export interface EnrolmentCode {
  readonly terminal: string;
  readonly code: string;
  readonly minutes: number;
}

/** A cashier's drawer: its float and what should be in it now. */
export interface DrawerView {
  readonly cashier: string;
  readonly float: number;
  readonly expected: number;
}

/** A drawer that was closed: what should have been in it, what was, and the difference. */
export interface DrawerCount {
  readonly expected: number;
  readonly counted: number;
  readonly variance: number;
}

/** Where a ticket stands, and what paying it takes. Its number is masked until it is redeemed.

    `pending` is a ticket that somebody has asked to be made void: nobody pays it until that is decided. */
export interface TicketStatusView {
  readonly number: string;
  readonly status: string;
  readonly amount: number;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly issuer: string;
  readonly sequence: number;
  readonly ended_at: number | null;
  readonly ended_by: string | null;
  readonly ended_where: string | null;
  readonly copies: number;
  readonly needs_identity: boolean;
  readonly needs_second: boolean;
}

/** The session behind a ticket, its rounds newest first, and how many older ones were left off.

    A ticket that was sold, and one of a house without proofs, has none. */
export interface TicketReceipts {
  readonly session: string | null;
  readonly receipts: readonly PrintedReceipt[];
  readonly left_off: number;
}

/** One round: the file at `address`, and a code of `link`, where a phone finds the file and its check. */
export interface PrintedReceipt {
  readonly table: string;
  readonly round: number;
  readonly address: string;
  readonly link: string;
  readonly qr_svg: string;
}

/** What is paid out for a ticket. */
export interface Redeemed {
  readonly amount: number;
  readonly ticket: TicketStatusView;
}

/** A player as staff see them: the pseudonym that the record knows, and the name while it is kept. */
export interface PlayerView {
  readonly player: string;
  readonly name: string | null;
}

/** A player with limits, play so far, exclusions, and the terminals and tables where they sit. */
export interface StandingView {
  readonly player: string;
  readonly name: string | null;
  readonly standing: Standing;
  readonly exclusions: readonly ExclusionView[];
  readonly places: readonly string[];
}

/** How a player stands: what a terminal always shows, and what holds the player back. */
export interface Standing {
  readonly player: string;
  readonly session_seconds: number;
  readonly day_seconds: number;
  readonly session_wagered: number;
  readonly session_net: number;
  readonly day_wagered: number;
  readonly day_net: number;
  readonly limits: PlayLimits;
  readonly later: PlayLimits | null;
  readonly later_from: string | null;
  readonly excluded: boolean;
  readonly excluded_until: string | null;
  readonly check_due: boolean;
}

/** What players allow themselves, each of it or none; a day is a gaming day, a session one stay.

    Losses and wagers are in minor units. A reality check asks after so many minutes whether to go on. */
export interface PlayLimits {
  readonly loss_day: number | null;
  readonly loss_session: number | null;
  readonly wager_day: number | null;
  readonly wager_session: number | null;
  readonly minutes_day: number | null;
  readonly minutes_session: number | null;
  readonly reality_check_minutes: number | null;
}

/** An exclusion in force: the player's own wish or the house's, since when and until when, if it ends. */
export interface ExclusionView {
  readonly own: boolean;
  readonly since: number;
  readonly until: number | null;
}

/** Whether the record is what was recorded; if not, the first fault and where it is. */
export interface AuditReport {
  readonly sound: boolean;
  readonly at: number;
  readonly record: Readonly<Record<string, number>>;
  readonly rounds: Readonly<Record<string, number>>;
  readonly tickets: Readonly<Record<string, number>>;
  readonly where: string | null;
  readonly fault: string | null;
  readonly code: string | null;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly keys: readonly TrustedKeyView[];
  readonly notes: readonly NoteView[];
}

/** A public key that the audit trusted, by its id, and where it came from. */
export interface TrustedKeyView {
  readonly key: string;
  readonly where: string;
}

/** Something lawful that whoever reads the record should know: a rotation of keys, a restore. */
export interface NoteView {
  readonly code: string;
  readonly text: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Significant events, newest first, and where the next page begins. */
export interface SignificantPage {
  readonly items: readonly SignificantView[];
  readonly next: string | null;
}

/** One significant event; `at` is in milliseconds since 1970, the hundreds of `code` are its class. */
export interface SignificantView {
  readonly at: number;
  readonly code: number;
  readonly name: string;
  readonly device: string;
  readonly by: string;
  readonly what: string;
  readonly amount: number | null;
}

/** Rounds that were looked for, newest first; how many rounds were looked at, and where to look on. */
export interface FoundPage {
  readonly items: readonly FoundRoundView[];
  readonly looked_at: number;
  readonly next: string | null;
}

/** A round that was looked for; `bets` and `acts` are some of what in it made it so. */
export interface FoundRoundView {
  readonly round: RoundResult;
  readonly bets: readonly BetHit[];
  readonly acts: readonly ActHit[];
}

/** A bet that was looked for; `code` says why it was refused, and is empty where it was registered. */
export interface BetHit {
  readonly player: string;
  readonly box: string;
  readonly amount: number;
  readonly code: string;
  readonly clause: string;
}

/** An act under the clause that was looked for. */
export interface ActHit {
  readonly type: string;
  readonly clause: string;
  readonly by: string;
}

/** Refused acts, newest first, and where the next page begins. */
export interface RefusedPage {
  readonly items: readonly RefusedActView[];
  readonly next: string | null;
}

/** An act that was refused; `at` is in milliseconds since 1970. */
export interface RefusedActView {
  readonly at: number;
  readonly by: string;
  readonly code: string;
  readonly clause: string;
  readonly table: string;
  readonly round: number | null;
  readonly sentences: Readonly<Record<string, readonly string[]>>;
}

/** Tickets, newest first, and where the next page begins. */
export interface TicketPage {
  readonly items: readonly LoggedTicketView[];
  readonly next: number | null;
}

/** A ticket in a report. Its number is never told here. */
export interface LoggedTicketView {
  readonly number: string;
  readonly where: string;
  readonly sequence: number;
  readonly amount: number;
  readonly status: string;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
}

/** What the house owes on tickets: by the tickets themselves, and by the ledger. */
export interface TicketLiability {
  readonly tickets: number;
  readonly outstanding: number;
  readonly expired: number;
  readonly ledger: number;
}

/** What one terminal has counted, in minor units and in times. */
export interface MetersRow {
  readonly terminal: string;
  readonly meters: Readonly<Record<string, number>>;
}

/** What a player or a session owes (`receivable`), or what waits for them (`unclaimed`), at one table. */
export interface OwedView {
  readonly kind: "receivable" | "unclaimed";
  readonly table: string;
  readonly player: string;
  readonly total: number;
  readonly since: number;
  readonly days: number;
  readonly needs_identity: boolean;
  readonly entries: readonly OwedEntryView[];
}

/** What is left of one debt, or of one amount that waits: since when, and from which round and clause. */
export interface OwedEntryView {
  readonly at: number;
  readonly round: number | null;
  readonly cause: string;
  readonly clause: string;
  readonly amount: number;
  readonly left: number;
}

/** A gaming day's report: sums by table, and every movement. */
export interface OwedDayView {
  readonly day: string;
  readonly sums: readonly OwedDay[];
  readonly movements: readonly OwedMovementView[];
}

/** A day's sums for one table: what arose, how it ended, and what is open now. */
export interface OwedDay {
  readonly table: string;
  readonly kind: "receivable" | "unclaimed";
  readonly arose: number;
  readonly paid: number;
  readonly waived: number;
  readonly open: number;
}

/** One change of what is owed or waits; below zero when it was paid, waived or handed over. */
export interface OwedMovementView {
  readonly at: number;
  readonly kind: "receivable" | "unclaimed";
  readonly table: string;
  readonly player: string;
  readonly round: number | null;
  readonly amount: number;
  readonly what: string;
  readonly cause: string;
  readonly clause: string;
  readonly by: string;
  readonly second: string;
  readonly reason: string;
}

/** A set of dice: where it is, when it last passed an inspection, and all that happened to it. */
export interface DiceSetView {
  readonly dice_set: string;
  readonly table: string | null;
  readonly failed: boolean;
  readonly passed_at: number | null;
  readonly entries: readonly DiceEntryView[];
}

/** What happened to a set of dice, where, when and by whom. */
export interface DiceEntryView {
  readonly at: number;
  readonly what: string;
  readonly table: string;
  readonly by: string;
  readonly passed: boolean | null;
  readonly why: string;
}

/** A set of dice with its rounds; `proposed` are those a report of damage would void, by table. */
export interface DiceRoundsView {
  readonly dice: DiceSetView;
  readonly rounds: readonly DiceRoundView[];
  readonly proposed: Readonly<Record<string, readonly number[]>>;
}

/** A round that was played with a set of dice. */
export interface DiceRoundView {
  readonly table: string;
  readonly round: number;
  readonly at: number;
  readonly state: string;
  readonly since_inspection: boolean;
}
