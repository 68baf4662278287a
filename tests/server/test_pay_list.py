"""The pay list and the effect of what waits for a second person, from the record, over HTTP."""

from pathlib import Path
from typing import Any

import pytest

from taisai.client import Refused
from tests.server.houses import LIVE, Serving, dealt, serving, settings

CHIPS = {**LIVE, "money": "chips"}


async def until_declared(house: Serving, roll: list[int], slips: dict[str, dict[str, int]]) -> Any:
    console = await house.console("T1")
    for player, slip in slips.items():
        await console.act("BuyIn", player=player, amount=sum(slip.values()))
    await console.act("StartRound")
    for player, slip in slips.items():
        await console.act("PlaceBets", player=player, slip=slip, version=1)
    for act, fields in (
        ("CloseBetting", {}),
        ("CoverTumbler", {}),
        ("ActivateTumbler", {"tumbles": 3}),
        ("ExposeDice", {}),
        ("DeclareRoll", {"roll": roll}),
    ):
        await console.act(act, **fields)
    return console


def by_box(player: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """A player's lines: stake, odds, pay, and what of the stake is theirs."""
    return {one["box"]: (one["stake"], one["odds"], one["pay"], one["back"]) for one in player["lines"]}


async def listed(house: Serving, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = await (await house.person("dealer")).get(f"/tables/T1/rounds/{number}/pay-list")
    return found


async def test_a_declared_roll_has_its_pay_list_before_the_settlement(tmp_path: Path) -> None:
    """Stake, odds and pay of each box, and what of the stakes is the player's; settling changes nothing."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        bets = {"ann": {"big": 1_000, "sum-12": 500, "small": 300}, "bob": {"small": 200}}
        console = await until_declared(house, [6, 5, 1], bets)
        before = await listed(house)
        assert (before["money"], before["state"]) == ("chips", "declared")
        ann, bob = before["players"]
        assert by_box(ann) == {
            "big": (1_000, "1", 1_000, 1_000),
            "sum-12": (500, "7", 3_500, 500),
            "small": (300, "", 0, 0),
        }
        assert (ann["pay"], ann["back"], ann["staked"]) == (4_500, 1_500, 1_800)
        assert (bob["player"], bob["pay"], bob["back"]) == ("bob", 0, 0)
        await console.act("SettleBets")
        after = await listed(house)
        assert after["players"] == before["players"]
        assert after["corrections"] == []


async def test_before_the_dice_nobody_is_on_the_list(tmp_path: Path) -> None:
    """Nothing is won yet, so nothing is to be paid."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=1_000)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        assert (await listed(house))["players"] == []


async def test_a_correction_says_who_gives_back_and_who_gets_more(tmp_path: Path) -> None:
    """Before the second person agrees it is foreseen, and afterwards it is on the list: the same figures."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        bets = {"ann": {"big": 2_000}, "bob": {"small": 500}}
        console = await until_declared(house, [6, 5, 1], bets)
        await console.act("SettleBets")
        await console.act("ConcludeRound")
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        asked = await dealer.act("T1", "CorrectResult", round_=1, roll=[1, 2, 3], reason="misread")
        (effect,) = await boss.get(f"/approvals/{asked['approval']}/effects")
        assert (effect["dice_before"], effect["dice_after"]) == ([6, 5, 1], [1, 2, 3])
        assert (effect["bets"], effect["sentences"]) == ([], {})
        foreseen = [(one["player"], one["difference"]) for one in effect["money"]]
        assert foreseen == [("ann", -4_000), ("bob", 1_000)]
        assert (await listed(house))["corrections"] == []
        await boss.approve(asked["approval"])
        (correction,) = (await listed(house))["corrections"]
        assert correction["players"] == effect["money"]
        assert correction["act"] == "ResultCorrected"


async def test_a_void_after_the_settlement_undoes_the_net_for_everyone(tmp_path: Path) -> None:
    """Who had won gives the winnings back, who had lost gets the stake; corrections before it stay told."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        bets = {"ann": {"big": 2_000}, "bob": {"small": 500}}
        console = await until_declared(house, [6, 5, 1], bets)
        await console.act("SettleBets")
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        for act, fields in (
            ("CorrectResult", {"roll": [1, 2, 3]}),
            ("ReportDamagedDice", {"rounds": [1]}),
        ):
            asked = await dealer.act("T1", act, round_=1, reason="seen", **fields)
            effects = await boss.get(f"/approvals/{asked['approval']}/effects")
            await boss.approve(asked["approval"])
            listed_now = await listed(house)
            assert listed_now["corrections"][-1]["players"] == effects[0]["money"]
        first, second = listed_now["corrections"]
        assert {one["player"]: one["difference"] for one in first["players"]} == {"ann": -4_000, "bob": 1_000}
        assert {one["player"]: one["difference"] for one in second["players"]} == {"ann": 2_000, "bob": -500}
        assert (effects[0]["state_before"], effects[0]["state_after"]) == ("settled", "void")
        assert {one["player"]: (one["back"], one["pay"]) for one in listed_now["players"]} == {
            "ann": (2_000, 0),
            "bob": (500, 0),
        }


async def test_bets_that_are_corrected_are_shown_before_and_after(tmp_path: Path) -> None:
    """A register that differs from the felt: the slip as it was and as it would be, and what that costs."""
    async with serving(settings(tmp_path, LIVE)) as house:
        console = await house.console("T1")
        await console.act("BuyIn", player="ann", amount=10_000)
        await console.act("StartRound")
        await dealt(console, [6, 5, 1])
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        fields = {"player": "ann", "slip": {"big": 1_000}}
        asked = await dealer.act("T1", "CorrectBets", round_=1, reason="on the felt", **fields)
        (effect,) = await boss.get(f"/approvals/{asked['approval']}/effects")
        assert effect["bets"] == [{"player": "ann", "before": {}, "after": {"big": 1_000}}]
        assert [(one["player"], one["difference"]) for one in effect["money"]] == [("ann", 1_000)]
        await boss.approve(asked["approval"])
        (correction,) = (await listed(house))["corrections"]
        assert correction["players"] == effect["money"]


async def test_what_of_the_pay_goes_to_a_debt_is_withheld_on_the_list(tmp_path: Path) -> None:
    """The list says so before the settlement and after it."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        console = await until_declared(house, [6, 5, 1], {"ann": {"big": 2_000}})
        await console.act("SettleBets")
        await console.act("ConcludeRound")
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        asked = await dealer.act("T1", "CorrectResult", round_=1, roll=[1, 2, 3], reason="misread")
        await boss.approve(asked["approval"])
        console = await until_declared(house, [6, 5, 1], {"ann": {"sum-12": 500}})
        before = await listed(house, 2)
        await console.act("SettleBets")
        after = await listed(house, 2)
        assert before["players"] == after["players"]
        assert (after["players"][0]["pay"], after["players"][0]["withheld"]) == (3_500, 3_500)


async def test_a_request_that_would_be_refused_says_why(tmp_path: Path) -> None:
    """What has been done meanwhile by others is not signed again in good faith."""
    async with serving(settings(tmp_path, CHIPS)) as house:
        console = await until_declared(house, [6, 5, 1], {"ann": {"big": 2_000}})
        await console.act("SettleBets")
        dealer, boss = await house.person("dealer"), await house.person("supervisor")
        asked = [
            (await dealer.act("T1", "CorrectResult", round_=1, roll=[1, 2, 3], reason="misread"))["approval"]
            for _ in range(2)
        ]
        await boss.approve(asked[0])
        (effect,) = await boss.get(f"/approvals/{asked[1]}/effects")
        assert effect["sentences"]["en"]
        assert effect["money"] == []
        with pytest.raises(Refused):
            await boss.get("/approvals/none/effects")
