"""When a rulebook is in force: from the moment on its front page, Singapore's time; undated ones always."""

from datetime import datetime, time, timedelta, timezone
from typing import Final

from taisai.rulebooks.model import Rulebook

FRONT_PAGE_ZONE: Final = timezone(timedelta(hours=8))


def in_force_since(book: Rulebook) -> datetime | None:
    """From which moment on a rulebook is in force; none for one without a date."""
    if book.effective is None:
        return None
    if isinstance(book.effective, datetime):
        return book.effective.replace(tzinfo=FRONT_PAGE_ZONE)
    return datetime.combine(book.effective, time(), FRONT_PAGE_ZONE)


def may_be_played_for_money(book: Rulebook, at: datetime) -> bool:
    """Whether a round for money may open under a rulebook then: it is approved, and in force."""
    since = in_force_since(book)
    return book.approved and (since is None or at >= since)
