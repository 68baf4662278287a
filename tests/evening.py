"""A short evening in a small house, as commands that are always the same, and how to tell that it was kept.

There is a live table, a cluster of terminals and the cage. Steps that stand in one wave are asked together.
What an evening should leave on the record is found by playing it once, step by step, in memory; any record of
it, interrupted and taken up again as often as one likes, can then be compared with that, byte by byte.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from taisai.adapters.clock import ManualClock
from taisai.adapters.memory import MemoryDisk, MemoryStore
from taisai.dice import ROLLS, Roll
from taisai.floor import cage
from taisai.floor.audit.whole import Report, audit
from taisai.floor.cluster import messages as terminals
from taisai.floor.desks.desk import Desk
from taisai.floor.opening import cage_desk, cluster_desk, table_desk
from taisai.floor.table import messages as table
from taisai.floor.tickets import TicketKey
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.ledger import Transfer
from taisai.record.journal import Answer, Batch, Commit, Committed
from taisai.record.order import in_order
from taisai.record.ports import RecordSnapshot, Store
from tests.record import KEYS, SIGNER, START, told

DEALER, SUPERVISOR = Actor("Mei", Role.DEALER), Actor("Sun", Role.PIT_SUPERVISOR)
MANAGER, CASHIER = Actor("Low", Role.SHIFT_MANAGER), Actor("Kim", Role.CASHIER)
SYSTEM = Actor("house", Role.SYSTEM)
PLAYERS = ("ann", "bob", "cat", "dan")
TERMINALS = ("s1", "s2", "s3")
TICKET_KEY = TicketKey(b"a ticket key for the tests, not secret")
LIVE = table.TableSettings(
    pay_table="tai-sai-v6/2", limits=Limits(unit=5, default=Limit(50, 1000), notice="by-dealer")
)
ELECTRONIC = table.TableSettings(pay_table="sic-bo-etg-v8/1", limits=Limits(unit=100, default=Limit(100)))


class Step(NamedTuple):
    """One command on its way to a desk."""

    desk: str
    sender: str
    id: str
    command: Any

    @property
    def key(self) -> tuple[str, str]:
        return self.sender, self.id

    @property
    def name(self) -> str:
        """What is asked, by its name."""
        return type(getattr(self.command, "command", self.command)).__name__


Wave = list[Step]


class Script:
    """Writes an evening down."""

    def __init__(self) -> None:
        self.waves: list[Wave] = []
        self._asked = 0

    def at(self) -> datetime:
        """A second later each time."""
        self._asked += 1
        return START + timedelta(seconds=self._asked)

    def wave(self, *steps: Step) -> None:
        self.waves.append(list(steps))

    def ask(self, desk: str, sender: str, kind: type, by: Actor, **facts: Any) -> Step:
        at = self.at()
        return Step(desk, sender, f"c{self._asked}", kind(by=by, at=at, **facts))

    def act(self, desk: str, kind: type, by: Actor = DEALER, *, on: int | None = None, **facts: Any) -> Step:
        """An act in a round, by the console or by a player."""
        at = self.at()
        sender = facts["player"] if kind is cmd.PlaceBets else f"console-{desk}"
        inner = kind(by=by, at=at, **facts)
        return Step(desk, sender, f"c{self._asked}", table.InRound(by=by, at=at, command=inner, round=on))

    def bet(self, desk: str, player: str, slip: dict[str, int], version: int = 1) -> Step:
        by = Actor(player, Role.PLAYER)
        return self.act(desk, cmd.PlaceBets, by, player=player, slip=slip, version=version)

    def ticket(self, desk: str, sender: str, kind: type, by: Actor, **facts: Any) -> tuple[str, Step]:
        """A command that asks for a ticket, and the ticket's name in the journal."""
        at = self.at()
        number = TICKET_KEY.number(sender, f"c{self._asked}")
        name = TICKET_KEY.name(number)
        new = terminals.NewTicket(name=name, last_four=number[-4:], expires_at=at + timedelta(days=182))
        slot = "reissue" if kind is cage.VoidTicket else "ticket"
        if kind is cage.VoidTicket:
            facts["ticket"] = facts.pop("voids")
        return name, Step(desk, sender, f"c{self._asked}", kind(by=by, at=at, **{**facts, slot: new}))

    def deal(self, desk: str, roll: Roll, *, parts: int | None = None) -> None:
        """From "No more bets" to the end of the round."""
        # What breaches a limit is left, and shared out pro rata; a cluster's terminals refuse it at once.
        self.wave(self.act(desk, cmd.CloseBetting, excess="leave" if desk == "T1" else None))
        self.wave(self.act(desk, cmd.CoverTumbler))
        self.wave(self.act(desk, cmd.ActivateTumbler, tumbles=3))
        self.wave(self.act(desk, cmd.ExposeDice))
        self.wave(self.act(desk, cmd.DeclareRoll, roll=roll))
        for _ in range(2 if parts else 1):
            self.wave(self.act(desk, cmd.SettleBets, players_max=parts))
        self.wave(self.act(desk, cmd.ConcludeRound))


