"""What is asked of a table, and what stands on its stream. A round's own messages travel inside."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from taisai.dice import Roll
from taisai.floor.identity import Identity
from taisai.floor.table.plain_slip import plain_slip
from taisai.floor.table.timing import Timing
from taisai.game import chips as chips_game
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.limits import Limits
from taisai.game.people import Actor


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The rules a table plays by, pinned when a round opens. Bets come from credits, or from cash chips."""

    pay_table: str
    limits: Limits
    money: Literal["credits", "chips"] = "credits"
    timing: Timing = Timing()
    seats: int = 12


class TableCommand(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """Something asked of a table. `v` is the version of its form."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class OpenTable(TableCommand, frozen=True, kw_only=True):
    """Open the table with these settings, or change them for its next round; a change takes two people.

    With `effective` the change waits for that time, and then for the end of the round in play.
    """

    settings: TableSettings
    effective: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    second: Actor | None = None
    reason: str = ""


class CarryOutChange(TableCommand, frozen=True, kw_only=True):
    """The time of a planned change has come, and no round is in play."""


class CancelChange(TableCommand, frozen=True, kw_only=True):
    """Two people take back a change that is planned."""

    second: Actor | None = None
    reason: str = ""


class CloseTable(TableCommand, frozen=True, kw_only=True):
    """No further round begins; one that is in play comes to its end."""

    reason: str = ""


class ReopenTable(TableCommand, frozen=True, kw_only=True):
    """Rounds may begin again, under the settings that stand."""


class StartRound(TableCommand, frozen=True, kw_only=True):
    """Place your bets, please: the next round, under the table's settings, with this set of dice.

    Where the dice will follow from a secret, its commitment is for the round `number` and no other.
    """

    dice_set: str | None = None
    number: int = 0
    commitment: str = ""
    sealed: str = ""


class InRound(TableCommand, frozen=True, kw_only=True):
    """An act of a round: the current one, or an earlier one by its number."""

    command: cmd.AnyCommand
    round: int | None = None

    def said_shortly(self) -> bytes | None:
        """A plain slip as the digest of what was asked covers it; whatever else there is, the long way."""
        placing = self.command
        if type(placing) is not cmd.PlaceBets or self.round is None or placing.at != self.at:
            return None
        return plain_slip(placing, self.by, self.round)


class AtRack(TableCommand, frozen=True, kw_only=True):
    """An act with colour chips."""

    command: chips_game.AnyChipsCommand


class BuyIn(TableCommand, frozen=True, kw_only=True):
    """Money for a player: from cash, or given away by the house."""

    player: str
    amount: int
    source: Literal["cash", "promo"] = "cash"


class CashOut(TableCommand, frozen=True, kw_only=True):
    """A player takes all free credit in cash, unless they owe; what is unclaimed two people pay out.

    Where bets are made with cash chips, `chips` is the worth of those that the player hands back. The credit
    of somebody who has gone is paid to whoever shows with a document that it is theirs.
    """

    player: str
    chips: int = 0
    identity: Identity | None = None
    second: Actor | None = None
    reason: str = ""


class TakeSeat(TableCommand, frozen=True, kw_only=True):
    """A player sits down; without a name it is somebody whom nobody asked for one."""

    seat: int
    player: str | None = None


class LeaveSeat(TableCommand, frozen=True, kw_only=True):
    """A seat is free again. What its player has at the table stays theirs."""

    seat: int


class LeaveTable(TableCommand, frozen=True, kw_only=True):
    """A player has gone, from every seat: what is owed to them from now on waits unclaimed."""

    player: str


class CollectOwed(TableCommand, frozen=True, kw_only=True):
    """Two people take what a correction left a player owing, in cash or from free credit, or waive it.

    `drawer` is whose drawer the cash goes to; without one it goes to the table.
    """

    player: str
    amount: int
    waive: bool = False
    source: Literal["cash", "credit"] = "cash"
    drawer: str | None = None
    second: Actor | None = None
    reason: str = ""
    identity: Identity | None = None


class PayUnclaimed(TableCommand, frozen=True, kw_only=True):
    """Two people pay out all that waits in a player's name; `amount` is what they agreed to."""

    player: str
    amount: int
    drawer: str | None = None
    second: Actor | None = None
    reason: str = ""
    identity: Identity | None = None


class ExtendBetting(TableCommand, frozen=True, kw_only=True):
    """Take bets for some seconds longer than the window says."""

    seconds: int


class RecordDraw(TableCommand, frozen=True, kw_only=True):
    """What a simulated tumbler drew for a round, and from where, before anyone is shown it.

    Without a roll the dice follow from the round's secret and its bets, and from the share of a second party.
    """

    round: int
    roll: Roll | None = None
    source: str
    share: str = ""


class ReadDice(TableCommand, frozen=True, kw_only=True):
    """What a camera or the tumbler itself read of a round's dice, beside the dealer."""

    round: int
    roll: Roll
    source: str


class CallSupervisor(TableCommand, frozen=True, kw_only=True):
    """A dealer's dice and the second reading differ: somebody has to come and look."""

    round: int
    declared: Roll


AnyTableCommand = (
    OpenTable
    | CarryOutChange
    | CancelChange
    | CloseTable
    | ReopenTable
    | StartRound
    | InRound
    | AtRack
    | BuyIn
    | CashOut
    | TakeSeat
    | LeaveSeat
    | LeaveTable
    | CollectOwed
    | PayUnclaimed
    | ExtendBetting
    | RecordDraw
    | ReadDice
    | CallSupervisor
)


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Something that happened at a table outside of its rounds."""

    by: Actor
    at: datetime
    v: Literal[1] = 1


class TableOpened(TableEvent, frozen=True, kw_only=True):
    """The table plays by these settings from its next round on; `second` agreed to a change of them.

    `planned` says that the change had waited for its time, or for the end of a round.
    """

    settings: TableSettings
    rulebook_digest: str
    pay_table_digest: str
    second: Actor | None = None
    reason: str = ""
    planned: bool = False


class ChangePlanned(TableEvent, frozen=True, kw_only=True):
    """Two people agreed what the table plays by from a time on; one that was planned before is off."""

    settings: TableSettings
    effective: datetime
    rulebook_digest: str
    pay_table_digest: str
    second: Actor | None
    reason: str


class ChangeCancelled(TableEvent, frozen=True, kw_only=True):
    """Two people took back what was planned."""

    second: Actor | None
    reason: str


class TableClosed(TableEvent, frozen=True, kw_only=True):
    """No further round begins."""

    reason: str


class TableReopened(TableEvent, frozen=True, kw_only=True):
    """Rounds may begin again."""


class RoundEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """An event of a round, with the round's number."""

    round: int
    event: ev.AnyEvent


class RackEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """An event at the rack of colour chips."""

    event: chips_game.AnyChipsEvent


class PlayerPaidIn(TableEvent, frozen=True, kw_only=True):
    """A player bought in."""

    player: str
    amount: int
    source: str


class PlayerCashedOut(TableEvent, frozen=True, kw_only=True):
    """A player took their money; one who had gone, or took much, showed a document."""

    player: str
    amount: int
    identity: Identity | None = None
    second: Actor | None = None


class SeatTaken(TableEvent, frozen=True, kw_only=True):
    """A player sits at a seat. `guests` counts those whom nobody asked for a name."""

    player: str
    seat: int
    guests: int


class SeatLeft(TableEvent, frozen=True, kw_only=True):
    """A seat is free."""

    player: str
    seat: int


class PlayerLeft(TableEvent, frozen=True, kw_only=True):
    """A player has gone."""

    player: str


class OwedSettled(TableEvent, frozen=True, kw_only=True):
    """What a player owed was collected or waived, by two people with their reason."""

    player: str
    amount: int
    waived: bool
    source: str = "cash"
    drawer: str | None = None
    second: Actor | None = None
    reason: str = ""
    identity: Identity | None = None


class UnclaimedPaid(TableEvent, frozen=True, kw_only=True):
    """What waited in a player's name was paid out, by two people with their reason."""

    player: str
    amount: int
    drawer: str | None
    second: Actor
    reason: str
    identity: Identity | None


class WindowSet(TableEvent, frozen=True, kw_only=True):
    """Until when a round takes bets: said at its opening, when it is extended, and when it goes on."""

    round: int
    opens_at: datetime
    closes_at: datetime | None


class DiceSealed(TableEvent, frozen=True, kw_only=True):
    """The secret that the dice of a round will follow from, sealed until it is published with them."""

    round: int
    sealed: str


class DiceDrawn(TableEvent, frozen=True, kw_only=True):
    """A simulated tumbler's dice for a round. They are drawn once; a restart finds them here.

    Dice that follow from a secret are here as a digest that nobody can read before the secret is published.
    """

    round: int
    roll: Roll | None = None
    source: str
    drawn: str = ""
    share: str = ""


class DiceRead(TableEvent, frozen=True, kw_only=True):
    """A second reading of a round's dice; a later one takes its place."""

    round: int
    roll: Roll
    source: str


class SupervisorCalled(TableEvent, frozen=True, kw_only=True):
    """What the dealer saw and what the second reading said, which was not the same."""

    round: int
    declared: Roll
    read: Roll
    source: str


AnyTableEvent = (
    TableOpened
    | ChangePlanned
    | ChangeCancelled
    | TableClosed
    | TableReopened
    | RoundEvent
    | RackEvent
    | PlayerPaidIn
    | PlayerCashedOut
    | SeatTaken
    | SeatLeft
    | PlayerLeft
    | OwedSettled
    | UnclaimedPaid
    | WindowSet
    | DiceSealed
    | DiceDrawn
    | DiceRead
    | SupervisorCalled
)


class RoundsElsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """What a report of damaged dice did at another table: void now, void before, or why it was refused."""

    rounds: list[int] = []
    skipped: list[int] = []
    refused: str = ""


class Accepted(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """The answer to a command that was done: what happened, in names, and for a slip how it now stands."""

    happened: list[str]
    round: int | None = None
    slip: dict[str, int] | None = None
    cuts: list[ev.Cut] = []
    slip_version: int | None = None
    amount: int | None = None
    player: str | None = None
    rounds: list[int] = []
    skipped: list[int] = []
    elsewhere: dict[str, RoundsElsewhere] = {}
