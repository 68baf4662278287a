"""How a process begins with a unit of the house, and gives it up again while it lives.

A unit whose last writer handed it over goes on where it was: the round in play is not suspended, and its
deadline holds. After a crash, or when nobody went on for long, the round comes back suspended.
"""

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from taisai.errors import InputError
from taisai.floor.approvals.asked import TableAct
from taisai.floor.desks.copy import DeskCopy
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.desks.desk import Desk
from taisai.floor.door.second import carry_out_what_is_left
from taisai.floor.owners.units import OFFICE, unit_of
from taisai.floor.proofs.proving import TableProving
from taisai.floor.streams import LOG, table_of, table_stream
from taisai.floor.table.dealing import Dealing
from taisai.floor.table.messages import InRound, OpenTable
from taisai.floor.table.state import TableState
from taisai.game import commands as cmd
from taisai.game.acts import Phase
from taisai.game.people import Actor
from taisai.game.refusals import Refusal
from taisai.record.patience import patiently

if TYPE_CHECKING:
    from taisai.floor.house import House

log = logging.getLogger("taisai.house")

_IN_PLAY: Final = (Phase.BETTING, Phase.CLOSED, Phase.DECLARED, Phase.SETTLED)
# A table that nobody ran for longer than this was interrupted, whatever was planned.
HANDED_MAX: Final = timedelta(seconds=10)


