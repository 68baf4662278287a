"""What was approved: a Rulebook with its clauses and procedure, its PayTables, and their Boxes.

All of it is immutable. Where a rulebook is silent, `cite` answers `house`: the act is the house's own
procedure and names no clause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal

from taisai.dice import Roll, RollSet, holds
from taisai.errors import InputError, UnknownName
from taisai.money import payable_unit
from taisai.rulebooks.kinds import Kind, Numbers
from taisai.rulebooks.layers import Layer
from taisai.rulebooks.layout import Layout

HOUSE: Final = "house"

# The topics on which the machine cites a clause. A rule file maps each to its clauses, or leaves it out.
TOPICS: Final = frozenset(
    """
    open place layout dice close late_bets limits_shown limits_kept balance_open cover tumble result settle
    triple excess pro_rata exempt below_minimum below_minimum_stands walk_away interruption established
    terminal_cut_off registered unregistered correct_result earlier_rounds_stand damaged_dice void
    other_rounds_stand felt_decides lamps display void_returns on_behalf ruling acting_position terminal
    console colour_chips round
    """.split()
)


class Ground(StrEnum):
    """Why a round is void."""

    TOO_FEW_TUMBLES = "too-few-tumbles"
    NOT_FLAT = "not-flat"
    EXPOSED_EARLY = "exposed-early"
    ACTIVATED_EARLY = "activated-early"
    DAMAGED_DICE = "damaged-dice"
    NOTHING_ESTABLISHED = "nothing-established"


@dataclass(frozen=True, slots=True)
class Price:
    """A set of rolls and what a box pays on them, to one."""

    rolls: RollSet
    pays_to_one: Fraction


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the layout where chips may be placed, with its odds."""

    id: str
    kind: Kind
    numbers: Numbers
    group: str
    prices: tuple[Price, ...]

    @property
    def pays(self) -> tuple[Fraction, ...]:
        return tuple(price.pays_to_one for price in self.prices)

    @property
    def wins(self) -> RollSet:
        """Every roll on which this box wins at any price."""
        rolls = 0
        for price in self.prices:
            rolls |= price.rolls
        return rolls

    def pays_on(self, roll: Roll) -> Fraction | None:
        """The odds to one that the roll earns, or None when the box loses."""
        for price in self.prices:
            if holds(price.rolls, roll):
                return price.pays_to_one
        return None


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """The boxes of one kind at one price: what limits are set on."""

    id: str
    kind: Kind
    pays: tuple[Fraction, ...]
    boxes: tuple[str, ...]


@dataclass(frozen=True)
class PayTable:
    """One layout's boxes and odds. Its name is `RULEBOOK/N`."""

    id: str
    number: int
    title: str
    groups: tuple[BoxGroup, ...]
    boxes: tuple[Box, ...]
    layout: Layout
    digest: str
    clause: str | None = None
    appendix: str | None = None
    layer: Layer | None = None

    def __hash__(self) -> int:
        """By the digest, which covers boxes and odds: all of them would take a thousand times as long."""
        return hash(self.digest)

    @cached_property
    def by_id(self) -> Mapping[str, Box]:
        """Each box by its id, for reading: a published pay table cannot be altered."""
        return MappingProxyType({box.id: box for box in self.boxes})

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The position of each box, for settlement by columns."""
        return MappingProxyType({box.id: position for position, box in enumerate(self.boxes)})

    @cached_property
    def unit(self) -> int:
        """The smallest chip unit that every price of this table pays in whole minor units."""
        return payable_unit(pays for box in self.boxes for pays in box.pays)

    @cached_property
    def pays_most(self) -> Fraction:
        """The highest odds of all boxes, to one."""
        return max(pays for box in self.boxes for pays in box.pays)

    def check_playable(self) -> None:
        """Refuse a table that only mathematics may use: one with multipliers or a progressive."""
        if self.layer is not None:
            raise InputError(
                f"{self.id} has random multipliers or a progressive: it can be computed (taisai layers), "
                "and neither played nor settled"
            )

    def box(self, box_id: str) -> Box:
        try:
            return self.by_id[box_id]
        except KeyError:
            raise UnknownName(f"box on {self.id}", box_id, self.by_id) from None

    def __contains__(self, box_id: object) -> bool:
        return box_id in self.by_id

    def winning_boxes(self, roll: Roll) -> tuple[str, ...]:
        """The boxes that a roll lights up, in the order of the pay table."""
        return tuple(box.id for box in self.boxes if holds(box.wins, roll))


@dataclass(frozen=True, slots=True)
class Procedure:
    """How the dice are tumbled and what is announced."""

    cover: Literal["covered", "open"]
    tumbles_min: int
    say_open: str
    say_close: str


@dataclass(frozen=True, slots=True)
class LimitRules:
    """Which limits a table may set and what becomes of bets outside them."""

    minimum: Literal["advise", "refuse"]
    maximum: Literal["box", "player"]
    excess: Literal["cut", "refuse"]
    notice: tuple[str, ...]
    differential: bool
    pro_rata: bool


@dataclass(frozen=True, slots=True)
class Approval:
    """What a document's front page says of its approval; where the page is lost, nothing."""

    authority: str | None = None
    reference: str | None = None
    dated: date | None = None


@dataclass(frozen=True)
class Rulebook:
    """One approved document: who may do what, in which order, and what each bet pays."""

    id: str
    title: str
    version: str
    source: str
    approved: bool
    effective: date | None
    electronic: bool
    colour_chips: bool
    damaged_dice: Literal["round-in-play", "affected-rounds"]
    procedure: Procedure
    limits: LimitRules
    void: Mapping[Ground, str]
    triple_wins: Mapping[Kind, str]
    cites: Mapping[str, tuple[str, ...]]
    clauses: Mapping[str, str]
    headings: frozenset[str]
    pay_tables: tuple[PayTable, ...]
    approval: Approval = field(default_factory=Approval, compare=False)
    digest: str = field(default="", compare=False)

    def pay_table(self, number: int) -> PayTable:
        for pay_table in self.pay_tables:
            if pay_table.number == number:
                return pay_table
        raise UnknownName(f"pay table of {self.id}", str(number), (str(t.number) for t in self.pay_tables))

    def clause(self, number: str) -> str:
        """What a clause says, in our words."""
        try:
            return self.clauses[number]
        except KeyError:
            raise UnknownName(f"clause of {self.id}", number, self.clauses) from None

    def cite(self, topic: str) -> str:
        """The clause that governs a topic, or `house`."""
        found = self.cites.get(topic)
        if found is not None:
            return found[0]
        if topic not in TOPICS:
            raise UnknownName("topic", topic, TOPICS)
        return HOUSE

    def cite_first(self, *topics: str) -> str:
        """The clause of the first of these topics that the rulebook speaks of, or `house`."""
        return next((clause for topic in topics if (clause := self.cite(topic)) != HOUSE), HOUSE)
