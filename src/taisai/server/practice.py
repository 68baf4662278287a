"""Practice tables: how many there are, what is played at them, and for how long a visitor keeps one.

They are made when a play-money house starts: a pool of tables of one's own, and one that visitors share when
all of those are taken. No request of a stranger makes another table, seat or account.
"""

from typing import Final

import msgspec

from taisai.floor.plan import TablePlan
from taisai.floor.table.dealing import AutoPace
from taisai.floor.table.messages import TableSettings
from taisai.floor.table.timing import Timing
from taisai.game.limits import Limit, Limits
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table

TABLES_MAX: Final = 64
SEATS_MAX: Final = 64
# The address of all of them: whoever asks for this table gets one of the pool.
SHARED: Final = "practice"


class PracticeConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tables without a clock for whoever wants to try the game; in play-money houses alone."""

    tables: int = 8
    pay_table: str = "sic-bo-etg-v8/1"
    title: str = "Practice"
    titles: dict[str, str] = msgspec.field(default_factory=lambda: {"zh-Hant": "練習枱", "zh-Hans": "练习台"})
    shared_seats: int = 16
    idle_seconds: int = 60
    credit_minor: int = 1_000_00
    minimum: int = 100
    maximum: int = 100_000

    def plans(self) -> tuple[TablePlan, ...]:
        """The tables of the pool, and the shared one last."""
        if not self.tables:
            return ()
        own = [self._plan(f"{SHARED}-{number}", seats=1) for number in range(1, self.tables + 1)]
        return (*own, self._plan(SHARED, seats=self.shared_seats))

    def _plan(self, name: str, *, seats: int) -> TablePlan:
        unit = shipped_pay_table(self.pay_table).unit
        limits = Limits(unit=max(unit, self.minimum), default=Limit(self.minimum, self.maximum))
        return TablePlan(
            name=name,
            title=self.title,
            titles=self.titles,
            kind="cluster",
            settings=TableSettings(pay_table=self.pay_table, limits=limits, timing=Timing()),
            automatic=True,
            pace=AutoPace(tumble_seconds=2.0, result_seconds=2.0),
            terminals_max=seats,
            practice=True,
        )


def practice_faults(practice: PracticeConfig, names: set[str]) -> list[str]:
    """Everything that keeps these tables from being made."""
    faults = []
    for key, value, least, most in (
        ("tables", practice.tables, 0, TABLES_MAX),
        ("shared_seats", practice.shared_seats, 1, SEATS_MAX),
        ("idle_seconds", practice.idle_seconds, 1, 3_600),
        ("credit_minor", practice.credit_minor, 1, 10**12),
    ):
        if not least <= value <= most:
            faults.append(f"practice.{key}: expected {least} to {most}, got {value}")
    if practice.tables:
        taken = sorted(name for name in names if name == SHARED or name.startswith(f"{SHARED}-"))
        faults += [f"table: {name} is the name of a practice table" for name in taken]
    return faults
