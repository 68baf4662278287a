"""Several processes on one record: each has its own chain, and readers find an order that makes sense."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taisai.adapters.memory import MemoryDisk
from taisai.errors import StoreConflict
from taisai.record.journal import Batch, Commit
from taisai.record.order import in_order
from taisai.record.ports import Store
from taisai.record.verify import verify
from taisai.record.views import BALANCES, VIEWS, balances, catch_up, dump, rebuild
from tests.record import KEYS, START_AT, Place, answer, bet, buy_in, on, place, slip


@pytest.fixture(params=["memory", "postgres"])
def shared(request: pytest.FixtureRequest) -> MemoryDisk | str:
    """What several processes can write at once; a file has one."""
    if request.param == "memory":
        return MemoryDisk()
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def at(shared: MemoryDisk | Path | str) -> AsyncIterator[Place]:
    async with place(shared) as found:
        yield found


async def commits(store: Store) -> list[Commit]:
    return [commit async for commit in in_order(store)]


def assert_causal(found: list[Commit]) -> None:
    """Each chain in order, each stream in order, and nothing before what it followed."""
    numbers: dict[str, int] = {}
    versions: dict[str, int] = {}
    for commit in found:
        assert commit.number == numbers.get(commit.writer, 0) + 1
        assert all(numbers.get(writer, 0) >= number for writer, number in commit.after.items())
        for event in commit.events:
            assert event.version == versions.get(event.stream, 0) + 1
            versions[event.stream] = event.version
        numbers[commit.writer] = commit.number


async def test_each_writer_has_its_own_chain(at: Place) -> None:
    """Two processes with tables of their own never wait for each other, and the record verifies as one."""
    one, two = await at.open(writer="one"), await at.open(writer="two")
    await asyncio.gather(
        *(one.append(slip(n, stream="table:A")) for n in range(1, 41)),
        *(two.append(slip(n, stream="table:B")) for n in range(1, 41)),
    )
    assert (await one.tips()).keys() == {"one", "two"}
    found = await commits(two)
    assert_causal(found)
    async with one.snapshot() as snapshot:
        assert (await verify(snapshot, KEYS, views=VIEWS)).events == 80


async def test_a_table_that_changes_hands_is_read_in_its_order(at: Place) -> None:
    """Each new owner's commits come after those of the owner before, whatever the writers are called."""
    stores = [await at.open(writer=name) for name in ("zebra", "ant", "mule")]
    for number in range(1, 31):
        await stores[number % 3].append(slip(number))
    found = await commits(stores[0])
    assert_causal(found)
    assert [event.version for commit in found for event in commit.events] == list(range(1, 31))
    async with stores[1].snapshot() as snapshot:
        assert (await verify(snapshot, KEYS)).commits == 30


async def test_money_is_spent_after_it_came(at: Place) -> None:
    """A desk that reads a balance writes after the commits that made it: no reader sees it below zero."""
    cage, table = await at.open(writer="z-cage"), await at.open(writer="a-table")
    for number in range(1, 11):
        await cage.append(Batch(transfers=(buy_in("p", 10, f"in.{number}"),)))
        assert (await balances(table, ["credit:p"]))["credit:p"] == (10 * (number - 1), 10 * number)
        await table.append(Batch((on("table:T1", number - 1),), (bet("p", 10, f"bet.{number}"),)))
    assert_causal(await commits(table))
    async with table.snapshot() as snapshot:
        await verify(snapshot, KEYS, views=VIEWS)


async def test_two_processes_that_share_a_name_both_get_through(at: Place) -> None:
    """They race for each number of the chain; nobody's append is lost or doubled."""
    one, two = await at.open(), await at.open()
    for number in range(1, 11):
        await asyncio.gather(
            one.append(slip(number, stream="table:A")), two.append(slip(number, stream="table:B"))
        )
    async with one.snapshot() as snapshot:
        findings = await verify(snapshot, KEYS)
    assert (findings.events, findings.transfers, findings.answers) == (20, 20, 20)


async def test_two_processes_on_one_stream_have_one_winner_each_time(at: Place) -> None:
    """Both try every version; the loser is told and goes on."""
    stores = [await at.open(writer="one"), await at.open(writer="two")]
    for version in range(20):
        outcomes = await asyncio.gather(
            *(
                store.append(
                    Batch((on("table:T1", version, at=START_AT + version),), (), (answer(f"{n}-{version}"),))
                )
                for n, store in enumerate(stores)
            ),
            return_exceptions=True,
        )
        assert sum(isinstance(outcome, StoreConflict) for outcome in outcomes) == 1
    assert len([event async for event in stores[0].events("table:T1")]) == 20
    assert_causal(await commits(stores[0]))


async def test_the_same_command_at_two_processes_is_one_command(at: Place) -> None:
    """A terminal that reconnects elsewhere and sends again."""
    one, two = await at.open(writer="one"), await at.open(writer="two")
    outcomes = await asyncio.gather(
        one.append(Batch(answers=(answer("c"),))),
        two.append(Batch(answers=(answer("c"),))),
        return_exceptions=True,
    )
    assert sum(isinstance(outcome, StoreConflict) for outcome in outcomes) == 1


async def test_two_processes_bring_one_view_forward(at: Place) -> None:
    """They take turns, and the rows are as if one had done it."""
    one, two = await at.open(writer="one"), await at.open(writer="two")
    for number in range(1, 6):
        await one.append(slip(number, stream="table:A"))
        await two.append(slip(number, stream="table:B"))
        await asyncio.gather(catch_up(one, BALANCES), catch_up(two, BALANCES))
    together = [line async for line in dump(one)]
    await rebuild(two, BALANCES)
    assert [line async for line in dump(one)] == together
