"""What the interfaces share: the house, the feed of each table, and how answers are put into words."""

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any

from taisai.errors import InputError, StoreError, UnknownName
from taisai.floor.desks.endings import OperatorNeeded
from taisai.floor.desks.incidents import OurFault
from taisai.floor.health import CLOCK_TOLERANCE
from taisai.floor.ports import Contact, Floor
from taisai.floor.staff.messages import LoggedOut
from taisai.floor.table.dealing import Steady
from taisai.game.refusals import Refusal
from taisai.record.patience import patiently, pauses
from taisai.record.ports import AnswerArchived, CommandAltered, InArchive, RecordCorrupt
from taisai.server import wire
from taisai.server.live.enrolments import Enrolments
from taisai.server.live.feed import Feed
from taisai.server.live.outbox import Outbox
from taisai.server.live.practice import Practice
from taisai.server.live.readiness import ReadinessTold
from taisai.server.live.table_view import millis
from taisai.server.ops.metrics import METRICS
from taisai.server.ops.play_figures import count_play
from taisai.server.ops.rates import Rate
from taisai.server.practice import PracticeConfig
from taisai.server.words.house_words import SHIPPED, HouseWords
from taisai.server.words.say import Voice, sentences, server_refusal

log = logging.getLogger("taisai.hub")


@dataclass
class Hub:
    """One house and everyone who is connected to it."""

    house: Floor
    feeds: dict[str, Feed] = field(default_factory=dict)
    readiness: dict[str, ReadinessTold] = field(default_factory=dict)
    takes_cash: bool = (
        True  # whether terminals have note acceptors; with play money anyone may put in any amount
    )
    words: HouseWords = SHIPPED
    redeem_tries_per_minute: int = 30
    practice_rules: PracticeConfig = field(default_factory=PracticeConfig)
    draining: bool = False
    # As owners know this process, and in which of its lives: of a house that is one process there is one.
    gateway: str = "house"
    epoch: int = 1
    consoles: dict[str, dict[Outbox, None]] = field(default_factory=dict)  # by session's digest

    def __post_init__(self) -> None:
        plan = self.house.plan
        self.voice = Voice(plan.currency_exponent, self.words, plan.currency)
        self.enrolments = Enrolments(self.house.keeping)
        self.practice = Practice(self, self.practice_rules)
        # Guessing ticket numbers is as slow at a terminal as at the cage.
        self.redemptions = Rate("redemptions", self.redeem_tries_per_minute, self.house.keeping)
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self._numbers = count(1)
        self._contacts: dict[Outbox, Contact] = {}

    async def start(self) -> None:
        """Follow every table, and look at it as it stands: nothing falls between the two."""
        for plan in self.house.plan.tables:
            feed = self.feeds[plan.name] = Feed(self.house, plan, self.voice, starting_over=True)
            if plan.kind == "cluster":
                self.readiness[plan.name] = ReadinessTold(feed)
        count_play(self.house)
        self.house.follow(self._published)
        for feed in self.feeds.values():
            await patiently(f"the feed of {feed.plan.name} cannot start", feed.start)
        self.house.presence.on_replaced(self._replaced)
        self.house.follow_staff(self._staff_changed)
        self.house.gatherings.follow(self._gathered)
        await self.practice.start()

    def _published(self, table: str, events: list[Any], version: int) -> None:
        feed = self.feeds[table]
        if feed.starting_over:
            return  # it will look at everything
        try:
            feed.published(events, version)
        except Exception:  # the house makes an incident of it; the feed begins anew from the record
            feed.starting_over = True
            self.spawn(self._started_over(feed))
            raise

    async def _started_over(self, feed: Feed) -> None:
        for pause in pauses():
            try:
                await feed.start_over()
                return
            except Exception as error:
                log.warning("the feed of %s cannot begin anew: %s", feed.plan.name, error)
                if self.house.read.has_stopped(feed.plan.name):
                    return
            await asyncio.sleep(pause)

    def _staff_changed(self, events: list[Any], version: int) -> None:
        """Consoles of sessions that have ended are shut."""
        for event in events:
            if isinstance(event, LoggedOut):
                for client in self.consoles.get(event.token, ()):
                    client.say(wire.Bye(reason="session-ended"))
                    client.drop_after()

    async def stop(self) -> None:
        """Say goodbye to everyone, once."""
        if self.draining:
            return
        self.draining = True
        for feed in self.feeds.values():
            for display in tuple(feed.displays):
                display.leave()
        clients = [client for feed in self.feeds.values() for client in feed.clients]
        for client in clients:
            client.say(wire.Bye(reason="restarting"))
        await asyncio.gather(*(client.finish() for client in clients))
        for task in tuple(self._tasks):
            task.cancel()

    @property
    def floor(self) -> dict[str, Feed]:
        """The tables that the pit looks after and the front page lists: all but the practice tables."""
        return {name: feed for name, feed in self.feeds.items() if not feed.plan.practice}

    def feed(self, table: str) -> Feed:
        try:
            return self.feeds[table]
        except KeyError:
            raise UnknownName("table", table, self.feeds) from None

    def is_stopped(self, table: str) -> bool:
        """Whether nobody takes acts for a table: its desk has stopped, here or in the process that ran it."""
        return self.house.read.has_stopped(table) or self.house.is_stale(table)

    def terminal_of(self, session: str) -> str | None:
        """The terminal where a session is open."""
        for feed in self.feeds.values():
            for terminal, board in feed.seats.boards.items():
                if board.session == session:
                    return terminal
        return None

    def now(self) -> int:
        return millis(self.house.now())

    async def faults(self) -> list[str]:
        """What keeps the house from taking wagers."""
        return await house_faults(self.house, ends=self.draining)

    def warnings(self) -> list[str]:
        """What somebody should look at, though wagers are taken."""
        return house_warnings(self.house)

    def count(self) -> None:
        """Bring the gauges up to date."""
        terminals = sum(len(feed.seats.connected) for feed in self.feeds.values())
        everyone = sum(len(feed.clients) for feed in self.feeds.values())
        METRICS.connections.labels("terminal").set(terminals)
        METRICS.connections.labels("console").set(everyone - terminals)
        METRICS.connections.labels("display").set(sum(len(feed.displays) for feed in self.feeds.values()))

    def spawn(self, work: Any) -> None:
        """Run something that nobody waits for, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and task.exception():
            log.error(
                "the background task %s failed: %s",
                task.get_name(),
                task.exception(),
                exc_info=task.exception(),
            )

    def refused(self, message_id: str, refusal: Refusal, *, late_by_ms: int | None = None) -> wire.Refused:
        """A refusal as a terminal or a console gets it."""
        return wire.Refused(
            id=message_id,
            code=str(refusal.code),
            clause=refusal.clause,
            facts=refusal.facts,
            sentences=sentences(refusal, self.voice),
            late_by_ms=late_by_ms,
        )

    def failed(self, message_id: str, error: Exception, *, about: str) -> wire.Refused:
        """What could not be done for a reason that is no clause's; `about` names table and act in the log."""
        code, clause, facts, said = failure(error, about)
        return wire.Refused(id=message_id, code=code, clause=clause, facts=facts, sentences=said)

    # Terminals

    def join_terminal(self, feed: Feed, terminal: str, client: Outbox, known: int) -> None:
        """A terminal is connected here; the owner of its table says which of its connections stays.

        It knows everything up to the number `known`, and is told what comes after it.
        """
        contact = Contact(feed.plan.name, terminal, self.gateway, self.epoch, next(self._numbers))
        self._contacts[client] = contact
        self.house.presence.joined(contact)
        feed.seats.connected[terminal] = client
        feed.clients[client] = known
        self._gathered(feed.plan.name)

    def _gathered(self, table: str) -> None:
        """Somebody came or left, calls for an attendant or wants the dice."""
        if table in self.readiness:
            self.readiness[table].tell()
            self.feeds[table].changed()

    def _replaced(self, contact: Contact) -> None:
        """Another connection has taken the place of one, here or at another gateway."""
        feed = self.feeds[contact.table]
        client = feed.seats.connected.get(contact.terminal)
        if client is not None and self._contacts.get(client) == contact:
            client.say(wire.Bye(reason="replaced"))
            client.drop_after()
            feed.clients.pop(client, None)
            del feed.seats.connected[contact.terminal]

    def leave_terminal(self, feed: Feed, terminal: str, client: Outbox) -> None:
        """A connection ended."""
        feed.clients.pop(client, None)
        contact = self._contacts.pop(client, None)
        if feed.seats.connected.get(terminal) is client:
            del feed.seats.connected[terminal]
            if feed.plan.practice:
                self.practice.left(terminal)
            feed.changed()
            if contact is not None and not self.draining:
                self.house.presence.left(contact)


