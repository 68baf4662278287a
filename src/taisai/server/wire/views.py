"""What both sides speak of: felts, limits, rounds, sessions and tickets as pages show them."""

from typing import Literal

import msgspec

from taisai.floor.cluster.messages import ServiceState

Sentences = dict[str, list[str]]  # by language


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """A box as a page draws it: its place, its odds, its names, and on how many of the 216 rolls it wins.

    `odds` is how its layout prints what it pays, and `marks` what it prints besides, line by line.
    """

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
    ways: int = 0
    odds: str = ""
    marks: list[str] = []


class CaptionView(msgspec.Struct, frozen=True, kw_only=True):
    """A strip on the felt that prints the odds of a group of boxes."""

    group: str
    pays: list[str]
    x: float
    y: float
    w: float
    h: float
    odds: str = ""


class PlacementView(msgspec.Struct, frozen=True, kw_only=True):
    """How a bet of one kind is placed: an example box, and a sentence in each language."""

    kind: str
    box: str
    sentences: dict[str, str]


class FeltView(msgspec.Struct, frozen=True, kw_only=True):
    """A pay table's layout, in grid units."""

    pay_table: str
    title: str
    digest: str
    width: int
    height: int
    boxes: list[BoxView]
    captions: list[CaptionView]
    placements: list[PlacementView] = []


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


class RoundProofView(msgspec.Struct, frozen=True, kw_only=True):
    """What a round's proofs begin with, for everyone to see; hashes are in hex.

    `opened_at` is in microseconds. `commitment` is shown from the opening on where the dice will follow from
    a secret, `slips` and `root` from the closing on, `secret` and `share` with the dice. Dice that were
    declared `by_people` need not follow from it.
    """

    origin: str
    opened_at: int
    rulebook: str
    pay_table: str
    commitment: str = ""
    slips: int = 0
    root: str = ""
    secret: str = ""
    share: str = ""
    by_people: bool = False


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """Where the current round stands. `closes_at` is absolute, on the server's clock.

    `known` are the faces on which a ruling settled a round whose dice never could be read whole. `proof` is
    there where the house keeps proofs.
    """

    number: int
    phase: str
    opens_at: int | None = None
    closes_at: int | None = None
    warn_at: int | None = None
    dice: list[int] | None = None
    known: list[int] | None = None
    winning_boxes: list[str] = []
    covered: bool = False
    tumbles: int | None = None
    exposed: bool = False
    ground: str | None = None
    void_clause: str | None = None
    held: str = ""
    proof: RoundProofView | None = None


class SignLineView(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table's sign: which boxes, in each language, and what they take."""

    names: dict[str, str]
    minimum: int
    maximum: int | None
    total: int | None = None


class NextRulesView(msgspec.Struct, frozen=True, kw_only=True):
    """What a table plays by from a time on, or from the end of the round that is in play then."""

    pay_table: str
    effective: int


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as everyone may see it.

    `sign` is every limit in force, line by line. `clauses` is what a page cites that refuses a bet itself, by
    code, and `rules` what it cites for the rules that it tells, or `house`. An untimed table has neither
    clock nor dealer: it rolls when all who have bets say that they are ready, or soon after the first of
    them; a `shared` one has seats for several. At a practice table visitors try the game. `in_force` is how
    its rulebook stands: for money it is in force, or no round opens.
    """

    name: str
    title: str
    kind: Literal["live", "cluster"]
    rulebook: str
    pay_table: str
    say_open: str
    say_close: str
    cover: Literal["covered", "open"]
    limits: LimitsView
    sign: list[SignLineView]
    clauses: dict[str, str]
    rules: dict[str, str]
    round: RoundView | None
    history: list[ResultView]
    play_money: bool
    currency: str
    currency_exponent: int
    terminals: int = 0
    closed: bool = False
    untimed: bool = False
    shared: bool = False
    practice: bool = False
    titles: dict[str, str] = {}
    video: str = ""
    in_force: Literal["in-force", "not-approved", "not-yet", "ended"] = "in-force"
    next_rules: NextRulesView | None = None


class PlayedRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a player's recall; `known` as in the round's own view.

    `receipt` is the address of the proof of this slip: nobody else is told it.
    """

    round: int
    dice: list[int] | None
    void: bool
    staked: int
    returned: int
    credit_before: int
    credit_after: int
    bets: list[BetView]
    at: int
    added: dict[str, int] = {}
    repaid: int = 0
    known: list[int] | None = None
    receipt: str = ""


class OwnLimitsView(msgspec.Struct, frozen=True, kw_only=True):
    """What players allow themselves, each of it or none; the day's are set with staff."""

    loss_session: int | None = None
    wager_session: int | None = None
    minutes_session: int | None = None
    reality_check_minutes: int | None = None
    loss_day: int | None = None
    wager_day: int | None = None
    minutes_day: int | None = None


class OwnLimitsStand(msgspec.Struct, frozen=True, kw_only=True):
    """How a player's own limits stand: those that hold, looser ones that wait, and the last reality check."""

    now: OwnLimitsView
    later: OwnLimitsView | None = None
    later_from: int | None = None
    checked_at: int | None = None


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """What a terminal knows of its player's session. `owed` is paid from whatever comes in next."""

    session: str
    credit: int
    slip: dict[str, int]
    slip_version: int
    slip_round: int | None
    staked: int
    last_win: int
    net: int
    wagered: int
    started_at: int
    reality_check_minutes: int
    recall: list[PlayedRoundView]
    service: ServiceState = "in-service"
    low_credit: bool = False
    limits: OwnLimitsStand | None = None
    owed: int = 0


class TicketView(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket as it is printed."""

    number: str
    kind: Literal["cash-out", "sale", "reissue"]
    amount: int
    amount_words: dict[str, str]
    issued_at: int
    expires_at: int
    site: str
    issuer: str
    sequence: int
    qr_svg: str
    play_money: bool
    duplicate: bool = False
