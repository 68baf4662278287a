"""Small houses in memory, with a clock that tests move."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from taisai.adapters.clock import ManualClock, SeededEntropy
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.dice import Roll
from taisai.floor.approvals import messages as approvals
from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import CreditIn, EnrolTerminal
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.acts import ApprovalAct
from taisai.floor.house import House
from taisai.floor.plan import HousePlan, TablePlan
from taisai.floor.proofs.log_files import MemoryLog
from taisai.floor.table.dealing import AutoPace
from taisai.floor.table.messages import InRound, RoundEvent, StartRound, TableSettings
from taisai.floor.table.timing import Timing
from taisai.floor.table.tumbler import SimulatedTumbler
from taisai.floor.tickets import TicketKey
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.record.carrying import carrying
from taisai.record.journal import Batch
from taisai.record.ports import Store
from taisai.rulebooks.catalogue import pay_table
from tests.record import SIGNER
from tests.unit.floor.proofs_house import log_keeping, notarising

START = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)
TESTS = Actor("tests", Role.SYSTEM)  # whoever sends, where it does not matter
DEALER = Actor("dora", Role.DEALER)
SUPERVISOR = Actor("sam", Role.PIT_SUPERVISOR)
MANAGER = Actor("mia", Role.PIT_MANAGER)
KEY = TicketKey(b"a ticket key for the tests only!!")


def settings(name: str = "tai-sai-v6/2", **timing: Any) -> TableSettings:
    unit = pay_table(name).unit * 10
    return TableSettings(
        pay_table=name,
        limits=Limits(unit=unit, default=Limit(unit, 1_000_000 // unit * unit)),
        timing=Timing(**timing),
    )


def live(name: str = "T1", rules: str = "tai-sai-v6/2", **timing: Any) -> TablePlan:
    return TablePlan(name=name, title=name, kind="live", settings=settings(rules, **timing))


def cluster(
    name: str = "C1", rules: str = "sic-bo-etg-v8/1", *, automatic: bool = False, **timing: Any
) -> TablePlan:
    timing = {"betting_seconds": 20, **timing}
    return TablePlan(
        name=name,
        title=name,
        kind="cluster",
        settings=settings(rules, **timing),
        automatic=automatic,
        pace=AutoPace(tumble_seconds=2, result_seconds=5),
    )


class Counted(SeededEntropy):
    """Remembers how often it was asked."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.asked = 0

    def random_bytes(self, count: int) -> bytes:
        self.asked += 1
        return super().random_bytes(count)


class SmallHouse:
    """A house whose record outlives it: `open` it as often as you like."""

    def __init__(self, *tables: TablePlan, play_money: bool = True, proofs: bool = False) -> None:
        self.notarising = notarising() if proofs else None
        self.log = MemoryLog()
        self.log_keeping = log_keeping(self.log) if proofs else None
        self.plan = HousePlan(
            name="test", currency="SGD", currency_exponent=2, play_money=play_money, tables=tables
        )
        self.disk = MemoryDisk()
        self.clock = ManualClock(START)
        self.entropy = Counted()
        self.carry: Callable[[Batch], None] | None = None  # to whoever follows from another process

    async def store(self) -> Store:
        """Its record, opened anew."""
        return MemoryStore(self.disk, writer="house", signer=SIGNER, clock=self.clock)

    @asynccontextmanager
    async def open(self, *, dealing: bool = True) -> AsyncIterator[House]:
        store = await self.store()
        if self.carry is not None:
            store = carrying(store, self.carry)
        tumbler = SimulatedTumbler(self.entropy, "a seed for tests")
        house = House(
            self.plan,
            store,
            self.clock,
            KEY,
            tumbler,
            notarising=self.notarising,
            log_keeping=self.log_keeping,
        )
        await house.start()
        if dealing:
            house.begin_dealing()
            await settle_down()
        try:
            yield house
        finally:
            await house.stop()

    async def pass_time(self, seconds: float) -> None:
        """Let the time pass, stopping wherever somebody waits for it."""
        await settle_down()
        until = self.clock.now() + timedelta(seconds=seconds)
        while (alarm := self.clock.next_alarm()) is not None and alarm <= until:
            self.clock.move(alarm)
            await settle_down()
        self.clock.move(until)
        await settle_down()


