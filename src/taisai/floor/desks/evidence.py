"""What is kept of a bug of ours: an event on the record, with its evidence sealed and names replaced.

When the store is what failed, the evidence is put beside the keys, and on the record at the next start.
"""

import asyncio
import logging
import re
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from taisai.errors import StoreConflict, StoreError
from taisai.floor.desks.incidents import Incident
from taisai.floor.desks.kind import new_event
from taisai.floor.streams import INCIDENTS
from taisai.record.journal import Batch, StreamEvents, micros
from taisai.record.ports import Store

log = logging.getLogger("taisai.incidents")

SHOWN_MAX: Final = 100
# The same bug over and over is counted and said, and no longer fills the record.
ALIKE_MAX: Final = 20
_TRIES_MAX: Final = 5
_TEXT_MAX: Final = 16_000
_NAMES: Final = frozenset({"name", "player", "place", "label", "sender"})
_SECRETS: Final = ("password", "hash", "token", "secret", "totp", "key", "mark")


class IncidentNoted(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A command, or somebody who follows a desk, met a bug of ours; what is known of it is sealed."""

    at: datetime
    number: str
    desk: str
    act: str
    error: str
    version: int
    epoch: int
    evidence: str = ""


class Safe(Protocol):
    """Where evidence is sealed, and kept when the record cannot be written."""

    def pseudonym(self, name: str) -> str:
        """What stands for a name in evidence; the same for the same name."""
        ...

    def seal(self, text: str, *, about: str) -> str: ...

    def put(self, number: str, text: str) -> None:
        """Keep a text beside the keys."""
        ...

    def texts(self) -> Iterator[str]:
        """What was kept there."""
        ...


class Incidents:
    """Keeps incidents in the order in which they came, and the latest of them at hand."""

    def __init__(self, store: Store, safe: Safe | None = None) -> None:
        self._store, self._safe = store, safe
        self.latest: deque[IncidentNoted] = deque(maxlen=SHOWN_MAX)
        self.on_note: list[Callable[[Incident], None]] = []
        self._alike: Counter[tuple[str, str, str]] = Counter()
        self._waiting: deque[IncidentNoted] = deque()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Read the latest, and put on the record what could not be put there when it happened."""
        numbers = set()
        async for stored in self._store.events(INCIDENTS):
            noted = msgspec.json.decode(stored.body, type=IncidentNoted)
            numbers.add(noted.number)
            self.latest.append(noted)
        for text in self._safe.texts() if self._safe else ():
            noted = msgspec.json.decode(text, type=IncidentNoted)
            if noted.number not in numbers:
                await self._append(noted)
                self.latest.append(noted)

    async def stop(self) -> None:
        """Let what waits be kept."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def note(self, incident: Incident) -> None:
        """Keep one, without making anybody wait."""
        for told in self.on_note:
            told(incident)
        sort = (incident.desk, incident.act, incident.kind)
        self._alike[sort] += 1
        noted = self._noted(incident)
        self.latest.append(noted)
        if self._alike[sort] > ALIKE_MAX:
            return
        self._waiting.append(noted)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._keep_all(), name="incidents")

    def _noted(self, incident: Incident) -> IncidentNoted:
        noted = IncidentNoted(
            at=incident.at,
            number=incident.number,
            desk=incident.desk,
            act=incident.act,
            error=incident.kind,
            version=incident.version,
            epoch=incident.epoch,
        )
        if self._safe is None:
            return noted
        sealed = self._safe.seal(evidence_of(incident, self._safe.pseudonym), about=about(incident.number))
        return msgspec.structs.replace(noted, evidence=sealed)

    async def _keep_all(self) -> None:
        while self._waiting:
            noted = self._waiting.popleft()
            try:
                await self._append(noted)
            except StoreError as error:
                self._set_aside(noted, error)

    async def _append(self, noted: IncidentNoted) -> None:
        for attempt in range(1, _TRIES_MAX + 1):
            head = await self._store.head(INCIDENTS)
            at = max(micros(noted.at), head.at if head else 0)
            entry = StreamEvents(INCIDENTS, head.version if head else 0, (new_event(noted, at),))
            try:
                await self._store.append(Batch((entry,), (), ()))
            except StoreConflict:
                if attempt == _TRIES_MAX:
                    raise
            else:
                return

    def _set_aside(self, noted: IncidentNoted, error: StoreError) -> None:
        """The record cannot be written: beside the keys, until it can."""
        log.error("incident %s is not on the record yet: %s", noted.number, error)
        if self._safe is not None:
            try:
                self._safe.put(noted.number, msgspec.json.encode(noted).decode())
            except OSError as failed:
                log.error("incident %s could not be kept: %s", noted.number, failed)


def about(number: str) -> str:
    """What the evidence of an incident is sealed to."""
    return f"incident {number}"


def evidence_of(incident: Incident, pseudonym: Callable[[str], str]) -> str:
    """Command, versions and error as JSON: people under pseudonyms, and no secrets."""
    names: dict[str, str] = {}
    try:
        plain = msgspec.to_builtins(incident.command, builtin_types=())
    except TypeError:  # a command that cannot be written is told by its looks
        plain = repr(incident.command)
    command = _without_names(plain, names, pseudonym)
    sender = _without_names(incident.sender, names, pseudonym, "sender")
    told = "".join(traceback.format_exception(incident.error))[-_TEXT_MAX:]
    for name in sorted(names, key=len, reverse=True):
        told = re.sub(rf"\b{re.escape(name)}\b", names[name], told)
    said = {
        "desk": incident.desk,
        "stream": incident.stream,
        "version": incident.version,
        "epoch": incident.epoch,
        "sender": sender,
        "command_id": incident.command_id,
        "act": incident.act,
        "command": command,
        "error": told,
    }
    return msgspec.json.encode(said).decode()


def _without_names(value: Any, names: dict[str, str], pseudonym: Callable[[str], str], key: str = "") -> Any:
    match value:
        case dict():
            return {part: _without_names(of, names, pseudonym, str(part)) for part, of in value.items()}
        case list() | tuple():
            return [_without_names(part, names, pseudonym, key) for part in value]
        case str() if any(word in key for word in _SECRETS):
            return "…"
        case str() if key in _NAMES and value:
            return names.setdefault(value, pseudonym(value))
        case _:
            return value
