"""How long a table takes bets, and how soon a round may follow another. All of it is on the record."""

from datetime import datetime, timedelta

import msgspec

# What is left of a window when a held round goes on: enough to look at the table again.
RESUME_SECONDS_MIN = 5


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """A table's pace. Without `betting_seconds` the dealer calls the closing.

    `round_seconds_min` is the least time between the openings of two rounds, as jurisdictions ask of
    electronic tables.
    """

    betting_seconds: int | None = None
    warn_seconds: int = 5
    round_seconds_min: int = 0

    def closes_at(self, opened: datetime) -> datetime | None:
        """When betting ends by itself in a round that opened then."""
        return None if self.betting_seconds is None else opened + timedelta(seconds=self.betting_seconds)

    def may_open_at(self, opened_before: datetime, now: datetime) -> datetime:
        """The earliest opening after the one before. A clock that was set back is nobody's to wait for."""
        if now < opened_before:
            return now
        return opened_before + timedelta(seconds=self.round_seconds_min)

    def resumed_until(self, agreed: datetime, closes_at: datetime, resumed: datetime) -> datetime:
        """The deadline of a round that was held and goes on: the old one, if enough of it is left.

        Where the clock was set back since that was `agreed`, a whole window is given again and no more.
        """
        if resumed < agreed:
            return self.closes_at(resumed) or closes_at
        return max(closes_at, resumed + timedelta(seconds=RESUME_SECONDS_MIN))


def timing_faults(timing: Timing) -> list[str]:
    """Everything that keeps this pace from being used."""
    faults = []
    if timing.betting_seconds is not None and not 0 < timing.betting_seconds <= 3600:
        faults.append(f"betting_seconds: expected 1 to 3600, got {timing.betting_seconds}")
    if timing.warn_seconds < 0:
        faults.append(f"warn_seconds: expected 0 or more, got {timing.warn_seconds}")
    if not 0 <= timing.round_seconds_min <= 3600:
        faults.append(f"round_seconds_min: expected 0 to 3600, got {timing.round_seconds_min}")
    return faults
