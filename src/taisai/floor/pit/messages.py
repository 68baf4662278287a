"""What is asked of the pit's day, and what stands on its stream."""

from datetime import date
from typing import Annotated, Literal

import msgspec

from taisai.floor.desks.decider import HouseCommand, HouseEvent
from taisai.game.people import Actor

WhyOut = Literal["rotation", "damaged", "inspection", "end-of-day"]
CountKind = Literal["opening", "closing", "drop"]
AlarmKind = Literal["stopped", "ruling", "held", "dice", "hold", "reading", "attendant", "rules"]
AlarmText = Annotated[str, msgspec.Meta(max_length=200)]


class HeldEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a hold is judged by, of a table's rounds with dice in one shift; those of several shifts add up.

    `log_prices` are as `taisai.odds.evidence.hold` has them, one for each of its rates.
    """

    rounds: int
    handle: int
    win: int
    mean: float
    worst: float
    best: float
    log_prices: list[float]


class OpenDay(HouseCommand, frozen=True, kw_only=True):
    """Begin a gaming day."""

    day: date


class CloseDay(HouseCommand, frozen=True, kw_only=True):
    """End the gaming day, when every float has been counted."""


class StartShift(HouseCommand, frozen=True, kw_only=True):
    """Begin a shift of the day; the one before ends."""

    shift: str


class SeatDealer(HouseCommand, frozen=True, kw_only=True):
    """Hand a table over to a dealer, or (none) leave it without one."""

    table: str
    dealer: str | None


class FillTable(HouseCommand, frozen=True, kw_only=True):
    """Bring chips from the cage to a table's float."""

    table: str
    amount: int
    slip: str = ""
    second: Actor | None = None
    reason: str = ""


class CreditTable(HouseCommand, frozen=True, kw_only=True):
    """Take chips from a table's float to the cage."""

    table: str
    amount: int
    slip: str = ""
    second: Actor | None = None
    reason: str = ""


class CountFloat(HouseCommand, frozen=True, kw_only=True):
    """Two people count a table's float, at its opening or its closing."""

    table: str
    when: Literal["opening", "closing"]
    counted: int
    second: Actor | None = None
    reason: str = ""


class RecordFigures(HouseCommand, frozen=True, kw_only=True):
    """What the ledger says of a table in the present shift: net money changed, handle and win.

    `expected` and `variance` are of the win, from the bets that were really made, in whole minor units.
    """

    table: str
    drop: int
    handle: int
    win: int
    expected: int | None = None
    variance: int | None = None
    evidence: HeldEvidence | None = None


class AllotChips(HouseCommand, frozen=True, kw_only=True):
    """A table asks for cash chips that it may take out of circulation, where several processes run tables.

    It takes the place of what the table was allotted before. `out` is what the record says is in circulation;
    `epoch` is the life of the table's desk that asks.
    """

    table: str
    epoch: int
    amount: int
    out: int = 0


class ClaimDice(HouseCommand, frozen=True, kw_only=True):
    """A table begins a round with the dice in its tumbler, where another process runs the pit.

    Without a `round` it begins none after all. `epoch` is the life of the table's desk that asks.
    """

    table: str
    epoch: int
    round: int = 0


class TakeDrop(HouseCommand, frozen=True, kw_only=True):
    """Take a table's drop box away, sealed."""

    table: str
    box: str


class CountDrop(HouseCommand, frozen=True, kw_only=True):
    """Two people count what is in a drop box."""

    box: str
    counted: int
    second: Actor | None = None
    reason: str = ""


class PutInDice(HouseCommand, frozen=True, kw_only=True):
    """Put a set of dice into a table's tumbler."""

    table: str
    dice_set: str


class InspectDice(HouseCommand, frozen=True, kw_only=True):
    """A set of dice was looked at where it is."""

    table: str
    dice_set: str
    passed: bool
    note: str = ""


class TakeOutDice(HouseCommand, frozen=True, kw_only=True):
    """Take a set of dice out of a table's tumbler. Damaged dice never come back."""

    table: str
    dice_set: str
    why: WhyOut


class InspectShaker(HouseCommand, frozen=True, kw_only=True):
    """The tumbler was looked at for tampering, as on every gaming day."""

    table: str
    passed: bool
    note: str = ""


