"""Acts at a table outside of its rounds: seats, buying in, cashing out, closing."""

from typing import Any

import pytest

from taisai.floor.identity import Identity
from taisai.floor.table.messages import (
    Accepted,
    BuyIn,
    CashOut,
    CloseTable,
    LeaveSeat,
    LeaveTable,
    ReopenTable,
    StartRound,
    TakeSeat,
)
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH_CHIPS, credit
from taisai.ledger.transfers import AMOUNT_MINOR_MAX
from tests.unit.floor.table.test_round_money import (
    AT,
    DEALER,
    SUPERVISOR,
    Evening,
    evening_with_players,
    limits,
)


def code_of(evening: Evening, kind: Any, by: Actor = SUPERVISOR, **facts: Any) -> RefusalCode | None:
    answer = evening.ask(kind(by=by, at=AT, **facts))
    return answer.code if isinstance(answer, Refusal) else None


def done(evening: Evening, kind: Any, **facts: Any) -> Accepted:
    answer = evening.ask(kind(by=SUPERVISOR, at=AT, **facts))
    assert isinstance(answer, Accepted), answer
    return answer


def test_a_seat_has_one_player_and_guests_get_names_of_their_own() -> None:
    """Sitting down twice changes nothing; beyond the last seat there is none."""
    evening = evening_with_players(seats=2)
    assert done(evening, TakeSeat, seat=1).player == "guest-1@T1"
    assert done(evening, TakeSeat, seat=2).player == "guest-2@T1"
    assert done(evening, TakeSeat, seat=1, player="guest-1@T1").happened == []
    assert code_of(evening, TakeSeat, seat=1, player="ann") is RefusalCode.SEAT_TAKEN
    for seat in (0, 3, -1):
        assert code_of(evening, TakeSeat, seat=seat, player="ann") is RefusalCode.SEAT_UNKNOWN
    assert done(evening, LeaveSeat, seat=2).player == "guest-2@T1"
    assert code_of(evening, LeaveSeat, seat=2) is RefusalCode.NOTHING_CHANGES
    assert done(evening, TakeSeat, seat=2).player == "guest-3@T1"


def test_who_leaves_the_table_leaves_every_seat() -> None:
    """One player at two seats is one player."""
    evening = evening_with_players()
    for seat in (1, 2):
        done(evening, TakeSeat, seat=seat, player="ann")
    done(evening, TakeSeat, seat=3, player="bob")
    done(evening, LeaveTable, player="ann")
    assert evening.table.seats == {3: "bob"}
    assert evening.table.has_left("ann")


@pytest.mark.parametrize("amount", [0, -1, AMOUNT_MINOR_MAX + 1])
def test_money_that_nobody_can_have_is_not_bought_in(amount: int) -> None:
    """Nothing, less than nothing, and more than the ledger holds."""
    evening = evening_with_players()
    assert code_of(evening, BuyIn, player="ann", amount=amount) is RefusalCode.AMOUNT_INVALID
    assert evening.balance(credit("ann")) == 2000


def test_a_player_takes_all_free_credit_once_and_not_while_bets_are_on_the_felt() -> None:
    """The second time there is nothing to take."""
    evening = evening_with_players()
    evening.bet("ann", {"big": 100})
    assert code_of(evening, CashOut, player="ann") is RefusalCode.BETS_LYING
    evening.bet("ann", {}, 2)
    assert done(evening, CashOut, player="ann").amount == 2000
    assert code_of(evening, CashOut, player="ann") is RefusalCode.AMOUNT_INVALID
    assert evening.balance(credit("ann")) == 0


def test_the_credit_of_somebody_who_has_gone_is_paid_to_a_document() -> None:
    """Without one, whoever comes may be anybody."""
    evening = evening_with_players()
    done(evening, LeaveTable, player="ann")
    assert code_of(evening, CashOut, player="ann") is RefusalCode.PLAYER_GONE
    identity = Identity(document="passport", last="1234")
    assert done(evening, CashOut, player="ann", identity=identity).amount == 2000


def test_chips_are_changed_where_bets_are_made_with_chips() -> None:
    """At a table of credits nobody has chips to hand back."""
    chips = Evening(limits=limits(), money="chips")
    done(chips, BuyIn, player="ann", amount=500)
    assert done(chips, CashOut, player="ann", chips=300).amount == 300
    assert chips.balance(CASH_CHIPS) == 200
    assert code_of(evening_with_players(), CashOut, player="ann", chips=1) is RefusalCode.AMOUNT_INVALID


def test_a_closed_table_starts_no_round_until_it_is_open_again() -> None:
    """Closing and reopening twice are refused: nothing would change."""
    evening = Evening(limits=limits())
    assert code_of(evening, ReopenTable) is RefusalCode.NOTHING_CHANGES
    assert code_of(evening, CloseTable, by=DEALER) is RefusalCode.ROLE_NOT_ALLOWED
    done(evening, CloseTable, reason="night")
    assert code_of(evening, CloseTable) is RefusalCode.NOTHING_CHANGES
    assert code_of(evening, StartRound) is RefusalCode.TABLE_CLOSED
    done(evening, ReopenTable)
    assert done(evening, StartRound).round == 1
