"""Colour chips at a live table, of credits or of cash chips: where each one is, and what is refused."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from taisai.errors import InputError
from taisai.floor.audit.whole import audit
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.floor.plan import TablePlan
from taisai.floor.table.messages import Accepted
from taisai.game.chips import Colour
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH_CHIPS, credit
from tests.floor.houses import DEALER, MANAGER, SUPERVISOR, SmallHouse, decide_request, live, settings
from tests.record import KEYS

MONEY = ("credits", "chips")
_numbers = iter(range(10**6))


def colours_table(money: str, rules: str = "tai-sai-v3/1") -> TablePlan:
    of = msgspec.structs.replace(settings(rules), money=money)
    return msgspec.structs.replace(live("T1", rules), settings=of)


class Floor:
    """A house with one table, at which the dealer does what a console asks for."""

    def __init__(self, house: House) -> None:
        self.house, self.versions = house, iter(range(1, 1000))

    async def do(self, act: str, *, by: Actor = DEALER, number: int | None = None, **fields: Any) -> Any:
        key = f"colours{next(_numbers)}"
        answer = await do_at_table(self.house, "T1", act, fields, by=by, key=key, number=number)
        if isinstance(answer, Waiting):
            second = {"approve": True, "by": SUPERVISOR, "key": f"{key}.2"}
            answer = await decide_request(self.house, answer.approval, **second)
        return answer

    async def done(self, act: str, **fields: Any) -> Accepted:
        answer = await self.do(act, **fields)
        assert isinstance(answer, Accepted), answer
        return answer

    async def refused(self, act: str, **fields: Any) -> Refusal:
        answer = await self.do(act, **fields)
        assert isinstance(answer, Refusal), answer
        return answer

    async def sell(
        self, player: str = "ann", chips: int = 10, *, colour: str = "red", value: int = 100
    ) -> None:
        await self.done("IssueColour", player=player, colour=colour, chips=chips, value=value)

    def slip(self, slip: dict[str, int], player: str = "ann", **chips: Any) -> dict[str, Any]:
        said = {"colour": "red", "value": 100, "boxes": slip, **chips}
        return {"player": player, "slip": slip, "version": next(self.versions), "chips": said}

    async def deal(self, dice: tuple[int, int, int] = (1, 2, 3)) -> None:
        roll = list(dice)
        for act, fields in (
            ("CloseBetting", {}),
            ("CoverTumbler", {}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("ExposeDice", {}),
            ("DeclareRoll", {"roll": roll}),
            ("SettleBets", {}),
            ("ConcludeRound", {}),
        ):
            await self.done(act, **fields)

    def colour(self, name: str = "red") -> Colour | None:
        rack = self.house.table("T1").state.rack
        found: Colour | None = rack.colours.get(name)
        return found

    def balance(self, account: str) -> int:
        return int(self.house.table("T1").state.book.balance(account))

    async def sound(self) -> None:
        """Nothing stopped, and an auditor finds nothing."""
        assert not any(desk.stopped for desk in self.house.desks())
        async with self.house.store.snapshot() as snapshot:
            await audit(snapshot, KEYS)


@asynccontextmanager
async def floor(small: SmallHouse) -> AsyncIterator[Floor]:
    async with small.open() as house:
        yield Floor(house)


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.parametrize("money", MONEY)
@pytest.mark.parametrize(
    ("slip", "code"),
    [
        ({"slip": {"big": 1_100}}, RefusalCode.TOO_MANY_CHIPS),
        ({"slip": {"big": 100}, "colour": "blue"}, RefusalCode.COLOUR_NOT_YOURS),
        ({"slip": {"big": 100}, "player": "bo"}, RefusalCode.COLOUR_NOT_YOURS),
        ({"slip": {"big": 200}, "value": 200}, RefusalCode.VALUE_FIXED),
    ],
)
async def test_a_slip_in_chips_that_are_not_in_hand_is_refused(
    money: str, slip: dict[str, Any], code: RefusalCode
) -> None:
    """One chip more, nobody's colour, somebody else's, another value: refused under 3.3, and play goes on."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.done("BuyIn", player="bo", amount=5_000)
        await table.sell()
        await table.done("StartRound")
        refusal = await table.refused("PlaceBets", **table.slip(**slip))
        assert (refusal.code, refusal.clause) == (code, "3.3")
        await table.done("PlaceBets", **table.slip({"big": 1_000}))
        assert table.colour() == Colour("ann@T1", 100, hand=0, felt=10)
        await table.sound()


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.parametrize("money", MONEY)
async def test_chips_on_the_felt_or_lost_are_not_changed_back(money: str) -> None:
    """What is on the felt stays there until the settlement, which returns what lost to the rack."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.sell()
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"big": 600}))
        for act in ("ChangeBack", "DeclareMissing"):
            refusal = await table.refused(act, by=SUPERVISOR, player="ann", colour="red", chips=5)
            assert (refusal.code, refusal.clause) == (RefusalCode.TOO_MANY_CHIPS, "3.3")
            assert refusal.facts["held"] == 4
        await table.deal()
        assert table.colour() == Colour("ann@T1", 100, hand=4)
        refusal = await table.refused("ChangeBack", player="ann", colour="red", chips=10)
        assert (refusal.code, refusal.facts["held"]) == (RefusalCode.TOO_MANY_CHIPS, 4)
        collected = await table.refused("CollectColour", player="ann", colour="red", chips=4)
        assert (collected.code, collected.clause) == (RefusalCode.NOTHING_TO_COLLECT, "3.3")
        await table.done("ChangeBack", player="ann", colour="red", chips=4)
        assert table.colour() is None
        await table.sell("bo", 2, value=500)
        await table.sound()


@pytest.mark.parametrize("money", MONEY)
async def test_who_has_colour_chips_and_nothing_else_bets_them_and_takes_cash(money: str) -> None:
    """Chips back are what the table's bets are made with, and that the table cashes out."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.sell()
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"small": 300}))
        await table.deal()
        assert table.colour() == Colour("ann@T1", 100, hand=10)
        await table.sound()
        await table.done("PayInColour", player="ann", colour="red", chips=2)
        refusal = await table.refused("PayInColour", player="ann", colour="red", chips=2)
        assert refusal.code is RefusalCode.FUNDS_INSUFFICIENT
        await table.done("ChangeBack", player="ann", colour="red", chips=12)
        chips = {"chips": 1_300} if money == "chips" else {}
        assert (await table.done("CashOut", player="ann", **chips)).amount == 1_300
        assert table.balance(CASH_CHIPS) == table.balance(credit("ann@T1")) == 0
        await table.sound()