class AcknowledgeAlarm(HouseCommand, frozen=True, kw_only=True):
    """Somebody has seen an alarm of a table and looks after it.

    `about` is whom or what it is about, `mark` tells this alarm from a later one of the same kind.
    """

    table: str
    alarm: AlarmKind
    about: AlarmText = ""
    mark: AlarmText = ""


AnyPitCommand = (
    OpenDay
    | CloseDay
    | StartShift
    | SeatDealer
    | FillTable
    | CreditTable
    | CountFloat
    | RecordFigures
    | AllotChips
    | ClaimDice
    | TakeDrop
    | CountDrop
    | PutInDice
    | InspectDice
    | TakeOutDice
    | InspectShaker
    | AcknowledgeAlarm
)


class DayOpened(HouseEvent, frozen=True, kw_only=True):
    """A gaming day began."""

    day: date


class DayClosed(HouseEvent, frozen=True, kw_only=True):
    """A gaming day ended; the tables have no dealers any more."""

    day: date


class ShiftStarted(HouseEvent, frozen=True, kw_only=True):
    """A shift began."""

    shift: str
    before: str | None


class DealerSeated(HouseEvent, frozen=True, kw_only=True):
    """Who deals at a table, and who did before."""

    table: str
    dealer: str | None
    before: str | None


class TableFilled(HouseEvent, frozen=True, kw_only=True):
    """Chips came to a float."""

    table: str
    amount: int
    slip: str
    second: Actor


class TableCredited(HouseEvent, frozen=True, kw_only=True):
    """Chips left a float."""

    table: str
    amount: int
    slip: str
    second: Actor


class FloatCounted(HouseEvent, frozen=True, kw_only=True):
    """A count, what it should have been where that is known, and the difference."""

    table: str
    when: Literal["opening", "closing"]
    counted: int
    expected: int | None
    difference: int | None
    second: Actor


class FiguresRecorded(HouseEvent, frozen=True, kw_only=True):
    """What the ledger says of a table in the present shift, and what theory says of its win."""

    table: str
    drop: int
    handle: int
    win: int
    expected: int | None = None
    variance: int | None = None
    evidence: HeldEvidence | None = None


class ChipsAllotted(HouseEvent, frozen=True, kw_only=True):
    """A table may take so many of the cash chips in circulation, and no other table those."""

    table: str
    epoch: int
    amount: int


class DiceClaimed(HouseEvent, frozen=True, kw_only=True):
    """The dice in a table's tumbler stay there for a round that it begins, or, without one, no longer."""

    table: str
    epoch: int
    round: int


class DropTaken(HouseEvent, frozen=True, kw_only=True):
    """A drop box left its table; `expected` is what the ledger says should be in it, where that is known."""

    table: str
    box: str
    expected: int | None


class DropCounted(HouseEvent, frozen=True, kw_only=True):
    """What was in a drop box."""

    table: str
    box: str
    counted: int
    expected: int | None
    difference: int | None
    second: Actor


class DicePutIn(HouseEvent, frozen=True, kw_only=True):
    """A set of dice is in use at a table."""

    table: str
    dice_set: str


class DiceInspected(HouseEvent, frozen=True, kw_only=True):
    """A set of dice was looked at."""

    table: str
    dice_set: str
    passed: bool
    note: str


class DiceTakenOut(HouseEvent, frozen=True, kw_only=True):
    """A set of dice is no longer in use at a table."""

    table: str
    dice_set: str
    why: WhyOut


class ShakerInspected(HouseEvent, frozen=True, kw_only=True):
    """A tumbler was looked at."""

    table: str
    passed: bool
    note: str


class AlarmAcknowledged(HouseEvent, frozen=True, kw_only=True):
    """An alarm of a table that somebody has seen; it sounds no more."""

    table: str
    alarm: AlarmKind
    about: str
    mark: str


AnyPitEvent = (
    DayOpened
    | DayClosed
    | ShiftStarted
    | DealerSeated
    | TableFilled
    | TableCredited
    | FloatCounted
    | FiguresRecorded
    | ChipsAllotted
    | DiceClaimed
    | DropTaken
    | DropCounted
    | DicePutIn
    | DiceInspected
    | DiceTakenOut
    | ShakerInspected
    | AlarmAcknowledged
)
