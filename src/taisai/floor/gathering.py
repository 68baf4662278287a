"""Who is at the terminals of a cluster now: connected, calling for somebody, wanting the dice.

None of it is on the record; the owner of the table knows it, whichever gateway a terminal comes by.

At a table that deals itself and has no clock, betting closes when everyone who has bets wants the dice. A
wish belongs to the slip on the felt when it was said: whoever changes their bets has to say it again, and
nobody waits for a terminal that has lost its connection. One who never says anything cannot keep the others
waiting: the dice roll some seconds after the first wish.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from taisai.errors import StoreUnavailable, TaisaiError
from taisai.floor.plan import TablePlan
from taisai.floor.ports import NOBODY, SeenGathering
from taisai.game.acts import Phase

if TYPE_CHECKING:
    from taisai.floor.house import House

log = logging.getLogger("taisai.gathering")

# How long whoever wants the dice waits for the others.
PATIENCE_SECONDS: Final = 20.0


class HouseGatherings:
    """Those of all clusters whose desks are here."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._here: dict[str, Gathering] = {}
        self._calls: list[Callable[[str], None]] = []

    def begin(self, plan: TablePlan) -> None:
        """A cluster's desk is here."""
        self._here[plan.name] = Gathering(self._house, plan, self._changed)

    def end(self, table: str) -> None:
        """A cluster's desk is elsewhere from here on: who is there is said again to whoever runs it."""
        gathering = self._here.pop(table, None)
        if gathering is not None:
            gathering.stop()

    def stop(self) -> None:
        """Wait for nobody any more."""
        for gathering in self._here.values():
            gathering.stop()

    def of(self, table: str) -> SeenGathering:
        """Who is at the terminals of a table."""
        return self._here.get(table, NOBODY)

    def follow(self, call: Callable[[str], None]) -> None:
        """Tell somebody of every table where that has changed."""
        self._calls.append(call)

    def look(self, table: str) -> None:
        """Something happened at a table."""
        if table in self._here:
            self._here[table].look()

    def joined(self, table: str) -> None:
        """A terminal is connected."""
        if table in self._here:
            self._here[table].joined()

    def left(self, table: str, terminal: str) -> None:
        """A terminal is gone."""
        if table in self._here:
            self._here[table].left(terminal)

    async def wants_dice(self, table: str, terminal: str, number: int, *, ready: bool) -> bool:
        """A terminal wants the dice of a round, or no longer; False where that is not for it to say."""
        return table in self._here and self._here[table].wants_dice(terminal, number, ready=ready)

    async def call(self, table: str, terminal: str, *, wanted: bool) -> None:
        """A terminal calls for somebody, or no longer."""
        if table in self._here:
            self._here[table].call(terminal, wanted=wanted)

    def _changed(self, table: str) -> None:
        for call in self._calls:
            call(table)


