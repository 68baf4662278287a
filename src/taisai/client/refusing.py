"""What both ways into a house share: refusals as errors, ids of requests, a terminal's key."""

import secrets
from typing import Any

import msgspec

from taisai.errors import TaisaiError
from taisai.server import wire

SECONDS = 10.0


class Refused(TaisaiError):
    """The house refused, with its code, clause, facts and words."""

    def __init__(self, code: str, clause: str, facts: dict[str, Any], sentences: wire.Sentences) -> None:
        self.code, self.clause, self.facts, self.sentences = code, clause, facts, sentences
        super().__init__(" ".join(sentences.get("en", [code])))


class Unanswered(TaisaiError):
    """The connection was lost before an answer came; ask again under the same id."""


class TerminalKey(msgspec.Struct, frozen=True):
    """What a terminal keeps."""

    terminal: str
    key: str
    table: str


def fresh_id() -> str:
    """A name for a request that no other has."""
    return secrets.token_hex(12)
