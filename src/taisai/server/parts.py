"""What the application is made of; bootstrap puts it together."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from taisai.adapters.people.passwords import Passwords
from taisai.adapters.sealing import Sealer
from taisai.adapters.signing.trust import Trust
from taisai.floor.audit.whole import Report
from taisai.floor.health import Finding
from taisai.floor.ports import Floor
from taisai.floor.views.significant import SignificantEvents
from taisai.record.ports import NamesStore, RecordSnapshot
from taisai.server.config import Config

ReadRecord = Callable[[], AbstractAsyncContextManager[RecordSnapshot]]
# Does long work where the tables do not wait for it.
Apart = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class WitnessTold:
    """What the house's witness has heard: the last commit of each writer, when, and why it is not told."""

    commits: dict[str, int]
    at: datetime | None
    trouble: str


@dataclass(frozen=True)
class Parts:
    """An open house, its settings, the keys of its doors, its players' names, its significant events."""

    config: Config
    house: Floor
    passwords: Passwords
    sealer: Sealer
    trust: Trust
    names: NamesStore
    significant: SignificantEvents
    read_record: ReadRecord
    apart: Apart
    audit: Callable[[], Coroutine[Any, Any, Report]]
    warnings: Callable[[], list[str]] = list  # what somebody should look at outside of the tables
    checkup: Callable[[], list[Finding]] = list  # what `taisai doctor` says; it takes a while, on a thread
    telling: Callable[[], WitnessTold | None] = lambda: None
    gateway: str = "house"  # how owners of desks know this process, and in which of its lives
    epoch: int = 1
    auditing: asyncio.Lock = field(default_factory=asyncio.Lock)  # one audit at a time
    checking: asyncio.Lock = field(default_factory=asyncio.Lock)  # and one look at the installation