class Taking:
    """Begins and ends the desks of a house's units in this process."""

    def __init__(self, house: "House") -> None:
        self._house = house

    # At a start

    async def copy_the_rest(self, units: Collection[str] | None) -> None:
        """Copies of all that other processes run."""
        desks = self._house.desks_here
        for stream in desks.streams:
            if units is not None and unit_of(stream) not in units:
                copy = desks.new_copy(stream)
                self._put_copy(copy)
                await patiently(f"the copy of {copy.kind.name} cannot be made", copy.start)

    async def start_office(self) -> None:
        """Every desk of the office but the log, which catches up with the tables first."""
        desks = self._house.desks_here
        for stream in desks.streams_in(OFFICE):
            if stream != LOG:
                desk = desks.by_stream[stream]
                await patiently(f"the desk of {desk.kind.name} cannot start", desk.start)

    async def start_log(self) -> None:
        """The log catches up with the tables before they go on, and tells them of its checkpoints."""
        house, registrar = self._house, self._house.registrar
        if registrar is None:
            return
        await patiently("the log cannot start", registrar.desk.start)
        numbers = {name: desk.state.number for name, desk in house.tables.items()}
        await patiently("the log cannot catch up", partial(registrar.start, numbers))
        registrar.signed.append(house.log_signed)
        if house.cosigning is not None:
            registrar.signed.append(house.cosigning.signed)
        registrar.begin()

    async def start_table(self, name: str) -> None:
        """A table's desk, its clock, and what its last writer left undone."""
        house = self._house
        desk = house.desks_here.new_desk(table_stream(name))
        house.watch(desk)
        await patiently(f"the table {name} cannot start", desk.start)
        await self._heard_all(desk)
        desk.published = partial(house.published, name)
        desk.rebuilt = partial(house.rebuilt, name)
        house.desks_here.put(desk)
        plan = house.plans[name]
        if plan.kind == "cluster":
            house.gatherings.begin(plan)
        house.dealings[name] = Dealing(
            desk,
            house.timer,
            do=partial(house.dealt, name),
            may_start=partial(house.lets_start, name),
            tumbler=house.tumbler if plan.automatic else None,
            pace=plan.pace,
            proving=TableProving(house.store, desk, house.log_view, house.log_keeping),
        )
        house.owned.add(table_stream(name))
        await patiently(f"the table {name} cannot go on", partial(self._settle_in, name, desk))

    async def _heard_all(self, desk: Desk[Any]) -> None:
        """Whoever follows the copy hears from it all that the desk begins with."""
        copy = self._house.desks_here.by_stream.get(desk.kind.stream)
        if isinstance(copy, DeskCopy):
            copy.stands_at(desk.version)
            await copy.reach(desk.version)
            await copy.stop()

    async def _settle_in(self, name: str, desk: Desk[Any]) -> None:
        house = self._house
        await desk.ready()
        state: TableState = desk.state
        if state.settings is None:
            opened = OpenTable(by=SYSTEM, at=house.now(), settings=house.plans[name].settings)
            await house.do(TableAct(name, opened), SYSTEM, uuid4().hex)
        current = state.current
        if current and current.phase in _IN_PLAY and not current.held and not self._goes_on(desk):
            held = cmd.SuspendRound(by=SYSTEM, at=house.now())
            suspended = InRound(by=SYSTEM, at=held.at, command=held)
            await house.do(TableAct(name, suspended), SYSTEM, uuid4().hex)
        await house.plays.settle_in(name, desk.state)
        await house.allotments.settle_in(name)
        if OFFICE not in house.owned:
            await house.dice_turns.settle_in(name)

    def _goes_on(self, desk: Desk[Any]) -> bool:
        """Whether the writer before this one ended as planned, just now."""
        return desk.handed is not None and self._house.now() - desk.handed.at <= HANDED_MAX

    # While the process lives

    async def take(self, unit: str) -> None:
        """Run a unit's desks from here on; copies were followed until now."""
        house = self._house
        table = table_of(unit)
        if table is not None:
            await self.start_table(table)
            if house.deals:
                house.dealings[table].start()
            await patiently(
                "the terminals cannot be looked at", partial(house.presence.look_for_lost, [table])
            )
            return
        streams = [stream for stream in house.desks_here.streams_in(OFFICE) if stream != LOG]
        desks = [house.desks_here.new_desk(stream) for stream in streams]
        await asyncio.gather(*map(self._start_followed, desks))  # together they are one commit
        for desk in desks:
            desk.published = house.follower_of(desk.kind.stream)
            house.desks_here.put(desk)
        if house.live_names is not None:  # whoever had the office gave names that nobody here has heard of
            names = partial(house.live_names.start, house)
            await patiently("the names of players cannot be read", names)
        house.make_registrar()
        house.owned.add(OFFICE)
        await self.start_log()
        if house.deals:
            await patiently("what was agreed cannot be done", partial(carry_out_what_is_left, house))

    async def _start_followed(self, desk: Desk[Any]) -> None:
        self._house.watch(desk)
        await patiently(f"the desk of {desk.kind.name} cannot start", desk.start)
        await self._heard_all(desk)

    async def give_up(self, unit: str, to: str = "", *, lost: bool = False) -> None:
        """Run a unit no longer, and follow it as a copy: handed over in order, or lost to another process."""
        house, desks = self._house, self._house.desks_here
        house.owned.discard(unit)  # acts go elsewhere from here on
        house.allotments.forget()
        table = table_of(unit)
        if table is not None:
            dealing = house.dealings.pop(table, None)
            if dealing is not None:
                await dealing.stop()
            house.presence.forget(table)
        else:
            await house.dice_turns.rest()  # from here on a round has its dice claimed before it begins
            await house.end_registrar()
        here = [
            desk for each in desks.streams_in(unit) if isinstance(desk := desks.by_stream.get(each), Desk)
        ]
        await asyncio.gather(*(desk.stop() if lost else desk.hand_over(to) for desk in here))
        for desk in here:
            copy = desks.new_copy(desk.kind.stream)
            copy.go_on_from(desk)
            self._put_copy(copy)
            if lost:  # what the new writer did before this is heard of by nobody here
                await patiently(f"the copy of {copy.kind.name} cannot be made", copy.catch_up)

    async def void_rounds_in_play(self, by: Actor, second: Actor, reason: str) -> list[str]:
        """Two people rule that every round in play is void; returns the tables where there was one."""
        house = self._house
        voided = []
        for name, desk in house.tables.items():
            current = desk.state.current
            if current is None or current.phase not in _IN_PLAY:
                continue
            ruling = cmd.MakeRuling(by=by, at=house.now(), second=second, reason=reason, decision="void")
            ruled = InRound(by=by, at=ruling.at, command=ruling)
            answer = await house.do(TableAct(name, ruled), SYSTEM, uuid4().hex)
            if isinstance(answer, Refusal):
                raise InputError(f"the round at {name} cannot be made void: {answer.code}")
            voided.append(name)
        return voided

    def _put_copy(self, copy: DeskCopy[Any]) -> None:
        house, stream = self._house, copy.kind.stream
        copy.known_by(house.request_key)
        table = table_of(stream)
        copy.published = partial(house.heard_of, table) if table is not None else house.follower_of(stream)
        house.desks_here.put(copy)


class LogView:
    """What tables wait for in the log, wherever it is kept."""

    def __init__(self, house: "House") -> None:
        self._house = house

    def holds(self, table: str, number: int) -> bool:
        """Whether a signed checkpoint holds a round's closing, where nobody can take it back."""
        if self._house.registrar is not None:
            return self._house.registrar.holds(table, number)
        kept = self._house.desks_here.log
        places = kept.state.rounds.get((table, number)) if kept else None
        if kept is None or places is None or places.closing is None:
            return False
        return places.closing < kept.state.signed_size