@pytest.mark.parametrize("money", MONEY)
async def test_colours_are_one_however_they_are_written(money: str) -> None:
    """Sold as Red, bet as RED, changed back as red."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.sell(colour="Red")
        taken = await table.refused("IssueColour", player="bo", colour="red", chips=1, value=100)
        assert (taken.code, taken.clause) == (RefusalCode.COLOUR_TAKEN, "3.3")
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"big": 600}, colour="RED"))
        assert table.colour() == Colour("ann@T1", 100, hand=4, felt=6)
        await table.done("ChangeBack", player="ann", colour="rEd", chips=4)
        await table.sound()


@pytest.mark.clause("tai-sai-v3", "3.3")
@pytest.mark.parametrize("money", MONEY)
async def test_a_correction_of_the_register_keeps_the_colours(money: str) -> None:
    """The chips were on small, not on big: they are red there too, and no cash chips come from nowhere."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.sell()
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"big": 600}))
        await table.done("CloseBetting")
        felt = {"player": "ann", "slip": {"small": 700}, "reason": "the felt"}
        await table.done("CorrectBets", **felt)
        assert table.colour() == Colour("ann@T1", 100, hand=3, felt=7)
        assert table.balance(CASH_CHIPS) == 0
        over = await table.refused("CorrectBets", **{**felt, "slip": {"small": 1_100}})
        assert (over.code, over.clause) == (RefusalCode.TOO_MANY_CHIPS, "3.3")
        plain = {**felt, "chips": {"colour": "red", "value": 100, "boxes": {"small": 500}}}
        if money == "chips":  # of cash chips none are out, so none were on the felt
            nobodys = await table.refused("CorrectBets", **plain)
            assert nobodys.code is RefusalCode.FUNDS_INSUFFICIENT
        else:  # credits that are not there are owed
            await table.done("CorrectBets", **plain)
            assert table.colour() == Colour("ann@T1", 100, hand=5, felt=5)
        await table.sound()


