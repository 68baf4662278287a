// Made by `python -m taisai.server.schema` from taisai/server/wire/views.py. Do not edit.

/** A table as everyone may see it.

    `sign` is every limit in force, line by line. `clauses` is what a page cites that refuses a bet itself, by
    code, and `rules` what it cites for the rules that it tells, or `house`. An untimed table has neither
    clock nor dealer: it rolls when all who have bets say that they are ready, or soon after the first of
    them; a `shared` one has seats for several. At a practice table visitors try the game. `in_force` is how
    its rulebook stands: for money it is in force, or no round opens. */
export interface TableView {
  readonly name: string;
  readonly title: string;
  readonly kind: "cluster" | "live";
  readonly rulebook: string;
  readonly pay_table: string;
  readonly say_open: string;
  readonly say_close: string;
  readonly cover: "covered" | "open";
  readonly limits: LimitsView;
  readonly sign: readonly SignLineView[];
  readonly clauses: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
  readonly round: RoundView | null;
  readonly history: readonly ResultView[];
  readonly play_money: boolean;
  readonly currency: string;
  readonly currency_exponent: number;
  readonly terminals: number;
  readonly closed: boolean;
  readonly untimed: boolean;
  readonly shared: boolean;
  readonly practice: boolean;
  readonly titles: Readonly<Record<string, string>>;
  readonly video: string;
  readonly in_force: "ended" | "in-force" | "not-approved" | "not-yet";
  readonly next_rules: NextRulesView | null;
}

/** What the table displays about amounts. */
export interface LimitsView {
  readonly unit: number;
  readonly default: LimitView;
  readonly groups: Readonly<Record<string, LimitView>>;
  readonly boxes: Readonly<Record<string, LimitView>>;
  readonly differential: Readonly<Record<string, number>>;
}

/** The limits of a group of boxes, or of one box. */
export interface LimitView {
  readonly minimum: number;
  readonly maximum: number | null;
}

/** A line of the table's sign: which boxes, in each language, and what they take. */
export interface SignLineView {
  readonly names: Readonly<Record<string, string>>;
  readonly minimum: number;
  readonly maximum: number | null;
  readonly total: number | null;
}

/** Where the current round stands. `closes_at` is absolute, on the server's clock.

    `known` are the faces on which a ruling settled a round whose dice never could be read whole. `proof` is
    there where the house keeps proofs. */
export interface RoundView {
  readonly number: number;
  readonly phase: string;
  readonly opens_at: number | null;
  readonly closes_at: number | null;
  readonly warn_at: number | null;
  readonly dice: readonly number[] | null;
  readonly known: readonly number[] | null;
  readonly winning_boxes: readonly string[];
  readonly covered: boolean;
  readonly tumbles: number | null;
  readonly exposed: boolean;
  readonly ground: string | null;
  readonly void_clause: string | null;
  readonly held: string;
  readonly proof: RoundProofView | null;
}

/** What a round's proofs begin with, for everyone to see; hashes are in hex.

    `opened_at` is in microseconds. `commitment` is shown from the opening on where the dice will follow from
    a secret, `slips` and `root` from the closing on, `secret` and `share` with the dice. Dice that were
    declared `by_people` need not follow from it. */
export interface RoundProofView {
  readonly origin: string;
  readonly opened_at: number;
  readonly rulebook: string;
  readonly pay_table: string;
  readonly commitment: string;
  readonly slips: number;
  readonly root: string;
  readonly secret: string;
  readonly share: string;
  readonly by_people: boolean;
}

/** A round's outcome as a history shows it. */
export interface ResultView {
  readonly round: number;
  readonly dice: readonly number[] | null;
  readonly total: number | null;
  readonly triple: boolean;
  readonly void: boolean;
  readonly corrected: boolean;
}

/** What a table plays by from a time on, or from the end of the round that is in play then. */
export interface NextRulesView {
  readonly pay_table: string;
  readonly effective: number;
}

