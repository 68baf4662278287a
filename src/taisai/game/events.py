"""What happened in a round. The events alone rebuild its state; none of them is ever edited."""

from datetime import datetime
from typing import Literal

import msgspec

from taisai.dice import Roll
from taisai.game.commands import BetRef, ColourChips
from taisai.game.limits import LighterSide, Limits
from taisai.game.people import Actor


class GameEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """Something that happened, by whom and when, with the clause it follows. `v` is the form's version.

    Like all values that every slip makes anew it is in no cycle, so the collector need not look at it.
    """

    by: Actor
    at: datetime
    clause: str
    v: Literal[1] = 1


class BettingOpened(GameEvent, frozen=True, kw_only=True):
    """The round of play commenced; everything that a restart needs is here.

    `lighter_side` is how its differential is measured; a record without it is from before it was on the bets
    as placed. `commitment` is what the house shows of the secret that the dice will follow from.
    """

    table: str
    number: int
    rulebook: str
    rulebook_digest: str
    pay_table: str
    pay_table_digest: str
    limits: Limits
    dice_set: str | None = None
    lighter_side: LighterSide = "counted"
    commitment: str = ""


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A box on which less was accepted than asked for, and what was left under its maximum."""

    box: str
    asked: int
    accepted: int
    limit: int
    clause: str


class BetsPlaced(GameEvent, frozen=True, kw_only=True):
    """A player's slip as accepted. `asked` is what was sent, so that a repetition can be recognised.

    `how` says how it came to the register: placed by the player on a terminal, laid by the player on the felt
    and registered from it by staff, or placed by staff on the player's request. Records before version 0.2
    have no `how`: there `on_behalf` is whatever staff entered.
    """

    player: str
    version: int
    slip: dict[str, int]
    asked: dict[str, int]
    cuts: list[Cut] = []
    on_behalf: bool = False
    chips: ColourChips | None = None
    how: Literal["terminal", "felt", "on-request"] | None = None


class Excess(msgspec.Struct, frozen=True):
    """A limit that was exceeded at the closing, on which box, and by how much."""

    on: str
    box: str
    limit: int
    amount: int


class BettingClosed(GameEvent, frozen=True, kw_only=True):
    """No more bets: the felt decides now. `excess` was noticed and left, or the clock closed over it.

    `root` is that of the tree over all `slips`, in the order of their first registration.
    """

    players: int
    staked: int
    excess: list[Excess] = []
    excess_by: Literal["", "rejected", "left", "clock"] = ""
    slips: int = 0
    root: str = ""


class TumblerCovered(GameEvent, frozen=True, kw_only=True):
    """The cover was put on."""


class TumblerActivated(GameEvent, frozen=True, kw_only=True):
    """The dice tumbled; `exposed` when nothing concealed them."""

    tumbles: int
    exposed: bool
    flat: bool


class DiceExposed(GameEvent, frozen=True, kw_only=True):
    """The cover was lifted."""

    flat: bool


class RollDeclared(GameEvent, frozen=True, kw_only=True):
    """The result of the round; where it was committed to, with the secret that it follows from."""

    roll: Roll
    secret: str = ""
    share: str = ""


class KnownFacesDeclared(GameEvent, frozen=True, kw_only=True):
    """By a ruling the bets are settled as far as the faces that were read decide them; the rest goes back."""

    known: list[int]
    secret: str = ""
    share: str = ""


class PayoutsMade(GameEvent, frozen=True, kw_only=True):
    """What these players get back, stake, winnings and returned excess together."""

    payouts: dict[str, int]


class BetsSettled(GameEvent, frozen=True, kw_only=True):
    """Everyone has been paid or collected from; on no roll where a ruling settled what known faces decide.

    `root` is that of the tree over all `results`; a settlement after a correction is the next `attempt`.
    `dice_clause` is by what people declared the dice, where they did not fall from the tumbler.
    """

    roll: Roll | None
    players: int
    bets: int
    staked: int
    effective: int
    excess: int
    paid: int
    attempt: int = 0
    results: int = 0
    root: str = ""
    dice_clause: str = ""


class RoundConcluded(GameEvent, frozen=True, kw_only=True):
    """The round of play is over."""


class ChipsTaken(msgspec.Struct, frozen=True):
    """An amount given back to a player from a box."""

    player: str
    box: str
    amount: int


class ExcessRejected(GameEvent, frozen=True, kw_only=True):
    """Bets above a maximum or a differential went back before the closing, latest chips first."""

    on: str
    limit: int
    taken: list[ChipsTaken]


class MinimumAdvised(GameEvent, frozen=True, kw_only=True):
    """The player was told and may increase or withdraw."""

    player: str
    box: str
    stake: int
    minimum: int


class BetsReturned(GameEvent, frozen=True, kw_only=True):
    """Bets went back in full and are no longer in play."""

    taken: list[ChipsTaken]


class PlayerAbsent(GameEvent, frozen=True, kw_only=True):
    """The player walked away, or the terminal was cut off; the bets stay."""

    player: str
    cut_off: bool


class RoundVoided(GameEvent, frozen=True, kw_only=True):
    """The round has no result; every bet goes back in full."""

    ground: str
    returned: dict[str, int]
    returns_clause: str
    second: Actor | None = None
    reason: str = ""
    attempt: int = 0
    results: int = 0
    root: str = ""
    secret: str = ""
    share: str = ""


class DamagedDiceReported(GameEvent, frozen=True, kw_only=True):
    """Two people found dice of a set damaged."""

    second: Actor
    reason: str
    rounds: list[int]
    dice_set: str | None


class RoundSuspended(GameEvent, frozen=True, kw_only=True):
    """The round is held where it is."""


class RoundInterrupted(GameEvent, frozen=True, kw_only=True):
    """A technical interruption, and whether the known faces establish an outcome."""

    known: list[int]
    established: bool
    readable: bool


class RoundResumed(GameEvent, frozen=True, kw_only=True):
    """Play goes on."""


class ResultCorrected(GameEvent, frozen=True, kw_only=True):
    """The result now is what the dice show; both are on the record. There is none before on known faces."""

    second: Actor
    reason: str
    before: Roll | None
    after: Roll


class SettlementReversed(GameEvent, frozen=True, kw_only=True):
    """The net of all earlier payouts of this round is undone."""

    payouts: dict[str, int]


class BetsCorrected(GameEvent, frozen=True, kw_only=True):
    """A player's bets now are what was on the felt; both are on the record.

    `chips` is the part in colour from now on; with none the colours are as they were on each box.
    """

    second: Actor
    reason: str
    player: str
    before: dict[str, int]
    after: dict[str, int]
    chips: ColourChips | None = None


class DisplayFaultRecorded(GameEvent, frozen=True, kw_only=True):
    """A lamp or display was wrong; nothing follows from it."""

    kind: str
    what: str


class RulingMade(GameEvent, frozen=True, kw_only=True):
    """A decision on what the rules do not provide for; what it does follows as further events."""

    second: Actor
    reason: str
    decision: str
    roll: Roll | None = None
    bets: list[BetRef] = []


AnyEvent = (
    BettingOpened
    | BetsPlaced
    | BettingClosed
    | TumblerCovered
    | TumblerActivated
    | DiceExposed
    | RollDeclared
    | KnownFacesDeclared
    | PayoutsMade
    | BetsSettled
    | RoundConcluded
    | ExcessRejected
    | MinimumAdvised
    | BetsReturned
    | PlayerAbsent
    | RoundVoided
    | DamagedDiceReported
    | RoundSuspended
    | RoundInterrupted
    | RoundResumed
    | ResultCorrected
    | SettlementReversed
    | BetsCorrected
    | DisplayFaultRecorded
    | RulingMade
)
