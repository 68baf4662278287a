"""A table's state: what is refused changes nothing, and its events alone make the same state again."""

from datetime import timedelta
from typing import Any

import pytest

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.floor.desks.kind import Acted
from taisai.floor.table.changes import SEATS_MAX
from taisai.floor.table.messages import (
    BuyIn,
    ExtendBetting,
    InRound,
    LeaveTable,
    OpenTable,
    RecordDraw,
    StartRound,
    TableSettings,
    TakeSeat,
)
from taisai.floor.table.state import EXTENSION_SECONDS_MAX, ROUNDS_KEPT, TableState
from taisai.floor.table.timing import Timing
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.round import shipped_rules
from taisai.game.state import RoundState
from taisai.ledger.accounts import credit, stakes
from tests.unit.floor.table.test_round_money import AT, DEALER, SUPERVISOR, limits

CONSOLE = Actor("console", Role.SYSTEM)


def opening(**more: Any) -> OpenTable:
    timing = Timing(betting_seconds=30, round_seconds_min=20)
    of = TableSettings(**{"pay_table": "tai-sai-v6/2", "limits": limits(), "timing": timing, **more})
    return OpenTable(by=SUPERVISOR, at=AT, settings=of)


class Told:
    """A table beside one that only hears the events."""

    def __init__(self) -> None:
        self.table, self.replica, self.acts = TableState("T1"), TableState("T1"), 0

    def ask(self, command: Any) -> RefusalCode | None:
        self.acts += 1
        outcome = self.table.act(command, f"T1.{self.acts}")
        if isinstance(outcome, Refusal):
            return outcome.code
        assert isinstance(outcome, Acted)
        for event in outcome.events:
            self.replica.evolve(event)
        return None


def opened() -> Told:
    told = Told()
    assert told.ask(opening()) is None
    return told


def test_the_events_alone_make_the_same_table_again() -> None:
    """But for the money, which the ledger has."""
    told = opened()
    for command in (
        BuyIn(by=DEALER, at=AT, player="ann", amount=500),
        TakeSeat(by=DEALER, at=AT, seat=1, player="ann"),
        TakeSeat(by=DEALER, at=AT, seat=2),
        StartRound(by=DEALER, at=AT),
        ExtendBetting(by=SUPERVISOR, at=AT, seconds=10),
        InRound(by=DEALER, at=AT, command=cmd.CloseBetting(by=DEALER, at=AT)),
        LeaveTable(by=DEALER, at=AT, player="ann"),
    ):
        assert told.ask(command) is None, command
    told.replica.book = told.table.book
    assert told.replica == told.table
    assert told.table.owned_accounts()[-1] == stakes("T1", 1)
    assert credit("ann") in told.table.owned_accounts()


def test_a_round_begins_at_an_open_table_after_its_time_and_not_beside_another() -> None:
    """Too early by a microsecond is too early; a round in play is brought to its end first."""
    assert Told().ask(StartRound(by=DEALER, at=AT)) is RefusalCode.TABLE_CLOSED
    told = opened()
    assert told.ask(StartRound(by=DEALER, at=AT)) is None
    assert told.ask(StartRound(by=DEALER, at=AT)) is not None
    void = cmd.SuspendRound(by=CONSOLE, at=AT)
    assert told.ask(InRound(by=CONSOLE, at=AT, command=void, round=2)) is RefusalCode.ROUND_UNKNOWN
    told.table.rounds.clear()  # as if it were over and let go
    early = AT + timedelta(seconds=20) - timedelta(microseconds=1)
    assert told.ask(StartRound(by=DEALER, at=early)) is RefusalCode.ROUND_TOO_SOON
    assert told.ask(StartRound(by=DEALER, at=AT + timedelta(seconds=20))) is None
    assert told.table.number == 2


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"seats": SEATS_MAX + 1}, RefusalCode.LIMITS_INVALID),
        ({"seats": -1}, RefusalCode.LIMITS_INVALID),
        ({"timing": Timing(betting_seconds=-1)}, RefusalCode.LIMITS_INVALID),
    ],
)
def test_settings_that_no_table_can_have_are_refused(more: dict[str, Any], code: RefusalCode) -> None:
    """And the table stays unopened."""
    told = Told()
    assert told.ask(opening(**more)) is code
    assert told.table.settings is None


def test_more_time_is_given_while_bets_are_taken_and_within_bounds() -> None:
    """Before a round, for no time at all, for too long or after the closing there is none."""
    told = opened()
    assert told.ask(ExtendBetting(by=SUPERVISOR, at=AT, seconds=5)) is RefusalCode.ROUND_NOT_OPEN
    told.ask(StartRound(by=DEALER, at=AT))
    for seconds in (0, EXTENSION_SECONDS_MAX + 1):
        extending = ExtendBetting(by=SUPERVISOR, at=AT, seconds=seconds)
        assert told.ask(extending) is RefusalCode.AMOUNT_INVALID
    assert told.ask(ExtendBetting(by=SUPERVISOR, at=AT, seconds=EXTENSION_SECONDS_MAX)) is None
    assert told.table.window is not None
    assert told.table.window.closes_at == AT + timedelta(seconds=30 + EXTENSION_SECONDS_MAX)
    told.ask(InRound(by=DEALER, at=AT, command=cmd.CloseBetting(by=DEALER, at=AT)))
    assert told.ask(ExtendBetting(by=SUPERVISOR, at=AT, seconds=5)) is RefusalCode.BETTING_CLOSED


def test_dice_are_never_drawn_while_bets_are_taken_or_for_another_round() -> None:
    """A draw is for the round in play, after its closing."""
    told = opened()
    told.ask(StartRound(by=DEALER, at=AT))
    draw = {"by": CONSOLE, "at": AT, "roll": Roll(1, 2, 3), "source": "a seed"}
    assert told.ask(RecordDraw(round=2, **draw)) is RefusalCode.ROUND_UNKNOWN
    assert told.ask(RecordDraw(round=1, **draw)) is not None
    assert told.table.draw is None


def test_only_so_many_rounds_are_held_and_the_current_one_always() -> None:
    """The oldest go first; one that is wanted stays, and one that went is asked for again."""
    told = opened()
    told.ask(StartRound(by=DEALER, at=AT))
    table = told.table
    for number in range(2, ROUNDS_KEPT + 3):
        table.keep_round(number, RoundState(*shipped_rules("tai-sai-v6/2")), wanted=[2])
    assert len(table.rounds) == ROUNDS_KEPT
    assert list(table.rounds)[:3] == [1, 2, 5]
    table.number = ROUNDS_KEPT + 2
    report = cmd.ReportDamagedDice(by=DEALER, at=AT, second=None, reason="", rounds=[3, 2, 0, 999])
    assert table.wants_rounds(InRound(by=DEALER, at=AT, command=report)) == [3]
    closing = cmd.CloseBetting(by=DEALER, at=AT)
    assert table.wants_rounds(InRound(by=DEALER, at=AT, command=closing, round=4)) == [4]
    assert table.wants_rounds(InRound(by=DEALER, at=AT, command=closing)) == []


def test_a_player_whose_name_is_no_account_never_gets_to_the_table() -> None:
    """The name is refused before anything is decided, also inside a round's act."""
    told = opened()
    with pytest.raises(InputError):
        told.ask(BuyIn(by=DEALER, at=AT, player="a:b", amount=100))
    bets = cmd.PlaceBets(by=DEALER, at=AT, player="", slip={}, version=1)
    with pytest.raises(InputError):
        told.ask(InRound(by=DEALER, at=AT, command=bets))
    assert told.table.players == set()
