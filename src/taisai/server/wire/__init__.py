"""The messages between the server and terminals, consoles and displays: one set of types for every way in.

The pages' TypeScript types and the AsyncAPI file are generated from these. Money is whole minor units; times
are epoch milliseconds on the server's clock; odds are exact strings.
"""

from typing import Any, Literal

import msgspec

from taisai.server.wire.views import BetView as BetView
from taisai.server.wire.views import BoxView as BoxView
from taisai.server.wire.views import CaptionView as CaptionView
from taisai.server.wire.views import FeltView as FeltView
from taisai.server.wire.views import LimitsView as LimitsView
from taisai.server.wire.views import LimitView as LimitView
from taisai.server.wire.views import NextRulesView as NextRulesView
from taisai.server.wire.views import OwnLimitsStand as OwnLimitsStand
from taisai.server.wire.views import OwnLimitsView as OwnLimitsView
from taisai.server.wire.views import PlacementView as PlacementView
from taisai.server.wire.views import PlayedRoundView as PlayedRoundView
from taisai.server.wire.views import ResultView as ResultView
from taisai.server.wire.views import RoundProofView as RoundProofView
from taisai.server.wire.views import RoundView as RoundView
from taisai.server.wire.views import Sentences as Sentences
from taisai.server.wire.views import SessionView as SessionView
from taisai.server.wire.views import SignLineView as SignLineView
from taisai.server.wire.views import TableView as TableView
from taisai.server.wire.views import TicketView as TicketView

ServiceState = Literal["in-service", "out-of-service", "door-open", "printer-fault"]


class Wire(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """The root of all messages; `type` names each."""


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
    """Pay all credits out as a ticket: those of this session where it is named, of no later one.

    The same id again gives the same ticket, as long as the record stands.
    """

    id: str
    session: str | None = None


class Service(Wire, frozen=True, kw_only=True):
    """The terminal's own condition."""

    state: ServiceState


class CallAttendant(Wire, frozen=True, kw_only=True):
    """The player wants somebody to come; or no longer."""

    wanted: bool


class Ready(Wire, frozen=True, kw_only=True):
    """At a table without a clock: the player wants the dice for the slip on the felt; or no longer."""

    id: str
    round: int
    ready: bool


class SetLimits(Wire, frozen=True, kw_only=True):
    """The player's own limits for this session; none is no limit. Looser ones wait to be confirmed."""

    id: str
    loss_session: int | None = None
    wager_session: int | None = None
    minutes_session: int | None = None
    reality_check_minutes: int | None = None


class ConfirmLimits(Wire, frozen=True, kw_only=True):
    """The player still wants the looser limits, whose wait is over."""

    id: str


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
    Hello
    | Place
    | CashIn
    | TicketIn
    | CashOutAll
    | Service
    | CallAttendant
    | Ready
    | SetLimits
    | ConfirmLimits
    | ConfirmCheck
    | Ping
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
    service: ServiceState = "in-service"


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


class SlipProven(Wire, frozen=True, kw_only=True):
    """Bets are closed: where this player's slip is in the tree of the round, for the terminal to check.

    `salt` is in hex, `proof` one base64 text of hashes. With the slip as the terminal has it they lead to the
    root that everyone was shown.
    """

    round: int
    version: int
    place: int
    salt: str
    proof: str


class Refused(Wire, frozen=True, kw_only=True):
    """An act that was refused, with its clause, its facts, and the sentence in each language."""

    id: str
    code: str
    clause: str
    facts: dict[str, Any]
    sentences: Sentences
    late_by_ms: int | None = None


class Settled(Wire, frozen=True, kw_only=True):
    """What the round brought this player, and all that they have staked since the session began."""

    seq: int
    played: PlayedRoundView
    credit: int
    net: int
    wagered: int
    owed: int = 0


class CreditChanged(Wire, frozen=True, kw_only=True):
    """Credits came in or went out."""

    id: str
    credit: int
    net: int
    owed: int = 0


class TicketPaper(Wire, frozen=True, kw_only=True, tag="TicketIssued"):
    """The credits left as this ticket."""

    id: str
    ticket: TicketView
    credit: int


class SessionChanged(Wire, frozen=True, kw_only=True):
    """The session as it stands now."""

    session: SessionView


class TerminalService(Wire, frozen=True, kw_only=True, tag="ServiceChanged"):
    """The terminal's condition as the house has it, with or without a session."""

    service: ServiceState


class Readiness(Wire, frozen=True, kw_only=True):
    """At a table without a clock: whether this terminal wants the dice, and how many with bets do not yet.

    Once somebody wants them they roll at `rolls_at` at the latest, whoever is still waited for.
    """

    round: int
    ready: bool
    waits_for: int
    rolls_at: int | None = None


class Acknowledged(Wire, frozen=True, kw_only=True, tag="Done"):
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
    seats: list["SeatedView"] = []
    seats_max: int = 0
    colours: list["ColourView"] = []
    colour_chips: bool = False


class SeatedView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at a live table that somebody has taken."""

    seat: int
    player: str


class ColourView(msgspec.Struct, frozen=True, kw_only=True):
    """A colour that is out: whose it is, what a chip is worth, and how many chips are out.

    `hand` of them are in the player's hand, the others on the felt.
    """

    colour: str
    player: str
    value: int
    chips: int
    hand: int = 0


class SlipView(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a live table: what they have on the felt, and the credit that is free (none with chips).

    `coloured` is the part of each stake that is in the player's `colour`; `unclaimed` waits for one who had
    gone, `owed` is what a correction left them owing.
    """

    player: str
    slip: dict[str, int]
    version: int
    credit: int | None
    absent: str
    coloured: dict[str, int] = {}
    colour: str = ""
    unclaimed: int = 0
    owed: int = 0


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
    low_credit: bool = False


class Pong(Wire, frozen=True, kw_only=True):
    """The answer to a ping, with the server's time."""

    t: int
    server_time: int


class StillHere(Wire, frozen=True, kw_only=True):
    """Nothing new for a display, but the line is whole: whoever hears neither news nor this is cut off."""

    server_time: int


class Bye(Wire, frozen=True, kw_only=True):
    """The server ends the connection, and why."""

    reason: str


FromServer = (
    Snapshot
    | RoundChanged
    | TableChanged
    | SlipRegistered
    | SlipProven
    | Refused
    | Settled
    | CreditChanged
    | TicketPaper
    | SessionChanged
    | TerminalService
    | Readiness
    | Acknowledged
    | NeedsApproval
    | ConsoleView
    | Pong
    | StillHere
    | Bye
)
