"""When a rulebook is in force: from the moment on its front page, Singapore's time; undated ones always.

No rulebook ends by itself: a house says until when it plays by one.
"""

from datetime import datetime, time, timedelta, timezone
from enum import StrEnum
from typing import Final

from taisai.rulebooks.model import Rulebook

FRONT_PAGE_ZONE: Final = timezone(timedelta(hours=8))


class InForce(StrEnum):
    """Whether a rulebook may be played for money at a moment, and if not, why."""

    YES = "in-force"
    NOT_APPROVED = "not-approved"
    NOT_YET = "not-yet"
    ENDED = "ended"


def in_force_since(book: Rulebook) -> datetime | None:
    """From which moment on a rulebook is in force; none for one without a date."""
    if book.effective is None:
        return None
    if isinstance(book.effective, datetime):
        return book.effective.replace(tzinfo=FRONT_PAGE_ZONE)
    return datetime.combine(book.effective, time(), FRONT_PAGE_ZONE)


def in_force_at(book: Rulebook, at: datetime, until: datetime | None = None) -> InForce:
    """How a rulebook stands at a moment; `until` is when the house lets it end."""
    since = in_force_since(book)
    if not book.approved:
        return InForce.NOT_APPROVED
    if since is not None and at < since:
        return InForce.NOT_YET
    return InForce.ENDED if until is not None and at >= until else InForce.YES
