"""A desk between its callers and a store that may fail: nothing is acknowledged that is not durable."""

import asyncio
from collections.abc import Iterable
from datetime import timedelta

import pytest

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.cage import OpenDrawer, RedeemTicket, SellTicket
from taisai.floor.cluster.messages import NewTicket
from taisai.floor.desks.desk import AT_ONCE, Desk
from taisai.floor.desks.endings import DeskStopped
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.table import messages as table
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger.accounts import credit
from taisai.record.journal import Answer, Batch, Committed
from taisai.record.ports import CommandAltered, FateUnknown, StreamMoved
from tests.evening import CASHIER, DEALER, LIVE, PLAYERS, SUPERVISOR
from tests.record import SIGNER, START

CLOCK = ManualClock(START)
MANAGER = Actor("mia", Role.PIT_MANAGER)


class Fragile(MemoryStore):
    """A store that can be told to fail, before or after it has made a batch durable."""

    def __init__(self, disk: MemoryDisk, writer: str = "w1") -> None:
        super().__init__(disk, writer=writer, signer=SIGNER, clock=CLOCK)
        self.failing: list[str] = []
        self.reading_fails = False
        self.gate: asyncio.Event | None = None

    async def append(self, batch: Batch) -> Committed:
        if self.gate:
            await self.gate.wait()
        how = self.failing.pop(0) if self.failing else ""
        if how == "before":
            raise StoreUnavailable("the disk is full")
        committed = await super().append(batch)
        if how == "after":
            raise FateUnknown("the line went dead")
        return committed

    async def answers(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        if self.reading_fails:
            raise StoreUnavailable("the line is dead")
        return await super().answers(commands)


def buy(player: str = "ann", amount: int = 1000) -> table.BuyIn:
    return table.BuyIn(by=DEALER, at=START, player=player, amount=amount)


async def opened(store: MemoryStore, **settings: object) -> Desk[TableState]:
    desk = table_desk("T1", store, CLOCK)
    await desk.start()
    if desk.state.settings is None:
        await desk.ask("pit", "open", table.OpenTable(by=SUPERVISOR, at=START, settings=LIVE))
    return desk


async def test_a_command_that_comes_twice_at_once_is_answered_only_when_it_is_durable() -> None:
    """The second of two equal commands in one batch waits for the first one's commit."""
    store = Fragile(MemoryDisk())
    desk = await opened(store)
    store.gate = asyncio.Event()
    first = asyncio.ensure_future(desk.ask("ann", "1", buy()))
    again = asyncio.ensure_future(desk.ask("ann", "1", buy()))
    done, _ = await asyncio.wait({first, again}, timeout=0.05)
    assert not done
    store.gate.set()
    assert await first == await again
    assert desk.state.book.balance(credit("ann")) == 1000
    await desk.stop()


async def test_two_commands_with_one_id_at_once_are_one_command_and_a_refusal() -> None:
    """Other content under the same id is refused, also within a batch."""
    desk = await opened(MemoryStore(MemoryDisk(), writer="w", signer=SIGNER, clock=CLOCK))
    first, other = await asyncio.gather(
        desk.ask("ann", "1", buy()), desk.ask("ann", "1", buy(amount=5)), return_exceptions=True
    )
    assert isinstance(first, table.Accepted)
    assert isinstance(other, CommandAltered)
    await desk.stop()


async def test_nothing_is_remembered_of_a_batch_whose_deciding_failed() -> None:
    """When the store is lost while a later command of the batch is prepared, the earlier ones never were."""
    disk = MemoryDisk()
    store = Fragile(disk)
    desk = cage_desk(store, CLOCK)
    await desk.start()
    await desk.ask("kim", "0", OpenDrawer(by=CASHIER, at=START, float_minor=100))

    async def lost(stream: str, *, after: int = 0):
        raise StoreUnavailable("the line is dead")
        yield

    sale = SellTicket(by=CASHIER, at=START, amount=50, ticket=ticket("a1"))
    reading, store.events = store.events, lost
    outcomes = await asyncio.gather(
        desk.ask("kim", "1", sale),
        desk.ask("kim", "2", RedeemTicket(by=CASHIER, at=START, ticket="none")),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
    assert ("kim", "1") not in disk.answers
    store.events = reading
    assert (await desk.ask("kim", "1", sale)).amount == 50
    assert ("kim", "1") in disk.answers
    await desk.stop()


def ticket(name: str) -> NewTicket:
    return NewTicket(name=name, last_four="1234", expires_at=START + timedelta(days=1))


async def test_a_full_disk_stops_acceptance_and_the_desk_goes_on_when_there_is_room() -> None:
    """The command fails with what is wrong, changes nothing, and can be sent again."""
    store = Fragile(MemoryDisk())
    desk = await opened(store)
    store.failing = ["before"]
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        await desk.ask("ann", "1", buy())
    assert (await desk.ask("ann", "1", buy())).amount == 1000
    assert desk.state.book.balance(credit("ann")) == 1000
    await desk.stop()


async def test_an_unknown_fate_is_looked_up_by_the_commands_ids() -> None:
    """What was committed is answered, what was not is decided again, and the caller notices nothing."""
    store = Fragile(MemoryDisk())
    desk = await opened(store)
    store.failing = ["after"]
    assert (await desk.ask("ann", "1", buy())).amount == 1000
    assert desk.state.book.balance(credit("ann")) == 1000
    store.failing = ["after"]
    store.reading_fails = True
    with pytest.raises(StoreUnavailable):
        await desk.ask("bob", "1", buy("bob"))
    store.reading_fails = False
    assert (await desk.ask("bob", "1", buy("bob"))).amount == 1000
    assert desk.state.book.balance(credit("bob")) == 1000
    await desk.stop()


async def test_a_desk_that_was_away_while_another_took_its_table_stops() -> None:
    """Whoever lost the store and comes back finds the new owner in the journal and does not write again."""
    disk = MemoryDisk()
    store = Fragile(disk)
    first = await opened(store)
    store.failing = ["before"]
    with pytest.raises(StoreUnavailable):
        await first.ask("ann", "1", buy())
    second = await opened(Fragile(disk, "w2"))
    with pytest.raises(DeskStopped, match="another desk has taken it"):
        await first.ask("ann", "1", buy())
    assert first.stopped
    assert (await second.ask("ann", "1", buy())).amount == 1000
    await second.stop()


async def test_of_two_desks_that_start_at_once_one_has_the_table() -> None:
    """The other gets a conflict."""
    disk = MemoryDisk()
    desks = [table_desk("T1", Fragile(disk, f"w{n}"), CLOCK) for n in range(2)]
    for desk in desks:
        desk._store.gate = asyncio.Event()
    starting = [asyncio.create_task(desk.start()) for desk in desks]
    await asyncio.wait(starting, timeout=0.05)
    for desk in desks:
        desk._store.gate.set()
    outcomes = await asyncio.gather(*starting, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "StreamMoved"]


async def test_an_act_of_a_dead_process_that_comes_in_late_does_not_keep_the_next_from_starting() -> None:
    """Its commit arrives between the reading of the stream and its taking."""
    disk = MemoryDisk()
    dying = await opened(Fragile(disk))
    store = Fragile(disk, "w2")
    store.gate = asyncio.Event()
    desk = table_desk("T1", store, CLOCK)
    starting = asyncio.create_task(desk.start())
    await asyncio.wait({starting}, timeout=0.05)
    await dying.ask("ann", "1", buy())
    store.gate.set()
    await starting
    assert desk.state.book.balance(credit("ann")) == 1000
    await desk.stop()


@pytest.mark.parametrize(("sender", "name"), [("ann lee", "1"), ("ann", "a b"), ("", "1"), ("ann", "é")])
async def test_a_name_that_cannot_be_recorded_is_refused_and_hurts_nobody(sender: str, name: str) -> None:
    """A client cannot stop a table by what it calls itself or its commands."""
    desk = await opened(Fragile(MemoryDisk()))
    with pytest.raises(InputError, match="letters and digits"):
        await desk.ask(sender, name, buy())
    timeless = table.StartRound(by=DEALER, at=START.replace(tzinfo=None))
    with pytest.raises(InputError, match="with its zone"):
        await desk.ask("ann", "0", timeless)
    assert (await desk.ask("ann", "1", buy())).amount == 1000
    await desk.stop()


async def test_a_player_whose_name_is_no_account_is_refused_before_it_can_do_harm() -> None:
    """Otherwise the table could never be rebuilt: its accounts are found by its players' names."""
    disk = MemoryDisk()
    chips = table.TableSettings(pay_table=LIVE.pay_table, limits=LIVE.limits, money="chips")
    desk = await opened(Fragile(disk))
    await desk.ask("pit", "chips", table.OpenTable(by=MANAGER, at=START, settings=chips, second=SUPERVISOR))
    await desk.ask("pit", "start", table.StartRound(by=DEALER, at=START))
    bet = cmd.PlaceBets(by=DEALER, at=START, player="Ann Lee", slip={"big": 50}, version=1)
    for name, command in (("1", buy("Ann Lee")), ("2", table.InRound(by=DEALER, at=START, command=bet))):
        with pytest.raises(InputError, match="account"):
            await desk.ask("pit", name, command)
    await desk.stop()
    await (await opened(Fragile(disk))).stop()


async def test_one_id_at_two_desks_is_two_commands_of_which_the_second_is_refused() -> None:
    """An id is unique for its sender, wherever it is sent; no desk breaks over another one's answer."""
    disk = MemoryDisk()
    cage = cage_desk(Fragile(disk), CLOCK)
    await cage.start()
    await cage.ask("kim", "1", OpenDrawer(by=CASHIER, at=START, float_minor=100))
    desk = await opened(Fragile(disk))
    with pytest.raises(CommandAltered):
        await desk.ask("kim", "1", buy())
    await desk.ask("kim", "2", buy())
    with pytest.raises(CommandAltered):
        await cage.ask("kim", "2", RedeemTicket(by=CASHIER, at=START, ticket="none"))
    assert not desk.stopped
    assert not cage.stopped


async def test_a_clock_that_lags_behind_does_not_keep_a_ticket_from_being_paid() -> None:
    """A ticket's events go forward in the journal, whatever the clocks of terminal and cage say."""
    disk = MemoryDisk()
    cage = cage_desk(Fragile(disk), CLOCK)
    await cage.start()
    await cage.ask("kim", "0", OpenDrawer(by=CASHIER, at=START, float_minor=100))
    later = START + timedelta(seconds=5)
    await cage.ask("kim", "1", SellTicket(by=CASHIER, at=later, amount=50, ticket=ticket("a1")))
    paid = await cage.ask("kim", "2", RedeemTicket(by=CASHIER, at=START, ticket="a1"))
    assert paid.amount == 50
    events = [event async for event in Fragile(disk).events("ticket:a1")]
    assert events[0].at == events[1].at
    await cage.stop()


async def test_a_ticket_that_comes_twice_in_a_batch_is_paid_once() -> None:
    """Both are decided on the state in memory before either is durable."""
    cage = cage_desk(Fragile(MemoryDisk()), CLOCK)
    await cage.start()
    await cage.ask("kim", "0", OpenDrawer(by=CASHIER, at=START, float_minor=100))
    await cage.ask("kim", "1", SellTicket(by=CASHIER, at=START, amount=50, ticket=ticket("a1")))
    redeem = RedeemTicket(by=CASHIER, at=START, ticket="a1")
    first, second = await asyncio.gather(cage.ask("kim", "2", redeem), cage.ask("kim", "3", redeem))
    assert first.amount == 50
    assert isinstance(second, Refusal)
    assert second.code is RefusalCode.TICKET_REDEEMED
    await cage.stop()


async def test_a_batch_with_an_id_from_long_ago_still_does_the_rest() -> None:
    """An answer that the desk no longer remembers is found in the store, and the others are decided."""
    store = Fragile(MemoryDisk())
    desk = await opened(store)
    first = await desk.ask("ann", "1", buy())
    desk._answers._kept.clear()
    again, *others = await asyncio.gather(
        desk.ask("ann", "1", buy()), *(desk.ask("ann", f"x{n}", buy()) for n in range(3))
    )
    assert again == first
    assert [answer.amount for answer in others] == [1000] * 3
    assert desk.state.book.balance(credit("ann")) == 4000
    await desk.stop()


async def test_a_rebuilt_table_is_the_table_that_was_thrown_away() -> None:
    """Players, rounds, window and money come back from the journal alone."""
    disk = MemoryDisk()
    desk = await opened(Fragile(disk))
    await desk.ask("pit", "1", buy())
    await desk.ask("pit", "2", table.StartRound(by=DEALER, at=START))
    placing = cmd.PlaceBets(
        by=Actor("ann", Role.PLAYER), at=START, player="ann", slip={"big": 300}, version=1
    )
    await desk.ask("ann", "1", table.InRound(by=placing.by, at=START, command=placing))
    before = desk.state
    again = (await opened(Fragile(disk))).state
    assert again is not before
    for name in ("settings", "number", "rounds", "players", "left", "rack", "window", "draw"):
        assert getattr(again, name) == getattr(before, name), name
    for account in again.owned_accounts():
        assert again.book.totals(account) == before.book.totals(account), account


async def test_the_sort_of_money_does_not_change_under_bets_that_lie() -> None:
    """Otherwise credits would go in and chips come out."""
    desk = await opened(Fragile(MemoryDisk()))
    await desk.ask("pit", "1", table.StartRound(by=DEALER, at=START))
    chips = table.TableSettings(pay_table=LIVE.pay_table, limits=LIVE.limits, money="chips")
    changed = table.OpenTable(by=MANAGER, at=START, settings=chips, second=SUPERVISOR)
    refusal = await desk.ask("pit", "2", changed)
    assert isinstance(refusal, Refusal)
    assert refusal.code is RefusalCode.BETTING_OPEN
    same = table.OpenTable(by=MANAGER, at=START, settings=LIVE, second=SUPERVISOR)
    again = await desk.ask("pit", "3", same)
    assert again.happened == ["TableOpened"]
    await desk.stop()


def test_a_table_cannot_have_the_cages_name() -> None:
    """Both would number their transfers alike."""
    store = Fragile(MemoryDisk())
    for make in (table_desk, cluster_desk):
        with pytest.raises(InputError, match="cannot be called 'cage'"):
            make("cage", store, CLOCK)


async def test_a_stream_that_another_wrote_to_is_a_conflict_for_the_store() -> None:
    """The store's own guard, on which all of this rests."""
    disk = MemoryDisk()
    await opened(Fragile(disk))
    with pytest.raises(StreamMoved):
        await Fragile(disk).append(Batch((stale(),)))


def stale():
    from tests.record import on

    return on("table:T1", 0)


async def test_a_desk_replays_repeats_and_is_fenced_by_the_next() -> None:
    """The same id gives the same answer, other content is refused, and a new desk shuts the old one out."""
    store = Fragile(MemoryDisk())
    desk = table_desk("T1", store, CLOCK)
    await desk.start()
    opening = table.OpenTable(by=SUPERVISOR, at=START, settings=LIVE)
    first = await desk.ask("pit", "1", opening)
    again = await desk.ask(
        "pit", "1", table.OpenTable(by=SUPERVISOR, at=START + timedelta(1), settings=opening.settings)
    )
    assert first == again
    with pytest.raises(Exception, match="other content"):
        await desk.ask("pit", "1", table.StartRound(by=DEALER, at=START))
    await asyncio.gather(
        *(
            desk.ask(player, "buy", table.BuyIn(by=DEALER, at=START, player=player, amount=1000))
            for player in PLAYERS
        )
    )
    second = table_desk("T1", store, CLOCK)
    await second.start()
    assert second.state.book.balance(credit("ann")) == 1000
    assert await second.ask("ann", "buy", table.BuyIn(by=DEALER, at=START, player="ann", amount=1000))
    assert second.state.book.balance(credit("ann")) == 1000, "a repeated buy-in is one buy-in"
    with pytest.raises(Exception, match="another desk has taken it"):
        await desk.ask("pit", "2", table.StartRound(by=DEALER, at=START))
    await second.stop()
    await desk.stop()


async def test_others_have_turns_while_a_large_batch_is_decided_and_answered() -> None:
    """So many commands at once and no more, in deciding as in answering; all of them in one commit."""
    disk = MemoryDisk()
    desk = table_desk("T1", Fragile(disk), CLOCK)
    await desk.start()
    await desk.ask("t1", "open", table.OpenTable(by=SUPERVISOR, at=START, settings=LIVE))
    turns, decided, told = 0, [], []

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    act = desk.state.act
    desk.state.act = lambda *asked: decided.append(turns) or act(*asked)  # type: ignore[method-assign] # watched

    async def ask(number: int) -> None:
        await desk.ask("t1", f"c{number}", buy(amount=number + 1))
        told.append(turns)

    watching = asyncio.ensure_future(others())
    before = len(disk.chains["w1"])
    await asyncio.gather(*map(ask, range(3 * AT_ONCE)))
    watching.cancel()
    assert len(disk.chains["w1"]) == before + 1
    for seen in (decided, told):
        assert len(seen) == 3 * AT_ONCE
        assert max(map(seen.count, seen)) <= AT_ONCE
    await desk.stop()
