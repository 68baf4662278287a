"""The terminals of a cluster as they are on the record, and who is connected: one part of a table's feed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from taisai.floor.cluster.messages import (
    CreditsBought,
    CreditsPaidOut,
    ServiceChanged,
    SessionOpened,
    TerminalEnrolled,
)
from taisai.floor.proofs.bringing import notary_to_read
from taisai.floor.reading.tables import TableReading
from taisai.floor.table.messages import OwedSettled
from taisai.floor.table.notary import Notarising
from taisai.floor.views.round_reading import load_round
from taisai.game import events as ev
from taisai.game.state import RoundState
from taisai.ledger.accounts import CASH, credit, receivable
from taisai.record.ports import Store
from taisai.server import wire
from taisai.server.live.outbox import Outbox
from taisai.server.live.sessions import (
    Recalled,
    Results,
    SessionBoard,
    SessionRound,
    made_of,
    rebuilt_session,
    statement_of,
)
from taisai.server.live.table_view import millis

# So many sessions back a slip that is asked for again finds its answer.
_SESSIONS_ASKED = 50


@dataclass(eq=False)
class TerminalSeats:
    """Keys, conditions and sessions by terminal."""

    practice: bool = False
    key_digests: dict[str, str] = field(default_factory=dict)
    services: dict[str, wire.ServiceState] = field(default_factory=dict)
    boards: dict[str, SessionBoard] = field(default_factory=dict)
    began: dict[str, int] = field(default_factory=dict)  # how many sessions each terminal has had
    connected: dict[str, Outbox] = field(default_factory=dict)  # here, and not at another gateway

    async def rebuild(self, store: Store, table: TableReading, notarising: Notarising | None = None) -> None:
        """Every session that is open, from its account and the rounds that it played."""
        rounds = {number: Recalled(played) for number, played in table.rounds.items()}
        for name, terminal in table.terminals().items():
            self.key_digests[name], self.services[name] = terminal.key_digest, terminal.service
            self.began[name], session = terminal.sessions, terminal.session
            if session is None or terminal.began is None:
                continue
            moved = [transfer async for transfer in store.transfers(credit(session))]
            statement = statement_of(session, table.name, moved)
            for number in statement.rounds:
                if number not in rounds:
                    rounds[number] = Recalled(await load_round(store, table.name, number))
                known = rounds[number]
                if notarising is not None and known.notary is None and known.state.slip_root:
                    known.notary = await notary_to_read(store, notarising, known.state)
            board = self.boards[name] = rebuilt_session(session, name, terminal.began, statement, rounds)
            board.owed = table.money(session).owed
            # What was paid of a debt in cash is the player's money as much as what was bought.
            async for transfer in store.transfers(receivable(session)):
                board.bought += transfer.amount_minor if transfer.debit == CASH else 0

    def sessions_before(self, terminal: str) -> Iterator[str]:
        """The sessions of a terminal before its last one, the newest first."""
        last = self.began.get(terminal, 0) - 1
        for number in range(last, max(last + 1 - _SESSIONS_ASKED, 0), -1):
            yield f"{terminal}.{number}"

    def of_session(self, session: str) -> SessionBoard | None:
        """The board of a session that is still at its terminal."""
        board = self.boards.get(session.rpartition(".")[0])
        return board if board is not None and board.session == session else None

    def of_players(self, players: Iterable[str]) -> list[SessionBoard]:
        found = map(self.of_session, players)
        return [board for board in found if board is not None]

    def with_slips(self, terminals: Iterable[str], played: RoundState) -> list[SessionBoard]:
        """Sessions whose slips in a round are still as they were closed."""
        boards = [self.boards[terminal] for terminal in terminals if terminal in self.boards]
        return [
            board
            for board in boards
            if board.slip_round == played.number and board.session not in played.amended
        ]

    def bet(self, number: int, event: ev.BetsPlaced) -> SessionBoard | None:
        """A slip was registered."""
        player = event.player
        board = self.boards.get(player.rpartition(".")[0])
        if board is None or board.session != player:
            return None  # it has ended since
        board.bet(number, event.version, event.slip)
        return board

    def follow(self, event: Any) -> SessionBoard | None:
        """Something happened at a terminal; the session whose credit it changed."""
        match event:
            case SessionOpened():
                self.began[event.terminal] = self.began.get(event.terminal, 0) + 1
                self.boards[event.terminal] = SessionBoard(event.session, event.terminal, millis(event.at))
            case CreditsBought():
                board = self.boards[event.terminal]
                board.buy(event.source, event.amount)
                self._begin_anew(event.terminal, event.at)
                return board
            case OwedSettled():
                owing = self.of_session(event.player)
                if owing is not None and event.source == "cash" and not event.waived:
                    owing.bought += event.amount
                return owing
            case CreditsPaidOut():
                self.boards.pop(event.terminal, None)
            case TerminalEnrolled():
                self.key_digests[event.terminal] = event.key_digest
                self._begin_anew(event.terminal, event.at)
            case ServiceChanged():
                self.services[event.terminal] = event.service
        return None

    def _begin_anew(self, terminal: str, at: datetime) -> None:
        """A practice seat is another visitor's from here on, who may come by any gateway."""
        if self.practice and terminal in self.boards:
            self.boards[terminal].begin_anew(millis(at))

    def reslip(self, played: RoundState | None, players: Iterable[str]) -> list[SessionBoard]:
        """Bets went back by another hand than the player's."""
        boards = self.of_players(players)
        for board in boards:
            if played is not None and board.slip_round == played.number:
                slip = played.slips[board.session]
                board.slip, board.on_felt = slip.slip(), slip.total()
        return boards

    def refresh(self, table: TableReading, boards: Iterable[SessionBoard]) -> None:
        """Credits and debts as the desk's book has them, which is as the record has them."""
        for board in boards:
            board.credit, board.owed = table.free_and_owed(board.session)

    def owing(self) -> dict[str, int]:
        """What each session owes that owes anything."""
        return {board.session: board.owed for board in self.boards.values() if board.owed}

    def settle(
        self,
        played: RoundState,
        results: Results,
        players: Iterable[str],
        at: int,
        owing: Mapping[str, int],
    ) -> list[tuple[SessionBoard, SessionRound]]:
        """What a round brought each of these players who is still at a terminal, less what paid a debt."""
        told = []
        for board in self.of_players(players):
            bets = results.get(board.session)
            if not bets:
                continue
            gains = [bet.returned - bet.stake for bet in bets]
            before, after = board.around(played.number, sum(gains))
            part = made_of(played, bets, before=before, after=after, at=at)
            if owing and not part.void:
                won = sum(gain for gain in gains if gain > 0)
                part.repaid = min(owing.get(board.session, 0), won)
            board.settle(part)
            told.append((board, part))
        return told
