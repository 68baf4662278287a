"""What was played, counted for players' own limits: it follows from the record, however often it is tried.

What a round brought goes to the registry of players under an id made of table, round and revision. The
command has everyone who was paid, and the registry takes those whom it knows; so the same id always stands
for the same thing, whoever registers in between. What could not be counted is tried again until it is.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from uuid import uuid4

from taisai.errors import StoreError, TaisaiError
from taisai.floor.cluster.messages import CreditsPaidOut
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.copy import AnyDesk
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.players.acts import PlayersState
from taisai.floor.players.messages import BeginPlay, EndPlay, RecordPlays, ReturnPlay, RoundPlay
from taisai.floor.table.messages import PlayerLeft, RoundEvent, SeatLeft, SeatTaken
from taisai.floor.table.state import TableState
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.state import RoundState
from taisai.record.patience import pauses
from taisai.record.ports import CommandAltered, Store

log = logging.getLogger("taisai.plays")

_SETTLED = (Phase.SETTLED, Phase.CONCLUDED)

# Brings a command to the registry under an id of the house.
Ask = Callable[[BeginPlay | EndPlay | RecordPlays | ReturnPlay, str], Awaitable[None]]
# What is to be asked of the registry, made when its state is there; none when there is nothing to ask.
_Made = BeginPlay | EndPlay | RecordPlays | ReturnPlay | None
_Work = tuple[str, Callable[[PlayersState], _Made]]


class HasPlayers(Protocol):
    """Where the registry is found."""

    @property
    def players(self) -> AnyDesk[PlayersState]: ...


class PlayCounts:
    """Follows the tables and asks the registry of players, in the order in which things happened."""

    def __init__(self, desks: HasPlayers, store: Store, ask: Ask, now: Callable[[], datetime]) -> None:
        self._desks, self._store, self._ask, self._now = desks, store, ask, now
        self._waiting: deque[_Work] = deque()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def _players(self) -> AnyDesk[PlayersState]:
        """The registry, or a copy of it while another process runs it."""
        return self._desks.players

    async def stop(self) -> None:
        """Count what waits if the store lets us; the next start finds what is left, and what comes yet."""
        self._stopped = True
        if self._task is not None and not self._task.done():
            if self._players.has_state:
                await asyncio.wait({self._task}, timeout=1)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def published(self, table: str, state: TableState, events: list[Any]) -> None:
        """What one commit of a table means for players' time and limits."""
        for event in events:
            match event:
                case CreditsPaidOut():
                    self._later(uuid4().hex, partial(self._ended, event.session))
                case SeatTaken():
                    self._later(uuid4().hex, partial(self._began, event.player))
                case SeatLeft() | PlayerLeft() if event.player not in state.seats.values():
                    self._later(uuid4().hex, partial(self._ended, event.player))
                case RoundEvent(event=ev.BetsSettled()) if event.round in state.rounds:
                    played = state.rounds[event.round]
                    self._count(table, event.round, played, event.event.at)
                case RoundEvent(event=ev.RoundVoided() as voided):
                    self._take_back(table, event.round, voided.returned, voided.at)
                    self._return(table, event.round)
                case RoundEvent(event=ev.RoundConcluded()):
                    self._return(table, event.round)
                case _:
                    pass

    async def settle_in(self, table: str, state: TableState) -> None:
        """After a start: whatever was settled and is not counted yet, and sessions that have ended."""
        await self._players.ready()
        rounds = {number: each for number, each in state.rounds.items() if each.phase in _SETTLED}
        names = {number: _name(table, number, each) for number, each in rounds.items()}
        known = {
            name for _, name in await self._store.answers((SYSTEM.name, name) for name in names.values())
        }
        counted = [number for number, name in names.items() if name in known]
        newest = max(counted, default=state.number - 1)
        for number in sorted(set(rounds) - set(counted)):
            if number > newest or self._was_counted(table, number, rounds[number]):
                self._count(table, number, rounds[number], self._now())
        for number, each in state.rounds.items():
            if each.phase is Phase.VOID:
                self._take_back(table, number, each.slips, self._now())
        is_over = state.current is None or state.current.phase in (Phase.CONCLUDED, Phase.VOID)
        self._return(table, state.number if is_over else state.number - 1)
        if isinstance(state, ClusterState):
            for place in list(self._players.state.player_at):
                terminal = state.terminals.get(place.rpartition(".")[0])
                if terminal is not None and terminal.session != place:
                    self._later(uuid4().hex, partial(self._ended, place))

    def _was_counted(self, table: str, number: int, played: RoundState) -> bool:
        """Whether a round counts for somebody: then its correction does too."""
        found = map(self._players.state.find, played.paid)
        return any(player is not None and (table, number) in player.counted for player in found)

    def _count(self, table: str, number: int, played: RoundState, at: datetime) -> None:
        stakes = played.stakes_by_player()
        plays = {player: RoundPlay(stakes.get(player, 0), back) for player, back in played.paid.items()}
        if played.phase is not Phase.VOID:
            counted = RecordPlays(by=SYSTEM, at=at, table=table, round=number, plays=plays)
            self._later(
                _name(table, number, played),
                lambda players: counted if plays or players.counted_in(table, number) else None,
            )

    def _take_back(self, table: str, number: int, players: Iterable[str], at: datetime) -> None:
        """A round is void: what it counted for somebody counts no more."""
        plays = {player: RoundPlay(0, 0) for player in players}
        nothing = RecordPlays(by=SYSTEM, at=at, table=table, round=number, plays=plays)
        self._later(
            f"plays.{table}.{number}.void",
            lambda players: nothing if plays and players.counted_in(table, number) else None,
        )

    def _return(self, table: str, number: int) -> None:
        """A round is over: what its table was allotted for players goes back, once its plays are counted."""
        back = ReturnPlay(by=SYSTEM, at=self._now(), table=table, round=number)
        self._later(uuid4().hex, lambda players: back if players.is_allotted(table, number) else None)

    async def caught_up(self) -> None:
        """Wait until everything that was played here is counted."""
        while self._waiting and self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    def _began(self, place: str, players: PlayersState) -> _Made:
        """A player whom the house knows sat down at a live table: their time runs."""
        found = players.find(place)
        return BeginPlay(by=SYSTEM, at=self._now(), player=found.name, place=place) if found else None

    def _ended(self, place: str, players: PlayersState) -> _Made:
        player = players.player_at.get(place)
        return EndPlay(by=SYSTEM, at=self._now(), player=player, place=place) if player else None

    def _later(self, name: str, make: Callable[[PlayersState], _Made]) -> None:
        if self._stopped:  # a table finishes what waits there, and the registry of players is closing
            return
        self._waiting.append((name, make))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work_off(), name="plays")

    async def _work_off(self) -> None:
        delays = pauses()
        while self._waiting:
            name, make = self._waiting[0]
            try:
                await self._players.ready()
                command = make(self._players.state)
                if command is not None:
                    await self._ask(command, name)
            except CommandAltered:
                pass  # an earlier release counted this round under this id, with those whom it knew then
            except StoreError as error:
                if self._players.stopped:
                    log.error("players' limits: counting has stopped at %s: %s", name, error)
                    return
                await asyncio.sleep(next(delays))
                continue
            except TaisaiError as error:
                log.error("players' limits: %s was not counted: %s", name, error)
            self._waiting.popleft()
            delays = pauses()


def _name(table: str, number: int, played: RoundState) -> str:
    return f"plays.{table}.{number}.{played.revision}"
