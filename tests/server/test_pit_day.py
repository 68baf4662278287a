"""The pit's day over HTTP: what is counted stands beside what the ledger says, and hold follows from it."""

from fractions import Fraction
from typing import Any

import pytest

from taisai.client import Refused, Staff, fresh_id
from tests.server.houses import Serving, dealt


async def do(who: Staff, act: str, **fields: Any) -> dict[str, Any]:
    done: dict[str, Any] = await who.post("/pit/acts", {"act": act, "fields": fields}, key=fresh_id())
    return done


async def by_two(first: Staff, second: Staff, act: str, **fields: Any) -> None:
    asked = await do(first, act, **fields)
    assert asked["status"] == "waiting"
    with pytest.raises(Refused) as alone:
        await first.approve(asked["approval"])
    assert alone.value.code == "second_person_is_first"
    await second.approve(asked["approval"])


async def open_day(house: Serving) -> tuple[Staff, Staff]:
    boss, supervisor = await house.person("shift-manager"), await house.person("supervisor")
    await do(boss, "OpenDay", day="2026-05-04")
    await do(boss, "StartShift", shift="evening")
    return boss, supervisor


async def test_drop_float_and_hold_from_opening_to_close(house: Serving) -> None:
    """A fill, an evening of two rounds, a drop with a note too few, a float that is right, the day's hold."""
    boss, supervisor = await open_day(house)
    cashier, console = await house.person("cashier"), await house.console("T1")
    await by_two(supervisor, boss, "CountFloat", table="T1", when="opening", counted=1_000_000)
    await by_two(supervisor, cashier, "FillTable", table="T1", amount=200_000, slip="F1")
    await by_two(cashier, supervisor, "CreditTable", table="T1", amount=50_000, slip="C1")
    await console.act("BuyIn", player="ann", amount=100_000)
    await console.act("BuyIn", player="bo", amount=50_000)
    for roll, player in (([1, 2, 3], "ann"), ([6, 5, 4], "bo")):
        await console.act("StartRound")
        await console.act("PlaceBets", player=player, slip={"big": 30_000}, version=1)
        await dealt(console, roll)
    with pytest.raises(Refused) as uncounted:
        await do(boss, "CloseDay")
    assert uncounted.value.code == "count_missing"
    await do(supervisor, "TakeDrop", table="T1", box="B7")
    await by_two(cashier, supervisor, "CountDrop", box="B7", counted=149_000)
    expected = 1_000_000 + 200_000 - 50_000 - 150_000 + 0
    await by_two(supervisor, boss, "CountFloat", table="T1", when="closing", counted=expected)
    counts = {each.what: each for each in house.parts.house.pit.state.assertions}
    assert (counts["drop"].expected, counts["drop"].difference) == (150_000, -1_000)
    assert (counts["closing"].expected, counts["closing"].difference) == (expected, 0)
    row = next(row for row in await boss.get("/pit/hold") if row["table"] == "T1")
    assert (row["drop_minor"], row["win_minor"]) == (149_000, -1_000)
    assert (row["recorded_drop_minor"], row["recorded_win_minor"], row["handle_minor"]) == (
        150_000,
        0,
        60_000,
    )
    chance = Fraction(105, 216)
    assert row["expected_win_minor"] == round(60_000 * (1 - 2 * chance))
    assert row["win_variance"] == round(2 * 30_000**2 * 4 * chance * (1 - chance))
    assert (await do(boss, "CloseDay"))["happened"] == ["DayClosed"]


async def test_a_shift_counts_from_its_own_beginning(house: Serving) -> None:
    """What the shift before won is not this one's; a corrected round counts once."""
    boss, supervisor = await open_day(house)
    console, dealer = await house.console("T1"), await house.person("dealer")
    await console.act("BuyIn", player="ann", amount=100_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 10_000}, version=1)
    await dealt(console, [1, 2, 3])
    await do(boss, "StartShift", shift="night")
    (evening,) = [row for row in await boss.get("/pit/hold") if row["handle_minor"]]
    assert (evening["shift"], evening["handle_minor"], evening["recorded_win_minor"]) == (
        "evening",
        10_000,
        10_000,
    )
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 20_000}, version=1)
    await dealt(console, [1, 2, 3])
    asked = await dealer.act("T1", "CorrectResult", roll=[6, 5, 4], reason="misread")
    await supervisor.approve(asked["approval"])
    await do(supervisor, "TakeDrop", table="T1", box="N1")
    night = house.parts.house.pit.state.period("T1").recorded
    assert night is not None
    assert (night.drop, night.handle, night.win) == (0, 20_000, -20_000)


async def test_damaged_dice_name_their_set_and_its_rounds(house: Serving) -> None:
    """v6: put in, played with, reported by two people with the rounds that used them, taken out for good."""
    _, supervisor = await open_day(house)
    console, dealer = await house.console("T1"), await house.person("dealer")
    await console.act("BuyIn", player="ann", amount=10_000)
    for dice in ("D1", "D2"):
        await do(supervisor, "PutInDice", table="T1", dice_set=dice)
        await do(supervisor, "InspectDice", table="T1", dice_set=dice, passed=True)
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
        await dealt(console, [1, 2, 3])
        await do(supervisor, "TakeOutDice", table="T1", dice_set=dice, why="rotation")
    fields = {"rounds": [1, 2], "dice_set": "D2", "reason": "a chipped corner"}
    asked = await dealer.act("T1", "ReportDamagedDice", round_=1, **fields)
    with pytest.raises(Refused) as other:
        await supervisor.approve(asked["approval"])
    assert other.value.code == "round_not_affected"
    again = {**fields, "rounds": [2]}
    asked = await dealer.act("T1", "ReportDamagedDice", round_=2, **again)
    done = await supervisor.approve(asked["approval"])
    assert "RoundVoided" in done["happened"]
    paid = await dealer.act("T1", "CashOut", player="ann")
    assert paid["amount"] == 10_000 - 1_000


async def test_a_dealer_hands_over_and_a_bad_tumbler_stops_the_table(house: Serving) -> None:
    """Both names are kept; a tumbler that failed its inspection starts no round."""
    _, supervisor = await open_day(house)
    dealer = await house.person("dealer")
    for name in ("dora", "dan"):
        await supervisor.post("/tables/T1/dealer", {"name": name}, key=fresh_id())
    last = house.parts.house.pit.state.hand_overs[-1]
    assert (last.before, last.dealer) == ("dora", "dan")
    await do(supervisor, "InspectShaker", table="T1", passed=False, note="cracked")
    with pytest.raises(Refused) as stopped:
        await dealer.act("T1", "StartRound")
    assert stopped.value.code == "inspection_missing"
    await do(supervisor, "InspectShaker", table="T1", passed=True, note="another one")
    await dealer.act("T1", "StartRound")
