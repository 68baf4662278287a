"""Clauses that money and chips prove: a table's own colours, and damaged dice over settled rounds."""

from typing import Any

import pytest

from taisai.floor.audit.whole import audit
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.game.refusals import Refusal
from taisai.ledger.accounts import credit
from tests.floor.houses import DEALER, SUPERVISOR, SmallHouse, decide_request, live
from tests.record import KEYS

_numbers = iter(range(10**6))


async def do(house: House, table: str, act: str, *, number: int | None = None, **fields: Any) -> Any:
    """What a console asks for; where it takes two people, the supervisor agrees."""
    key = f"clauses{next(_numbers)}"
    answer = await do_at_table(house, table, act, fields, by=DEALER, key=key, number=number)
    if isinstance(answer, Waiting):
        second = {"approve": True, "by": SUPERVISOR, "key": f"{key}.2"}
        answer = await decide_request(house, answer.approval, **second)
    return answer


async def done(house: House, table: str, act: str, **fields: Any) -> Any:
    answer = await do(house, table, act, **fields)
    assert not isinstance(answer, Refusal), answer
    return answer


@pytest.mark.clause("tai-sai-v3", "Colour Chips", "3.3")
@pytest.mark.clause("tai-sai-open-cover", "Colour Chips", "3.3")
@pytest.mark.parametrize("rules", ["tai-sai-v3/1", "tai-sai-open-cover/2"])
async def test_a_tables_colour_chips_are_bet_and_changed_at_that_table_alone(rules: str) -> None:
    """At the table beside it, under the same rules, the same colour in the same name is worth nothing."""
    async with SmallHouse(live("T1", rules), live("T2", rules)).open() as house:
        await done(house, "T1", "IssueColour", player="ann", colour="red", chips=10, value=100)
        slip = {"player": "ann", "slip": {"big": 100}, "version": 1}
        chips = {"colour": "red", "value": 100, "boxes": {"big": 100}}
        for table in ("T1", "T2"):
            await done(house, table, "StartRound")
        refused = await do(house, "T2", "PlaceBets", **slip, chips=chips)
        assert isinstance(refused, Refusal)
        assert refused.clause == "3.3"
        assert isinstance(await do(house, "T2", "ChangeBack", player="ann", colour="red", chips=1), Refusal)
        await done(house, "T1", "PlaceBets", **slip, chips=chips)
        (held,) = house.table("T1").state.rack.colours.values()
        assert (held.hand, held.felt) == (9, 1)
        async with house.store.snapshot() as snapshot:
            await audit(snapshot, KEYS)


@pytest.mark.clause("tai-sai-v4", "5.6", "5.12")
async def test_damaged_dice_give_back_the_money_of_rounds_that_were_settled() -> None:
    """Whoever won gives it back and whoever lost gets it back, in the books and for the auditor."""
    async with SmallHouse(live("T1", "tai-sai-v4/1")).open() as house:
        for player in ("ann", "bob"):
            await done(house, "T1", "BuyIn", player=player, amount=10_000)
        await done(house, "T1", "StartRound")
        await done(house, "T1", "PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        await done(house, "T1", "PlaceBets", player="bob", slip={"small": 500}, version=1)
        for act, fields in (
            ("CloseBetting", {}),
            ("CoverTumbler", {}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("ExposeDice", {}),
            ("DeclareRoll", {"roll": [4, 5, 6]}),
            ("SettleBets", {}),
            ("ConcludeRound", {}),
        ):
            await done(house, "T1", act, **fields)
        book = house.table("T1").state.book
        assert [book.balance(credit(f"{name}@T1")) for name in ("ann", "bob")] == [11_000, 9_500]
        await done(house, "T1", "ReportDamagedDice", number=1, rounds=[1], reason="a chipped corner")
        assert [book.balance(credit(f"{name}@T1")) for name in ("ann", "bob")] == [10_000, 10_000]
        async with house.store.snapshot() as snapshot:
            await audit(snapshot, KEYS)
