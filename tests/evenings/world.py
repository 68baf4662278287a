"""One evening: a house, its people and what goes wrong, on one virtual clock, and all of it watched."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from hashlib import sha256
from typing import Any

from taisai.bootstrap import first_logins
from taisai.cli.serving import EVERYONE
from taisai.floor.audit.whole import audit
from taisai.game.people import Role
from taisai.record.journal import Commit
from taisai.server.config import Config, load_config
from tests.evenings.bus import Bus
from tests.evenings.faults import LINES_ONLY, Faults
from tests.evenings.gateways import Gateways
from tests.evenings.in_flight import GROUP_OF
from tests.evenings.keys import QuickKeys
from tests.evenings.lines import HOST, Lost, Network, Response
from tests.evenings.log_files import ShownLog
from tests.evenings.loop import Process, VirtualLoop
from tests.evenings.marks import Marks
from tests.evenings.notes import Notes
from tests.evenings.oracles.cut_offs import CutOffs
from tests.evenings.oracles.heard import Heard
from tests.evenings.oracles.history import History
from tests.evenings.oracles.limits import OwnLimits
from tests.evenings.oracles.people import TwoPeople
from tests.evenings.oracles.proofs import Proofs
from tests.evenings.oracles.record import Answers, Books, Chains, Reader, Tickets, facts_of
from tests.evenings.oracles.rounds import Purses, Rounds
from tests.evenings.oracles.writers import Writers
from tests.evenings.people import everyone
from tests.evenings.people.base import Person
from tests.evenings.people.terminal import Terminal
from tests.evenings.plan import Plan
from tests.evenings.process import Server
from tests.evenings.reserve import Reserve
from tests.evenings.standby import Standby
from tests.evenings.store import Disk
from tests.evenings.streams import Streams

# After the last fault everything that was asked is answered within so many seconds, and every table deals.
CALM_SECONDS = 30.0
_STARTS_MAX = 5  # after the last fault


class Violation(Exception):
    """Something that must always hold did not."""


class World:
    """Everything there is in one evening."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.streams = plan, Streams(plan.seed)
        self.loop = VirtualLoop(self.streams["order"] if plan.shuffled else None)
        self.faults = Faults(plan, self.streams, self.tell)
        self.faults.on_strike, self.faults.now = self._struck, self.loop.time
        self.violations: list[str] = []
        self.story: list[str] = []
        self.marks = Marks()
        self.figures: Counter[str] = Counter()
        self.disk = Disk()
        self.disk.log = ShownLog() if plan.proof else None
        self.disk.standby = Standby(self.loop, self.faults) if plan.standby else None
        self.disk.watchers.append(self._committed)
        self.network = Network(self.loop, self.faults)
        self._trace = sha256()
        self.config = config_of(plan)
        self.positions = _positions(plan)
        self._oracles()
        self.logins: dict[str, str] = {}
        self.pocket: list[str] = []  # numbers of tickets that somebody holds
        self.registered: list[str] = []  # players whom the house knows
        self.newcomers: dict[str, str] = {}  # people who join the staff, and their passwords
        self.acts = 0
        self.done: dict[str, list[int]] = {}  # the numbers of the acts that each person came to
        self.over = False
        self._processes: dict[Process, Server] = {}
        self._died, self._starting, self._calm_starts = asyncio.Event(), asyncio.Lock(), 0
        self.bus = Bus(self.loop, self.faults) if plan.gateways else None
        self.gateways = Gateways(self) if plan.gateways else None
        self.reserve = Reserve(self) if plan.reserve else None
        self.people: list[Person] = everyone(self)

    def _oracles(self) -> None:
        self.answers, self.books = Answers(self.violate), Books(self.violate)
        self.rounds = Rounds(self.violate)
        self.history = History(self.books, self.answers)
        second_from = self.config.tickets.second_from_minor
        self.readers: list[Reader] = [
            self.answers,
            Chains(self.violate),
            self.books,
            Tickets(self.violate, self.books),
            self.rounds,
            Purses(self.violate, self.books),
            TwoPeople(self.violate, dict(self.positions), second_from),
            self.history,
        ]
        self.listening, self.cut_offs = Heard(self.violate), CutOffs(self)
        self.proofs = Proofs(self, self.disk.log)
        self.readers += [self.cut_offs, OwnLimits(self.violate), Writers(self.violate)]
        self.notes = Notes(self.answers, self.violate, self.marks.add)

    # --- what is seen

    def tell(self, what: str) -> None:
        self.story.append(f"{self.loop.time():9.3f}  {what}")

    def violate(self, what: str) -> None:
        self.violations.append(what)
        self.tell(f"VIOLATION: {what}")

    def _committed(self, commit: Commit) -> None:
        self._trace.update(commit.digest)
        self.figures["commits"] += 1
        facts = facts_of(commit)
        for reader in self.readers:
            try:
                reader.read(commit, facts)
            except Exception as error:  # it must not reach the house, which would take it for its own
                self.violate(f"{type(reader).__name__} cannot follow: {error!r}")
        for fact in facts:
            self.marks.add("event", fact.name)
        for answer in commit.answers:
            code = self.answers.told[answer.sender, answer.id].get("code")
            if code:
                self.marks.add("refusal", code)

    def heard(self, who: str, text: str) -> None:
        """A message that reached somebody; all of them together are the evening's fingerprint."""
        self.figures["messages"] += 1
        self._trace.update(f"{who} {text}\n".encode())

    def _struck(self, kind: str) -> None:
        self.figures["faults"] += 1
        if kind not in LINES_ONLY:
            self.faults.last_at = max(self.faults.last_at, self.loop.time())
        self.marks.add("fault", kind)
        for person in self.people:
            if person.doing:
                self.marks.add("fault", kind, GROUP_OF[person.doing])

    async def ask(self, who: str, method: str, path: str, **more: Any) -> Response:
        """An HTTP exchange of somebody's; what must never come back is a violation."""
        response = await self.network.ask(method, path, **more)
        self.figures["requests"] += 1
        self.heard(who, f"{method} {path} {response.status}")
        if response.status >= 400 and (problem := response.json()):
            self.marks.add("refusal", str(problem.get("code")))
        if response.status >= 500 and response.status != 503:
            self.violate(f"{method} {path} answered {response.status}")
        if response.status == 503 and self.faults.calm and self.over:
            self.tell(f"{who}: {method} {path} answered 503 in the calm")
        return response

    def terminals(self) -> list[Terminal]:
        return [person for person in self.people if isinstance(person, Terminal)]

    def sessions(self, table: str) -> list[str]:
        """The sessions that terminals of a table were told of."""
        told = [each.told for each in self.terminals() if each.plan.table == table and each.told]
        return [each.session for each in told if each.session]

    # --- processes

    def new_server(self, *, waits: bool = False) -> Server:
        off = 0.0
        # Gateways and desks are set by the same time; one that is not refuses to serve.
        if self._processes and not self.bus and self.faults.strikes("clock off after a start"):
            off = self.faults.draw("clock off", -90, 90)
            self.tell(f"the clock of the next process is off by {off:.1f} s")
        process = Process(f"server {len(self._processes) + 1}", off)
        server = Server(
            self.loop, self.config, self.disk, process, self.faults, self.kill, bus=self.bus, waits=waits
        )
        self._processes[process] = server
        return server

    def new_gateway(self, number: int, life: int) -> Server:
        """Another life of a gateway; it is on the same bus as the desks."""
        process = Process(f"gateway {number}, life {life}")
        server = Server(
            self.loop, self.config, self.disk, process, self.faults, self.kill, bus=self.bus, gateway=number
        )
        self._processes[process] = server
        return server

    def kill(self, process: Process, when: str) -> None:
        if process.alive:
            self.tell(f"{process.name} is killed {when}")
            self.figures["kills"] += 1
            self._processes[process].kill()
            self._died.set()

    async def keep_running(self) -> None:
        """Whoever runs the house starts it again, as often as it takes."""
        while not self.over:
            server = self.network.server
            if server is not None and server.ready:
                self._died.clear()
                await self._died.wait()
                continue
            await asyncio.sleep(self.faults.draw("restart", 0.3, 3))
            async with self._starting:
                if not (self.network.server and self.network.server.ready):
                    await self._start_again()

    async def _start_again(self) -> None:
        self._calm_starts += self.faults.calm
        if self._calm_starts > _STARTS_MAX:
            self.violate(f"the house did not come up in {_STARTS_MAX} starts")
            self.over = True
            return
        self.network.server = self.new_server()
        if await self.network.server.start():
            self.tell(f"{self.network.server.process.name} serves")
        elif self.network.server.process.alive:
            self.start_failed(self.network.server)

    def start_failed(self, server: Server) -> None:
        """Only the store can keep a house from starting, and in the calm nothing."""
        why = server.failed
        self.tell(f"{server.process.name} did not start: {why}")
        if server.began_calm or ("StoreUnavailable" not in why and "FateUnknown" not in why):
            self.violate(f"a start failed: {why}")
        server.kill()

    async def operate(self) -> None:
        """What whoever runs the house does to it: restarts, and a second process by mistake."""
        while not self.over:
            await asyncio.sleep(1.0)
            if self.faults.strikes("stopped in order"):
                await self.stop_in_order()
            if self.faults.strikes("second process"):
                await self._start_second()
            if self.faults.strikes("taken over"):
                await self._take_over()
            if self.gateways:
                self.gateways.disturb()

    async def _start_second(self) -> None:
        """On a record that is in use it must not start, and the first must notice nothing."""
        first = self.network.server
        if self.reserve or first is None or not first.ready or self.disk.holder is not first.process:
            return  # nobody has the record open: whoever took it over last has died at it
        commits = self.figures["commits"]
        second = self.new_server()
        if await second.start() and self.network.server.ready:
            self.violate("a second process started on a record that is in use")
        elif second.process.alive and "already being written" not in second.failed:
            self.violate(f"a second process ended with {second.failed}")
        self.tell(f"{second.process.name} was one too many ({self.figures['commits'] - commits} commits)")
        second.kill()

    async def _take_over(self) -> None:
        """Another process takes the record though the first lives, as after a lease that ran out."""
        async with self._starting:
            first = self.network.server
            if first is not None and first.ready:
                await self._take_over_from(first)

    async def _take_over_from(self, first: Server) -> None:
        self.disk.holder, first.process.replaced = None, True
        if self.reserve:
            return  # whoever stands by takes it
        second = self.new_server()
        if await second.start():
            self.network.server = second
            self.tell(f"{second.process.name} has taken over from {first.process.name}")
            for line in list(first.lines):
                line.cut()
            first.ready = False
            return
        if second.process.alive:
            self.tell(f"{second.process.name} could not take over: {second.failed}")
            second.kill()
        if self.bus:  # whoever has lost its lease ends, though nobody has it now
            self.kill(first.process, "by itself: its lease is gone")

    async def stop_in_order(self) -> None:
        """The house is restarted by whoever runs it."""
        server = self.network.server
        if server is not None and server.ready:
            self.tell(f"{server.process.name} is stopped in order")
            self.figures["stops"] += 1
            await server.stop()
            self._died.set()

    # --- the evening

    async def play(self) -> None:
        """From the opening to the calm at the end."""
        await self._open()
        self.faults.calm = False
        keeping = self.reserve.keep() if self.reserve else self.keep_running()
        running = self.loop.start_in(None, keeping, "keeps the house running")
        operating = self.loop.start_in(None, self.operate(), "operates")
        if self.gateways:
            await self.gateways.open()
        living = [self.loop.start_in(None, person.live(), person.name) for person in self.people]
        living_all = asyncio.gather(*living)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(living_all), self.plan.seconds)
        await self._calm(living_all)
        self.over = True
        running.cancel()
        operating.cancel()
        if self.reserve:
            self.reserve.close()
        if self.gateways:
            await self.gateways.close()
        if self.network.server is not None and self.network.server.ready:
            await self.network.server.stop()
        self.listening.check()
        self.proofs.check_log()
        await self._audit()

    async def _open(self) -> None:
        self.network.server = self.new_server()
        if not await self.network.server.start():
            raise Violation(f"the house did not open: {self.network.server.failed}")
        people = {name: Role(role) for name, role in self.positions.items()}
        server = self.network.server
        self.logins = await self._inside(
            server, first_logins(server.parts, self.config.staff_policy, people, must_change=False)
        )

    async def _inside(self, server: Server, work: Coroutine[Any, Any, Any]) -> Any:
        return await self.loop.start_in(server.process, work, "inside")

    async def _calm(self, living: "asyncio.Future[Any]") -> None:
        """No more faults: everyone is answered, every desk has a state, every table goes on."""
        self.faults.calm = True
        self.tell("from here on nothing goes wrong")
        began = self.loop.time()
        rounds = dict(self.rounds.latest)
        await asyncio.wait_for(living, 300)
        await asyncio.gather(*(self._settle(person, began) for person in self.people))
        await self._automatic_tables_deal(rounds, began)
        server = self.network.server
        if server is None or not server.ready:
            self.violate("the house does not serve after the last fault")
            return
        for desk in server.parts.house.desks():
            if desk.stopped or not desk.has_state:
                self.violate(f"the desk of {desk.kind.name} has no state after the last fault")

    def is_rebuilt(self, table: str) -> bool:
        """Whether a table's desk is being made again from the record, and knows nothing until it is."""
        server = self.network.server
        desk = server.parts.house.tables.get(table) if server is not None and server.ready else None
        return desk is not None and not desk.has_state

    async def _settle(self, person: Person, began: float) -> None:
        """Nothing stays unanswered for longer than it may."""
        why = ""
        while self.loop.time() - began < CALM_SECONDS:
            try:
                await person.settle()
                return
            except Lost as lost:
                why = str(lost)
                await asyncio.sleep(0.5)
        self.violate(f"somebody is not served after the last fault ({person.name}: {why})")

    async def _automatic_tables_deal(self, before: dict[str, int], began: float) -> None:
        waiting = [
            table["name"]
            for table in self.plan.tables
            if table.get("automatic") and "betting_seconds" in table and not self.plan.house.get("pit")
        ]
        while waiting and self.loop.time() - began < 2 * CALM_SECONDS:
            await asyncio.sleep(1.0)
            waiting = [name for name in waiting if self.rounds.latest.get(name, 0) <= before.get(name, 0)]
            waiting = [name for name in waiting if name not in self.shut]
        for name in waiting:
            self.violate(f"{name} deals no more after the last fault")

    @property
    def shut(self) -> set[str]:
        """Tables that people have closed or found at fault, or whose round people hold."""
        server = self.network.server
        if server is None or not server.ready:
            return set()
        found = set()
        for name, desk in server.parts.house.tables.items():
            if desk.has_state:
                current = desk.state.current
                if server.parts.house.may_start(name) is not None:
                    found.add(name)
                if desk.state.closed or (current and (current.held == "interrupted" or current.known)):
                    found.add(name)
                if current and str(current.phase) == "awaiting-ruling":
                    found.add(name)
        return found

    async def _audit(self) -> None:
        from taisai.adapters.memory import MemorySnapshot

        try:
            await audit(MemorySnapshot(self.disk.frozen()), QuickKeys())
        except Exception as fault:
            self.violate(f"the audit finds a fault: {type(fault).__name__}: {fault}")

    @property
    def fingerprint(self) -> str:
        return self._trace.hexdigest()


def config_of(plan: Plan) -> Config:
    """The settings of an evening's house."""
    sections: dict[str, Any] = {name: dict(values) for name, values in plan.house.items()}
    base = {
        **sections,
        "house": {"name": "An evening", "play_money": True, **sections.get("house", {})},
        "server": {
            "database": "sqlite:///nowhere.db",
            "login_tries_per_minute": 100_000,
            "redeem_tries_per_minute": 100_000,
            "visitors_per_minute": 100_000,
            "allowed_hosts": [HOST],
        },
        "dice": {"source": "system"},
        "practice": {"tables": 0, **sections.get("practice", {})},
        "table": plan.tables,
    }
    if plan.gateways:
        base["server"]["database"] = "postgresql://nowhere/house"
        base["cluster"] = {"nats": ["nats://bus:4222"], "replicas_min": 0}
    return load_config(None, {}, base=base)


def _positions(plan: Plan) -> dict[str, str]:
    """Everybody of the staff and their position; each table without a machine has its own dealer."""
    found = {name: str(role) for name, role in EVERYONE.items()}
    found.update({person.name: "dealer" for person in plan.people if person.kind == "dealer"})
    return found
