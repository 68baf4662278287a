"""What a feed tells: news for everyone, a settlement for each session, a snapshot for who begins."""

from dataclasses import dataclass
from typing import Protocol

import msgspec

from taisai.server import wire
from taisai.server.live.sessions import SessionBoard, SessionRound

# The event's name, its sequence number, its data.
News = tuple[str, int, str]


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


Telling = wire.RoundChanged | wire.TableChanged | Settlement
