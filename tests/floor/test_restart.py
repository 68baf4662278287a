"""A restart in every phase of a live table under every rulebook: it goes on where it stopped, or is void."""

from typing import Any

import msgspec
import pytest

from taisai.dice import Roll
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.floor.table.messages import Accepted
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.rulebooks.catalogue import pay_table, rulebook, rulebook_of, shipped_rulebooks
from tests.floor.houses import DEALER, MANAGER, SUPERVISOR, SmallHouse, decide_request, live, settings

RULES = [f"{name}/1" for name in shipped_rulebooks() if not rulebook(name).electronic]
_numbers = iter(range(10**6))


async def does(house: House, act: str, *, by: Actor = DEALER, **fields: Any) -> Any:
    return await do_at_table(house, "T1", act, fields, by=by, key=f"c{next(_numbers)}")


def course(rules: str, roll: Roll) -> list[tuple[str, dict[str, Any]]]:
    """A round's acts, from its opening to its end."""
    covered = rulebook_of(rules).procedure.cover == "covered"
    unit = settings(rules).limits.unit
    acts: list[tuple[str, dict[str, Any]]] = [
        ("StartRound", {}),
        ("PlaceBets", {"player": "ann", "slip": {"big": unit, "sum-9": unit}, "version": 1}),
        ("CloseBetting", {}),
        *([("CoverTumbler", {})] if covered else []),
        ("ActivateTumbler", {"tumbles": 3}),
        *([("ExposeDice", {})] if covered else []),
        ("DeclareRoll", {"roll": list(roll)}),
        ("SettleBets", {}),
        ("ConcludeRound", {}),
    ]
    return acts


@pytest.mark.parametrize("rules", RULES)
async def test_a_live_round_goes_on_in_every_phase(rules: str) -> None:
    """The house starts anew after every single act: suspended, resumed by the dealer, and the same end."""
    small = SmallHouse(live(rules=rules))
    acts = course(rules, Roll(2, 3, 4))
    unit = settings(rules).limits.unit
    async with small.open() as house:
        await does(house, "BuyIn", player="ann", amount=10 * unit)
    for place, (act, fields) in enumerate(acts):
        async with small.open() as house:
            state = house.table("T1").state
            if place > 0:
                assert state.current.held == "suspended"
                assert isinstance(await does(house, "ResumeRound"), Accepted)
            answer = await does(house, act, **fields)
            assert isinstance(answer, Accepted), (act, answer)
    async with small.open() as house:
        state = house.table("T1").state
        assert (state.current.phase, state.current.held) == (Phase.CONCLUDED, "")
        assert state.current.roll == Roll(2, 3, 4)
        pays = pay_table(rules).box("sum-9").pays[0]
        assert state.book.balance("credit:ann@T1") == 9 * unit + int(unit * pays)


@pytest.mark.parametrize("phase", ["betting", "closed", "tumbled"])
async def test_a_round_that_cannot_go_on_after_a_restart_is_void_as_the_rules_say(phase: str) -> None:
    """5.4: the dealer declares the interruption; nothing is established; every stake goes back."""
    small = SmallHouse(live())
    done = {"betting": 2, "closed": 3, "tumbled": 5}[phase]
    async with small.open() as house:
        await does(house, "BuyIn", player="ann", amount=10_000)
        for act, fields in course("tai-sai-v6/2", Roll(1, 2, 3))[:done]:
            await does(house, act, **fields)
    async with small.open() as house:
        interrupted = await does(house, "InterruptRound", known=[], readable=False)
        assert "RoundVoided" in interrupted.happened
        assert house.table("T1").state.book.balance("credit:ann@T1") == 10_000


async def test_an_outcome_that_was_established_before_the_crash_is_concluded_after_it() -> None:
    """5.4.1: faces that were read decide boxes already; when the rest is read the round is paid."""
    small = SmallHouse(live())
    async with small.open() as house:
        await does(house, "BuyIn", player="ann", amount=10_000)
        for act, fields in course("tai-sai-v6/2", Roll(6, 6, 6))[:6]:
            await does(house, act, **fields)
        went_on = await does(house, "InterruptRound", known=[6, 6])
        assert "RoundVoided" not in went_on.happened
    async with small.open() as house:
        await does(house, "ResumeRound")
        wrong = await does(house, "DeclareRoll", roll=[1, 2, 3])
        assert wrong.code == "contradicts_known_faces"
        for act, fields in course("tai-sai-v6/2", Roll(6, 6, 1))[6:]:
            assert isinstance(await does(house, act, **fields), Accepted)
        assert house.table("T1").state.current.phase is Phase.CONCLUDED


async def test_the_rules_that_were_pinned_hold_to_the_end_of_the_round_and_through_a_restart() -> None:
    """Rulebook, pay table and limits change in mid-round: with the next round, and not before."""
    small = SmallHouse(live())
    async with small.open() as house:
        await does(house, "BuyIn", player="ann", amount=100_000)
        for act, fields in course("tai-sai-v6/2", Roll(1, 2, 3))[:2]:
            await does(house, act, **fields)
        before = house.table("T1").state.current
        pinned = (before.rulebook.digest, before.pay_table.digest, before.limits)
        changed = {"settings": msgspec.to_builtins(settings("tai-sai-v4/1")), "reason": "another"}
        asked = await does(house, "OpenTable", by=SUPERVISOR, **changed)
        assert isinstance(asked, Waiting)
        await decide_request(house, asked.approval, approve=True, by=MANAGER, key="x")
        now = house.table("T1").state.current
        assert (now.rulebook.digest, now.pay_table.digest, now.limits) == pinned
    async with small.open() as house:
        now = house.table("T1").state.current
        assert (now.rulebook.digest, now.pay_table.digest, now.limits) == pinned
        await does(house, "ResumeRound")
        for act, fields in course("tai-sai-v6/2", Roll(1, 2, 3))[2:]:
            assert isinstance(await does(house, act, **fields), Accepted)
        await does(house, "StartRound")
        assert house.table("T1").state.current.pay_table.id == "tai-sai-v4/1"
        opened = [event for event in small.disk.streams["table:T1"] if event.type == "BettingOpened"]
        digests = [msgspec.json.decode(event.body)["event"]["pay_table_digest"] for event in opened]
        assert digests[0] == pinned[1] != digests[1]


async def test_nobody_but_the_shift_manager_may_rule_on_what_hangs() -> None:
    """Dice that can never be read wait for a ruling of two people, through a restart."""
    small = SmallHouse(live())
    async with small.open() as house:
        await does(house, "BuyIn", player="ann", amount=10_000)
        for act, fields in course("tai-sai-v6/2", Roll(6, 6, 6))[:6]:
            await does(house, act, **fields)
        await does(house, "InterruptRound", known=[6, 6], readable=False)
        assert house.table("T1").state.current.standing is Phase.AWAITING_RULING
    async with small.open() as house:
        assert house.table("T1").state.current.standing is Phase.AWAITING_RULING
        asked = await does(house, "MakeRuling", decision="void", reason="the third die is lost")
        assert isinstance(asked, Waiting)
        boss = Actor("bea", Role.SHIFT_MANAGER)
        await decide_request(house, asked.approval, approve=True, by=boss, key="y")
        assert house.table("T1").state.book.balance("credit:ann@T1") == 10_000
