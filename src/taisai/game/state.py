"""The state of one round: rebuilt from its events alone, and kept so that one bet costs the same at ten
players as at ten thousand."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Any, Final, Literal, NamedTuple

import msgspec

from taisai.dice import KnownFaces, Roll
from taisai.game.acts import BETTING_ACTS, Act, Cell, Phase, cell
from taisai.game.commands import ColourChips
from taisai.game.limits import PAIRS, LighterSide, Limits, house_limits
from taisai.game.notary import Notary
from taisai.game.refusals import Refusal, RefusalCode
from taisai.rulebooks.model import PayTable, Rulebook


class Chips(NamedTuple):
    """Chips put on a box at one moment. `order` counts over the whole round."""

    order: int
    amount: int


Absence = Literal["", "walked-away", "cut-off"]


WRITTEN_DOWN: Final = -1


class PlayerSlip(msgspec.Struct, gc=False):
    """All of one player's bets in the round: what is on each box, and the chips it is made of.

    `first` says when the first chips came that still lie on a box, on the boxes of `amounts` in their order.
    Nearly always all came at one moment, box after box: then `laid` counts the chips that had come before
    them, else it is `WRITTEN_DOWN` in `moments`. What came on top at other moments is in `later`. `amounts`
    may be the event's own, so whoever changes it makes another.
    """

    version: int = 0
    asked: dict[str, int] = {}
    amounts: dict[str, int] = {}
    laid: int = WRITTEN_DOWN
    moments: dict[str, int] = {}
    later: dict[str, list[Chips]] = {}
    chips: ColourChips | None = None
    absent: Absence = ""

    def on(self, box: str) -> int:
        return self.amounts.get(box, 0)

    @property
    def first(self) -> dict[str, int]:
        """When the first chips came that still lie on a box, by box."""
        if self.laid == WRITTEN_DOWN:
            return self.moments
        return dict(zip(self.amounts, count(self.laid + 1), strict=False))

    def chips_on(self, box: str) -> list[Chips]:
        """What lies on a box, in the order in which it came."""
        first = self.first.get(box)
        if first is None:
            return []
        later = self.later.get(box, [])
        return [Chips(first, self.amounts[box] - sum(chips.amount for chips in later)), *later]

    def slip(self) -> dict[str, int]:
        return dict(self.amounts)

    def coloured(self, box: str) -> int:
        """How much of the stake on a box is in the player's colour."""
        return self.chips.part_of(box, self.on(box)) if self.chips else 0

    def total(self) -> int:
        return sum(self.amounts.values())


@dataclass(slots=True)
class Bet:
    """One player's stake on one box, and when its first surviving chip came."""

    player: str
    box: str
    stake: int
    order: int


@dataclass(frozen=True, slots=True)
class Totals:
    """What a settlement adds up to, and what each player gets back."""

    bets: int
    staked: int
    effective: int
    paid: dict[str, int]


