"""One table's feed: what its desk published, as messages to clients, and the last of them for latecomers.

Everything here is made from what is durable: the desk calls `published` after its commit, when its state in
memory is exactly what the record holds. Sequence numbers follow the stream's versions, so they go on after a
restart: twice the version for what everyone hears, and one more for what the same commit brought each player.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from taisai.errors import StoreUnavailable
from taisai.floor.cluster.messages import CreditsPaidOut, ServiceChanged, SessionOpened
from taisai.floor.door.rules_of_tables import rules_stand
from taisai.floor.plan import TablePlan
from taisai.floor.ports import Floor, SeenGathering
from taisai.floor.reading.tables import TableReading
from taisai.floor.table.messages import (
    ChangeCancelled,
    ChangePlanned,
    DiceDrawn,
    DiceRead,
    DiceSealed,
    OwedSettled,
    RoundEvent,
    SupervisorCalled,
    TableClosed,
    TableOpened,
    TableReopened,
    WindowSet,
)
from taisai.floor.views.rounds import corrected_of
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.server import wire
from taisai.server.live.day_watch import DayWatch
from taisai.server.live.news import Follower, LastNews, News, ProvenSlips, Settlement, SnapshotParts, Telling
from taisai.server.live.outbox import Outbox, text
from taisai.server.live.sessions import Results, SessionBoard, own_limits, results_of
from taisai.server.live.table_view import (
    HISTORY_MAX,
    felt_view,
    millis,
    result_view,
    round_view,
    rules_shown,
    table_view,
)
from taisai.server.live.terminals import TerminalSeats
from taisai.server.words.say import Voice

_TOLD_AT_ONCE = 50
_RESULTS_KEPT = 4
_encode = msgspec.json.Encoder().encode
_OVER = (Phase.CONCLUDED, Phase.VOID)
# What everyone is to see, beside the rounds.
_MOVES = (TableOpened, ChangePlanned, ChangeCancelled, WindowSet, TableClosed, TableReopened)


@dataclass(eq=False)
class Feed:
    """The read model of one table and everyone who follows it."""

    house: Floor
    plan: TablePlan
    voice: Voice
    seq: int = 0
    seats: TerminalSeats = field(default_factory=TerminalSeats)
    # In the order in which they came, which is the order in which they are told; each with the number up to
    # which it knows everything: what waits to be told may be older.
    clients: dict[Outbox, int] = field(default_factory=dict)
    displays: dict[Follower, int] = field(default_factory=dict)
    on_change: list[Callable[[], None]] = field(default_factory=list)  # consoles
    history: deque[wire.ResultView] = field(default_factory=lambda: deque(maxlen=HISTORY_MAX))
    closed_at: int | None = None
    starting_over: bool = False

    def __post_init__(self) -> None:
        self.seats.practice = self.plan.practice
        self._table: wire.TableView
        self._ring = LastNews()
        self._corrected: set[int] = set()
        self._results_new: dict[int, wire.ResultView] = {}  # since everyone was told
        self._told: wire.RoundView | None = None
        self._proven = 0  # the round whose slips' proofs were told
        self._shown: tuple[str, Any, Any] | None = None
        self._encoded: tuple[msgspec.Raw, msgspec.Raw] | None = None
        self._least_bet = 0
        self._results: dict[int, tuple[tuple[int, bool], Results]] = {}
        self._to_tell: deque[Telling] = deque()
        self._telling: asyncio.Task[None] | None = None
        self.watch = DayWatch(self.house, self.plan.name)

    # What is asked of a feed

    @property
    def table(self) -> wire.TableView:
        """As everyone may see it. How its rulebook stands follows the clock, also while nothing moves."""
        stands = rules_stand(self.house.plan, self._table.pay_table, self.house.now()).value
        if stands != self._table.in_force:
            self._table = msgspec.structs.replace(self._table, in_force=stands)
            self._encoded = None
        return self._table

    def snapshot(self, terminal: str | None = None) -> bytes:
        """All that a client needs to begin."""
        seen = self.table
        if self._encoded is None:
            felt = felt_view(seen.pay_table, self.voice.words)
            self._encoded = (msgspec.Raw(_encode(seen)), msgspec.Raw(_encode(felt)))
        table, felt_raw = self._encoded
        message = SnapshotParts(
            seq=self.seq,
            server_time=self.now(),
            table=table,
            felt=felt_raw,
            session=self.session_view(terminal) if terminal else None,
            service=self.service_of(terminal or ""),
        )
        return _encode(message)

    def missed_news(self, last_seq: int) -> list[News] | None:
        """What came after a sequence number; none when not all of it is kept."""
        return self._ring.after(last_seq) if last_seq <= self.seq else None

    def missed(self, last_seq: int) -> list[bytes] | None:
        """The messages that came after a sequence number; none when not all of them are kept."""
        news = self.missed_news(last_seq)
        return None if news is None else [encoded for _, _, encoded in news]

    def session_view(self, terminal: str) -> wire.SessionView | None:
        board = self.seats.boards.get(terminal)
        if board is None:
            return None
        with suppress(StoreUnavailable):  # while the players' desk is rebuilt: as they were seen last
            board.limits = own_limits(self.house.read.player(board.session))
        minutes = self.house.plan.reality_check_minutes
        view = board.view(self.voice, service=self.service_of(terminal), minutes=minutes)
        return msgspec.structs.replace(view, low_credit=self.low_credit(terminal))

    def low_credit(self, terminal: str) -> bool:
        """Whether a session has less than the least that a box takes."""
        board = self.seats.boards.get(terminal)
        return board is not None and board.credit + board.on_felt < self._least_bet

    def service_of(self, terminal: str) -> wire.ServiceState:
        return self.seats.services.get(terminal, "in-service")

    def tell_service(self, terminal: str) -> None:
        """A terminal's condition, to itself: there may be nobody playing at it."""
        client = self.seats.connected.get(terminal)
        if client is not None:
            client.say(wire.TerminalService(service=self.service_of(terminal)))
        self.tell_session(terminal)

    def tell_session(self, terminal: str) -> None:
        """The session as it stands now, to its terminal."""
        client, view = self.seats.connected.get(terminal), self.session_view(terminal)
        if client is not None and view is not None:
            client.say(wire.SessionChanged(session=view))

    @property
    def gathered(self) -> SeenGathering:
        """Who is at the terminals, at whichever gateway."""
        return self.house.gatherings.of(self.plan.name)

    def now(self) -> int:
        return millis(self.house.now())

    def changed(self) -> None:
        """Something that consoles show is different now."""
        for call in self.on_change:
            call()

    # Following the desk

    async def start(self) -> None:
        """Take the table as it stands: its last rounds, and every session that is open."""
        self._begin(*await self._looked(self._recall))

    async def start_over(self) -> None:
        """After a fault of its own: everything anew from the record, and a snapshot to everyone."""
        state, seats = await self._looked()
        self._results.clear()
        self.watch.start_over(state)
        self._begin(state, seats)
        self._tell_everyone_anew()
        self.changed()

    async def _looked(
        self, recall: Callable[[TableReading], Awaitable[None]] | None = None
    ) -> tuple[TableReading, TerminalSeats]:
        """The table at one moment: if it moves on meanwhile, it is looked at again."""
        self.starting_over = True
        while True:
            state = await self.house.read.when_ready(self.plan.name)
            if recall is not None:
                await recall(state)
            seats = TerminalSeats(self.plan.practice, connected=self.seats.connected)
            await seats.rebuild(self.house.store, state, self.house.notarising)
            if self.house.read.is_still(state):
                return state, seats

    async def _recall(self, state: TableReading) -> None:
        """The day's figures, and the last results."""
        await self.watch.start(state)
        numbers = sorted(state.rounds)[-HISTORY_MAX:]
        self._corrected |= await corrected_of(self.house.store, self.plan.name, numbers)
        self.history.clear()
        for number in numbers:
            played = state.rounds.get(number)
            if played is not None and (played.phase is Phase.VOID or played.roll):
                self.history.append(self._result(state, number))

    def _begin(self, state: TableReading, seats: TerminalSeats) -> None:
        """From here on the feed follows what is published."""
        self.seats = seats
        self._look(state)
        self._told, self._results_new = self.table.round, {}
        self.seq = self._ring.begin(2 * state.version + 1)
        self.starting_over = False

    def _tell_everyone_anew(self) -> None:
        terminals = {client: terminal for terminal, client in self.seats.connected.items()}
        for client in self.clients:
            client.put(self.snapshot(terminals.get(client)))
            self.clients[client] = self.seq
        for display in tuple(self.displays):
            self.displays[display] = self.seq
            display.tell(("snapshot", self.seq, self.snapshot()))

    def published(self, events: list[Any], version: int) -> None:
        """The desk's state is what the record holds at this version."""
        state = self.house.read.table(self.plan.name)
        touched: dict[str, SessionBoard] = {}
        settled: dict[int, dict[str, None]] = {}
        moved, slips, owing = False, 0, self.seats.owing()
        self.watch.published(events)
        for event in events:
            board = None
            if isinstance(event, RoundEvent):
                if isinstance(event.event, ev.BetsPlaced):
                    board = self.seats.bet(event.round, event.event)
                    slips += 1
                else:
                    self._follow_round(state, event.round, event.event, touched, settled)
                    moved = True
            elif isinstance(event, _MOVES):
                moved = True
            elif not isinstance(event, DiceSealed | DiceDrawn | DiceRead | SupervisorCalled):
                # Dice that were drawn or read are nobody's to see before they are declared.
                board = self.seats.follow(event)
                if isinstance(event, ServiceChanged):
                    self.tell_service(event.terminal)
                if isinstance(event, OwedSettled) and board is not None:
                    self._tell_sessions_soon([board])
            if board is not None:
                touched[board.session] = board
        self.seats.refresh(state, touched.values())
        self._tell_begun_and_ended(events if slips < len(events) else [])
        if moved:
            self._move(state, version)
            self.tell_proofs()
        for number, players in settled.items():
            self._settle(state, number, players, version, owing)
        self.seq = 2 * version + 1  # by the record alone: whoever comes from another gateway goes on here
        self.changed()

    def _follow_round(
        self,
        state: TableReading,
        number: int,
        event: ev.AnyEvent,
        touched: dict[str, SessionBoard],
        settled: dict[int, dict[str, None]],
    ) -> None:
        boards: list[SessionBoard] = []
        match event:
            case ev.BettingClosed():
                self.closed_at = millis(event.at)
            case ev.PayoutsMade():
                boards = self.seats.of_players(event.payouts)
                settled.setdefault(number, {}).update(dict.fromkeys(event.payouts))
            case ev.RoundVoided():
                boards = self.seats.of_players(event.returned)
                settled.setdefault(number, {}).update(dict.fromkeys(event.returned))
            case ev.ExcessRejected() | ev.BetsReturned():
                players = [taken.player for taken in event.taken]
                boards = self.seats.reslip(state.rounds.get(number), players)
                self._tell_sessions_soon(boards)
            case ev.BetsCorrected():
                boards = self.seats.reslip(state.rounds.get(number), [event.player])
                self._corrected.add(number)
            case ev.ResultCorrected():
                self._corrected.add(number)
            case _:
                pass
        touched.update({board.session: board for board in boards})

    def _tell_begun_and_ended(self, events: list[Any]) -> None:
        """A session that began, also where its terminal could not be answered; and one paid out by hand."""
        for event in events:
            if isinstance(event, SessionOpened):
                self.tell_session(event.terminal)
            by_hand = isinstance(event, CreditsPaidOut) and event.ticket is None
            if by_hand and (client := self.seats.connected.get(event.terminal)) is not None:
                client.put(self.snapshot(event.terminal))
                self.clients[client] = self.seq

    def _tell_sessions_soon(self, boards: list[SessionBoard]) -> None:
        """After this commit's credits are known."""
        for board in boards:
            asyncio.get_running_loop().call_soon(self.tell_session, board.terminal)

    def _move(self, state: TableReading, version: int) -> None:
        """The round or the settings moved on: everyone hears it."""
        before = self._shown
        self._look(state)
        self.watch.now()
        round_, results = self.table.round, list(self._results_new.values())
        changed = self._shown != before
        if not changed and (round_ is None or (round_ == self._told and not results)):
            return  # on the record, and nothing that everyone sees
        self._told, self._results_new, self.seq = round_, {}, 2 * version + 1
        seq, now = 2 * version, self.now()
        if changed or round_ is None:
            felt = felt_view(self.table.pay_table, self.voice.words)
            self._tell(wire.TableChanged(seq=seq, server_time=now, table=self.table, felt=felt))
        else:
            self._tell(wire.RoundChanged(seq=seq, server_time=now, round=round_, history=results or None))

    def tell_proofs(self, terminal: str | None = None) -> None:
        """Between closing and dice: terminals hear where their slips are in the tree, or one that is back."""
        try:
            current, proofs = self.house.read.table(self.plan.name).current, self.house.proofs
        except StoreUnavailable:
            self._proven = 0  # all are told once the desk is back, also whoever came back meanwhile
            return
        if proofs is None or current is None or not current.slip_root or current.outcome is not None:
            return
        if terminal is None and self._proven == current.number:
            return
        told = list(self.seats.boards) if terminal is None else [terminal]
        self._proven = current.number if terminal is None else self._proven
        self._tell(ProvenSlips(current, self.seats.with_slips(told, current), proofs))

    def _look(self, state: TableReading) -> None:
        """The views anew from the state."""
        current, settings = state.current, state.settings
        if settings is None:
            raise TypeError(f"{self.plan.name} was never opened")
        if current is not None and (current.roll is not None or current.phase is Phase.VOID):
            self._remember(self._result(state, current.number))
        for number in self._corrected & set(state.rounds):
            self._remember(self._result(state, number))
        round_ = None
        if current is not None:
            origin = self.house.notarising.origin if self.house.notarising else ""
            round_ = round_view(current, state.window, settings.timing.warn_seconds, origin)
        self._table = table_view(
            self.house.plan,
            self.plan,
            state,
            settings,
            round_,
            self.history,
            len(self.gathered.connected),
            self.voice.words,
            self.house.now(),
        )
        pay_table, limits = rules_shown(settings, current)
        self._shown = (pay_table.digest, limits, (state.closed, self._table.in_force, state.planned))
        each = (limits.default, *limits.groups.values(), *limits.boxes.values())
        self._least_bet = min(limit.minimum for limit in each)
        self._encoded = None

    def _result(self, state: TableReading, number: int) -> wire.ResultView:
        return result_view(state.rounds[number], corrected=number in self._corrected)

    def _remember(self, result: wire.ResultView) -> None:
        for place, known in enumerate(self.history):
            if known.round == result.round:
                if known != result:
                    self.history[place] = self._results_new[result.round] = result
                return
        if not self.history or result.round > self.history[-1].round:
            self.history.append(result)
            self._results_new[result.round] = result

    # What a round brought

    def _settle(
        self, state: TableReading, number: int, players: Iterable[str], version: int, owing: dict[str, int]
    ) -> None:
        played = state.rounds.get(number)
        if played is None or not self.seats.boards:
            return
        told = self.seats.settle(played, self._results_of(state, number), players, self.now(), owing)
        self._tell(Settlement(2 * version + 1, told, self.voice))

    def _results_of(self, state: TableReading, number: int) -> Results:
        """The bets of a round with their reasons, by player; computed once."""
        played = state.rounds[number]
        mark = (played.revision, played.phase is Phase.VOID)
        known = self._results.get(number)
        if known is None or known[0] != mark:
            known = self._results[number] = (mark, results_of(played))
            while len(self._results) > _RESULTS_KEPT:
                del self._results[next(iter(self._results))]
        return known[1]

    # Telling it, in order

    def _tell(self, news: Telling) -> None:
        self._to_tell.append(news)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell_all())

    async def _tell_all(self) -> None:
        """What a very large round brought is told in parts, so that no desk waits; nothing overtakes it."""
        while self._to_tell:
            news = self._to_tell.popleft()
            if not isinstance(news, Settlement | ProvenSlips):
                await self._broadcast(news)
                continue
            for place, (client, message) in enumerate(await news.messages(self.seats.connected), 1):
                client.say(message)
                if place % _TOLD_AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _broadcast(self, message: wire.RoundChanged | wire.TableChanged) -> None:
        """To everyone who follows this table and does not know it yet, and into the ring."""
        encoded = text(message)
        news = ("round" if isinstance(message, wire.RoundChanged) else "table", message.seq, encoded)
        self._ring.add(news)
        for display, known in tuple(self.displays.items()):
            if known < message.seq:
                display.tell(news)
        for place, (client, known) in enumerate(tuple(self.clients.items()), 1):
            if known < message.seq:
                client.put(encoded)
            if place % _TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)
