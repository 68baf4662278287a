"""Very many bets of real rounds, made as a desk makes them but without waiting for a disk."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.adapters.clock import SystemClock
from taisai.adapters.signing.keys import SigningKey
from taisai.dice import ROLLS
from taisai.floor.desks.kind import Acted, new_event
from taisai.floor.table.messages import BuyIn, InRound, OpenTable, StartRound, TableSettings
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.record.group_commit import Known, Planner
from taisai.record.journal import Answer, Batch, Commit, StreamEvents, micros

SIGNER = SigningKey(Ed25519PrivateKey.from_private_bytes(b"a key for the figures, no secret"))
DEALER, SUPERVISOR = Actor("Mei", Role.DEALER), Actor("Sun", Role.PIT_SUPERVISOR)
START = datetime(2024, 5, 4, 20, tzinfo=UTC)
BOXES = ("big", "small", "odd", "even", "sum-9", "sum-10", "double-4", "any-triple")
SETTINGS = TableSettings(pay_table="tai-sai-v6/2", limits=Limits(unit=5, default=Limit(50)))
BETS_A_SLIP = 4
A_COMMIT = 500
REQUEST = sha256(b"a command").digest()

_encode = msgspec.json.Encoder().encode


class Table:
    """A table's state machine, asked directly; what it does is gathered as batches."""

    def __init__(self, name: str = "T1") -> None:
        self._state = TableState(name)
        self._stream = f"table:{name}"
        self._version = self._asked = 0
        self._batches: list[Batch] = []

    def ask(self, kind: type, by: Actor = DEALER, **facts: Any) -> None:
        self._asked += 1
        at = START + timedelta(milliseconds=self._asked)
        command = kind(by=by, at=at, **facts)
        if issubclass(kind, cmd.Command):
            command = InRound(by=by, at=at, command=command)
        done = self._state.act(command, f"{self._state.name}.{self._version + 1}")
        assert isinstance(done, Acted), done
        events = tuple(new_event(event, micros(at)) for event in done.events)
        answer = Answer("bench", f"c{self._asked}", REQUEST, _encode(done.answer))
        part = StreamEvents(self._stream, self._version, events)
        self._batches.append(Batch((part,), tuple(done.transfers), (answer,)))
        self._version += len(events)

    def taken(self, least: int = 1) -> list[Batch]:
        """What was gathered, when it is enough for a commit."""
        if len(self._batches) < least:
            return []
        batches, self._batches = self._batches, []
        return batches

    def open(self, players: list[str], each: int) -> None:
        self.ask(OpenTable, SUPERVISOR, settings=SETTINGS)
        for player in players:
            self.ask(BuyIn, player=player, amount=each)

    def bet(self, player: str, slip: dict[str, int]) -> None:
        self.ask(cmd.PlaceBets, Actor(player, Role.PLAYER), player=player, slip=slip, version=1)

    def deal(self, number: int) -> None:
        """From the closing to the declared roll."""
        self.ask(cmd.CloseBetting, excess="leave")
        self.ask(cmd.CoverTumbler)
        self.ask(cmd.ActivateTumbler, tumbles=3)
        self.ask(cmd.ExposeDice)
        self.ask(cmd.DeclareRoll, roll=ROLLS[number * 41 % 216])


def rounds(bets: int, players: int) -> Iterator[list[Batch]]:
    """So many bets at one table, in rounds with so many players, as groups that are committed together."""
    chance, table = Random(216), Table()
    names = [f"p{n:05d}" for n in range(players)]
    table.open(names, 10**9)
    for number in range(1, bets // (players * BETS_A_SLIP) + 1):
        table.ask(StartRound)
        for name in names:
            table.bet(name, {box: 5 * chance.randint(10, 200) for box in chance.sample(BOXES, BETS_A_SLIP)})
            yield table.taken(A_COMMIT)
        table.deal(number)
        table.ask(cmd.SettleBets)
        table.ask(cmd.ConcludeRound)
    yield table.taken()


def crowd(players: int) -> Iterator[list[Batch]]:
    """One round with very many players, up to its declared roll."""
    table = Table()
    names = [f"p{n:06d}" for n in range(players)]
    table.open(names, 100_000)
    table.ask(StartRound)
    for number, name in enumerate(names):
        table.bet(name, {BOXES[number % len(BOXES)]: 50 + 5 * (number % 40)})
        yield table.taken(A_COMMIT)
    table.deal(1)
    yield table.taken()


async def commits(groups: Iterator[list[Batch]], writer: str = "main") -> AsyncIterator[Commit]:
    """The groups as signed commits, for a store to restore."""
    planner = Planner(writer, SIGNER, SystemClock())
    for group in groups:
        if group:
            plan = planner.plan(group, Known())
            planner.accept(plan)
            assert plan.commit is not None
            yield plan.commit