@cache
def evening(rounds: int = 2) -> list[Wave]:
    """Bets, closings, results, settlements, corrections, voids, buy-ins, cash-outs, tickets, and refusals."""
    script = Script()
    ask, act, bet, wave = script.ask, script.act, script.bet, script.wave
    wave(
        ask("T1", "pit", table.OpenTable, SUPERVISOR, settings=LIVE),
        ask("C1", "pit", table.OpenTable, SUPERVISOR, settings=ELECTRONIC),
        ask("cage", "cage-1", cage.OpenDrawer, CASHIER, float_minor=100_000),
    )
    wave(*(ask("T1", "pit", table.BuyIn, DEALER, player=player, amount=20_000) for player in PLAYERS))
    wave(
        *(
            ask("C1", "pit", terminals.EnrolTerminal, SUPERVISOR, terminal=name, key_digest="0" * 64)
            for name in TERMINALS
        )
    )
    sold, selling = script.ticket("cage", "cage-1", cage.SellTicket, CASHIER, amount=7_000)
    wave(selling)
    wave(
        ask("C1", "s1", terminals.CreditIn, SYSTEM, terminal="s1", source="cash", amount=9_000),
        ask("C1", "s2", terminals.CreditIn, SYSTEM, terminal="s2", source="promo", amount=4_000),
        ask("C1", "s3", terminals.CreditIn, SYSTEM, terminal="s3", source="ticket", ticket=sold),
    )
    for number in range(1, rounds + 1):
        _round(script, number)
    wave(act("T1", cmd.CorrectResult, on=1, second=SUPERVISOR, reason="misread", roll=Roll(4, 4, 3)))
    wave(
        act(
            "T1", cmd.CorrectBets, on=1, second=SUPERVISOR, reason="the felt", player="dan",
            slip={"small": 500},
        )
    )  # fmt: skip
    _voids(script)
    _leaving(script)
    wave(ask("cage", "cage-1", cage.RedeemTicket, CASHIER, ticket=sold))  # refused: a terminal took it
    wave(act("T1", cmd.CorrectResult, on=1, second=SUPERVISOR, reason="film", roll=Roll(1, 2, 3)))
    wave(
        ask("T1", "pit", table.CollectOwed, MANAGER, player="ann", amount=5, second=SUPERVISOR, reason="paid")
    )
    wave(bet("T1", "bob", {"big": 100}), bet("T1", "bob", {"no-such-box": 100}, 2))
    wave(ask("cage", "cage-1", cage.CloseDrawer, CASHIER, counted_minor=90_000))
    return script.waves


def _round(script: Script, number: int) -> None:
    """A round at both tables."""
    bet, wave = script.bet, script.wave
    roll = ROLLS[number * 41 % 216]
    wave(*(script.ask(desk, f"console-{desk}", table.StartRound, DEALER) for desk in ("T1", "C1")))
    wave(
        *(bet("T1", player, {"big": 300 + 100 * place, "sum-9": 50}) for place, player in enumerate(PLAYERS)),
        *(bet("C1", f"{name}.1", {"small": 200, "double-4": 100}) for name in TERMINALS),
    )
    wave(
        bet("T1", "bob", {"small": 150, "any-triple": 50}, 2),
        bet("T1", "cat", {"big": 900_000}, 2),  # refused: more than there is
        bet("C1", "s2.1", {"odd": 300}, 2),
    )
    script.deal("T1", roll, parts=2)
    script.deal("C1", roll)


