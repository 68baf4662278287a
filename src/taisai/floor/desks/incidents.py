"""Incidents: a command, or somebody who follows a desk, met a bug of ours. The desk goes on without it."""

import logging
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from taisai.errors import TaisaiError

log = logging.getLogger("taisai.incidents")


class OurFault(TaisaiError):
    """A command met a bug of ours: nothing of it was done, and the number finds what was kept of it."""

    def __init__(self, incident: str) -> None:
        self.incident = incident
        super().__init__(f"this is a fault of ours; nothing was done (incident {incident})")


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """What is known at the moment of a bug: which act, at which desk, after which event, and the error."""

    at: datetime
    desk: str
    stream: str
    version: int
    epoch: int
    act: str
    error: Exception
    sender: str = ""
    command_id: str = ""
    command: Any = None

    @property
    def number(self) -> str:
        """What people call it by. It follows from what happened, so it is the same in every account."""
        said = (self.desk, self.epoch, self.version, self.act, self.sender, self.command_id, self.kind)
        return sha256("\n".join(map(str, said)).encode()).hexdigest()[:8].upper()

    @property
    def kind(self) -> str:
        """What sort of error it was."""
        return type(self.error).__name__

    def say(self) -> None:
        """Into the log: the desk, the act and the error, and where in the code it was."""
        log.error(
            "incident %s: %s at %s met %s: %s",
            self.number,
            self.act,
            self.desk,
            self.kind,
            self.error,
            exc_info=self.error,
        )


def act_name(command: Any) -> str:
    """The name of an act, and that of the one inside where it is wrapped."""
    inner = getattr(command, "command", None)
    name = type(command).__name__
    return name if inner is None or isinstance(inner, dict) else f"{name}/{type(inner).__name__}"
