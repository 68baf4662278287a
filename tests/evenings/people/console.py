"""A console: its WebSocket, what it shows, and acts that are sent over it or over HTTP."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from tests.evenings.lines import Line, Lost, in_time
from tests.evenings.notes import Ask
from tests.evenings.people.base import Staff
from tests.evenings.plan import PersonPlan

if TYPE_CHECKING:
    from tests.evenings.world import World

_WAIT_SECONDS = 9.0


class Console(Staff):
    """Somebody at the console of one table."""

    def __init__(self, world: "World", plan: PersonPlan) -> None:
        super().__init__(world, plan)
        self.settings = next(table for table in world.plan.tables if table["name"] == plan.table)
        self._line: Line | None = None
        self._view: dict[str, Any] = {}
        self._round: dict[str, Any] = {}
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._versions: dict[str, int] = {}
        self._seen = asyncio.Event()
        self._seqs: list[int] = []
        self._shown = 0

    @property
    def live_table(self) -> bool:
        return bool(self.settings["kind"] == "live")

    # --- the console

    async def connected(self) -> Line:
        if self._line is not None and not self._line.cut_here:
            return self._line
        if not self.logged_in and not await self.log_in():
            raise Lost("not logged in")
        line = Line(self.world.network, "/ws/console", self.headers())
        try:
            await line.open()
        except Lost:
            self._cookie = ""
            raise
        await line.say({"type": "Hello", "table": self.plan.table})
        self._line, self._seen = line, asyncio.Event()
        self._seqs = self.world.listening.line(self.name, self.plan.table, line.process)
        self.world.loop.start_in(None, self._listen(line), f"{self.name} listens")
        await in_time(self._seen.wait())
        if line.cut_here:
            raise Lost("the line was cut at once")
        return line

    async def _listen(self, line: Line) -> None:
        try:
            while True:
                text = await line.hear()
                if line is self._line:
                    self._heard(msgspec.json.decode(text), text)
        except Lost:
            if line is self._line:
                self._line = None
                self._seen.set()
                for waiting in self._waiting.values():
                    if not waiting.done():
                        waiting.cancel()

    def _heard(self, message: dict[str, Any], text: str) -> None:
        self.world.heard(self.name, text)
        match message["type"]:
            case "ConsoleView":
                self._view = message
                self._seen.set()
            case "Snapshot":
                self._round, self._shown = message["table"]["round"] or {}, message["seq"]
            case "RoundChanged":
                self._round = message["round"]
                self._count(message["seq"])
            case "TableChanged":
                self._round = message["table"]["round"] or {}
                self._count(message["seq"])
            case "Bye":
                self.say(f"the house says goodbye: {message['reason']}")
                if message["reason"] == "session-ended":
                    self._cookie = ""
        waiting = self._waiting.pop(message.get("id", ""), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def _count(self, seq: int) -> None:
        if seq > self._shown:
            self._seqs.append(seq)

    async def do_act(self, act: str, round_: int | None = None, **fields: Any) -> dict[str, Any] | None:
        """One act at the console, under an id of its own."""
        await self.connected()
        what = {"act": act, "fields": fields, "round": round_}
        path = f"/api/v1/tables/{self.plan.table}/acts"
        ask = self.world.notes.open(self.sender, self.next_id(), act, what, path)
        self.unanswered[ask.id] = ask
        if self.chance.random() < 0.1:
            return await self.send(ask)
        return await self.say_act(ask)

    async def say_act(self, ask: Ask) -> dict[str, Any] | None:
        line = await self.connected()
        ask.sent += 1
        waiting = self._waiting[ask.id] = self.world.loop.create_future()
        await line.say({"type": "ConsoleAct", "id": ask.id, **ask.what})
        try:
            answer = await asyncio.wait_for(waiting, _WAIT_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            raise Lost(f"{ask.act} as {ask.id} is not answered") from None
        done = answer["type"] != "Refused"
        code = "done" if done else answer["code"]
        self.say(f"{ask.act} {ask.what['fields']} as {ask.id}: {code}")
        lasting = answer.get("happened") or answer.get("approval")
        self.world.notes.told(ask, code, lasting if done else None)
        if code not in ("store_unavailable", "session_ended"):
            self.unanswered.pop(ask.id, None)
        return answer if done else None

    def _lasting(self, ask: Ask, raw: dict[str, Any]) -> Any:
        return raw.get("happened") or raw.get("approval")