/** A pay table's layout, in grid units. */
export interface FeltView {
  readonly pay_table: string;
  readonly title: string;
  readonly digest: string;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly BoxView[];
  readonly captions: readonly CaptionView[];
  readonly placements: readonly PlacementView[];
}

/** A box as a page draws it: its place, its odds, its names, and on how many of the 216 rolls it wins.

    `odds` is how its layout prints what it pays, and `marks` what it prints besides, line by line. */
export interface BoxView {
  readonly id: string;
  readonly kind: string;
  readonly numbers: readonly number[];
  readonly group: string;
  readonly pays: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly names: Readonly<Record<string, string>>;
  readonly return_percent: number;
  readonly ways: number;
  readonly odds: string;
  readonly marks: readonly string[];
}

/** A strip on the felt that prints the odds of a group of boxes. */
export interface CaptionView {
  readonly group: string;
  readonly pays: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly odds: string;
}

/** How a bet of one kind is placed: an example box, and a sentence in each language. */
export interface PlacementView {
  readonly kind: string;
  readonly box: string;
  readonly sentences: Readonly<Record<string, string>>;
}

/** What a terminal knows of its player's session. `owed` is paid from whatever comes in next. */
export interface SessionView {
  readonly session: string;
  readonly credit: number;
  readonly slip: Readonly<Record<string, number>>;
  readonly slip_version: number;
  readonly slip_round: number | null;
  readonly staked: number;
  readonly last_win: number;
  readonly net: number;
  readonly wagered: number;
  readonly started_at: number;
  readonly reality_check_minutes: number;
  readonly recall: readonly PlayedRoundView[];
  readonly service: "door-open" | "in-service" | "out-of-service" | "printer-fault";
  readonly low_credit: boolean;
  readonly limits: OwnLimitsStand | null;
  readonly owed: number;
}

/** One round of a player's recall; `known` as in the round's own view.

    `receipt` is the address of the proof of this slip: nobody else is told it. */
export interface PlayedRoundView {
  readonly round: number;
  readonly dice: readonly number[] | null;
  readonly void: boolean;
  readonly staked: number;
  readonly returned: number;
  readonly credit_before: number;
  readonly credit_after: number;
  readonly bets: readonly BetView[];
  readonly at: number;
  readonly added: Readonly<Record<string, number>>;
  readonly repaid: number;
  readonly known: readonly number[] | null;
  readonly receipt: string;
}

/** What became of one bet, with the reasons in each language. */
export interface BetView {
  readonly box: string;
  readonly stake: number;
  readonly effective: number;
  readonly returned: number;
  readonly won: boolean;
  readonly clauses: readonly string[];
  readonly sentences: Readonly<Record<string, readonly string[]>>;
}

/** How a player's own limits stand: those that hold, looser ones that wait, and the last reality check. */
export interface OwnLimitsStand {
  readonly now: OwnLimitsView;
  readonly later: OwnLimitsView | null;
  readonly later_from: number | null;
  readonly checked_at: number | null;
}

/** What players allow themselves, each of it or none; the day's are set with staff. */
export interface OwnLimitsView {
  readonly loss_session: number | null;
  readonly wager_session: number | null;
  readonly minutes_session: number | null;
  readonly reality_check_minutes: number | null;
  readonly loss_day: number | null;
  readonly wager_day: number | null;
  readonly minutes_day: number | null;
}

/** A ticket as it is printed. */
export interface TicketView {
  readonly number: string;
  readonly kind: "cash-out" | "reissue" | "sale";
  readonly amount: number;
  readonly amount_words: Readonly<Record<string, string>>;
  readonly issued_at: number;
  readonly expires_at: number;
  readonly site: string;
  readonly issuer: string;
  readonly sequence: number;
  readonly qr_svg: string;
  readonly play_money: boolean;
  readonly duplicate: boolean;
}
