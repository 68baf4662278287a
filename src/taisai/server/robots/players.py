"""Simulated players for a play-money house: they sit at terminals and around live tables, and bet."""

import asyncio
import logging
import random
from typing import Any
from uuid import uuid4

from taisai.errors import InputError, TaisaiError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.table.messages import BuyIn, InRound, RoundEvent, TakeSeat
from taisai.game import commands as cmd
from taisai.game.events import BettingOpened
from taisai.game.people import Actor
from taisai.game.refusals import Refusal, RefusalCode
from taisai.server.live.feed import Feed
from taisai.server.live.hub import Hub
from taisai.server.robots.dealer import DEALER, RobotDealer
from taisai.server.robots.habits import HABITS, NAMES, Habit, player_at, slip_by
from taisai.server.robots.history import is_asked_by_robot
from taisai.server.robots.terminals import PURSE_UNITS, ROBOTS, RobotTerminals

log = logging.getLogger("taisai.robots")

_PACE_SECONDS = 2.5
_REST_SECONDS = 120.0


class Robots:
    """Bets whenever a round opens. Nothing they do is more than any player could do."""

    def __init__(self, hub: Hub, seed: int | None = None, *, lively: bool = False) -> None:
        self.hub, self.house = hub, hub.house
        self._lively = lively  # with a dealer at the live tables, a call for an attendant, and a request
        self._random = random.Random(seed)  # noqa: S311 - whims of simulated players
        self._opened: asyncio.Queue[str] = asyncio.Queue()
        self._terminals: dict[str, RobotTerminals] = {}
        self._feeds: dict[str, Feed] = {}  # of the tables that they play at: nobody waits for a robot

    async def run(self) -> None:
        """Sit down, then play until the server ends."""
        if not self.house.plan.play_money:
            raise InputError("simulated players are for play money alone")
        self._feeds = {name: feed for name, feed in self.hub.feeds.items() if not feed.table.untimed}
        for name, feed in self._feeds.items():
            if feed.plan.kind == "cluster":
                self._terminals[name] = RobotTerminals(self.house, name, self._random)
            await self._sit_down(feed)
        if self._lively:
            self._be_lively()
        self.house.follow(self._published)
        while True:
            table = await self._opened.get()
            self.hub.spawn(self._bet(self._feeds[table]))

    def _be_lively(self) -> None:
        """Deal the live tables, call an attendant to a terminal, and always have something to decide."""
        for name, feed in self._feeds.items():
            if feed.plan.kind == "live":
                asks = feed is next(one for one in self._feeds.values() if one.plan.kind == "live")
                self.hub.spawn(self._deal(RobotDealer(self.house, name, self._random), asks=asks))
        callers = ((name, one) for name, feed in self._feeds.items() for one in feed.seats.key_digests)
        first = next(callers, None)
        if first is not None and not any(feed.gathered.attendants for feed in self._feeds.values()):
            self.hub.spawn(self.house.gatherings.call(*first, wanted=True))

    async def _deal(self, dealer: RobotDealer, *, asks: bool) -> None:
        """One act after the other, at a pace that can be followed."""
        await dealer.sit_down(players=False)
        await dealer.take_up()
        rests = 0.0  # since the last request was decided: whoever decided it is left in peace for a while
        while True:
            await asyncio.sleep(_PACE_SECONDS)
            rests -= _PACE_SECONDS
            try:
                await dealer.step()
                if asks and is_asked_by_robot(self.house):
                    rests = _REST_SECONDS
                elif asks and rests <= 0:
                    await dealer.ask_to_correct()
            except TaisaiError as error:
                log.info("the simulated dealer waits: %s", error)

    def _published(self, table: str, events: list[Any], version: int) -> None:
        for event in events:
            opened = isinstance(event, RoundEvent) and isinstance(event.event, BettingOpened)
            if opened and table in self._feeds:
                self._opened.put_nowait(table)

    async def _sit_down(self, feed: Feed) -> None:
        if feed.plan.kind != "cluster":
            for seat, player in enumerate(NAMES, 1):
                name = player_at(feed.plan.name, player)
                sits = TakeSeat(by=DEALER, at=self.house.now(), seat=seat, player=name)
                await self._do(feed, sits)
            return
        await self._terminals[feed.plan.name].sit_down()

    async def _bet(self, feed: Feed) -> None:
        """One round's bets, spread over the time there is."""
        round_ = feed.table.round
        if round_ is None:
            return
        seconds = 4.0
        if round_.closes_at is not None and round_.opens_at is not None:
            seconds = (round_.closes_at - round_.opens_at) / 1000 * 0.7
        try:
            terminals = self._terminals.get(feed.plan.name)
            players = list(terminals.names if terminals else NAMES)
            self._random.shuffle(players)
            for player in players:
                await asyncio.sleep(seconds / len(players) * self._random.uniform(0.4, 1.2))
                if terminals:
                    await terminals.bet_at(player)
                else:
                    await self._bet_by_dealer(feed, player, round_.number)
        except TaisaiError as error:
            log.info("%s: a simulated player gave up: %s", feed.plan.name, error)

    async def _bet_by_dealer(self, feed: Feed, player: str, number: int) -> None:
        """The dealer puts their chips down; who has none left gets more from the house."""
        name = player_at(feed.plan.name, player)
        answer = await self._place(feed, DEALER, name, number, HABITS[player])
        if isinstance(answer, Refusal) and answer.code is RefusalCode.FUNDS_INSUFFICIENT:
            amount = PURSE_UNITS * feed.table.limits.unit
            command = BuyIn(by=SYSTEM, at=self.house.now(), player=name, amount=amount, source="promo")
            await self._do(feed, command)
            await self._place(feed, DEALER, name, number, HABITS[player])

    async def _place(self, feed: Feed, by: Actor, player: str, number: int, habit: Habit) -> Any:
        at = self.house.now()
        slip = self._slip(feed, habit)
        placing = cmd.PlaceBets(by=by, at=at, player=player, slip=slip, version=1)
        asked = InRound(by=by, at=at, command=placing, round=number)
        return await self._do(feed, asked)

    async def _do(self, feed: Feed, command: Any) -> Any:
        return await self.house.do(TableAct(feed.plan.name, command), ROBOTS, uuid4().hex)

    def _slip(self, feed: Feed, habit: Habit) -> dict[str, int]:
        current = self.house.read.table(feed.plan.name).current
        return slip_by(habit, current, self._random) if current else {}
