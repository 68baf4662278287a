"""To which gaming day a moment belongs: days begin at an hour of the house's own clock."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from taisai.errors import InputError


class DayClock(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The house's zone and the time of day at which its gaming days begin."""

    zone: str = "UTC"
    begins: time = time(6, 0)

    @cached_property
    def tz(self) -> tzinfo:
        if self.zone == "UTC":
            return UTC
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError):
            raise InputError(f"expected a time zone such as Asia/Macau, got {self.zone!r}") from None

    def day_of(self, moment: datetime) -> date:
        """The gaming day that a moment belongs to."""
        local = moment.astimezone(self.tz)
        return local.date() if local.time() >= self.begins else local.date() - timedelta(days=1)

    def start_of(self, moment: datetime) -> datetime:
        """When the gaming day of a moment began."""
        return datetime.combine(self.day_of(moment), self.begins, self.tz).astimezone(UTC)
