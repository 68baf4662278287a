"""Acts of the pit's day: gaming day and shifts, hand-overs, fills and credits, counts, dice and tumblers.

Chips in a tray and money in a drop box are not in circulation, so none of this moves money in the ledger: it
is what people counted, beside what the ledger says it should have been.
"""

from functools import singledispatchmethod
from typing import Any

import msgspec

from taisai.floor.desks.decider import Decision, Done
from taisai.floor.desks.kind import DeskKind
from taisai.floor.permits import not_by_two, not_permitted
from taisai.floor.pit import messages as msg
from taisai.floor.pit.state import PitList
from taisai.floor.streams import PIT
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode, by_house
from taisai.ledger.transfers import AMOUNT_MINOR_MAX

__all__ = ["PitPolicy", "PitState", "pit_desk"]


class PitPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What must be there before a table starts a round. A play-money house asks for nothing."""

    needs_day: bool = False
    needs_dealer: bool = False
    needs_dice: bool = False
    needs_shaker: bool = False


class PitState(PitList):
    """The pit, deciding."""

    def dice_set(self, table: str) -> str | None:
        """The set of dice in a table's tumbler, for its next round."""
        return self.table(table).dice_set

    def may_start(self, table: str, policy: PitPolicy, *, automatic: bool = False) -> Refusal | None:
        """Why a table may not start a round yet, or none.

        A table that deals itself has neither a dealer nor dice of its own, but it has a day like any other.
        """
        here = self.table(table)
        if policy.needs_day and self.day is None:
            return by_house(RefusalCode.DAY_NOT_OPEN)
        if automatic:
            policy = PitPolicy()
        if policy.needs_dealer and here.dealer is None:
            return by_house(RefusalCode.DEALER_MISSING, table=table)
        if here.shaker_passed is False or (policy.needs_shaker and not here.shaker_passed):
            return by_house(RefusalCode.INSPECTION_MISSING, table=table)
        if here.dice_set in self.failed_dice:
            return by_house(RefusalCode.DICE_SET_FAILED, dice_set=here.dice_set, table=table)
        if policy.needs_dice and here.dice_set is None:
            return by_house(RefusalCode.DICE_SET_MISSING, table=table)
        return None

    def uninspected(self) -> list[str]:
        """Known tables whose tumbler has not passed today."""
        return [name for name, table in self.tables.items() if not table.shaker_passed]

    def uncounted(self) -> list[str]:
        """Tables of the present day whose float was opened, or moved, and not counted at the end."""
        last = {key[2]: period for key, period in self.periods.items() if key[0] == self.day}
        return [
            table
            for table, period in last.items()
            if period.closing is None and (period.opening is not None or period.fills or period.credits)
        ]

    def decide(self, command: msg.AnyPitCommand, act_id: str) -> Decision:
        return not_permitted(command) or self._decide(command)

    @singledispatchmethod
    def _decide(self, command: Any) -> Decision:
        return super().decide(command, "")

    @_decide.register
    def _open_day(self, command: msg.OpenDay) -> Decision:
        if self.day is not None:
            return by_house(RefusalCode.DAY_OPEN, day=self.day.isoformat())
        if self.last_day is not None and command.day <= self.last_day:
            fault = f"day: expected a day after {self.last_day}, got {command.day}"
            return by_house(RefusalCode.SETTING_INVALID, faults=[fault])
        return [msg.DayOpened(by=command.by, at=command.at, day=command.day)]

    @_decide.register
    def _close_day(self, command: msg.CloseDay) -> Decision:
        if self.day is None:
            return by_house(RefusalCode.DAY_NOT_OPEN)
        uncounted = self.uncounted()
        if uncounted:
            return by_house(RefusalCode.COUNT_MISSING, tables=uncounted)
        return [msg.DayClosed(by=command.by, at=command.at, day=self.day)]

    @_decide.register
    def _start_shift(self, command: msg.StartShift) -> Decision:
        if self.day is None:
            return by_house(RefusalCode.DAY_NOT_OPEN)
        if not command.shift.strip():
            return by_house(RefusalCode.NAME_INVALID, name=command.shift)
        # Periods are told apart by their shift's name, so none comes back within a day.
        if command.shift == self.shift or any(key[:2] == (self.day, command.shift) for key in self.periods):
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [msg.ShiftStarted(by=command.by, at=command.at, shift=command.shift, before=self.shift)]

    @_decide.register
    def _seat(self, command: msg.SeatDealer) -> Decision:
        before = self.table(command.table).dealer
        if before == command.dealer:
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [
            msg.DealerSeated(
                by=command.by,
                at=command.at,
                table=command.table,
                dealer=command.dealer,
                before=before,
            )
        ]

    @_decide.register
    def _fill(self, command: msg.FillTable) -> Decision:
        return self._moved(command, msg.TableFilled)

    @_decide.register
    def _credit(self, command: msg.CreditTable) -> Decision:
        return self._moved(command, msg.TableCredited)

    def _moved(
        self,
        command: msg.FillTable | msg.CreditTable,
        event: type[msg.TableFilled | msg.TableCredited],
    ) -> Decision:
        second = self._counted_by_two(command)
        if isinstance(second, Refusal):
            return second
        if not 0 < command.amount <= AMOUNT_MINOR_MAX:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.amount)
        return [
            event(
                by=command.by,
                at=command.at,
                table=command.table,
                amount=command.amount,
                slip=command.slip,
                second=second,
            )
        ]

    @_decide.register
    def _count_float(self, command: msg.CountFloat) -> Decision:
        second = self._counted_by_two(command)
        if isinstance(second, Refusal):
            return second
        if not 0 <= command.counted <= AMOUNT_MINOR_MAX:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.counted)
        period = self.periods.get(self.key(command.table))
        expected: int | None = None
        if command.when == "opening":
            expected = period.opening if period else self.table(command.table).left_minor
        elif period:
            expected = period.expected_closing
        return [
            msg.FloatCounted(
                by=command.by,
                at=command.at,
                table=command.table,
                when=command.when,
                counted=command.counted,
                expected=expected,
                difference=_difference(command.counted, expected),
                second=second,
            )
        ]

    @_decide.register
    def _allot_chips(self, command: msg.AllotChips) -> Decision:
        held = self.allotted_chips.get(command.table)
        if held is not None and held.epoch > command.epoch:
            return by_house(RefusalCode.NOTHING_CHANGES)  # asked by one who runs the table no longer
        if (held.amount if held else 0) == command.amount == 0:
            return []
        others = (each.amount for table, each in self.allotted_chips.items() if table != command.table)
        available = max(0, command.out - sum(others))
        if command.amount > available:
            return by_house(RefusalCode.FUNDS_INSUFFICIENT, needed=command.amount, available=available)
        return [
            msg.ChipsAllotted(
                by=command.by, at=command.at, table=command.table, epoch=command.epoch, amount=command.amount
            )
        ]

    @_decide.register
    def _claim_dice(self, command: msg.ClaimDice) -> Decision:
        held = self.claimed_dice.get(command.table)
        if held is not None and held.epoch > command.epoch:
            return by_house(RefusalCode.NOTHING_CHANGES)  # asked by one who runs the table no longer
        if command.round == (held.round if held else 0):
            return []
        return [
            msg.DiceClaimed(
                by=command.by, at=command.at, table=command.table, epoch=command.epoch, round=command.round
            )
        ]

    @_decide.register
    def _figures(self, command: msg.RecordFigures) -> Decision:
        refusal = self._no_shift()
        if refusal:
            return refusal
        return [
            msg.FiguresRecorded(
                by=command.by,
                at=command.at,
                table=command.table,
                drop=command.drop,
                handle=command.handle,
                win=command.win,
                expected=command.expected,
                variance=command.variance,
                evidence=command.evidence,
            )
        ]

    @_decide.register
    def _take_drop(self, command: msg.TakeDrop) -> Decision:
        refusal = self._no_shift()
        if refusal:
            return refusal
        if not command.box.strip() or command.box in self.boxes:
            return by_house(RefusalCode.NAME_INVALID, name=command.box)
        period = self.periods.get(self.key(command.table))
        expected = period.recorded.drop - period.boxed if period and period.recorded else None
        return [
            msg.DropTaken(
                by=command.by,
                at=command.at,
                table=command.table,
                box=command.box,
                expected=expected,
            )
        ]

    @_decide.register
    def _count_drop(self, command: msg.CountDrop) -> Decision:
        refusal = not_by_two(command)
        if refusal or command.second is None:
            return refusal or by_house(RefusalCode.SECOND_PERSON_MISSING)
        box = self.boxes.get(command.box)
        if box is None:
            return by_house(RefusalCode.NAME_INVALID, name=command.box)
        if not 0 <= command.counted <= AMOUNT_MINOR_MAX:
            return by_house(RefusalCode.AMOUNT_INVALID, amount=command.counted)
        return [
            msg.DropCounted(
                by=command.by,
                at=command.at,
                table=box.table,
                box=command.box,
                counted=command.counted,
                expected=box.expected,
                difference=_difference(command.counted, box.expected),
                second=command.second,
            )
        ]

    @_decide.register
    def _put_in(self, command: msg.PutInDice) -> Decision:
        if not command.dice_set.strip():
            return by_house(RefusalCode.NAME_INVALID, name=command.dice_set)
        if command.dice_set in self.failed_dice:
            return by_house(RefusalCode.DICE_SET_FAILED, dice_set=command.dice_set)
        in_use = self.dice_at.get(command.dice_set)
        there = self.table(command.table).dice_set
        if in_use or there:
            return by_house(
                RefusalCode.DICE_SET_IN_USE,
                dice_set=command.dice_set if in_use else there,
                table=in_use or command.table,
            )
        return [msg.DicePutIn(by=command.by, at=command.at, table=command.table, dice_set=command.dice_set)]

    @_decide.register
    def _inspect_dice(self, command: msg.InspectDice) -> Decision:
        refusal = self._not_there(command)
        if refusal:
            return refusal
        return [
            msg.DiceInspected(
                by=command.by,
                at=command.at,
                table=command.table,
                dice_set=command.dice_set,
                passed=command.passed,
                note=command.note,
            )
        ]

    @_decide.register
    def _take_out(self, command: msg.TakeOutDice) -> Decision:
        refusal = self._not_there(command)
        if refusal:
            return refusal
        return [
            msg.DiceTakenOut(
                by=command.by,
                at=command.at,
                table=command.table,
                dice_set=command.dice_set,
                why=command.why,
            )
        ]

    @_decide.register
    def _inspect_shaker(self, command: msg.InspectShaker) -> Decision:
        if self.day is None:
            return by_house(RefusalCode.DAY_NOT_OPEN)
        return [
            msg.ShakerInspected(
                by=command.by,
                at=command.at,
                table=command.table,
                passed=command.passed,
                note=command.note,
            )
        ]

    @_decide.register
    def _acknowledge(self, command: msg.AcknowledgeAlarm) -> Decision:
        known = self.acknowledged.get((command.table, command.alarm, command.about))
        if known is not None and known.mark == command.mark:
            return by_house(RefusalCode.NOTHING_CHANGES)
        return [
            msg.AlarmAcknowledged(
                by=command.by,
                at=command.at,
                table=command.table,
                alarm=command.alarm,
                about=command.about,
                mark=command.mark,
            )
        ]

    def _no_shift(self) -> Refusal | None:
        if self.day is None:
            return by_house(RefusalCode.DAY_NOT_OPEN)
        return by_house(RefusalCode.SHIFT_NOT_OPEN) if self.shift is None else None

    def _counted_by_two(self, command: msg.FillTable | msg.CreditTable | msg.CountFloat) -> Actor | Refusal:
        """The second person, when a shift is open and the two may count together."""
        refusal = not_by_two(command) or self._no_shift()
        return refusal or command.second or by_house(RefusalCode.SECOND_PERSON_MISSING)

    def _not_there(self, command: msg.InspectDice | msg.TakeOutDice) -> Refusal | None:
        if self.dice_set(command.table) == command.dice_set:
            return None
        return by_house(RefusalCode.DICE_SET_MISSING, table=command.table, dice_set=command.dice_set)


def _difference(counted: int, expected: int | None) -> int | None:
    return None if expected is None else counted - expected


def pit_desk() -> "DeskKind[PitState]":
    """The desk of the pit's day."""
    return DeskKind(name=PIT, stream=PIT, events=msg.AnyPitEvent, answers=Done, fresh=PitState)