@pytest.mark.parametrize("money", MONEY)
async def test_a_correction_of_a_settled_round_moves_money_and_no_chips(money: str) -> None:
    """The chips have gone to the hand or the rack; what a correction changes is brought to the player net."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.sell()
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"big": 600}))
        await table.deal()
        await table.sell("bo", 1, colour="blue")
        for slip, hand in (({"small": 600}, 4), ({"big": 600}, 4)):
            await table.done("CorrectBets", number=1, player="ann", slip=slip, reason="the felt")
            assert table.colour() == Colour("ann@T1", 100, hand=hand)
            await table.sound()
        await table.done("CorrectResult", number=1, roll=[6, 5, 4], reason="misread")
        assert table.colour() == Colour("ann@T1", 100, hand=4)
        await table.sound()


@pytest.mark.parametrize("money", MONEY)
async def test_a_start_finds_every_chip_where_it_was(money: str) -> None:
    """In the hand, on the felt, and as credits of somebody who never bought in."""
    small = SmallHouse(colours_table(money))
    async with floor(small) as table:
        await table.sell()
        await table.sell("bo", 3, colour="blue")
        await table.done("ChangeBack", player="bo", colour="blue", chips=3)
        await table.done("StartRound")
        await table.done("PlaceBets", **table.slip({"big": 600}))
    async with floor(small) as table:
        assert table.colour() == Colour("ann@T1", 100, hand=4, felt=6)
        assert table.colour("blue") is None
        chips = {"chips": 300} if money == "chips" else {}
        assert (await table.done("CashOut", player="bo", **chips)).amount == 300
        await table.done("ResumeRound")
        await table.deal((6, 5, 4))
        assert table.colour() == Colour("ann@T1", 100, hand=10)
        await table.sound()


@pytest.mark.parametrize("money", MONEY)
async def test_a_void_puts_the_chips_back_into_the_hand(money: str) -> None:
    """Every bet goes back to where it came from: red to red, the rest to what it was."""
    async with floor(SmallHouse(colours_table(money))) as table:
        await table.done("BuyIn", player="ann", amount=500)
        await table.sell()
        await table.done("StartRound")
        slip = {**table.slip({"big": 600}), "slip": {"big": 1_000}}
        await table.done("PlaceBets", **slip)
        await table.done("CoverTumbler")
        await table.done("ExposeDice")
        assert table.house.table("T1").state.current.phase == "void"
        assert table.colour() == Colour("ann@T1", 100, hand=10)
        await table.sound()


async def test_a_table_that_changes_its_rules_takes_its_chips_back_and_sells_none() -> None:
    """A rulebook without colour chips, or another unit: what is out is changed back as it was sold."""
    async with floor(SmallHouse(colours_table("credits"))) as table:
        await table.sell()
        other = msgspec.to_builtins(settings("tai-sai-v6/1"))
        await table.done("OpenTable", by=MANAGER, settings=other, reason="another felt")
        await table.done("StartRound")
        for act, fields in (
            ("PlaceBets", table.slip({"big": 100})),
            ("IssueColour", {"player": "ann", "colour": "red", "chips": 1, "value": 100}),
        ):
            refusal = await table.refused(act, **fields)
            assert refusal.code is RefusalCode.COLOUR_CHIPS_NOT_USED
        await table.done("ChangeBack", player="ann", colour="red", chips=10)
        await table.sound()


async def test_a_sale_beyond_all_money_is_refused_and_so_is_a_name_that_is_no_name() -> None:
    """Nothing is sold, and the table goes on."""
    async with floor(SmallHouse(colours_table("credits"))) as table:
        huge = await table.refused("IssueColour", player="ann", colour="red", chips=2**40, value=2**20 * 10)
        assert huge.code is RefusalCode.AMOUNT_INVALID
        with pytest.raises(InputError, match="a colour of letters, digits"):
            await table.do("IssueColour", player="ann", colour="dark red", chips=1, value=100)
        await table.sell()
        await table.sound()