async def settle_down() -> None:
    """Let everything that can run now run."""
    for _ in range(200):
        await asyncio.sleep(0)


def events(disk: MemoryDisk, table: str) -> list[str]:
    """The names of the events on a table's stream."""
    return [event.type for event in disk.streams.get(f"table:{table}", ())]


async def ask(house: House, table: str, command: Any, name: str = "") -> Any:
    return await house.do(TableAct(table, command), TESTS, name or uuid4().hex)


async def decide_request(
    house: House, approval: str, *, approve: bool, by: Actor, key: str, reason: str = ""
) -> Any:
    """What the second person says."""
    decided: approvals.ApproveRequest | approvals.DenyRequest
    if approve:
        decided = approvals.ApproveRequest(by=by, at=house.now(), approval=approval)
    else:
        decided = approvals.DenyRequest(by=by, at=house.now(), approval=approval, reason=reason)
    return await house.do(ApprovalAct(decided), by, key)


async def act(house: House, table: str, command: cmd.AnyCommand) -> Any:
    return await ask(house, table, InRound(by=command.by, at=command.at, command=command))


async def start_round(house: House, table: str) -> Any:
    return await ask(house, table, StartRound(by=DEALER, at=house.now()))


async def seat(house: House, table: str, terminal: str, amount: int) -> str:
    """A terminal with credits; its session."""
    at = house.now()
    await ask(house, table, EnrolTerminal(by=SYSTEM, at=at, terminal=terminal, key_digest="k"))
    await ask(house, table, CreditIn(by=SYSTEM, at=at, terminal=terminal, source="cash", amount=amount))
    session = house.table(table).state.terminals[terminal].session
    assert session is not None
    return str(session)


async def bet(house: House, table: str, session: str, slip: dict[str, int], version: int = 1) -> Any:
    at = house.now()
    placing = cmd.PlaceBets(by=Actor(session, Role.PLAYER), at=at, player=session, slip=slip, version=version)
    number = house.table(table).state.number
    return await ask(house, table, InRound(by=placing.by, at=at, command=placing, round=number))


async def settle(house: House, table: str, roll: Roll) -> None:
    """From the closing to the settlement: covered, tumbled, exposed, declared."""
    by, at = DEALER, house.now()
    for command in (
        cmd.CloseBetting(by=by, at=at),
        cmd.CoverTumbler(by=by, at=at),
        cmd.ActivateTumbler(by=by, at=at, tumbles=3),
        cmd.ExposeDice(by=by, at=at),
        cmd.DeclareRoll(by=by, at=at, roll=roll),
        cmd.SettleBets(by=by, at=at),
    ):
        answer = await act(house, table, command)
        assert not isinstance(answer, Refusal), answer


async def deal(house: House, table: str, roll: Roll) -> None:
    """From the closing to the end of the round."""
    await settle(house, table, roll)
    answer = await act(house, table, cmd.ConcludeRound(by=DEALER, at=house.now()))
    assert not isinstance(answer, Refusal), answer


async def void(house: House, table: str = "C1") -> None:
    """The round in play, as two people make it void."""
    by = Actor("mia", Role.SHIFT_MANAGER)
    await act(
        house,
        table,
        cmd.MakeRuling(by=by, at=house.now(), decision="void", second=DEALER, reason="a test"),
    )


def dealt(happened: Iterable[Any]) -> list[str]:
    return [type(event.event).__name__ for event in happened if isinstance(event, RoundEvent)]


def roll_of(house: House, table: str) -> Roll | None:
    roll: Roll | None = house.table(table).state.current.roll
    return roll