@dataclass(slots=True)
class RoundState:
    """One round. `evolve` updates it in place."""

    rulebook: Rulebook
    pay_table: PayTable
    phase: Phase = Phase.NOT_OPEN
    held: Literal["", "suspended", "interrupted"] = ""
    held_at: datetime | None = None  # when it was last held: one hold is told from the next by it
    table: str = ""
    number: int = 0
    limits: Limits = None  # type: ignore[assignment]  # set in __post_init__, from then on never None
    lighter_side: LighterSide = "placed"
    dice_set: str | None = None
    slips: dict[str, PlayerSlip] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    order: int = 0
    revision: int = 0  # counts changes of bets, so that a computed settlement knows when it is old
    registrations: int = (
        0  # counts slips as they come: one that changes no bet has a new version all the same
    )
    advised: set[tuple[str, str]] = field(default_factory=set)
    covered: bool = False
    tumbles: int | None = None
    exposed: bool = False
    known: tuple[int, ...] = ()
    roll: Roll | None = None
    settles_known: bool = False  # by a ruling: what the known faces decide is settled, the rest goes back
    paid: dict[str, int] = field(default_factory=dict)
    ground: str | None = None
    void_clause: str = ""
    opened_at: datetime | None = None
    commitment: str = ""
    secret: str = ""
    share: str = ""
    slip_root: str = ""  # of the tree over the slips at the closing, and how many they were
    slips_closed: int = 0
    dice_clause: str = ""  # by what people declared the dice
    attempt: int = 0  # of settling: a correction makes another
    amended: dict[str, dict[str, int]] = field(default_factory=dict)  # slips as closed, changed since
    # What the last settlement knew of those who were found absent since: their results do not say it.
    went_since: dict[str, Absence] = field(default_factory=dict)
    # Who makes the proofs. Not part of what the round is.
    notary: Notary | None = field(default=None, compare=False, repr=False)
    # The settlement as computed last, and the revision it holds for. Not part of what the round is.
    computed: tuple[int, Totals] | None = field(default=None, compare=False, repr=False)
    # The cells of the table of acts that were asked for: every slip asks for the same one.
    _cells: dict[tuple[Act, Phase], Cell] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.pay_table.check_playable()
        if self.limits is None:
            self.limits = house_limits(self.pay_table)

    def copy(self) -> "RoundState":
        """A state that can be changed without changing this one."""
        slips = {
            player: msgspec.structs.replace(
                slip,
                amounts=dict(slip.amounts),
                moments=dict(slip.moments),
                later={box: list(chips) for box, chips in slip.later.items()},
            )
            for player, slip in self.slips.items()
        }
        return replace(
            self,
            slips=slips,
            totals=dict(self.totals),
            advised=set(self.advised),
            paid=dict(self.paid),
            amended=dict(self.amended),
            went_since=dict(self.went_since),
        )

    def refuse(self, code: RefusalCode, topic: str, **facts: Any) -> Refusal:
        """A refusal under the clause that this round's rulebook has for the topic."""
        return Refusal(code=code, clause=self.rulebook.cite(topic), facts=facts)

    def refuse_act(self, act: Act) -> Refusal | None:
        """Why an act cannot be done where the round stands, under the clause that forbids it; or none."""
        here = self.cell(act)
        if here.refusal is None:
            return None
        facts = {"act": str(act), "phase": str(self.standing)}
        return Refusal(code=here.refusal, clause=self._clause_against(here), facts=facts)

    def _clause_against(self, here: Cell) -> str:
        """Closer than the table of acts, which does not know how a round came to its phase."""
        if here.refusal is RefusalCode.NOT_IN_THIS_RULEBOOK:
            return here.clause
        if self.phase is Phase.VOID:
            return self.clause_of_void
        if here.act in BETTING_ACTS and self.held and self.betting_has_closed:
            return self.rulebook.cite("late_bets")
        return here.clause

    @property
    def clause_of_void(self) -> str:
        """What forbids to go on with a void round: the definition of void or, without one, its ground."""
        void = self.rulebook.cite("void")
        grounds = self.rulebook.void.values()
        return self.void_clause if any(ground.startswith(f"{void}.") for ground in grounds) else void

    @property
    def standing(self) -> Phase:
        """The phase as the table of acts knows it."""
        return Phase.INTERRUPTED if self.held else self.phase

    def cell(self, act: Act) -> Cell:
        """What becomes of an act now, by the table of acts."""
        key = (act, self.standing)
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = cell(self.rulebook, *key)
        return found

    @property
    def outcome(self) -> Roll | KnownFaces | None:
        """What the bets are settled on: the roll, or by a ruling the faces that could be read."""
        return KnownFaces(self.known) if self.settles_known else self.roll

    @property
    def betting_has_closed(self) -> bool:
        return self.phase not in (Phase.NOT_OPEN, Phase.BETTING)

    def staked(self) -> int:
        return sum(self.totals.values())

    def bets(self) -> list[Bet]:
        """Every bet on the felt, in the order of its first surviving chip."""
        found = [
            Bet(player, box, slip.amounts[box], order)
            for player, slip in self.slips.items()
            for box, order in slip.first.items()
        ]
        found.sort(key=lambda bet: bet.order)
        return found

    def stakes_by_player(self) -> dict[str, int]:
        """What each player has on the felt, in the order in which they first bet."""
        totals = {player: slip.total() for player, slip in self.slips.items()}
        return {player: total for player, total in totals.items() if total}

    def breaches(self) -> Iterator["Breach"]:
        """What is above a maximum or a differential now: what the console shows to the dealer."""
        for box_id, total in self.totals.items():
            maximum = self.limits.of(self.pay_table.by_id[box_id]).maximum
            if self.rulebook.limits.maximum == "box" and maximum is not None and total > maximum:
                yield Breach(box_id, box_id, maximum, total - maximum)
        for pair, limit in self.limits.differential.items():
            light, heavy = sorted(PAIRS[pair], key=lambda side: self.totals.get(side, 0))
            excess = self.totals.get(heavy, 0) - self.totals.get(light, 0) - limit
            if excess > 0:
                yield Breach(pair, heavy, limit, excess)

    def below_minimum(self) -> Iterator[tuple[str, str, int, int]]:
        """Bets under their minimum as (player, box, stake, minimum): what the dealer may advise of."""
        for player, slip in self.slips.items():
            for box, stake in slip.amounts.items():
                minimum = self.limits.of(self.pay_table.by_id[box]).minimum
                if stake < minimum:
                    yield player, box, stake, minimum


@dataclass(frozen=True, slots=True)
class Breach:
    """A limit that the bets exceed: on which box the excess is, and how much it is."""

    on: str
    box: str
    limit: int
    excess: int
