"""The pit's figures of one table for its gaming day, kept up with the desk."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from taisai.floor.events import is_bet
from taisai.floor.pit.recall import first_round_since, opened_at, recall
from taisai.floor.pit.watch import TableWatch
from taisai.floor.ports import Floor
from taisai.floor.reading.tables import TableReading
from taisai.floor.views.rounds import ROUNDS
from taisai.record.views import catch_up


class DayWatch:
    """Begin with `start`. Whoever wants the figures asks for them `whole`."""

    def __init__(self, house: Floor, table: str) -> None:
        self._house, self._table = house, table
        self._day = house.plan.players.day
        self._watch: TableWatch
        self._unseen: list[Any] = []
        self._slips: dict[str, Any] = {}  # the last one of each player since the watch was brought up to date
        self._over = False  # everything is to be looked at again, once the pit can say who dealt
        self._to_recall = 0  # the day's rounds below this number are not in the watch yet
        self._recalling = asyncio.Lock()

    async def start(self, table: TableReading) -> None:
        """Begin with what the desk holds; what it has let go is recalled when somebody asks."""
        since = self._day.start_of(self._house.now())
        first = await first_round_since(self._house.store, self._table, since, table.number)
        opened = await opened_at(self._house.store, self._table, table.rounds)
        self._begin(table, since, first, opened)

    def _begin(
        self, table: TableReading, since: datetime, first: int, opened: Mapping[int, datetime]
    ) -> None:
        self._watch = TableWatch.of(
            table, day=self._day, since=since, first=first, dealer_at=self._dealer_at, opened=opened
        )
        self._forget()
        self._to_recall = table.number + 1
        while self._to_recall - 1 in table.rounds:
            self._to_recall -= 1

    def published(self, events: list[Any]) -> None:
        """What one commit brought.

        Of slips only that a player of the last round has another one is looked at: the last one says as much
        as all, and the others need not be held until the round moves on.
        """
        for event in events:
            if is_bet(event):
                self._slips[event.event.player] = event
            else:
                self._unseen.append(event)

    def _forget(self) -> None:
        self._unseen, self._slips = [], {}

    def start_over(self, table: TableReading) -> None:
        """Look at everything again, or when the pit's desk is there to say who dealt."""
        self._forget()
        self._over = not self._house.read.has_pit
        if not self._over:
            self._begin(table, self._watch.since, self._watch.first, self._watch.holds.opened)

    def _dealer_at(self, opened: datetime) -> str | None:
        """Who had the table then, as the pit has it."""
        return self._house.read.dealer_at(self._table, opened)

    def now(self) -> TableWatch:
        """Up to date. What a round brought must be counted while the desk still holds it.

        While the pit's desk is being rebuilt nobody can say who dealt: what happens meanwhile is taken in
        after it.
        """
        if (self._unseen or self._slips or self._over) and self._house.read.has_pit:
            table = self._house.read.table(self._table)
            if self._over:
                self.start_over(table)
            else:
                self._watch.follow(table, [*self._unseen, *self._slips.values()])
                self._forget()
        self._watch.turn(self._house.now())
        return self._watch

    async def whole(self) -> TableWatch:
        """Up to date, with the whole gaming day in it, read from the record if need be."""
        async with self._recalling:
            while self._to_recall:
                watch = self.now()
                await catch_up(self._house.store, ROUNDS)
                await recall(self._house.store, watch, self._to_recall)
                if watch is self._watch:
                    self._to_recall = 0
        return self.now()
