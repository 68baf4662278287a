"""How a desk's events stand in the journal, and the one by which it takes its stream."""

from datetime import datetime
from typing import Any

import msgspec

from taisai.record.journal import NewEvent

_encode = msgspec.json.Encoder().encode


class DeskTaken(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """A process became a stream's only writer; whoever wrote it before is fenced off by this event."""

    at: datetime
    epoch: int


def event_name(event: Any) -> str:
    """The name under which an event stands in the journal: that of the inner one where it is wrapped."""
    return type(getattr(event, "event", event)).__name__


def new_event(event: Any, at: int) -> NewEvent:
    return NewEvent(event_name(event), at, _encode(event))