def _voids(script: Script) -> None:
    """A round that is void for too few tumbles, and a concluded one for damaged dice."""
    act, wave = script.act, script.wave
    wave(script.ask("T1", "console-T1", table.StartRound, DEALER))
    wave(*(script.bet("T1", player, {"odd": 200}) for player in PLAYERS[:2]))
    wave(act("T1", cmd.CloseBetting, excess="leave"))
    wave(act("T1", cmd.CoverTumbler))
    wave(act("T1", cmd.ActivateTumbler, tumbles=2))
    wave(
        act("T1", cmd.ReportDamagedDice, on=2, second=SUPERVISOR, reason="a chipped edge", rounds=[2]),
        act("T1", cmd.CloseBetting),  # refused: it is void
    )


def _leaving(script: Script) -> None:
    """Cash and tickets, and what a correction finds when a player has gone."""
    ask, wave = script.ask, script.wave
    wave(
        ask("T1", "pit", table.CashOut, DEALER, player="ann"),
        ask("T1", "pit", table.LeaveTable, DEALER, player="ann"),
    )
    first, leaving = script.ticket("C1", "s1", terminals.CashOutToTicket, SYSTEM, terminal="s1")
    second, other = script.ticket("C1", "s3", terminals.CashOutToTicket, SYSTEM, terminal="s3")
    wave(
        leaving,
        other,
        ask("C1", "s2", terminals.HandPay, DEALER, terminal="s2", second=SUPERVISOR, reason="a fault"),
    )
    wave(ask("cage", "cage-1", cage.RedeemTicket, CASHIER, ticket=first))
    again, reissued = script.ticket(
        "cage", "cage-1", cage.VoidTicket, CASHIER, voids=second, second=SUPERVISOR, reason="torn"
    )
    wave(reissued)
    wave(
        ask("cage", "cage-1", cage.RedeemTicket, CASHIER, ticket=first),  # refused: it was paid
        ask("C1", "s1", terminals.CreditIn, SYSTEM, terminal="s1", source="ticket", ticket=again),
    )


def steps(waves: Iterable[Wave]) -> list[Step]:
    return list(chain.from_iterable(waves))


class Floor:
    """The desks of the house on one store."""

    def __init__(self, store: Store, clock: ManualClock) -> None:
        self.desks: dict[str, Desk[Any]] = {
            "T1": table_desk("T1", store, clock),
            "C1": cluster_desk("C1", store, clock),
            "cage": cage_desk(store, clock),
        }

    async def start(self) -> None:
        for desk in self.desks.values():
            await desk.start()

    async def stop(self) -> None:
        for desk in self.desks.values():
            await desk.stop()

    async def do(self, step: Step) -> bytes:
        """One command's answer, as JSON."""
        answer = await self.desks[step.desk].ask(step.sender, step.id, step.command)
        return msgspec.json.encode(answer)

    async def play(
        self, waves: Iterable[Wave], told: Callable[[Step, bytes], None] = lambda step, answer: None
    ) -> dict[tuple[str, str], bytes]:
        """Ask wave after wave, and tell each answer as soon as it is there; returns all of them."""
        answers: dict[tuple[str, str], bytes] = {}

        async def tell(step: Step) -> None:
            answers[step.key] = await self.do(step)
            told(step, answers[step.key])

        for wave in waves:
            await asyncio.gather(*map(tell, wave))
        return answers


class Left(NamedTuple):
    """What one command leaves on the record, the ids of transfers aside."""

    events: list[tuple[str, str, bytes]]
    transfers: list[Transfer]
    answer: bytes


class _Recorder(MemoryStore):
    """Remembers each batch."""

    def __init__(self) -> None:
        super().__init__(MemoryDisk(), writer="main", signer=SIGNER, clock=ManualClock(START))
        self.batches: list[Batch] = []

    async def append(self, batch: Batch) -> Committed:
        committed = await super().append(batch)
        self.batches.append(batch)
        return committed


