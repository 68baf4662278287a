"""The house's log as its desk keeps it: its tree's right edge, where each round is in it, its checkpoints.

The stream `log` holds every entry and every signed checkpoint. The tree and its tiles are made from it.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from taisai.floor.desks.decider import Decision, Done, HouseCommand, HouseEvent, MoneylessState
from taisai.floor.desks.kind import DeskKind, Memory
from taisai.floor.streams import LOG
from taisai.proof.entries import Closing, Opening, Result, read_entry
from taisai.proof.notes import NoteLine, SignedNote, read_checkpoint, read_note, with_lines
from taisai.proof.tiles import Edge

_ROUNDS_KEPT: Final = 4_096
_CHECKPOINTS_KEPT: Final = 512


class EnterLog(HouseCommand, frozen=True, kw_only=True):
    """Put entries at the end of the log."""

    entries: list[str]


class KeepCheckpoint(HouseCommand, frozen=True, kw_only=True):
    """Keep what was signed of the log."""

    note: str


class KeepCosignatures(HouseCommand, frozen=True, kw_only=True):
    """Keep the lines of witnesses under the checkpoint of a size."""

    size: int
    lines: list[str]


class LogEntered(HouseEvent, frozen=True, kw_only=True):
    """Entries joined the log."""

    entries: list[str]


class CheckpointSigned(HouseEvent, frozen=True, kw_only=True):
    """The house signed what its log was."""

    note: str


class CheckpointCosigned(HouseEvent, frozen=True, kw_only=True):
    """Witnesses signed it too."""

    size: int
    lines: list[str]


AnyLogEvent = LogEntered | CheckpointSigned | CheckpointCosigned


class RoundPlaces(msgspec.Struct):
    """Where a round is in the log: its opening, its closing, its last result."""

    opening: int
    closing: int | None = None
    result: int | None = None
    attempt: int = 0
    secret: str = ""
    share: str = ""


@dataclass
class LogState(MoneylessState):
    """The log at its end. Rounds and checkpoints of long ago are found in its files and its stream."""

    edge: Edge = field(default_factory=Edge)
    rounds: "OrderedDict[tuple[str, int], RoundPlaces]" = field(default_factory=OrderedDict)
    versions: dict[str, int] = field(default_factory=dict)  # of each table's last event in the log
    checkpoints: "OrderedDict[int, SignedNote]" = field(default_factory=OrderedDict)

    @property
    def checkpoint(self) -> SignedNote | None:
        """The last one signed."""
        return self.checkpoints[next(reversed(self.checkpoints))] if self.checkpoints else None

    @property
    def signed_size(self) -> int:
        """Up to where the log was signed."""
        return next(reversed(self.checkpoints), 0)

    def decide(self, command: Any, act_id: str) -> Decision:
        match command:
            case EnterLog():
                return [LogEntered(by=command.by, at=command.at, entries=command.entries)]
            case KeepCheckpoint():
                return [CheckpointSigned(by=command.by, at=command.at, note=command.note)]
            case KeepCosignatures():
                cosigned = CheckpointCosigned(
                    by=command.by, at=command.at, size=command.size, lines=command.lines
                )
                return [cosigned]
        return super().decide(command, act_id)

    def evolve(self, event: Any) -> None:
        match event:
            case LogEntered():
                for text in event.entries:
                    self._enter(text.encode())
            case CheckpointSigned():
                note = read_note(event.note)
                self.checkpoints[read_checkpoint(note.text).size] = note
                while len(self.checkpoints) > _CHECKPOINTS_KEPT:
                    self.checkpoints.popitem(last=False)
            case CheckpointCosigned():
                self._cosign(event)

    def _cosign(self, event: CheckpointCosigned) -> None:
        note = self.checkpoints.get(event.size)
        if note is not None:
            self.checkpoints[event.size] = with_lines(note, read_lines(event.lines))

    def _enter(self, raw: bytes) -> None:
        index, entry = self.edge.size, read_entry(raw)
        self.edge.add(raw)
        match entry:
            case Opening():
                self.rounds[entry.table, entry.number] = RoundPlaces(index)
                while len(self.rounds) > _ROUNDS_KEPT:
                    self.rounds.popitem(last=False)
            case Closing():
                self._place(entry.table, entry.number, entry.opening_index).closing = index
            case Result():
                places = self._place(entry.table, entry.number, None)
                places.closing = entry.closing_index
                places.result, places.attempt = index, entry.attempt
                places.secret, places.share = entry.secret, entry.share
        if isinstance(entry, Opening | Closing | Result):
            before = self.versions.get(entry.table, 0)
            self.versions[entry.table] = max(before, entry.version)

    def _place(self, table: str, number: int, opening: int | None) -> RoundPlaces:
        """A round's places; one that was let go is taken up again with what the entry names."""
        return self.rounds.setdefault((table, number), RoundPlaces(opening if opening is not None else -1))


def read_lines(lines: list[str]) -> list[NoteLine]:
    """Signature lines as they are kept."""
    return list(read_note("-\n\n" + "".join(lines)).lines) if lines else []


class _Kept(msgspec.Struct):
    """What a checkpoint of the desk remembers."""

    size: int
    hashes: list[str]
    rounds: list[tuple[str, int, RoundPlaces]]
    versions: dict[str, int]
    notes: list[str]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Kept).decode


def _save(state: LogState) -> bytes:
    rounds = [(table, number, places) for (table, number), places in state.rounds.items()]
    hashes = [node.hex() for node in state.edge.hashes]
    notes = [str(note) for note in state.checkpoints.values()]
    return _encode(_Kept(state.edge.size, hashes, rounds, state.versions, notes))


def _load(raw: bytes) -> LogState:
    kept = _decode(raw)
    state = LogState(edge=Edge(kept.size, map(bytes.fromhex, kept.hashes)), versions=kept.versions)
    state.rounds.update({(table, number): places for table, number, places in kept.rounds})
    for text in kept.notes:
        note = read_note(text)
        state.checkpoints[read_checkpoint(note.text).size] = note
    return state


def log_desk() -> "DeskKind[LogState]":
    """The desk of the registrar, who alone writes the log."""
    memory = Memory(mark=lambda state: state.edge.size, save=_save, load=_load)
    return DeskKind(name=LOG, stream=LOG, events=AnyLogEvent, answers=Done, fresh=LogState, memory=memory)