async def house_faults(house: Floor, *, ends: bool) -> list[str]:
    """What keeps a house, or one process of it, from taking wagers."""
    found = [*house.read.faults(), *house.faults()]
    if ends:
        found.append("the server is going down")
    try:
        await house.store.tips()
    except StoreError as error:
        found.append(f"the store does not answer: {type(error).__name__}")
    return found


def house_warnings(house: Floor) -> list[str]:
    """What somebody should look at: who owns what, and a machine whose clock was set back."""
    timer, found = house.timer, house.ownership.warnings()
    ahead = timer.ahead() if isinstance(timer, Steady) else timedelta()
    if ahead > CLOCK_TOLERANCE:
        seconds = int(ahead.total_seconds())
        found.append(f"the machine's clock was set back: it is {seconds} s behind the house's time")
    return found


def failure(error: Exception, about: str) -> tuple[str, str, dict[str, Any], wire.Sentences]:
    """Code, clause, facts and sentences of an error."""
    if isinstance(error, AnswerArchived):
        return server_refusal("answer_archived")
    if isinstance(error, CommandAltered):
        return server_refusal("command_altered")
    if isinstance(error, OurFault):
        return server_refusal("our_fault", incident=error.incident)
    if isinstance(error, OperatorNeeded | RecordCorrupt):
        return server_refusal("operator_needed")
    if isinstance(error, StoreError):
        return server_refusal("store_unavailable")
    if isinstance(error, InArchive):
        return server_refusal("in_archive")
    if isinstance(error, InputError):
        return server_refusal("input_invalid", message=str(error))
    log.error("%s met %s: %s", about, type(error).__name__, error, exc_info=error)
    return server_refusal("internal")