class Gathering:
    """One cluster's; looks again at every change of its table or of who is connected."""

    def __init__(self, house: "House", plan: TablePlan, changed: Callable[[str], None]) -> None:
        self._house, self._plan, self._changed = house, plan, changed
        self.patience = PATIENCE_SECONDS
        self.attendants: dict[str, int] = {}  # since when each has been calling for one
        self.waits_for = 0
        self._ready: dict[str, int] = {}  # by terminal: the version of its slip
        self._rolls_at: datetime | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self.waiting_round: int | None = None

    @property
    def connected(self) -> Collection[str]:
        """The terminals that are connected, at whichever gateway."""
        return self._house.presence.at(self._plan.name)

    @property
    def ready(self) -> Collection[str]:
        """The terminals that want the dice."""
        return self._ready

    @property
    def rolls_at(self) -> int | None:
        """When the dice roll at the latest, in milliseconds."""
        return round(self._rolls_at.timestamp() * 1000) if self._rolls_at else None

    def call(self, terminal: str, *, wanted: bool) -> None:
        """A terminal calls for an attendant, or no longer."""
        if wanted:
            self.attendants.setdefault(terminal, round(self._house.now().timestamp() * 1000))
        else:
            self.attendants.pop(terminal, None)
        self._changed(self._plan.name)

    def joined(self) -> None:
        """A terminal is connected."""
        self._look_at_wishes()
        self._changed(self._plan.name)

    def left(self, terminal: str) -> None:
        """A terminal is gone. A page that comes back and still needs somebody calls again."""
        self.attendants.pop(terminal, None)
        self._look_at_wishes()
        self._changed(self._plan.name)

    def wants_dice(self, terminal: str, number: int, *, ready: bool) -> bool:
        """A terminal wants the dice, or no longer; False where that is not for it to say."""
        self.look()
        slips = self._slips()
        if self.waiting_round != number or terminal not in slips:
            return False
        if ready:
            self._ready[terminal] = slips[terminal]
        else:
            self._ready.pop(terminal, None)
        self.look()
        return True

    def look(self) -> None:
        """Count again, and tell of it where it has changed."""
        before = (self.waiting_round, tuple(self._ready), self.waits_for, self._rolls_at)
        self._look_at_wishes()
        if before != (self.waiting_round, tuple(self._ready), self.waits_for, self._rolls_at):
            self._changed(self._plan.name)

    def stop(self) -> None:
        """Wait for nobody any more."""
        self._stop_waiting()

    def _look_at_wishes(self) -> None:
        """Count again, and close when nobody is waited for."""
        self.waiting_round = self._waits()
        if self.waiting_round is None:
            self._ready.clear()
            self.waits_for = 0
            self._stop_waiting()
            return
        slips = self._slips()
        self._ready = {name: version for name, version in self._ready.items() if slips.get(name) == version}
        self.waits_for = len(slips) - len(self._ready)
        if self._ready and self.waits_for:
            self._wait(self.waiting_round)
        else:
            self._stop_waiting()
        if self._ready and not self.waits_for:
            self._begin_closing()

    def _waits(self) -> int | None:
        """The round that waits for its players; none where a clock or a dealer closes."""
        if not self._plan.automatic:
            return None
        try:
            table = self._house.read.table(self._plan.name)
        except StoreUnavailable:
            return None
        current, settings = table.current, table.settings
        if current is None or current.held or current.phase is not Phase.BETTING:
            return None
        if settings is None or settings.timing.betting_seconds is not None:
            return None
        window = table.window
        if window is not None and window.round == current.number and window.closes_at is not None:
            return None
        return current.number

    def _slips(self) -> Mapping[str, int]:
        """The versions of the slips that are on the felt, by connected terminal."""
        table = self._house.read.table(self._plan.name)
        slips = table.current.slips if table.current else {}
        found = {}
        for terminal in self.connected:
            slip = slips.get(table.session_at(terminal) or "")
            if slip is not None and slip.total():
                found[terminal] = slip.version
        return found

    def _begin_closing(self) -> None:
        if self._closing is None or self._closing.done():
            self._closing = asyncio.create_task(self._close())

    def _wait(self, number: int) -> None:
        """From the first wish on the others have some seconds; a wish that is taken back stops the clock."""
        if self._waiting is None:
            self._rolls_at = self._house.now() + timedelta(seconds=self.patience)
            self._waiting = asyncio.create_task(self._roll_at(self._rolls_at, number))

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self._rolls_at = None

    async def _roll_at(self, moment: datetime, number: int) -> None:
        await self._house.timer.sleep_until(moment)
        self._waiting = None
        if self._waits() == number and self._ready:
            self._begin_closing()

    async def _close(self) -> None:
        try:
            await self._house.close_betting(self._plan.name)
        except TaisaiError as error:
            log.warning("%s: betting could not be closed: %s", self._plan.name, error)
            self._ready.clear()  # whoever still wants the dice says so again
            self.look()
