"""Sets of dice over the server: their life, the rounds in doubt, one report for all of them."""

from pathlib import Path

import pytest

from taisai.client import Refused, Staff
from taisai.floor.table import state
from tests.server.houses import LIVE, Serving, dealt, serving, settings
from tests.server.test_pit_day import do, open_day


async def played(house: Serving, rounds: int) -> None:
    """Rounds with one bet each, which loses."""
    console = await house.console("T1")
    for _ in range(rounds):
        await console.act("StartRound")
        await console.act("PlaceBets", player="ann", slip={"big": 100}, version=1)
        await dealt(console, [1, 2, 3])


async def reported(house: Serving, rounds: list[int], dice: str = "D1") -> dict[str, object]:
    """Two people report dice as damaged; what became of it."""
    dealer, supervisor = await house.person("dealer"), await house.person("supervisor")
    asked = await dealer.act(
        "T1", "ReportDamagedDice", rounds=rounds, dice_set=dice, reason="a chipped corner"
    )
    answer: dict[str, object] = await supervisor.approve(asked["approval"])
    return answer


async def in_use(house: Serving, dice: str = "D1") -> Staff:
    """A day with a set of dice in the tumbler, and somebody to bet."""
    _, supervisor = await open_day(house)
    await (await house.console("T1")).act("BuyIn", player="ann", amount=100_000)
    await do(supervisor, "PutInDice", table="T1", dice_set=dice)
    return supervisor


@pytest.mark.clause("tai-sai-v6", "5.6")
async def test_a_damaged_set_puts_its_rounds_since_its_last_inspection_in_doubt(
    house: Serving,
) -> None:
    """They are proposed; one report voids them all, and says which were void before."""
    supervisor = await in_use(house)
    await played(house, 2)
    await do(supervisor, "InspectDice", table="T1", dice_set="D1", passed=True)
    await played(house, 3)
    found = await supervisor.get("/dice/D1/rounds")
    assert [(each["round"], each["since_inspection"]) for each in found["rounds"]] == [
        (1, False), (2, False), (3, True), (4, True), (5, True)
    ]  # fmt: skip
    assert found["proposed"] == {"T1": [3, 4, 5]}
    assert [entry["what"] for entry in found["dice"]["entries"]] == ["DicePutIn", "DiceInspected"]
    assert (await reported(house, [4]))["rounds"] == [4]
    answer = await reported(house, [3, 4, 5])
    assert (answer["rounds"], answer["skipped"]) == ([3, 5], [4])
    assert (await supervisor.get("/dice/D1/rounds"))["proposed"] == {}
    paid = await (await house.person("dealer")).act("T1", "CashOut", player="ann")
    assert paid["amount"] == 100_000 - 2 * 100
    with pytest.raises(Refused) as refused:
        await reported(house, [3, 4, 5])
    assert refused.value.code == "round_void"
    # The set has failed: no round begins with it before another is put in.
    with pytest.raises(Refused) as refused:
        await (await house.console("T1")).act("StartRound")
    assert refused.value.code == "dice_set_failed"
    assert [each["failed"] for each in await supervisor.get("/dice")] == [True]


@pytest.mark.clause("tai-sai-v6", "5.6")
async def test_dice_are_neither_taken_out_nor_passed_in_mid_round(house: Serving) -> None:
    """Refused with the round; reported as damaged, the round in play is void and the set may leave."""
    supervisor, console = await in_use(house), await house.console("T1")
    await console.act("StartRound")
    for act, fields in (
        ("TakeOutDice", {"why": "damaged"}),
        ("TakeOutDice", {"why": "rotation"}),
        ("InspectDice", {"passed": True}),
    ):
        with pytest.raises(Refused) as refused:
            await do(supervisor, act, table="T1", dice_set="D1", **fields)
        assert (refused.value.code, refused.value.facts["round"]) == ("dice_in_play", 1)
    assert (await reported(house, [1]))["rounds"] == [1]
    await do(supervisor, "TakeOutDice", table="T1", dice_set="D1", why="damaged")