@cache
def expected(rounds: int = 2) -> dict[tuple[str, str], Left]:
    """What each command of an evening leaves on the record, in the order in which they are asked."""
    with ThreadPoolExecutor(1) as apart:  # whoever asks may have a loop of their own
        return apart.submit(lambda: asyncio.run(_expected(rounds))).result()


async def _expected(rounds: int) -> dict[tuple[str, str], Left]:
    batches = [batch for batch in await batches_of(steps(evening(rounds))) if batch.answers]
    return {(batch.answers[0].sender, batch.answers[0].id): _left(batch) for batch in batches}


async def batches_of(asked: Iterable[Step]) -> list[Batch]:
    """What the desks append when these are asked one after the other."""
    store = _Recorder()
    floor = Floor(store, ManualClock(START))
    await floor.start()
    for step in asked:
        await floor.do(step)
    await floor.stop()
    return store.batches


def _left(batch: Batch) -> Left:
    events = [(part.stream, event.type, event.body) for part in batch.streams for event in part.events]
    return Left(events, list(_nameless(batch.transfers)), as_told(batch, batch.answers[0]))


def as_told(commit: Commit | Batch, kept: Answer) -> bytes:
    """An answer as it was told: of a refused bet the record keeps what was asked beside it."""
    said = told(commit, kept)
    said.pop("attempt", None)
    return msgspec.json.encode(said)


def _nameless(transfers: Iterable[Transfer]) -> Iterator[Transfer]:
    for transfer in transfers:
        yield msgspec.structs.replace(transfer, id="")


async def check_evening(
    snapshot: RecordSnapshot, should: dict[tuple[str, str], Left], acknowledged: dict[tuple[str, str], bytes]
) -> set[tuple[str, str]]:
    """A record is sound, holds what was acknowledged, and nothing by half; returns what it holds."""
    await sound(snapshot)
    found: dict[tuple[str, str], bytes] = {}
    async for commit in in_order(snapshot):
        _check_commit(commit, should)
        for answer in commit.answers:
            assert (answer.sender, answer.id) not in found, "a command was done twice"
            found[answer.sender, answer.id] = as_told(commit, answer)
    for key, answer in acknowledged.items():
        assert found.get(key) == answer, f"{key} was acknowledged and is not there"
    return set(found)


async def sound(snapshot: RecordSnapshot) -> Report:
    """Everything that `taisai audit verify` checks."""
    return await audit(snapshot, KEYS)


def _check_commit(commit: Commit, should: dict[tuple[str, str], Left]) -> None:
    """A commit holds all of its commands and nothing else, apart from desks that were taken."""
    due = [should[answer.sender, answer.id] for answer in commit.answers]
    events = [(e.stream, e.type, e.body) for e in commit.events if e.type != "DeskTaken"]
    wanted = [event for left in due for event in left.events]
    wanted.sort(key=lambda event: event[0])  # stable: within a stream as they were asked
    assert events == wanted
    assert list(_nameless(commit.transfers)) == [t for left in due for t in left.transfers]
    assert [as_told(commit, answer) for answer in commit.answers] == [left.answer for left in due]


def expected_answers(rounds: int = 2) -> dict[tuple[str, str], bytes]:
    """What each command of an evening is answered."""
    return {key: left.answer for key, left in expected(rounds).items()}


async def whole_streams(store: RecordSnapshot) -> dict[str, list[bytes]]:
    """The bodies on each stream, apart from desks that were taken."""
    streams: dict[str, list[bytes]] = {}
    async for commit in in_order(store):
        for event in commit.events:
            if event.type != "DeskTaken":
                streams.setdefault(event.stream, []).append(event.body)
    return streams


def expected_streams(should: dict[tuple[str, str], Left]) -> dict[str, list[bytes]]:
    """The same, of an evening that nothing interrupted."""
    streams: dict[str, list[bytes]] = {}
    for left in should.values():
        for stream, _, body in left.events:
            streams.setdefault(stream, []).append(body)
    return streams
