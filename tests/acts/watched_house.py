"""A house in memory that acts are done to, and that is looked over after each of them."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from itertools import count
from typing import Any, Final, Literal, TypeVar

import msgspec

from taisai.adapters.memory import MemoryStore
from taisai.floor.approvals.asked import CageAct, TableAct
from taisai.floor.audit.whole import audit
from taisai.floor.cage import OpenDrawer
from taisai.floor.cluster.messages import EnrolTerminal
from taisai.floor.desks.copy import carried_by
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.answers import Waiting
from taisai.floor.door.forms import do_at_table
from taisai.floor.followed import FollowedHouse
from taisai.floor.house import House
from taisai.floor.plan import TablePlan
from taisai.floor.table.messages import InRound, TableSettings
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.ledger import Book
from taisai.ledger.accounts import colour_chips, stakes
from taisai.record.journal import Batch
from taisai.rulebooks.catalogue import pay_table
from tests.acts.colour_count import ColourCount
from tests.floor.houses import DEALER, TESTS, SmallHouse, cluster, decide_request, live
from tests.record import KEYS, SIGNER

T = TypeVar("T")
Money = Literal["credits", "chips"]

SHIFT = Actor("chris", Role.SHIFT_MANAGER)
SECOND = Actor("max", Role.CASINO_MANAGER)
CASHIER = Actor("kim", Role.CASHIER)
TERMINALS: Final = ("C1-1", "C1-2")
_OVER = (Phase.SETTLED, Phase.CONCLUDED, Phase.VOID)


def _limited(rules: str, money: Money = "credits") -> TableSettings:
    """Low limits, so that random bets meet them; what the dealer notices is noticed by the dealer."""
    unit = pay_table(rules).unit * 5
    more: dict[str, Any] = {}
    if "v4" in rules or "v6" in rules:
        more = {"notice": "by-dealer", "differential": {"big-small": 40 * unit}}
    limits = Limits(unit=unit, default=Limit(2 * unit, 60 * unit), **more)
    return TableSettings(pay_table=rules, limits=limits, money=money)


def _live(name: str, rules: str, money: Money) -> TablePlan:
    return msgspec.structs.replace(live(name, rules), settings=_limited(rules, money))


TABLES: Final = {
    "credits": _live("L1", "tai-sai-v6/2", "credits"),
    "cash chips": _live("L2", "tai-sai-v4/1", "chips"),
    "colours on credits": _live("K1", "tai-sai-v3/1", "credits"),
    "colours on cash chips": _live("K2", "tai-sai-open-cover/2", "chips"),
    "cluster": msgspec.structs.replace(cluster("C1"), settings=_limited("sic-bo-etg-v8/1")),
}


class WatchedHouse:
    """Every act comes in by the door; `look` says whether all is still where it must be."""

    def __init__(self, kinds: tuple[str, ...], made: type[SmallHouse] = SmallHouse) -> None:
        self.loop = asyncio.new_event_loop()
        self.small = made(*(TABLES[kind] for kind in kinds))
        self.tables = [TABLES[kind].name for kind in kinds]
        self.acts, self.done, self.refused = 0, Counter[str](), Counter[str]()
        self._keys = count(1)
        self._whole, self._commits = Book(), Counter[str]()
        self._counts = {table: ColourCount() for table in self.tables}
        self._open: AbstractAsyncContextManager[House] | None = None
        self.followed = self._followed()
        self.house = self.run(self._start())
        self.run(self.followed.start())
        for terminal in TERMINALS if "C1" in self.tables else ():
            enrolment = EnrolTerminal(by=SYSTEM, at=self.house.now(), terminal=terminal, key_digest="k")
            self.ask("C1", enrolment)
        self.run(self._ask(CageAct(OpenDrawer(by=CASHIER, at=self.house.now(), float_minor=0)), CASHIER))

    def _followed(self) -> FollowedHouse:
        """Copies of all desks, as another process has them: they hear each commit and read nothing else."""
        store = MemoryStore(self.small.disk, writer="elsewhere", signer=SIGNER, clock=self.small.clock)
        followed = FollowedHouse(self.small.plan, store, self.small.clock)

        def carry(batch: Batch) -> None:
            for carried in carried_by(batch, followed.streams):
                followed.hear(carried)

        self.small.carry = carry
        return followed

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    async def _start(self) -> House:
        self._open = self.small.open()
        return await self._open.__aenter__()

    async def _stop(self) -> None:
        if self._open is not None:
            await self._open.__aexit__(None, None, None)

    def restart(self) -> None:
        """The house is closed and opened again on its record."""
        self.run(self._stop())
        self.house = self.run(self._start())

    def close(self) -> None:
        self.run(self._stop())
        self.loop.close()

    def state(self, table: str) -> TableState:
        state: TableState = self.house.table(table).state
        return state

    # --- acts --------------------------------------------------------------------------------------

    def do(
        self, table: str, act: str, *, by: Actor = DEALER, number: int | None = None, **fields: Any
    ) -> Any:
        """An act by its name, as a console sends it; where it takes two people the second agrees."""
        return self._told(act, self.run(self._do(table, act, by, number, fields)))

    async def _do(self, table: str, act: str, by: Actor, number: int | None, fields: dict[str, Any]) -> Any:
        key = f"acts{next(self._keys)}"
        answer = await do_at_table(self.house, table, act, fields, by=by, key=key, number=number)
        if isinstance(answer, Waiting):
            answer = await decide_request(
                self.house, answer.approval, approve=True, by=SECOND, key=f"{key}.2"
            )
        return answer

    def ask(self, table: str, command: Any) -> Any:
        """A command of the house itself or of a terminal."""
        return self._told(type(command).__name__, self.run(self._ask(TableAct(table, command), TESTS)))

    def at_cage(self, command: Any) -> Any:
        return self._told(type(command).__name__, self.run(self._ask(CageAct(command), CASHIER)))

    def bet_at(self, terminal: str, slip: dict[str, int], version: int) -> Any:
        """A slip from a terminal; one without a session has nobody to bet."""
        state: Any = self.state("C1")
        session = state.terminals[terminal].session or f"{terminal}.0"
        by, at = Actor(session, Role.PLAYER), self.house.now()
        placing = cmd.PlaceBets(by=by, at=at, player=session, slip=slip, version=version)
        asked = TableAct("C1", InRound(by=by, at=at, command=placing, round=state.number))
        return self._told("PlaceBets", self.run(self._ask(asked, by)))

    async def _ask(self, act: Any, by: Actor) -> Any:
        """Ask inside the loop: the door begins before it is waited for."""
        return await self.house.do(act, by, f"acts{next(self._keys)}")

    def _told(self, act: str, answer: Any) -> Any:
        self.acts += 1
        if isinstance(answer, Refusal):
            self.refused[f"{act}: {answer.code}"] += 1
        else:
            self.done[act] += 1
        return answer

    # --- looking -----------------------------------------------------------------------------------

    def look(self) -> None:
        """No desk stopped, debits equal credits, desks' books agree with them, every chip is in one place."""
        assert not [desk.kind.name for desk in self.house.desks() if desk.stopped]
        for writer, chain in self.small.disk.chains.items():
            for commit in chain[self._commits[writer] :]:
                self._whole.apply(commit.transfers)
            self._commits[writer] = len(chain)
        self._whole.assert_whole()
        for table in self.tables:
            state = self.state(table)
            for account in state.owned_accounts():
                assert state.book.balance(account) == self._whole.balance(account), account
            self._look_at_stakes(state)
            self._look_at_colours(state)
            self._look_at_copy(table)

    def _look_at_copy(self, table: str) -> None:
        """A copy that only heard the commits is the state that decided them."""
        desk, copy = self.house.table(table), self.followed.table(table)
        assert copy.version == desk.version
        memory = desk.kind.memory
        assert memory is not None
        assert memory.save(copy.state) == memory.save(desk.state)
        assert copy.state.current == desk.state.current
        for account in desk.state.owned_accounts():
            assert copy.state.book.balance(account) == desk.state.book.balance(account), account

    def _look_at_stakes(self, state: TableState) -> None:
        for number, played in state.rounds.items():
            waiting = {
                player: stake
                for player, stake in played.stakes_by_player().items()
                if player not in played.paid
            }
            due = 0 if played.phase in _OVER else sum(waiting.values())
            assert self._whole.balance(stakes(state.name, number)) == due, (state.name, number)

    def _look_at_colours(self, state: TableState) -> None:
        counted = self._counts[state.name]
        counted.follow(self.small.disk.streams[f"table:{state.name}"])
        felt, rack = counted.on_felt(), state.rack
        assert rack is not None
        for colour, out in counted.out.items():
            hand = out - felt[colour]
            assert hand >= 0, colour
            assert self._whole.balance(colour_chips(state.name, colour)) == hand, colour
            held = rack.colours.get(colour)
            shown = (held.hand * held.value, held.felt * held.value) if held else (0, 0)
            assert shown == (hand, felt[colour]), colour

    def verify(self) -> None:
        """The whole audit of the record as it is."""
        self.run(self._audit())

    async def _audit(self) -> None:
        async with self.house.store.snapshot() as snapshot:
            await audit(snapshot, KEYS)
