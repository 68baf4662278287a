"""The pay list of a round from its events alone, and what each correction means for whom."""

from typing import Any

import pytest

from taisai.floor.table.messages import RoundEvent
from taisai.floor.views.pay_list import PayChange, changes, net_of, pay_list, withheld_in
from taisai.floor.views.round_reading import load_round
from taisai.floor.views.timeline import round_in_store
from taisai.game import events as ev
from taisai.ledger import Reason, Transfer
from taisai.ledger.accounts import receivable
from tests.unit.floor.kept_evening import kept_evening


async def test_each_line_has_its_odds_its_pay_and_what_comes_back() -> None:
    """Pay comes on top of the stake; a bet that lost has no odds and brings nothing."""
    told = pay_list("T1", await round_in_store(await kept_evening(), "T1", 1))
    assert told.state == "concluded"
    assert [player.player for player in told.players] == ["ann", "bob", "cat", "dan"]
    bob = told.players[1]
    assert [(line.box, line.stake, line.odds, line.pay, line.back) for line in bob.lines] == [
        ("small", 150, "1", 150, 150),
        ("any-triple", 50, "", 0, 0),
    ]
    assert (bob.staked, bob.back, bob.pay, bob.withheld) == (200, 150, 150, 0)


async def test_nobody_is_on_the_list_before_the_dice_and_everybody_just_after() -> None:
    """The settlement adds nothing to the list."""
    happened = await round_in_store(await kept_evening(), "C1", 1)
    kinds = [type(each.event) if isinstance(each, RoundEvent) else None for each in happened]
    declared = kinds.index(ev.RollDeclared)
    assert pay_list("C1", happened[:declared]).players == []
    before = pay_list("C1", happened[: declared + 1])
    assert (before.state, len(before.players)) == ("declared", 3)
    assert before.players == pay_list("C1", happened).players


async def test_corrections_follow_one_another_and_end_at_what_was_paid() -> None:
    """Each begins where the one before ended; a player for whom nothing changed is not named."""
    store = await kept_evening()
    told = pay_list("T1", await round_in_store(store, "T1", 1)).corrections
    assert [each.act for each in told] == ["ResultCorrected", "BetsCorrected", "ResultCorrected"]
    assert [change.player for change in told[1].players] == ["ann", "cat", "dan"]
    so_far: dict[str, int] = {}
    for correction in told:
        for change in correction.players:
            assert so_far.get(change.player, change.before) == change.before
            assert change.difference == change.after - change.before
            so_far[change.player] = change.after
    assert so_far == net_of(await load_round(store, "T1", 1))


async def test_a_void_gives_every_stake_back_and_takes_every_win() -> None:
    """After a settlement it is a correction; before one it changes nothing that was paid."""
    store = await kept_evening()
    late, early = [pay_list("T1", await round_in_store(store, "T1", number)) for number in (2, 3)]
    (correction,) = late.corrections
    assert correction.act == "RoundVoided"
    assert {change.after for change in correction.players} == {0}
    assert all((player.pay, player.back) == (0, player.staked) for player in late.players + early.players)
    assert (early.state, early.corrections) == ("void", [])


def test_changes_name_whoever_has_more_or_less_than_before() -> None:
    """Whoever was not there had nothing, and the table's name is left away."""
    found = changes("T1", {"bob@T1": -200, "cat@T1": 70}, {"ann@T1": 50, "bob@T1": 100, "cat@T1": 70})
    assert found == [
        PayChange(player="ann", before=0, after=50, difference=50),
        PayChange(player="bob", before=-200, after=100, difference=300),
    ]


async def test_what_is_withheld_is_owed_before_the_payment_and_collected_by_it() -> None:
    """And never more than the pay."""
    happened: list[Any] = await round_in_store(await kept_evening(), "C1", 1)
    debt, player = receivable("s1.1"), "s1.1"

    made = [
        Transfer("t.1", debt, "x", 900, Reason.RECLAIMED, 1, "C1/0"),
        Transfer("t.2", "x", debt, 250, Reason.COLLECTED, 2, "C1/0"),
        Transfer("t.3", "x", debt, 150, Reason.COLLECTED, 3, "C1/1"),
    ]

    async def transfers(account: str) -> Any:
        for each in made:
            if account in (each.debit, each.credit):
                yield each

    paid = next(
        place
        for place, each in enumerate(happened)
        if isinstance(each, RoundEvent) and isinstance(each.event, ev.PayoutsMade)
    )
    assert (await withheld_in(transfers, "C1", 1, happened))[player] == 150
    owed = await withheld_in(transfers, "C1", 1, happened[:paid])
    assert owed[player] == 500
    first = pay_list("C1", happened[:paid], owed).players[0]
    assert (first.player, first.pay, first.withheld) == (player, 200, 200)


async def test_a_list_begins_with_the_opening_of_its_round() -> None:
    """Half a round has no list."""
    happened = await round_in_store(await kept_evening(), "T1", 1)
    with pytest.raises(TypeError, match="BettingOpened, got BetsPlaced"):
        pay_list("T1", happened[2:])
