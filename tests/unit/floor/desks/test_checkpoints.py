"""Checkpoints: a start from one is the start from everything, or it is not used."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.dice import ROLLS, Roll
from taisai.errors import StoreUnavailable
from taisai.floor.cluster.messages import CashOutToTicket, CreditIn, EnrolTerminal, NewTicket, SetService
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks import checkpoints
from taisai.floor.desks.checkpoints import Checkpoint
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.desks.desk import Desk
from taisai.floor.door.forms import do_at_table
from taisai.floor.house import House
from taisai.floor.opening import table_desk
from taisai.floor.table.messages import InRound, OpenTable, StartRound
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.record.journal import Event
from taisai.record.verify import verify
from taisai.record.views import balances
from tests.floor.houses import (
    DEALER,
    SUPERVISOR,
    SmallHouse,
    ask,
    bet,
    cluster,
    deal,
    live,
    settings,
    start_round,
)
from tests.postgres_fixtures import postgres_server, postgres_url
from tests.record import KEYS, Place, place
from tests.record import START as RECORD_START

__all__ = ["postgres_server", "postgres_url"]

MANAGER = Actor("mia", Role.PIT_MANAGER)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint wherever the rounds allow it."""
    monkeypatch.setattr(checkpoints, "EVENTS_APART", 1)


async def correct(house: House, table: str, number: int, roll: Roll) -> Any:
    fixed = cmd.CorrectResult(by=DEALER, second=SUPERVISOR, at=house.now(), roll=roll, reason="misread")
    return await ask(house, table, InRound(by=DEALER, at=fixed.at, command=fixed, round=number))


async def at_terminals(house: House, chance: random.Random, rounds: int, tickets: Any) -> None:
    """Sessions come and go, results are corrected, old ones too, doors open."""
    names = [f"C1-{number}" for number in range(4)]
    for name in names:
        if name not in house.table("C1").state.terminals:
            await ask(house, "C1", EnrolTerminal(by=SYSTEM, at=house.now(), terminal=name, key_digest="k"))
    for _ in range(rounds):
        state: ClusterState = house.table("C1").state
        for name in names:
            if state.terminals[name].session is None and chance.random() < 0.7:
                money = CreditIn(by=SYSTEM, at=house.now(), terminal=name, source="cash", amount=2_000)
                await ask(house, "C1", money)
        await start_round(house, "C1")
        for name in names:
            session = state.terminals[name].session
            if session and chance.random() < 0.8:
                await bet(house, "C1", session, {"big": 100 * chance.randint(1, 3)})
        await deal(house, "C1", chance.choice(ROLLS))
        if chance.random() < 0.15:
            await correct(house, "C1", chance.randint(1, state.number), chance.choice(ROLLS))
        for name in names:
            if chance.random() < 0.1:
                new = NewTicket(name=f"{next(tickets):064x}", last_four="1234", expires_at=house.now())
                await ask(
                    house,
                    "C1",
                    CashOutToTicket(by=SYSTEM, at=house.now(), terminal=name, ticket=new),
                )
            if chance.random() < 0.05:
                service = chance.choice(("door-open", "in-service"))
                await ask(
                    house,
                    "C1",
                    SetService(by=SYSTEM, at=house.now(), terminal=name, service=service),
                )


async def rebuilt(house: House, table: str, *, whole: bool) -> Any:
    """A table's state as the next start would have it, with checkpoints or from everything."""
    kind = house.table(table).kind
    desk: Desk[Any] = Desk(
        msgspec.structs.replace(kind, memory=None) if whole else kind, house.store, house.timer
    )
    await desk._rebuild()
    owned = desk.state.owned_accounts()
    for account, (debits, credits) in (await balances(house.store, owned)).items():
        had = desk.state.book.totals(account)
        assert had[1] - had[0] == credits - debits, account  # what its own commits say, the whole house does
    return desk.state


def same(one: TableState, other: TableState) -> None:
    for name in ("settings", "number", "window", "draw", "seats", "guests", "rack"):
        assert getattr(one, name) == getattr(other, name), name
    for number in one.rounds.keys() & other.rounds.keys():
        assert one.rounds[number] == other.rounds[number], number
    assert one.current == other.current
    for account in {*one.owned_accounts(), *other.owned_accounts()}:
        assert one.book.balance(account) == other.book.balance(account), account
    if isinstance(one, ClusterState) and isinstance(other, ClusterState):
        assert one.terminals == other.terminals
        assert one.ticket_sequence == other.ticket_sequence
    for player in one.players | other.players:
        assert one.has_left(player) == other.has_left(player), player


def taken(small: SmallHouse, table: str) -> list[Event]:
    return list(small.disk.streams.get(f"checkpoint:{table}", ()))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_cluster_started_from_a_checkpoint_is_the_cluster(seed: int) -> None:
    """Three hundred rounds with old corrections, restarts in between: the same from one as from all."""
    small, chance, tickets = SmallHouse(cluster()), random.Random(seed), iter(range(10**6))
    for rounds in (150, 70, 80):
        async with small.open(dealing=False) as house:
            await at_terminals(house, chance, rounds, tickets)
            one, all_of_it = [await rebuilt(house, "C1", whole=whole) for whole in (False, True)]
            same(one, all_of_it)
            same(one, house.table("C1").state)
            async with house.store.snapshot() as snapshot:
                await verify(snapshot, KEYS)
    assert len(taken(small, "C1")) == 4
    assert len(one.players) < len(all_of_it.players), "sessions of the past are let go"


