"""Limits across tables that several processes run: never over, whatever comes between, and all comes back."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from taisai.dice import Roll
from taisai.floor.approvals.asked import PitAct
from taisai.floor.door.acts import PlayersAct
from taisai.floor.house import House
from taisai.floor.pit.messages import AllotChips
from taisai.floor.players.messages import AllotPlay, BeginPlay, PlayLimits, RegisterPlayer, SetPlayLimits
from taisai.floor.table.messages import Accepted, BuyIn
from taisai.game import commands as cmd
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import CASH_CHIPS
from taisai.record.views import balances
from tests.floor.houses import (
    DEALER,
    SYSTEM,
    TESTS,
    SmallHouse,
    act,
    ask,
    bet,
    cluster,
    deal,
    live,
    seat,
    settle_down,
    start_round,
    void,
)
from tests.floor.split import SplitHouse, split_house

OFFICE, C1, C2 = "office", "table:C1", "table:C2"
LIMIT = 5_000


async def registered(house: House, *sessions: str, **limits: int) -> None:
    """One player at several terminals, with limits."""
    commands: list[Any] = [RegisterPlayer(by=SYSTEM, at=house.now(), player="p-one")]
    commands += [BeginPlay(by=SYSTEM, at=house.now(), player="p-one", place=each) for each in sessions]
    commands.append(SetPlayLimits(by=SYSTEM, at=house.now(), player="p-one", limits=PlayLimits(**limits)))
    for number, command in enumerate(commands):
        await house.do(PlayersAct(command), TESTS, f"register{number}")
    await settle_down()


class Floor:
    """Two clusters in two processes, the office in a third, and one player at both."""

    def __init__(self, split: SplitHouse, houses: list[House]) -> None:
        self.split, self.office = split, houses[0]
        self.sessions: dict[str, str] = {}

    async def set_up(self) -> None:
        for table in ("C1", "C2"):
            self.sessions[table] = await seat(self.office, table, f"{table}-1", 100_000)
            await start_round(self.office, table)
        await registered(self.office, *self.sessions.values(), wager_day=LIMIT)

    async def bet(self, table: str, amount: int, version: int = 1) -> Any:
        return await bet(self.office, table, self.sessions[table], {"small": amount}, version)

    def at_stake(self) -> int:
        """What the two owners have on their felts."""
        total = 0
        for house in self.split.houses.values():
            for table in house.dealings:
                slip = house.table(table).state.current.slips.get(self.sessions[table])
                total += slip.total() if slip else 0
        return total

    def allotted(self) -> dict[str, int]:
        held = self.office.players.state.allotted
        return {table: each["p-one"].amount for table, each in held.items() if "p-one" in each}


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    small = SmallHouse(cluster("C1"), cluster("C2"))
    async with split_house(small, [OFFICE], [C1], [C2]) as (split, houses):
        made = Floor(split, houses)
        await made.set_up()
        yield made


async def test_two_tables_never_take_more_than_a_player_allows_themselves(floor: Floor) -> None:
    """Even if neither hears anything of the other; the second is refused with what is left."""
    floor.split.deaf = True
    one, two = await asyncio.gather(floor.bet("C1", 3_000), floor.bet("C2", 3_000))
    refusal = next(answer for answer in (one, two) if isinstance(answer, Refusal))
    assert refusal.code is RefusalCode.PLAY_LIMIT_REACHED
    assert refusal.facts == {"what": "wager-day", "limit": LIMIT, "asked": 3_000, "available": 2_000}
    assert floor.at_stake() == 3_000


async def test_what_is_allotted_is_asked_for_once_and_comes_back_with_the_round(floor: Floor) -> None:
    """A smaller slip asks nobody; after the round its plays count, and the allotment is gone."""
    await floor.bet("C1", 3_000)
    before = floor.office.players.version
    await floor.bet("C1", 2_000, version=2)
    assert floor.office.players.version == before
    await settle_down()
    await deal(floor.office, "C1", Roll(4, 5, 6))
    await settle_down()
    assert floor.allotted() == {}
    assert floor.office.players.state.find("p-one").today.wagered == 2_000
    assert isinstance(await floor.bet("C2", 4_000), Refusal)
    assert isinstance(await floor.bet("C2", 3_000, version=2), Accepted)


async def test_what_a_void_round_was_allotted_comes_back(floor: Floor) -> None:
    """It was never played."""
    await floor.bet("C1", LIMIT)
    assert isinstance(await floor.bet("C2", 1_000), Refusal)
    await settle_down()
    await void(floor.office, "C1")
    await settle_down()
    assert floor.allotted() == {}
    assert isinstance(await floor.bet("C2", LIMIT, version=2), Accepted)


async def test_limits_that_were_tightened_hold_at_once(floor: Floor) -> None:
    """What was granted before does not outlive them."""
    await floor.bet("C1", 4_000)
    await floor.bet("C1", 1_000, version=2)
    limits = PlayLimits(wager_day=2_000)
    tighter = SetPlayLimits(by=SYSTEM, at=floor.office.now(), player="p-one", limits=limits)
    await floor.office.do(PlayersAct(tighter), TESTS, "tighter")
    await settle_down()
    assert isinstance(await floor.bet("C1", 3_000, version=3), Refusal)
    assert isinstance(await floor.bet("C1", 2_000, version=4), Accepted)


async def test_bets_from_before_the_house_was_divided_count(floor: Floor) -> None:
    """A table that was never asked for an allotment has what it has on its felt."""
    state = floor.office.players.state
    await floor.bet("C1", 4_000)
    await settle_down()
    state.allotted.clear()  # as where one process ran both tables, and none was needed
    assert isinstance(await floor.bet("C2", 2_000), Refusal)
    assert isinstance(await floor.bet("C2", 1_000, version=2), Accepted)


async def test_one_who_runs_the_table_no_longer_is_allotted_nothing(floor: Floor) -> None:
    """Its late message does not change what the new one has."""
    await floor.bet("C1", 4_000)
    held = floor.office.players.state.allotted["C1"]["p-one"]
    late = AllotPlay(
        by=SYSTEM,
        at=floor.office.now(),
        player="p-one",
        table="C1",
        round=held.round,
        epoch=held.epoch - 1,
        amount=100,
        more=100,
    )
    answer = await floor.office.do(PlayersAct(late), TESTS, "late")
    assert isinstance(answer, Refusal)
    assert floor.allotted() == {"C1": 4_000}


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_comes_between_the_limit_holds(seed: int) -> None:
    """Slips, deals, voids and hand-overs in any order, heard late or not at all: at stake and played, never
    more than the limit."""
    chance = random.Random(seed)
    small = SmallHouse(cluster("C1"), cluster("C2"))
    async with split_house(small, [OFFICE], [C1], [C2]) as (split, houses):
        floor = Floor(split, houses)
        await floor.set_up()
        for version in range(2, 26):
            split.deaf = chance.random() < 0.5
            table = chance.choice(["C1", "C2"])
            match chance.randrange(8):
                case 0:
                    await settle_down()
                    await deal(floor.office, table, Roll(4, 5, 6))
                    await start_round(floor.office, table)
                case 1:
                    await void(floor.office, table)
                    await start_round(floor.office, table)
                case 2:
                    owner = next(h for h in split.houses.values() if table in h.dealings)
                    taker = chance.choice([h for h in split.houses.values() if h is not owner])
                    await owner.give_up(f"table:{table}", "any")
                    await taker.take(f"table:{table}")
                case _:
                    slips = [
                        floor.bet(each, chance.randrange(1, 50) * 100, version) for each in ("C1", "C2", "C1")
                    ]
                    await asyncio.gather(*slips)
            played = floor.office.players.state.find("p-one").today.wagered
            assert floor.at_stake() + played <= LIMIT


# Cash chips


def chips(name: str) -> Any:
    plan = live(name, "tai-sai-v4/1")
    return msgspec.structs.replace(plan, settings=msgspec.structs.replace(plan.settings, money="chips"))


async def bought(house: House, table: str, amount: int) -> None:
    at = house.now()
    await ask(house, table, BuyIn(by=DEALER, at=at, player=f"ann@{table}", amount=amount, source="cash"))


async def laid(house: House, table: str, amount: int, player: str = "ann", version: int = 1) -> Any:
    name = f"{player}@{table}"
    placing = cmd.PlaceBets(by=DEALER, at=house.now(), player=name, slip={"small": amount}, version=version)
    return await act(house, table, placing)


async def out(house: House) -> int:
    debits, credits = (await balances(house.store, [CASH_CHIPS]))[CASH_CHIPS]
    return credits - debits


async def test_two_tables_never_take_the_same_cash_chips() -> None:
    """Chips that one table gave out are good at the other, once."""
    small = SmallHouse(chips("T1"), chips("T2"))
    async with split_house(small, [OFFICE], ["table:T1"], ["table:T2"]) as (split, (office, one, two)):
        await bought(office, "T1", 10_000)
        for table in ("T1", "T2"):
            await start_round(office, table)
        split.deaf = True
        answers = await asyncio.gather(laid(one, "T1", 8_000), laid(two, "T2", 8_000))
        refusal = next(answer for answer in answers if isinstance(answer, Refusal))
        assert refusal.code is RefusalCode.FUNDS_INSUFFICIENT
        assert await out(office) == 2_000
        split.deaf = False
        await settle_down()
        assert not any(each.amount for each in office.pit.state.allotted_chips.values())
        late = AllotChips(by=SYSTEM, at=office.now(), table="T1", epoch=0, amount=100)
        assert isinstance(await office.do(PitAct(late), TESTS, "late"), Refusal)


async def test_chips_of_a_process_that_died_come_back_to_the_next() -> None:
    """Whoever takes its table gives back what it was allotted."""
    small = SmallHouse(chips("T1"), chips("T2"))
    async with split_house(small, [OFFICE], ["table:T1"], ["table:T2"]) as (split, (office, one, two)):
        await bought(office, "T1", 10_000)
        await one.allotments._allot_chips("T1", 9_000)
        await start_round(office, "T2")
        assert isinstance(await laid(two, "T2", 5_000), Refusal)
        await split.kill("p2")
        await two.take("table:T1")
        await settle_down()
        assert isinstance(await laid(two, "T2", 5_000, version=2), Accepted)


async def test_one_process_needs_no_allotment() -> None:
    """It sees everything, and writes nothing more than before."""
    small = SmallHouse(cluster("C1"), cluster("C2"))
    async with small.open(dealing=False) as house:
        sessions = [await seat(house, table, f"{table}-1", 100_000) for table in ("C1", "C2")]
        await registered(house, *sessions, wager_day=LIMIT)
        before = house.players.version
        for table, session in zip(("C1", "C2"), sessions, strict=True):
            await start_round(house, table)
            await bet(house, table, session, {"small": 2_000})
        await void(house, "C1")
        await settle_down()
        assert house.players.version == before
        assert isinstance(await bet(house, "C2", sessions[1], {"small": 6_000}, 2), Refusal)
