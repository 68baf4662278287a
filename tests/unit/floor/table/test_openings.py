"""How a round begins, and that its dice are drawn once, after the closing, and by nobody's choice."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from taisai.dice import Roll
from taisai.errors import InvariantBroken
from taisai.floor.desks.kind import Acted
from taisai.floor.table.messages import DiceDrawn, DiceSealed, InRound, RecordDraw, StartRound, WindowSet
from taisai.floor.table.notary import RoundNotary
from taisai.floor.table.openings import undeclarable
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode
from taisai.game.state import RoundState
from tests.unit.floor.proofs_house import notarising
from tests.unit.floor.table.test_round_money import AT, DEALER
from tests.unit.floor.table.test_state import CONSOLE, opening

SECRET = b"\x07" * 32


def done(table: TableState, command: Any, act_id: str = "T1.1") -> list[Any]:
    outcome = table.act(command, act_id)
    assert isinstance(outcome, Acted), outcome
    return list(outcome.events)


def code(table: TableState, command: Any) -> RefusalCode:
    outcome = table.act(command, "T1.1")
    assert isinstance(outcome, Refusal), outcome
    return outcome.code


def opened() -> TableState:
    table = TableState("T1")
    done(table, opening())
    return table


def closed(*, committed: bool) -> TableState:
    """A table whose first round takes no bets any more."""
    table, more = opened(), {}
    if committed:
        commitment, sealed = notarising().sealed("T1", 1, SECRET)
        more = {"number": 1, "commitment": commitment, "sealed": sealed}
    done(table, StartRound(by=CONSOLE, at=AT, **more))
    current = playing(table)
    if committed:
        assert table.sealed is not None
        current.notary = notarising().notary(current, b"\x01" * 32, table.sealed.sealed)
    done(table, InRound(by=DEALER, at=AT, command=cmd.CloseBetting(by=DEALER, at=AT)))
    return table


def playing(table: TableState) -> RoundState:
    assert table.current is not None
    return table.current


def draw(roll: Roll | None = None, number: int = 1) -> RecordDraw:
    return RecordDraw(by=CONSOLE, at=AT, round=number, roll=roll, source="a test")


def test_an_opening_comes_with_its_window_and_its_sealed_secret() -> None:
    """Bets are taken for as long as the settings say; without a secret nothing is sealed."""
    plain = done(opened(), StartRound(by=DEALER, at=AT))
    assert [type(event).__name__ for event in plain] == ["RoundEvent", "WindowSet"]
    table = opened()
    secret = StartRound(by=CONSOLE, at=AT, number=1, commitment="ab" * 32, sealed="kept")
    started, sealed, window = done(table, secret)
    assert started.event.commitment == "ab" * 32
    assert isinstance(sealed, DiceSealed)
    assert (sealed.round, sealed.sealed) == (1, "kept")
    assert isinstance(window, WindowSet)
    assert (window.opens_at, window.closes_at) == (AT, AT + timedelta(seconds=30))


def test_a_secret_is_for_one_round_and_no_other() -> None:
    """One that was made for the round before is refused."""
    late = StartRound(by=CONSOLE, at=AT, number=2, commitment="ab" * 32, sealed="kept")
    assert code(opened(), late) is RefusalCode.ROUND_UNKNOWN


def test_where_a_round_begins_on_the_stream_follows_from_the_acts_id() -> None:
    """A change that comes before it in the same act is counted."""
    table = opened()
    done(table, StartRound(by=DEALER, at=AT), "T1.17")
    assert table.openings == {1: 17}
    table = opened()
    later = msgspec.structs.replace(
        opening(pay_table="tai-sai-v6/3"), by=CONSOLE, effective=AT + timedelta(seconds=5)
    )
    done(table, later)
    first, second, *_ = done(table, StartRound(by=DEALER, at=AT + timedelta(seconds=5)), "T1.21")
    assert type(first).__name__ == "TableOpened"
    assert second.event.pay_table == "tai-sai-v6/3"
    assert table.openings == {1: 22}


def test_dice_are_drawn_once_and_after_the_closing() -> None:
    """Of the round in play, by the system alone."""
    early = opened()
    assert code(early, draw(Roll(1, 2, 3))) is RefusalCode.ROUND_UNKNOWN
    done(early, StartRound(by=DEALER, at=AT))
    assert isinstance(early.act(draw(Roll(1, 2, 3)), "T1.1"), Refusal)
    table = closed(committed=False)
    by_dealer = msgspec.structs.replace(draw(Roll(1, 2, 3)), by=DEALER)
    assert code(table, by_dealer) is RefusalCode.ROLE_NOT_ALLOWED
    (event,) = done(table, draw(Roll(1, 2, 3)))
    assert isinstance(event, DiceDrawn)
    assert (event.roll, event.drawn) == (Roll(1, 2, 3), "")
    assert code(table, draw(Roll(6, 6, 6))) is RefusalCode.ALREADY_TUMBLED
    assert code(table, draw(Roll(1, 2, 3), number=2)) is RefusalCode.ROUND_UNKNOWN


def test_dice_of_a_secret_are_drawn_unseen_and_need_the_secret() -> None:
    """The record has a digest of them; a round without a secret has no dice of its own."""
    (event,) = done(closed(committed=True), draw())
    assert event.roll is None
    assert len(bytes.fromhex(event.drawn)) == 32
    with pytest.raises(InvariantBroken, match="T1/1 has no secret"):
        closed(committed=False).act(draw(), "T1.1")


def test_committed_dice_are_declared_by_the_system_and_are_the_right_ones() -> None:
    """Other dice are a fault of ours; dice that nobody committed to are the dealer's to declare."""
    state = playing(closed(committed=True))
    assert isinstance(state.notary, RoundNotary)
    right = state.notary.dice(state)
    wrong = Roll(1, 1, 1) if right != Roll(1, 1, 1) else Roll(2, 2, 2)
    by_dealer = cmd.DeclareRoll(by=DEALER, at=AT, roll=right)
    refusal = undeclarable(state, by_dealer)
    assert refusal is not None
    assert refusal.code is RefusalCode.ROLE_NOT_ALLOWED
    assert undeclarable(state, cmd.DeclareRoll(by=CONSOLE, at=AT, roll=right)) is None
    with pytest.raises(InvariantBroken, match="not the dice that were committed to"):
        undeclarable(state, cmd.DeclareRoll(by=CONSOLE, at=AT, roll=wrong))
    assert undeclarable(playing(closed(committed=False)), by_dealer) is None
