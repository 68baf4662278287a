"""Acts by name with fields of their own, made into typed commands."""

from typing import Any

import pytest

from taisai.dice import Roll
from taisai.errors import InputError, UnknownName
from taisai.floor.door.forms import ACT_NAMES, PIT_ACTS, do_at_table, pit_act, table_command
from taisai.floor.pit.messages import SeatDealer
from taisai.floor.players.live_names import fields_in_record
from taisai.floor.players.state import PlayersPolicy
from taisai.floor.table.messages import AtRack, BuyIn, InRound
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode
from tests.floor.houses import DEALER, START, SUPERVISOR, SmallHouse, live, start_round


def command(act: str, **fields: Any) -> Any:
    return table_command(act, fields, by=DEALER, at=START, number=7)


def test_an_act_finds_its_form_by_its_name() -> None:
    """Those of a round travel with its number, those with colour chips inside another, others as they are."""
    assert command("DeclareRoll", roll=[1, 2, 3]) == InRound(
        by=DEALER, at=START, command=cmd.DeclareRoll(by=DEALER, at=START, roll=Roll(1, 2, 3)), round=7
    )
    sold = command("IssueColour", player="ann", colour="red", value=100, chips=2)
    assert isinstance(sold, AtRack)
    assert (sold.command.player, sold.command.chips) == ("ann", 2)
    assert command("BuyIn", player="ann", amount=5) == BuyIn(by=DEALER, at=START, player="ann", amount=5)
    assert pit_act("SeatDealer", {"table": "T1", "dealer": None}, by=SUPERVISOR, at=START).command == (
        SeatDealer(by=SUPERVISOR, at=START, table="T1", dealer=None)
    )


def test_betting_is_opened_by_the_table_alone() -> None:
    """A name that nobody knows is answered with what is meant; names of the pit are not a table's."""
    assert len(set(ACT_NAMES)) == len(ACT_NAMES)
    assert not set(ACT_NAMES) & set(PIT_ACTS)
    for name in ("OpenBetting", "", "buyin", "SeatDealer"):
        with pytest.raises(UnknownName, match="act"):
            command(name)
    with pytest.raises(UnknownName, match="act of the pit"):
        pit_act("BuyIn", {}, by=SUPERVISOR, at=START)


@pytest.mark.parametrize("field", ["by", "at", "second", "drawer", "type", "v", "colour"])
def test_who_acts_and_when_is_not_the_askers_to_say(field: str) -> None:
    """Nor are there fields that the act does not have."""
    with pytest.raises(UnknownName, match=f"field of CollectOwed.*{field}"):
        command("CollectOwed", player="ann", amount=1, reason="x", **{field: "x"})


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"player": "ann"}, "amount"), ({"player": "ann", "amount": "5"}, "Expected `int`"), ({}, "player")],
)
def test_a_field_that_is_missing_or_of_another_sort_is_named(fields: dict[str, Any], said: str) -> None:
    """In one line that begins with the act."""
    with pytest.raises(InputError, match=f"^BuyIn: .*{said}"):
        command("BuyIn", **fields)


async def test_players_are_those_of_the_table() -> None:
    """In the list of late bets too; what is no name is left for the form to refuse."""
    async with SmallHouse(live()).open() as house:
        asked = {"player": "ann", "bets": [{"player": "bob", "box": "big"}, 5], "amount": 1}
        assert await fields_in_record(house, asked, "T1") == {
            "player": "ann@T1", "bets": [{"player": "bob@T1", "box": "big"}, 5], "amount": 1
        }  # fmt: skip
        assert asked["player"] == "ann"
        odd = {"player": 5, "bets": "x"}
        assert await fields_in_record(house, odd, "T1") == odd
        assert await fields_in_record(house, {"player": "ann@T1"}, "T1") == {"player": "ann@T1"}


async def test_a_refusal_speaks_of_the_player_as_they_were_named() -> None:
    """The table's own name for a player stays inside."""
    async with SmallHouse(live()).open() as house:
        house.players.state.policy = PlayersPolicy(registered_only=True)
        await start_round(house, "T1")
        fields = {"player": "ann", "slip": {"big": 100}, "version": 1}
        answer = await do_at_table(house, "T1", "PlaceBets", fields, by=DEALER, key="x")
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.facts["player"]) == (RefusalCode.PLAYER_NOT_REGISTERED, "ann")


@pytest.mark.clause("tai-sai-v6", "2.2.1")
@pytest.mark.parametrize("act", ["DeclareRoll", "CorrectResult"])
async def test_faces_that_no_dice_show_are_refused_by_the_clause_on_dice(act: str) -> None:
    """Three numbers are a result that was meant; anything else is a form that is wrong."""
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        more = {"reason": "misread"} if act == "CorrectResult" else {}
        for roll in ([1, 1, 7], [0, 1, 1], [-1, 2, 3]):
            refused = await do_at_table(house, "T1", act, {"roll": roll, **more}, by=DEALER, key=f"r{roll}")
            assert isinstance(refused, Refusal)
            assert (refused.code, refused.clause) == (RefusalCode.DICE_INVALID, "2.2.1")
            assert refused.facts == {"known": roll}
        for wrong in ([1, 2], ["1", 2, 3], "123"):
            with pytest.raises(InputError, match=act):
                await do_at_table(house, "T1", act, {"roll": wrong, **more}, by=DEALER, key="w")
