"""What people at the table ask for. Every command says who, when, and all the facts that it rests on."""

from datetime import datetime
from typing import Literal

import msgspec

from taisai.dice import Roll
from taisai.game.limits import Limits
from taisai.game.people import Actor
from taisai.rulebooks.model import Ground


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag=True,
    tag_field="type",
    forbid_unknown_fields=True,
    gc=False,
):
    """An act asked for by someone. `v` is the version of its form, which takes no other facts than these."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class TwoPeople(Command, frozen=True, kw_only=True):
    """An act that is never one person's word."""

    second: Actor | None = None
    reason: str = ""


class OneOrTwo(Command, frozen=True, kw_only=True):
    """An act that is one person's word in some cases and takes two people in others."""

    second: Actor | None = None
    reason: str = ""


class OpenBetting(Command, frozen=True, kw_only=True):
    """Place your bets, please. Pins the rules under which the round is played."""

    table: str
    number: int
    rulebook: str
    rulebook_digest: str
    pay_table: str
    pay_table_digest: str
    limits: Limits
    dice_set: str | None = None
    commitment: str = ""


class ColourChips(msgspec.Struct, frozen=True):
    """How much of each box's stake is in a player's colour, and what one chip of it is worth."""

    colour: str
    value: int
    boxes: dict[str, int]

    def part_of(self, box: str, amount: int) -> int:
        """What of an amount on a box is in colour: whole chips of it."""
        part = min(self.boxes.get(box, 0), amount)
        return part // self.value * self.value if part > 0 and self.value > 0 else 0

    def fits(self, box: str, amount: int) -> int:
        """The most up to an amount that these chips make on a box, once the cash chips there are off."""
        return amount if amount >= self.boxes.get(box, 0) else self.part_of(box, amount)


class PlaceBets(Command, frozen=True, kw_only=True):
    """Replace a player's whole slip: place, increase, reduce and withdraw are all this.

    `version` is the client's own counter. `all_or_nothing` refuses a slip that would be cut. What staff send
    was laid on the felt by the player, unless it was staff who placed it, `on_request` of the player.
    """

    player: str
    slip: dict[str, int]
    version: int
    all_or_nothing: bool = False
    chips: ColourChips | None = None
    on_request: bool = False


class CloseBetting(Command, frozen=True, kw_only=True):
    """No more bets.

    Where a breach is on the screen, `excess` says what becomes of it: it is rejected (5.1), or left because
    the chips could not be taken off in time.
    """

    excess: Literal["reject", "leave"] | None = None


class CoverTumbler(Command, frozen=True, kw_only=True):
    """Put the cover on the tumbler."""


class ActivateTumbler(Command, frozen=True, kw_only=True):
    """The tumbler was activated and tumbled so many times.

    `uncovered` records that it happened without the cover in a covered game; `flat` is what can be seen of
    dice that are not concealed.
    """

    tumbles: int
    uncovered: bool = False
    flat: bool = True


class ExposeDice(Command, frozen=True, kw_only=True):
    """Lift the cover. `flat` says whether every die rests flat."""

    flat: bool = True


class DeclareRoll(Command, frozen=True, kw_only=True):
    """The result that the dice show, confirmed."""

    roll: Roll


class SettleBets(Command, frozen=True, kw_only=True):
    """Collect and pay. `players_max` pays a very large round in parts; ask again until it is settled."""

    players_max: int | None = None


class ConcludeRound(Command, frozen=True, kw_only=True):
    """The settlement for all players has been made."""


class RejectExcess(Command, frozen=True, kw_only=True):
    """Give back what is above the maximum of a box, or above the differential of a pair (`big-small`)."""

    on: str


class AdviseMinimum(Command, frozen=True, kw_only=True):
    """Tell a player that a bet is below the minimum."""

    player: str
    box: str


class ReturnBelowMinimum(Command, frozen=True, kw_only=True):
    """Give back a bet below the minimum whose player was told and did not act."""

    player: str
    box: str


class RecordWalkAway(Command, frozen=True, kw_only=True):
    """A player has left with bets on the felt."""

    player: str


class RecordCutOff(Command, frozen=True, kw_only=True):
    """A Player Terminal has lost contact. What it had registered stays in play."""

    player: str


class VoidRound(OneOrTwo, frozen=True, kw_only=True):
    """Void the round on a ground that the dealer has seen.

    It takes two people once the roll is declared, and where the record says otherwise than the ground.
    """

    ground: Ground


class ReportDamagedDice(TwoPeople, frozen=True, kw_only=True):
    """Dice of a set are damaged; these rounds of the table used it, and these of other tables."""

    rounds: list[int]
    dice_set: str | None = None
    elsewhere: dict[str, list[int]] = {}


class SuspendRound(Command, frozen=True, kw_only=True):
    """Hold the round where it is, as after a restart."""


class InterruptRound(OneOrTwo, frozen=True, kw_only=True):
    """A technical interruption affects the round. `known` are the faces read from dice at rest.

    `readable` is False when the other dice can never be read.
    """

    known: list[int] = []
    readable: bool = True


class ResumeRound(Command, frozen=True, kw_only=True):
    """Go on after a suspension or an interruption."""


class CorrectResult(TwoPeople, frozen=True, kw_only=True):
    """The declared result was not what the dice show."""

    roll: Roll


class CorrectBets(TwoPeople, frozen=True, kw_only=True):
    """A player's bets in the register were not what was on the felt at the closing.

    `chips` says which part was in colour; where nothing is said the colours stay as far as they can.
    """

    player: str
    slip: dict[str, int]
    chips: ColourChips | None = None


class RecordDisplayFault(Command, frozen=True, kw_only=True):
    """A lamp or display showed something else than the dice. It decides nothing."""

    what: str
    kind: Literal["lamps", "display"] = "display"


class BetRef(msgspec.Struct, frozen=True, order=True):
    """One player's bet on one box."""

    player: str
    box: str


class MakeRuling(TwoPeople, frozen=True, kw_only=True):
    """Decide what the rules do not provide for.

    `settle-known` settles what the faces that were read decide, and returns every other bet.
    """

    decision: Literal["void", "declare", "settle-known", "return-bets", "record"]
    roll: Roll | None = None
    bets: list[BetRef] = []


AnyCommand = (
    OpenBetting
    | PlaceBets
    | CloseBetting
    | CoverTumbler
    | ActivateTumbler
    | ExposeDice
    | DeclareRoll
    | SettleBets
    | ConcludeRound
    | RejectExcess
    | AdviseMinimum
    | ReturnBelowMinimum
    | RecordWalkAway
    | RecordCutOff
    | VoidRound
    | ReportDamagedDice
    | SuspendRound
    | InterruptRound
    | ResumeRound
    | CorrectResult
    | CorrectBets
    | RecordDisplayFault
    | MakeRuling
)
