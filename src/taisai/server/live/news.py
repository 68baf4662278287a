"""What a feed tells: news for everyone, its own to each session, a snapshot to whoever begins."""

import logging
from base64 import b64encode
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import msgspec

from taisai.errors import TaisaiError
from taisai.floor.ports import Proofs
from taisai.floor.proofs.receipts import slip_proof
from taisai.game.state import RoundState
from taisai.proof.merkle import joined
from taisai.server import wire
from taisai.server.live.outbox import Outbox
from taisai.server.live.sessions import SaidBets, SessionBoard, SessionRound
from taisai.server.words.say import Voice

log = logging.getLogger("taisai.feed")

NEWS_KEPT = 256
# By terminal.
Connected = Mapping[str, Outbox]
# To whom, and what.
Told = tuple[Outbox, wire.Wire]

# The event's name, its sequence number, its data.
News = tuple[str, int, bytes]


class LastNews:
    """The last news of a feed, for whoever missed some."""

    def __init__(self) -> None:
        self._kept: deque[News] = deque()
        self._forgotten = 0  # the highest sequence number that is no longer here

    def begin(self, seq: int) -> int:
        """Nothing before this sequence number is here; the same number."""
        self._kept.clear()
        self._forgotten = seq
        return seq

    def add(self, news: News) -> None:
        self._kept.append(news)
        if len(self._kept) > NEWS_KEPT:
            self._forgotten = self._kept.popleft()[1]

    def after(self, seq: int) -> list[News] | None:
        """What came after a sequence number; none when not all of it is kept."""
        return [news for news in self._kept if news[1] > seq] if self._forgotten <= seq else None


class Follower(Protocol):
    """Somebody who hears what everyone may hear."""

    def tell(self, news: News) -> None: ...

    def leave(self) -> None: ...


class SnapshotParts(msgspec.Struct, frozen=True, kw_only=True, tag="Snapshot", tag_field="type"):
    """`wire.Snapshot` with parts that are encoded already."""

    seq: int
    server_time: int
    table: msgspec.Raw
    felt: msgspec.Raw
    session: wire.SessionView | None
    service: wire.ServiceState


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a round brought to each of these sessions."""

    seq: int
    told: list[tuple[SessionBoard, SessionRound]]
    voice: Voice

    async def messages(self, connected: Connected) -> Iterator[Told]:
        return self._settled(connected)

    def _settled(self, connected: Connected) -> Iterator[Told]:
        said = SaidBets(self.voice)
        for board, part in self.told:
            client = connected.get(board.terminal)
            if client is not None:
                yield client, board.settled(self.seq, part, said)


@dataclass(frozen=True, slots=True)
class ProvenSlips:
    """Where these sessions' slips are in the tree of a round that was closed."""

    closed: RoundState
    boards: list[SessionBoard]
    proofs: Proofs

    async def messages(self, connected: Connected) -> Iterator[Told]:
        """A tree that the table lost with its state is made again first."""
        table, number = self.closed.table, self.closed.number
        try:
            played = await self.proofs.closed(table, number) if self.boards else self.closed
        except TaisaiError as error:
            log.warning("%s/%d: nobody hears where their slips are: %s", table, number, error)
            return iter(())
        return self._proven(played, connected)

    def _proven(self, played: RoundState, connected: Connected) -> Iterator[Told]:
        for board in self.boards:
            client = connected.get(board.terminal)
            if client is not None and board.session in played.slips:
                yield client, slip_proven(played, board.session)


def slip_proven(played: RoundState, player: str) -> wire.SlipProven:
    """The place of one slip and the proof of it, which is for its player alone."""
    found = slip_proof(played, player)
    return wire.SlipProven(
        round=played.number,
        version=played.slips[player].version,
        place=found.place,
        salt=found.salt.hex(),
        proof=b64encode(joined(found.proof)).decode(),
    )


Telling = wire.RoundChanged | wire.TableChanged | Settlement | ProvenSlips
