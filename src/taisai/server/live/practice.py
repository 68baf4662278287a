"""Who practises where: a visitor gets a table that nobody holds, and keeps it while playing.

All seats are on the record from the start, each with one session for ever. A new visitor gets a fresh key, a
felt without bets and a credit that is brought up to the house's gift; what was played there before is not
shown.
"""

import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from taisai.errors import InputError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.cluster.messages import CreditIn, EnrolTerminal
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.table.messages import InRound
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.practice import SHARED, PracticeConfig

if TYPE_CHECKING:
    from taisai.server.live.hub import Hub

log = logging.getLogger("taisai.practice")

# A page that is loaded again finds its seat as it was.
_BACK_SECONDS: Final = 10.0
_POOL: Final = Actor("practice", Role.SYSTEM)
_CLAIMS: Final = "practice seats"


@dataclass(frozen=True, slots=True)
class PracticeSeat:
    """One place at a practice table."""

    table: str
    terminal: str


@dataclass
class Practice:
    """The seats of all practice tables, and when each was last played at."""

    hub: "Hub"
    config: PracticeConfig
    clock: Callable[[], float] = monotonic
    _seats: list[PracticeSeat] = field(default_factory=list)
    _played: dict[str, float] = field(default_factory=dict)  # by terminal: the last act there
    _left: dict[str, float] = field(default_factory=dict)  # by terminal: since when nobody is connected

    async def start(self) -> None:
        """Have every seat on the record, under a key that nobody has."""
        for feed in self.hub.feeds.values():
            if not feed.plan.practice:
                continue
            for number in range(1, feed.plan.terminals_max + 1):
                seat = PracticeSeat(feed.plan.name, f"{feed.plan.name}-seat-{number}")
                self._seats.append(seat)
                if seat.terminal not in feed.seats.key_digests:
                    await self._enrol(seat, secrets.token_hex(32))

    @property
    def is_open(self) -> bool:
        return bool(self._seats)

    def free(self) -> Iterator[PracticeSeat]:
        """Seats that a visitor may have: tables of one's own first, the longest unused before the others."""
        now = self.clock()
        found = [seat for seat in self._seats if self._is_free(seat.terminal, now)]
        return iter(
            sorted(
                found,
                key=lambda seat: (seat.table == SHARED, self._played.get(seat.terminal, float("-inf"))),
            )
        )

    def _is_free(self, terminal: str, now: float) -> bool:
        played = self._played.get(terminal)
        if played is None or now - played >= self.config.idle_seconds:
            return True
        left = self._left.get(terminal)
        return left is not None and now - left >= _BACK_SECONDS

    def touched(self, terminal: str) -> None:
        """Somebody plays there."""
        self._played[terminal] = self.clock()
        self._left.pop(terminal, None)

    def left(self, terminal: str) -> None:
        """Its page is gone; it may come back."""
        self._left[terminal] = self.clock()

    async def take(self, new_digest: str) -> PracticeSeat | None:
        """A seat for a new visitor, whose key has this digest; none where all are taken."""
        seat = await self._claimed()
        if seat is None:
            return None
        before = self._played.get(seat.terminal)
        self.touched(seat.terminal)  # nobody else gets it from here on
        try:
            await self._hand_over(seat, new_digest)
        except BaseException:
            self._played.pop(seat.terminal, None)
            if before is not None:
                self._played[seat.terminal] = before
            raise
        return seat

    async def _claimed(self) -> PracticeSeat | None:
        """A seat that is free here, and that no other gateway has just given away."""
        house = self.hub.house
        for seat in self.free():
            if house.decides:
                return seat
            elsewhere = seat.terminal not in self.hub.feeds[seat.table].seats.connected
            if elsewhere and seat.terminal in house.gatherings.of(seat.table).connected:
                continue
            if not await house.keeping.tries(_CLAIMS, seat.terminal, most=1, seconds=_BACK_SECONDS):
                return seat
        return None

    async def _hand_over(self, seat: PracticeSeat, new_digest: str) -> None:
        feed = self.hub.feeds[seat.table]
        old = feed.seats.connected.get(seat.terminal)
        if old is not None:
            old.say(wire.Bye(reason="practice-over"))
            old.drop_after()
        await self._enrol(seat, new_digest)
        await self._clear(feed, seat)
        board = feed.seats.boards.get(seat.terminal)
        short = self.config.credit_minor - (board.credit if board else 0)
        if short > 0:
            gift = CreditIn(
                by=SYSTEM, at=self.hub.house.now(), terminal=seat.terminal, source="promo", amount=short
            )
            await self._ask(seat, gift)
        board = feed.seats.boards.get(seat.terminal)
        if board is not None:
            board.begin_anew(self.hub.now())

    async def _clear(self, feed: Feed, seat: PracticeSeat) -> None:
        """What the visitor before left on the felt goes back; what is being settled is let be."""
        board, round_ = feed.seats.boards.get(seat.terminal), feed.table.round
        if board is None or not board.on_felt or round_ is None or board.slip_round != round_.number:
            return
        if round_.phase != Phase.BETTING or round_.held:
            return
        by, at = Actor(board.session, Role.PLAYER), self.hub.house.now()
        bare = cmd.PlaceBets(by=by, at=at, player=board.session, slip={}, version=board.slip_version + 1)
        await self._ask(seat, InRound(by=by, at=at, command=bare, round=round_.number))

    async def _enrol(self, seat: PracticeSeat, digest: str) -> None:
        await self._ask(
            seat,
            EnrolTerminal(
                by=SYSTEM,
                at=self.hub.house.now(),
                terminal=seat.terminal,
                key_digest=digest,
                label="practice",
            ),
        )

    async def _ask(self, seat: PracticeSeat, command: EnrolTerminal | CreditIn | InRound) -> None:
        answer = await self.hub.house.do(TableAct(seat.table, command), _POOL, uuid4().hex)
        if isinstance(answer, Refusal):
            raise InputError(f"{seat.terminal} cannot be made ready: {answer.code}")
