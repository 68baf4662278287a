"""Structured logs: a JSON object a line, with nothing in them that must not be known."""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

# A ticket's number, however it was typed; and anything that looks like one of our tokens.
_BETWEEN: Final = r"(?:[\s\-+._/\u2010-\u2015]|%[0-9A-F]{2})*"
_NUMBER: Final = re.compile(rf"(?<!\d)(?:\d{_BETWEEN}){{14}}((?:\d{_BETWEEN}){{3}}\d)(?!\d)", re.IGNORECASE)
_TOKEN: Final = re.compile(r"\b[A-Za-z0-9_-]{43}\b")
_FIELDS: Final = ("method", "path", "status", "seconds", "table", "code", "request")


def masked_text(text: str) -> str:
    """A text without ticket numbers and tokens."""
    return _TOKEN.sub("[token]", _NUMBER.sub(lambda match: "•" * 14 + match[1], text))


class JsonLines(logging.Formatter):
    """One line for each record."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked_text(record.getMessage()),
        }
        for name in _FIELDS:
            value = getattr(record, name, None)
            if value is not None:
                line[name] = masked_text(value) if isinstance(value, str) else value
        if record.exc_info:
            line["error"] = masked_text(self.formatException(record.exc_info))
        return msgspec.json.encode(line).decode()


def set_up_logs(level: str) -> None:
    """All logs to standard error, as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Every socket that opens and closes is a metric, not a line.
    for quiet in ("uvicorn.error", "websockets", "httpx", "httpcore"):
        logging.getLogger(quiet).setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
