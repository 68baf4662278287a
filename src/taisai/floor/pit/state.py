"""The pit as its stream tells it: the day, its shifts, and for each table dealer, float, drop and dice."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from taisai.floor.desks.decider import MoneylessState
from taisai.floor.pit import messages as msg
from taisai.game.people import Actor

PERIODS_KEPT: Final = 5_000
LOG_KEPT: Final = 2_000

PeriodKey = tuple[date, str, str]  # day, shift, table


@dataclass(slots=True)
class Period:
    """One table in one shift.

    The float and the drop make the win: what is in the box and the tray at the end, less what was in the
    tray at the beginning and what was brought, and what was taken away to the cage.
    """

    opening: int | None = None
    closing: int | None = None
    fills: int = 0
    credits: int = 0
    drop: int = 0
    boxes: int = 0
    boxes_uncounted: int = 0
    boxed: int = 0  # what the ledger expects in the boxes that were taken
    recorded: msg.FiguresRecorded | None = None

    @property
    def expected_closing(self) -> int | None:
        """What should be in the tray, by the last count and the ledger."""
        if self.opening is None or self.recorded is None:
            return None
        moved = self.fills - self.credits - self.recorded.drop + self.recorded.win
        return self.opening + moved


@dataclass(frozen=True, slots=True)
class Assertion:
    """A count beside what it should have been. A difference is kept, not smoothed over."""

    at: datetime
    by: Actor
    second: Actor
    table: str
    what: msg.CountKind
    counted: int
    expected: int | None
    difference: int | None


@dataclass(slots=True)
class DropBox:
    """A drop box on its way from the table to the count."""

    table: str
    period: PeriodKey
    expected: int | None
    counted: int | None = None


@dataclass(slots=True)
class PitTable:
    """One table as the pit sees it."""

    dealer: str | None = None
    dealer_since: datetime | None = None
    dice_set: str | None = None
    dice_since: datetime | None = None
    shaker_passed: bool | None = None  # today; none before the inspection
    left_minor: int | None = None  # the float as the last closing left it, until a new period begins with it


@dataclass
class PitList(MoneylessState):
    """What is known of the pit; `acts.PitState` decides on it."""

    day: date | None = None
    last_day: date | None = None
    shift: str | None = None
    shift_since: datetime | None = None
    tables: dict[str, PitTable] = field(default_factory=dict)
    periods: "OrderedDict[PeriodKey, Period]" = field(default_factory=OrderedDict)
    boxes: dict[str, DropBox] = field(default_factory=dict)
    dice_at: dict[str, str] = field(default_factory=dict)
    failed_dice: set[str] = field(default_factory=set)
    allotted_chips: dict[str, msg.ChipsAllotted] = field(default_factory=dict)
    claimed_dice: dict[str, msg.DiceClaimed] = field(default_factory=dict)
    assertions: "deque[Assertion]" = field(default_factory=lambda: deque(maxlen=LOG_KEPT))
    hand_overs: "deque[msg.DealerSeated]" = field(default_factory=lambda: deque(maxlen=LOG_KEPT))
    dice_log: "deque[msg.DicePutIn | msg.DiceInspected | msg.DiceTakenOut]" = field(
        default_factory=lambda: deque(maxlen=LOG_KEPT)
    )
    shaker_log: "deque[tuple[date, msg.ShakerInspected]]" = field(
        default_factory=lambda: deque(maxlen=LOG_KEPT)
    )

    # The last that somebody has seen, by table, kind and what it is about.
    acknowledged: "OrderedDict[tuple[str, str, str], msg.AlarmAcknowledged]" = field(
        default_factory=OrderedDict
    )

    def table(self, name: str) -> PitTable:
        """A table as it stands; one that nothing is known of has nothing."""
        return self.tables.get(name) or PitTable()

    def _kept(self, name: str) -> PitTable:
        return self.tables.setdefault(name, PitTable())

    def key(self, table: str) -> PeriodKey:
        return self.day or date.min, self.shift or "", table

    def period(self, table: str) -> Period:
        """The table's present period; a new one begins with the float as it was left."""
        key = self.key(table)
        if key not in self.periods:
            found = self._kept(table)
            self.periods[key] = Period(opening=found.left_minor)
            found.left_minor = None
            while len(self.periods) > PERIODS_KEPT:
                self.periods.popitem(last=False)
        return self.periods[key]

    def evolve(self, event: msg.AnyPitEvent) -> None:
        """Apply one event of the pit's stream."""
        match event:
            case msg.DayOpened():
                self.day, self.shift = event.day, None
                self.last_day = event.day
            case msg.DayClosed():
                self._end_day()
            case msg.ShiftStarted():
                self.shift, self.shift_since = event.shift, event.at
            case msg.DealerSeated():
                table = self._kept(event.table)
                table.dealer, table.dealer_since = event.dealer, event.at
                self.hand_overs.append(event)
            case msg.TableFilled():
                self._count_again(event.table).fills += event.amount
            case msg.TableCredited():
                self._count_again(event.table).credits += event.amount
            case msg.ChipsAllotted():
                self.allotted_chips[event.table] = event
            case msg.DiceClaimed():
                self.claimed_dice[event.table] = event
            case msg.FiguresRecorded():
                self.period(event.table).recorded = event
            case msg.FloatCounted() | msg.DropTaken() | msg.DropCounted():
                self._evolve_count(event)
            case msg.AlarmAcknowledged():
                self._evolve_alarm(event)
            case _:
                self._evolve_equipment(event)

    def _evolve_alarm(self, event: msg.AlarmAcknowledged) -> None:
        key = (event.table, event.alarm, event.about)
        self.acknowledged[key] = event
        self.acknowledged.move_to_end(key)
        while len(self.acknowledged) > LOG_KEPT:
            self.acknowledged.popitem(last=False)

    def _end_day(self) -> None:
        self.day = self.shift = None
        for table in self.tables.values():
            table.dealer = table.shaker_passed = None

    def _count_again(self, table: str) -> Period:
        """Chips that move after the closing count make a new count necessary."""
        period = self.period(table)
        period.closing = self._kept(table).left_minor = None
        return period

    def _evolve_count(self, event: msg.FloatCounted | msg.DropTaken | msg.DropCounted) -> None:
        if isinstance(event, msg.DropTaken):
            period = self.period(event.table)
            period.boxes += 1
            period.boxes_uncounted += 1
            period.boxed += event.expected or 0
            self.boxes[event.box] = DropBox(event.table, self.key(event.table), event.expected)
            return
        what: msg.CountKind = event.when if isinstance(event, msg.FloatCounted) else "drop"
        self.assertions.append(
            Assertion(
                event.at,
                event.by,
                event.second,
                event.table,
                what,
                event.counted,
                event.expected,
                event.difference,
            )
        )
        if isinstance(event, msg.DropCounted):
            box = self.boxes.pop(event.box)
            if box.period in self.periods:
                self.periods[box.period].drop += event.counted
                self.periods[box.period].boxes_uncounted -= 1
            return
        period = self.period(event.table)
        if event.when == "opening":
            period.opening = event.counted
        else:
            period.closing = self._kept(event.table).left_minor = event.counted

    def _evolve_equipment(
        self, event: msg.DicePutIn | msg.DiceInspected | msg.DiceTakenOut | msg.ShakerInspected
    ) -> None:
        table = self._kept(event.table)
        if isinstance(event, msg.ShakerInspected):
            table.shaker_passed = event.passed
            self.shaker_log.append((self.day or event.at.date(), event))
            return
        self.dice_log.append(event)
        match event:
            case msg.DicePutIn():
                table.dice_set, table.dice_since = event.dice_set, event.at
                self.dice_at[event.dice_set] = event.table
            case msg.DiceInspected(passed=False):
                self.failed_dice.add(event.dice_set)
            case msg.DiceTakenOut():
                table.dice_set = table.dice_since = None
                self.dice_at.pop(event.dice_set, None)
                if event.why in ("damaged", "inspection"):
                    self.failed_dice.add(event.dice_set)
