"""A desk: the single writer of one stream, such as a table's.

Commands wait in a bounded queue. The desk decides all that wait on its state in memory, makes them durable in
one commit, and only then replies. If the commit fails it drops its state and makes it again from the journal,
by itself and however long the store is away; if the commit's fate is unknown it looks its commands up first.
Those who follow the desk hear every event once, in order, also of a commit whose end was not seen.
Nothing is remembered as answered before it is durable.

A command that meets a bug of ours is answered as such and leaves nothing behind; the desk goes on. It stops
only when another desk has taken the stream, or when what is on the record can no longer be read to a state.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Generic

from taisai.errors import InputError, StoreConflict, StoreError, StoreUnavailable
from taisai.floor.desks.answers import Answers
from taisai.floor.desks.batch import Draft, LineFull, WaitingCommand, WaitingLine, check_times
from taisai.floor.desks.checkpoints import Checkpoints
from taisai.floor.desks.endings import DeskOver, DeskStopped, Fenced, OperatorNeeded, is_final
from taisai.floor.desks.incidents import Incident, OurFault, act_name
from taisai.floor.desks.kind import DeskHanded, DeskKind, DeskTaken, Outcome, S, new_event
from taisai.floor.desks.rebuilding import CannotRebuild, Rebuilding
from taisai.floor.desks.retelling import Retelling
from taisai.game.refusals import Refusal
from taisai.record.checks import check_command
from taisai.record.journal import Batch, NewEvent, StreamEvents, micros
from taisai.record.patience import pauses
from taisai.record.ports import Clock, Store, StreamMoved

log = logging.getLogger("taisai.desks")

QUEUE_MAX = 10_000
BATCH_MAX = 2_000
# After so many of a batch everybody else in the process has a turn: a few milliseconds, at every desk.
AT_ONCE = 50
TRIES_MAX = 5

Published = Callable[[list[Any], int], None]


class Desk(Generic[S]):
    """Runs one stream's state machine. Begin with `start`, ask with `ask`, end with `stop`."""

    def __init__(self, kind: DeskKind[S], store: Store, clock: Clock) -> None:
        self.kind = kind
        self.published: Published | None = None
        self.rebuilt: Callable[[int], None] | None = None
        self.met: Callable[[Incident], None] | None = None  # a bug of ours
        self.ended: Callable[[DeskStopped], None] | None = None  # for good
        self._store, self._clock = store, clock
        self._checkpoints = Checkpoints(kind, store)
        self._rebuilding = Rebuilding(kind, store, self._checkpoints)
        self._line = WaitingLine(QUEUE_MAX)
        self._retelling = Retelling(kind, store)
        self._answers = Answers(store, kind.answers | Refusal, self._retelling)
        self._state: S | None = None
        self.is_writing = False  # what it has decided since may not be durable yet
        self._version = self.epoch = self._last_at = 0
        self._taken = self.told = 0
        self.handed: DeskHanded | None = None  # what it goes on from, if the one before ended as planned
        self._task: asyncio.Task[None] | None = None
        self._broken: DeskStopped | None = None
        self.why_away: StoreError | None = None  # what the last try to make the state again met

    @property
    def state(self) -> S:
        """The state in memory. What is read here may not be durable yet; replies and published events are."""
        if self._state is None:
            raise self._broken or StoreUnavailable(f"desk {self.kind.name} is being rebuilt")
        return self._state

    @property
    def has_state(self) -> bool:
        """Whether there is a state to decide on; after a failed commit it is made again."""
        return self._state is not None

    @property
    def version(self) -> int:
        return self._version

    @property
    def stopped(self) -> bool:
        """Whether this desk will never write again."""
        return self._broken is not None

    @property
    def why_stopped(self) -> DeskStopped | None:
        return self._broken

    async def wake(self) -> None:
        """Wait until the state is there as the record has it."""
        await self.ask("", "", None)

    async def ready(self) -> None:
        """Wait for a state, if there is none just now."""
        if self._state is None:
            await self.wake()

    async def start(self) -> None:
        """Rebuild the state and take the stream, fencing off whoever wrote it before."""
        try:
            await self._take()
        except DeskOver as over:
            raise over.why from over.__cause__

    async def _take(self) -> None:
        await self._rebuild()
        for _ in range(TRIES_MAX):
            before = self.epoch
            try:
                await self._append(Draft(events=[DeskTaken(at=self._clock.now(), epoch=before + 1)]))
            except StreamMoved:
                await self._rebuild()
                if self.epoch != before:
                    raise  # another desk took it at the same moment
                continue  # the last act of a process that has just died came in late
            self.epoch = self._taken = before + 1
            self.told = self._version
            self._task = asyncio.create_task(self._run(), name=f"desk {self.kind.name}")
            return
        raise StoreUnavailable(f"desk {self.kind.name}: somebody goes on writing to {self.kind.stream}")

    async def stop(self) -> None:
        """Finish what waits, then end."""
        if self._task is not None:
            await self._line.emptied()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._broken = self._broken or DeskStopped(f"desk {self.kind.name} is closed")

    async def hand_over(self, to: str) -> None:
        """Finish what waits, say on the stream that another goes on, and end."""
        is_ours = self._broken is None
        self._broken = self._broken or DeskStopped(f"desk {self.kind.name} is handed over")
        await self.stop()
        if not is_ours or self._state is None:
            return
        try:
            await self._append(Draft(events=[DeskHanded(at=self._clock.now(), epoch=self.epoch, to=to)]))
        except StoreError as error:  # then it is as if this process had died
            log.warning("desk %s could not be handed over: %s", self.kind.name, error)
            self._state = None

    def ask(self, sender: str, command_id: str, command: Any, *, instead: Any = None) -> Awaitable[Any]:
        """Wait until a command's answer is durable. The same id again gives the same answer.

        With `instead` a command that is new is answered by this refusal, or decided in this fuller form:
        what holds now has no say in what was answered before.
        """
        if self._broken is not None or self._task is None:
            raise self._broken or DeskStopped(f"desk {self.kind.name} is not running")
        if command is not None:
            check_command(sender, command_id)
            check_times(command)
        reply, asked = asyncio.get_running_loop().create_future(), self._answers.digest(command)
        try:
            self._line.join(WaitingCommand((sender, command_id), command, asked, reply, instead))
        except LineFull:
            raise StoreUnavailable(f"desk {self.kind.name} has {QUEUE_MAX} commands waiting") from None
        return reply

    async def answered(self, sender: str, command_id: str, command: Any) -> Any:
        """What this desk answered to the same command before, or none."""
        return await self._answers.first((sender, command_id), command)

    def known_by(self, key: bytes) -> None:
        """From now on commands are known by digests that are made with this key."""
        self._answers.key = key

    async def _run(self) -> None:
        while True:
            waiting: list[WaitingCommand] = []
            try:
                await self._come_back()
                waiting = await self._line.take(BATCH_MAX)
                await self._serve(waiting)
            except DeskOver as over:
                self._end(waiting, over.why)
                return
            except Exception as error:  # the outermost loop: a bug of the desk itself
                self._state = None
                for each in waiting:
                    self._blame(each, error)
            finally:
                self._line.served(len(waiting))

    async def _come_back(self) -> None:
        """Have a state, however long the store is away. Whoever waits meanwhile is told after each try."""
        delays = pauses()
        while self._state is None:
            try:
                await self._rebuild()
            except StoreError as error:
                self.why_away = error
                told = self._line.rest()
                for each in told:
                    each.fail(error)
                self._line.served(len(told))
                await asyncio.sleep(next(delays))

    async def _serve(self, waiting: list[WaitingCommand]) -> None:
        """One batch: decide, commit, reply."""
        try:
            try:
                await self._answers.look_up_new_senders(waiting)
                await self._commit(waiting)
            except Exception as error:
                if is_final(error):
                    raise
                await self._start_over(waiting)
        except StoreUnavailable as error:
            self._give_up(waiting, error)

    async def _start_over(self, waiting: list[WaitingCommand]) -> None:
        """What the record holds decides: answer what is there, and decide the rest again.

        The cause is an id from long ago that came again, a ticket that somebody else was first to take, a
        store that was lost while it committed, or a command that made a batch which no store can take. First
        all together; if that fails too, one by one.
        """
        try:
            await self._commit_looked_up(waiting)
        except Exception as error:
            if is_final(error):
                raise
            for each in waiting:
                await self._commit_alone(each)

    async def _commit_alone(self, waiting: WaitingCommand) -> None:
        """Decide one command on what the record holds now; whoever is first again was first."""
        for attempt in range(1, TRIES_MAX + 1):
            try:
                return await self._commit_looked_up([waiting])
            except (StoreConflict, InputError) as error:
                if attempt == TRIES_MAX:
                    waiting.fail(error)
            except (StoreUnavailable, DeskOver):
                raise
            except Exception as error:
                return self._blame(waiting, error)
        return None

    async def _commit_looked_up(self, waiting: list[WaitingCommand]) -> None:
        """On the state as the record has it, so that followers have heard of all that is answered."""
        self._answers.doubt(waiting)
        self._state = None
        await self._rebuild()
        await self._answers.look_up_new_senders(waiting)
        await self._commit(waiting)

    def _give_up(self, waiting: list[WaitingCommand], error: StoreUnavailable) -> None:
        """Nobody is told that it was done. Whether it was, the same command will find out."""
        self._state = None
        for each in waiting:
            each.fail(error)

    async def _commit(self, waiting: list[WaitingCommand]) -> None:
        """All that wait; a command that meets a bug of ours is left out, and those behind it go on."""
        while waiting:
            waiting = await self._commit_until_fault(waiting)

    async def _commit_until_fault(self, waiting: list[WaitingCommand]) -> list[WaitingCommand]:
        """Decide and commit up to a command that meets a bug or ends the commit; returns those behind it."""
        draft = Draft()
        if self._state is None:
            await self._rebuild()
        await self._answers.recall(waiting)
        self.is_writing = True
        try:
            fault, place = await self._decide_all(waiting, draft)
            if draft.answers:
                await self._append(draft)
        except BaseException:
            self._state = None  # it holds what may never have happened
            raise
        finally:
            self.is_writing = False
        if fault is not None:
            return await self._leave_out(fault, waiting, place, draft)
        await self._tell_durable(draft)
        if self._checkpoints.is_due(self._version):
            await self._checkpoints.keep(self.state, self._version, self._last_at, self.epoch)
        return waiting[place:]

    async def _tell_durable(self, draft: Draft) -> None:
        """To those who wait for it, some at a time; those who follow the desk hear it before any goes on."""
        waiting = draft.waiting
        for each, reply in waiting[:AT_ONCE]:
            each.succeed(reply)
        self._publish(draft.events)
        for start in range(AT_ONCE, len(waiting), AT_ONCE):
            await asyncio.sleep(0)
            for each, reply in waiting[start : start + AT_ONCE]:
                each.succeed(reply)

    async def _leave_out(
        self, fault: Exception, waiting: list[WaitingCommand], place: int, draft: Draft
    ) -> list[WaitingCommand]:
        """What came before the fault is durable; the state holds half of what the command did."""
        self._state = None
        try:
            await self._rebuild()  # first, so that followers have heard of all that is answered
        finally:
            for each, reply in draft.waiting:
                each.succeed(reply)
            self._blame(waiting[place], fault)
        return waiting[place + 1 :]

    async def _decide_all(self, waiting: list[WaitingCommand], draft: Draft) -> tuple[Exception | None, int]:
        """Decide one after the other; the bug that one of them met, if any, and how far it went."""
        prepare, ends, settled = self.kind.prepare, self.kind.ends_commit, self._answers.settle
        state = self.state
        for place, each in enumerate(waiting):
            if place % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)
            try:
                if each.reply.done() or settled(each, draft):
                    continue
                needs = prepare(self._store, state, each.command) if prepare else None
                if needs is None or await self._prepared(each, needs):
                    self._decide(each, draft, state)
                if ends and ends(each.command):
                    return None, place + 1
            except StoreError:
                raise
            except Exception as error:
                return error, place
        return None, len(waiting)

    def _decide(self, each: WaitingCommand, draft: Draft, state: S) -> None:
        """Decide one command on the state as those before it in the batch left it."""
        if each.command is None:  # it only wants the state to be there, as the record has it
            draft.waiting.append((each, None))
            return
        asked, kind = each.command if each.instead is None else each.instead, self.kind
        version = self._version + len(draft.events) + 1
        try:
            if isinstance(asked, Refusal):
                outcome: Outcome = asked
            else:
                outcome = state.act(asked, f"{kind.name}.{version}")
            if isinstance(outcome, Refusal):
                kept = kind.written(state, each.command, outcome)
            else:
                kept = self._retelling.shortened(version) if outcome.retold else None
            draft.enter(each, outcome, kept)
        except InputError as error:  # what was asked makes no sense, and nothing was changed
            each.fail(error)

    async def _prepared(self, each: WaitingCommand, needs: Awaitable[None]) -> bool:
        """Read what a command needs; what it speaks of may not be there at all."""
        try:
            await needs
        except InputError as error:
            each.fail(error)
        return not each.reply.done()

    async def _append(self, draft: Draft) -> None:
        streams = tuple(draft.also)
        if draft.events:
            stored = tuple(map(self._stamped, draft.events))
            streams = (StreamEvents(self.kind.stream, self._version, stored), *streams)
        await self._store.append(Batch(streams, tuple(draft.transfers), tuple(draft.answers)))
        self._version += len(draft.events)
        self._answers.keep(draft.answers)

    def _stamped(self, event: Any) -> NewEvent:
        # The journal's time never goes back, even when a clock was set.
        self._last_at = max(self._last_at, micros(getattr(event, "event", event).at))
        return new_event(event, self._last_at)

    async def _rebuild(self) -> None:
        """The state as the record has it; whoever follows the desk hears what they have not heard yet."""
        try:
            made = await self._rebuilding.rebuild(told=self.told if self._taken else None)
        except CannotRebuild as error:
            raise DeskOver(OperatorNeeded(f"desk {self.kind.name} cannot be rebuilt: {error}")) from error
        if self._taken and made.epoch != self._taken:
            raise DeskOver(Fenced(f"desk {self.kind.name}: another desk has taken it"))
        self._state, self._version = made.state, made.version
        self._last_at, self.epoch, self.why_away = made.at, made.epoch, None
        if not self._taken:
            self.handed = made.handed
        if self.rebuilt:
            self._tell(self.rebuilt, made.version)
        self._publish(made.missed)

    def _publish(self, events: list[Any]) -> None:
        """What is durable now, to those who follow the desk."""
        self.told = self._version
        if events and self.published:
            self._tell(self.published, events, self._version)

    def _tell(self, follower: Callable[..., None], *what: Any) -> None:
        """Whoever follows a desk cannot keep it from going on."""
        try:
            follower(*what)
        except Exception as error:
            self._note("following", error)

    def _blame(self, each: WaitingCommand, error: Exception) -> None:
        """A command met a bug of ours: it is told so, and the same one again is not tried again."""
        if each.reply.done():
            return
        if each.command is None:
            each.fail(StoreUnavailable(f"desk {self.kind.name} is being rebuilt"))
            return
        incident = self._note(act_name(each.command), error, each)
        self._answers.keep_fault(each, OurFault(incident.number))

    def _note(self, act: str, error: Exception, each: WaitingCommand | None = None) -> Incident:
        """Say what happened, and have it kept."""
        incident = Incident(
            at=self._clock.now(),
            desk=self.kind.name,
            stream=self.kind.stream,
            version=self._version,
            epoch=self.epoch,
            act=act,
            error=error,
            sender=each.sender if each else "",
            command_id=each.command_id if each else "",
            command=each.command if each else None,
        )
        incident.say()
        if self.met:
            try:
                self.met(incident)
            except Exception:
                log.exception("incident %s could not be kept", incident.number)
        return incident

    def _end(self, waiting: list[WaitingCommand], why: DeskStopped) -> None:
        """Stop for good: a desk that was fenced off must not write, and one without a state cannot."""
        self._broken = why
        if isinstance(why, OperatorNeeded):
            self._note("rebuilding", why)
        self._state = None
        log.critical("%s", why)
        left = self._line.rest()
        for each in (*waiting, *left):
            each.fail(why)
        self._line.served(len(left))
        if self.ended:
            self._tell(self.ended, why)