async def test_a_live_table_with_colours_and_seats_is_remembered() -> None:
    """Seats, guests, colours that are out and credits outlive everything that is no longer read."""
    small = SmallHouse(live(rules="tai-sai-v3/1"))
    async with small.open(dealing=False) as house:

        async def does(act_name: str, **fields: Any) -> None:
            name = f"{act_name}-{len(small.disk.streams['table:T1'])}"
            done = await do_at_table(house, "T1", act_name, fields, by=SUPERVISOR, key=name)
            assert not isinstance(done, Refusal), done

        await does("TakeSeat", seat=3)
        await does("TakeSeat", seat=4, player="ann")
        await does("BuyIn", player="ann", amount=100_000)
        await does("IssueColour", player="bo", colour="red", chips=5, value=100)
        for _ in range(140):
            await start_round(house, "T1")
            await deal(house, "T1", Roll(1, 2, 3))
        one, all_of_it = [await rebuilt(house, "T1", whole=whole) for whole in (False, True)]
        same(one, all_of_it)
        assert one.seats == {3: "guest-1@T1", 4: "ann@T1"}
        assert one.rack is not None
        assert one.rack.colours["red"].out == 5
        assert sorted(one.rounds) == list(range(77, 141))
    assert len(taken(small, "T1")) == 2


async def test_a_checkpoint_that_does_not_fit_its_stream_is_not_used() -> None:
    """Another digest, another form: the desk reads everything instead, and is right."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        for _ in range(130):
            await start_round(house, "T1")
            await deal(house, "T1", Roll(1, 2, 3))
        whole = await rebuilt(house, "T1", whole=True)
        stream = small.disk.streams["checkpoint:T1"]
        honest = stream[0]
        found = msgspec.json.decode(honest.body, type=Checkpoint)
        for lie in (
            msgspec.structs.replace(found, digest="00" * 32),
            msgspec.structs.replace(found, form=99),
            msgspec.structs.replace(found, version=found.version - 1),
        ):
            stream[0] = msgspec.structs.replace(honest, body=msgspec.json.encode(lie))
            resumed = await checkpoints.Checkpoints(house.table("T1").kind, unchecked(house)).resume()
            assert resumed.version == 0
        stream[0] = honest
        assert (await checkpoints.Checkpoints(house.table("T1").kind, house.store).resume()).version > 0
        same(await rebuilt(house, "T1", whole=False), whole)


def unchecked(house: House) -> Any:
    """The store without its own check of the chain, as if somebody had made that anew."""

    class Unchecked:
        def __getattr__(self, name: str) -> Any:
            return getattr(house.store, name)

        async def events(self, stream: str, *, after: int = 0) -> Any:
            for event in house.store._disk.streams.get(stream, [])[after:]:
                yield event

    return Unchecked()


async def test_no_checkpoint_is_taken_while_bets_lie_or_too_soon() -> None:
    """Only between rounds, and sixty-four of them apart."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        for _ in range(63):
            await start_round(house, "T1")
            await deal(house, "T1", Roll(1, 2, 3))
        assert taken(small, "T1") == []
        await start_round(house, "T1")
        assert taken(small, "T1") == []
        await deal(house, "T1", Roll(1, 2, 3))
        assert [event.type for event in taken(small, "T1")] == ["CheckpointTaken"]


async def test_without_checkpoints_nothing_is_lost() -> None:
    """A store that refuses them is only slower at the next start."""
    small = SmallHouse(live())
    async with small.open(dealing=False) as house:
        appending = house.store.append

        async def append(batch: Any) -> Any:
            if batch.streams[0].stream.startswith("checkpoint:"):
                raise StoreUnavailable("the disk is full")
            return await appending(batch)

        house.store.append = append
        for _ in range(70):
            await start_round(house, "T1")
            await deal(house, "T1", Roll(1, 2, 3))
        assert house.table("T1").state.number == 70
    assert taken(small, "T1") == []


async def on_a_store(at: Place) -> None:
    """A table that is played, started anew, and played on."""
    for rounds in (130, 2):
        store = await at.open(writer="house")
        desk = table_desk("T1", store, at.clock)
        await desk.start()
        if desk.state.settings is None:
            await desk.ask("pit", "open", OpenTable(by=SYSTEM, at=RECORD_START, settings=settings()))
        else:
            resumed = await checkpoints.Checkpoints(desk.kind, store).resume()
            assert 0 < resumed.version < desk.version
            assert desk.state.number == 130
        for number in range(desk.state.number, desk.state.number + rounds):
            await desk.ask("d", f"s{number}", StartRound(by=DEALER, at=RECORD_START))
            ended = cmd.InterruptRound(by=DEALER, at=RECORD_START)
            await desk.ask("d", f"i{number}", InRound(by=DEALER, at=RECORD_START, command=ended))
        await desk.stop()
        async with store.snapshot() as snapshot:
            await verify(snapshot, KEYS)
        await store.close()


async def test_checkpoints_in_a_file(tmp_path: Path) -> None:
    """SQLite: the next start goes on from one, and the record verifies."""
    async with place(tmp_path / "record.db") as at:
        await on_a_store(at)


@pytest.mark.slow
async def test_checkpoints_in_postgresql(postgres_url: str) -> None:
    """The same on a server."""
    async with place(postgres_url) as at:
        await on_a_store(at)