async def test_a_report_of_more_rounds_than_a_table_holds_brings_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart, too: every round is read from the journal, none is let go before it is void."""
    monkeypatch.setattr(state, "ROUNDS_KEPT", 6)
    rounds = 16
    config = settings(tmp_path, LIVE)
    async with serving(config) as house:
        await in_use(house)
        await played(house, rounds)
        logins = house.logins
    async with serving(config) as house:
        house.logins.update(logins)
        answer = await reported(house, list(range(1, rounds + 1)))
        assert answer["rounds"] == list(range(1, rounds + 1))
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report


OTHER = {**LIVE, "name": "T2"}


async def used_at_both(house: Serving) -> Staff:
    """A set of dice that is played with at T1, moved to T2 and played with there."""
    supervisor = await in_use(house)
    await played(house, 2)
    await do(supervisor, "TakeOutDice", table="T1", dice_set="D1", why="rotation")
    await do(supervisor, "PutInDice", table="T2", dice_set="D1")
    console = await house.console("T2")
    await console.act("BuyIn", player="bob", amount=1_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="bob", slip={"big": 100}, version=1)
    await dealt(console, [1, 2, 3])
    return supervisor


@pytest.mark.clause("tai-sai-v6", "5.6")
async def test_a_set_that_was_used_at_two_tables_takes_one_request(tmp_path: Path) -> None:
    """One approval voids its rounds at both; asked again it is told the same, and the set has failed."""
    async with serving(settings(tmp_path, LIVE, OTHER)) as house:
        supervisor, dealer = await used_at_both(house), await house.person("dealer")
        proposed = (await supervisor.get("/dice/D1/rounds"))["proposed"]
        assert proposed == {"T1": [1, 2], "T2": [1]}
        await reported(house, [1])
        fields = {"dice_set": "D1", "reason": "a chipped corner"}
        asked = await dealer.act("T1", "ReportDamagedDice", rounds=[1, 2], elsewhere={"T2": [1]}, **fields)
        effects = await supervisor.get(f"/approvals/{asked['approval']}/effects")
        assert [(each["table"], each["round"]) for each in effects] == [("T1", 1), ("T1", 2), ("T2", 1)]
        answer = await supervisor.approve(asked["approval"])
        assert (answer["rounds"], answer["skipped"]) == ([2], [1])
        assert answer["elsewhere"] == {"T2": {"rounds": [1], "skipped": [], "refused": ""}}
        assert (await supervisor.get("/dice/D1/rounds"))["proposed"] == {}
        assert (await dealer.act("T2", "CashOut", player="bob"))["amount"] == 1_000
        assert [each["failed"] for each in await supervisor.get("/dice")] == [True]
        told = await supervisor.get(f"/approvals/{asked['approval']}")
        assert told["outcome"].endswith("T2: RoundVoided")
        assert (await (await house.person("auditor")).post("/audit/verify"))["sound"]


async def test_a_report_may_be_about_other_tables_alone(tmp_path: Path) -> None:
    """The set came to this table just now; rounds that are not there are refused before anyone agrees."""
    async with serving(settings(tmp_path, LIVE, OTHER)) as house:
        supervisor, dealer = await used_at_both(house), await house.person("dealer")
        fields = {"dice_set": "D1", "reason": "a chipped corner"}
        for wrong in ({"T2": [7]}, {"T2": []}, {"T1": [1]}):
            with pytest.raises(Refused) as refused:
                await dealer.act("T1", "ReportDamagedDice", rounds=[1], elsewhere=wrong, **fields)
            assert refused.value.code == "round_unknown"
        asked = await dealer.act("T1", "ReportDamagedDice", rounds=[], elsewhere={"T2": [1]}, **fields)
        answer = await supervisor.approve(asked["approval"])
        assert (answer["rounds"], answer["elsewhere"]) == ([1], {})
        assert (await supervisor.get("/dice/D1/rounds"))["proposed"] == {"T1": [1, 2]}
