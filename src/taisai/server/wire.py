"""The messages between the server and terminals, consoles and displays: one set of types for every way in.

The pages' TypeScript types and the AsyncAPI file are generated from these. Money is whole minor units; times
are epoch milliseconds on the server's clock; odds are exact strings.
"""

from typing import Any, Literal

import msgspec

Language = Literal["en", "zh-Hant", "zh-Hans"]
ServiceState = Literal["in-service", "out-of-service", "door-open", "printer-fault"]
Sentences = dict[str, list[str]]  # by language


class Wire(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """The root of all messages; `type` names each."""


# --- what both sides speak of --------------------------------------------------------------------------


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """A box as a page draws it: where it stands, what it pays, what it is called."""

    id: str
    kind: str
    numbers: list[int]
    group: str
    pays: list[str]
    x: float
    y: float
    w: float
    h: float
    names: dict[str, str]
    return_percent: float


class CaptionView(msgspec.Struct, frozen=True, kw_only=True):
    """A strip on the felt that prints the odds of a group of boxes."""

    group: str
    pays: list[str]
    x: float
    y: float
    w: float
    h: float


class FeltView(msgspec.Struct, frozen=True, kw_only=True):
    """A pay table's layout, in grid units."""

    pay_table: str
    title: str
    digest: str
    width: int
    height: int
    boxes: list[BoxView]
    captions: list[CaptionView]


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a group of boxes, or of one box."""

    minimum: int
    maximum: int | None = None


class LimitsView(msgspec.Struct, frozen=True, kw_only=True):
    """What the table displays about amounts."""

    unit: int
    default: LimitView
    groups: dict[str, LimitView] = {}
    boxes: dict[str, LimitView] = {}
    differential: dict[str, int] = {}


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    """A round's outcome as a history shows it."""

    round: int
    dice: list[int] | None
    total: int | None
    triple: bool
    void: bool = False
    corrected: bool = False


class BetView(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one bet, with the reasons in each language."""

    box: str
    stake: int
    effective: int
    returned: int
    won: bool
    clauses: list[str]
    sentences: Sentences


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """Where the current round stands. `closes_at` is absolute, on the server's clock."""

    number: int
    phase: str
    opens_at: int | None = None
    closes_at: int | None = None
    warn_at: int | None = None
    dice: list[int] | None = None
    winning_boxes: list[str] = []
    covered: bool = False
    tumbles: int | None = None
    exposed: bool = False
    ground: str | None = None
    void_clause: str | None = None
    held: str = ""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everyone may see it."""

    name: str
    title: str
    kind: Literal["live", "cluster"]
    rulebook: str
    pay_table: str
    say_open: str
    say_close: str
    cover: Literal["covered", "open"]
    limits: LimitsView
    round: RoundView | None
    history: list[ResultView]
    play_money: bool
    currency: str
    currency_exponent: int
    terminals: int = 0


class PlayedRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a player's recall."""

    round: int
    dice: list[int] | None
    void: bool
    staked: int
    returned: int
    credit_before: int
    credit_after: int
    bets: list[BetView]
    at: int


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """What a terminal knows of its player's session."""

    session: str
    credit: int
    slip: dict[str, int]
    slip_version: int
    slip_round: int | None
    staked: int
    last_win: int
    net: int
    started_at: int
    reality_check_minutes: int
    recall: list[PlayedRoundView]
    service: ServiceState = "in-service"


class TicketView(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket as it is printed."""

    number: str
    amount: int
    amount_words: str
    issued_at: int
    expires_at: int
    site: str
    issuer: str
    sequence: int
    qr_svg: str
    play_money: bool


# --- from a terminal or a console ------------------------------------------------------------------------


class Hello(Wire, frozen=True, kw_only=True):
    """First message: who connects, and the last sequence number it has seen."""

    table: str
    terminal: str = ""
    key: str = ""
    last_seq: int | None = None


class Place(Wire, frozen=True, kw_only=True):
    """The whole slip as the player wants it."""

    id: str
    round: int
    version: int
    slip: dict[str, int]
    all_or_nothing: bool = False


class CashIn(Wire, frozen=True, kw_only=True):
    """Notes accepted by the terminal (play money: any amount)."""

    id: str
    amount: int


class TicketIn(Wire, frozen=True, kw_only=True):
    """A ticket put in."""

    id: str
    number: str


class CashOutAll(Wire, frozen=True, kw_only=True):
    """Pay all credits out as a ticket."""

    id: str


class Service(Wire, frozen=True, kw_only=True):
    """The terminal's own condition."""

    state: ServiceState


class CallAttendant(Wire, frozen=True, kw_only=True):
    """The player wants somebody to come; or no longer."""

    wanted: bool


class SetLimits(Wire, frozen=True, kw_only=True):
    """The player's own limits for this session; none is no limit. Looser ones hold after a wait."""

    id: str
    loss_session: int | None = None
    wager_session: int | None = None
    minutes_session: int | None = None
    reality_check_minutes: int | None = None


class ConfirmCheck(Wire, frozen=True, kw_only=True):
    """The player has seen how long they have played, and goes on."""

    id: str


class Ping(Wire, frozen=True, kw_only=True):
    """For the clock offset and the quality of the connection."""

    t: int


class ConsoleAct(Wire, frozen=True, kw_only=True):
    """An act at the Game Console: the command's type and its own fields, without who and when."""

    id: str
    act: str
    fields: dict[str, Any] = {}
    round: int | None = None


FromTerminal = (
    Hello | Place | CashIn | TicketIn | CashOutAll | Service | CallAttendant | SetLimits | ConfirmCheck | Ping
)
FromConsole = Hello | ConsoleAct | Ping


# --- from the server -------------------------------------------------------------------------------------


class Snapshot(Wire, frozen=True, kw_only=True):
    """Everything a page needs to begin; betting stays shut until it has this."""

    seq: int
    server_time: int
    table: TableView
    felt: FeltView
    session: SessionView | None = None


class RoundChanged(Wire, frozen=True, kw_only=True):
    """The round moved on; also the result, once it is declared."""

    seq: int
    server_time: int
    round: RoundView
    history: list[ResultView] | None = None


class TableChanged(Wire, frozen=True, kw_only=True):
    """Settings or limits changed for the next round."""

    seq: int
    server_time: int
    table: TableView
    felt: FeltView


class SlipRegistered(Wire, frozen=True, kw_only=True):
    """A slip is durable as it stands here."""

    id: str
    round: int
    version: int
    slip: dict[str, int]
    cuts: list["CutView"]
    credit: int
    staked: int


class CutView(msgspec.Struct, frozen=True, kw_only=True):
    """A box on which less was accepted than asked."""

    box: str
    asked: int
    accepted: int
    limit: int
    clause: str


class Refused(Wire, frozen=True, kw_only=True):
    """An act that was refused, with its clause, its facts, and the sentence in each language."""

    id: str
    code: str
    clause: str
    facts: dict[str, Any]
    sentences: Sentences
    late_by_ms: int | None = None


class Settled(Wire, frozen=True, kw_only=True):
    """What the round brought this player."""

    seq: int
    played: PlayedRoundView
    credit: int
    net: int


class CreditChanged(Wire, frozen=True, kw_only=True):
    """Credits came in or went out."""

    id: str
    credit: int
    net: int


class TicketIssued(Wire, frozen=True, kw_only=True):
    """The credits left as this ticket."""

    id: str
    ticket: TicketView
    credit: int


class SessionChanged(Wire, frozen=True, kw_only=True):
    """The session as it stands now."""

    session: SessionView


class Done(Wire, frozen=True, kw_only=True):
    """An act was done that has no other answer: a console's, or a player's own limits."""

    id: str
    happened: list[str]


class NeedsApproval(Wire, frozen=True, kw_only=True):
    """A console's act waits for a second person."""

    id: str
    approval: str
    expires_at: int


class ConsoleView(Wire, frozen=True, kw_only=True):
    """What the dealer sees beside the table: legal acts, breaches, terminals."""

    seq: int
    server_time: int
    legal: list[str]
    next_act: str | None
    breaches: list["BreachView"]
    below_minimum: list["BelowMinimumView"]
    terminals: list["TerminalView"]
    players: int
    staked: int
    totals: dict[str, int]
    slips: list["SlipView"]
    dealer: str | None
    automatic: bool


class SlipView(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a live table: what lies for them, and the credit that is free (none with chips)."""

    player: str
    slip: dict[str, int]
    version: int
    credit: int | None
    absent: str


class BreachView(msgspec.Struct, frozen=True, kw_only=True):
    """A limit that the bets exceed."""

    on: str
    box: str
    limit: int
    excess: int


class BelowMinimumView(msgspec.Struct, frozen=True, kw_only=True):
    """A bet under its minimum."""

    player: str
    box: str
    stake: int
    minimum: int
    advised: bool


class TerminalView(msgspec.Struct, frozen=True, kw_only=True):
    """A Player Terminal as the console sees it."""

    terminal: str
    connected: bool
    service: str
    has_bets: bool
    attendant: bool


class Pong(Wire, frozen=True, kw_only=True):
    """The answer to a ping, with the server's time."""

    t: int
    server_time: int


class Bye(Wire, frozen=True, kw_only=True):
    """The server ends the connection, and why."""

    reason: str


FromServer = (
    Snapshot
    | RoundChanged
    | TableChanged
    | SlipRegistered
    | Refused
    | Settled
    | CreditChanged
    | TicketIssued
    | SessionChanged
    | Done
    | NeedsApproval
    | ConsoleView
    | Pong
    | Bye
)
