"""A player at a terminal: connects, buys credits, bets, cashes out; all over one WebSocket that may break."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from tests.evenings.lines import Line, Lost, in_time
from tests.evenings.notes import Ask
from tests.evenings.oracles.told import Told
from tests.evenings.people.base import Person
from tests.evenings.people.slips import slip, wrong_slip
from tests.evenings.plan import LIKES, PersonPlan

if TYPE_CHECKING:
    from tests.evenings.world import World

LIKES["terminal"] = {
    "bet": 10,
    "bet_wrong": 1,
    "take_back": 1,
    "bet_twice": 0.3,
    "cash_in": 3,
    "cash_out": 1.5,
    "ticket_in": 1.5,
    "again": 1.5,
    "altered": 0.7,
    "ready": 6,
    "limits": 0.7,
    "confirm": 0.7,
    "attendant": 0.3,
    "service": 0.4,
    "ping": 0.3,
    "hang_up": 0.5,
    "nonsense": 0.2,
    "bet_and_go": 1,
    "receipt": 0.8,
}
_WAIT_SECONDS = 9.0


class Terminal(Person):
    """A Player Terminal and whoever sits at it."""

    def __init__(self, world: "World", plan: PersonPlan) -> None:
        super().__init__(world, plan)
        self.settings = next(table for table in world.plan.tables if table["name"] == plan.table)
        self.key: dict[str, str] | None = None
        self.told: Told | None = None
        self._line: Line | None = None
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._version = 0
        self._turned_away = False

    @property
    def sender(self) -> str:
        return f"terminal:{self.key['terminal']}" if self.key else ""

    # --- the line

    async def connected(self) -> Line:
        """The line, laid anew if it was cut."""
        if self._line is not None and not self._line.cut_here:
            return self._line
        if self.key is None:
            answer = await self.world.ask(
                self.name, "POST", "/api/v1/demo/terminal", body={"table": self.plan.table}
            )
            if answer.status != 201:
                self._turned_away = answer.json()["code"] == "terminals_full"
                raise Lost(f"no terminal: {answer.status}")
            self.key = answer.json()
            self.told = Told(self.world, self.key["terminal"], self.plan.table)
        line = Line(self.world.network, "/ws/terminal", {})
        await line.open()
        hello = {"type": "Hello", **self.key}
        if self.told and self.told.seq is not None and self.chance.random() < 0.8:
            hello["last_seq"] = self.told.seq
        await line.say(hello)
        self._line = line
        self.world.cut_offs.connected(self.key["terminal"], line)
        self.told.begins(hello.get("last_seq"), line.process)
        begun = self.told.begun
        self.world.loop.start_in(None, self._listen(line), f"{self.name} listens")
        await in_time(begun.wait())
        if self._line is not line or line.cut_here:
            raise Lost("the line was cut at once")
        return line

    async def _listen(self, line: Line) -> None:
        try:
            while True:
                text = await line.hear()
                if line is self._line and self.told is not None:
                    self._heard(msgspec.json.decode(text), text)
        except Lost:
            if line is self._line and self.told is not None:
                self.told.begun.set()
                self._line = None
                self.world.cut_offs.lost(self.key["terminal"] if self.key else "", line)
                for waiting in self._waiting.values():
                    if not waiting.done():
                        waiting.cancel()

    def _heard(self, message: dict[str, Any], text: str) -> None:
        self.world.heard(self.name, text)
        if self.told is not None:
            self.told.hear(message)
        if message["type"] == "Bye":
            self.say(f"the house says goodbye: {message['reason']}")
        waiting = self._waiting.pop(message.get("id", ""), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    # --- asking

    async def ask(self, act: str, message: dict[str, Any], *, of: str = "") -> dict[str, Any] | None:
        """Send under a fresh id and wait for the answer."""
        await self.connected()
        ask = self.world.notes.open(f"{self.sender}{of}", self.next_id(), act, message)
        self.unanswered[ask.id] = ask
        return await self.send(ask)

    async def send(self, ask: Ask, *, altered: dict[str, Any] | None = None) -> dict[str, Any] | None:
        line = await self.connected()
        message = {**(altered or ask.what), "id": ask.id}
        ask.sent += 1
        waiting = self._waiting[ask.id] = self.world.loop.create_future()
        await line.say(message)
        try:
            answer = await asyncio.wait_for(waiting, _WAIT_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            if altered is not None:
                line.cut()  # or its late answer would be taken for that to the right content
            raise Lost(f"{ask.act} as {ask.id} is not answered") from None
        self._answered(ask, answer, altered)
        return answer

    def _answered(self, ask: Ask, answer: dict[str, Any], altered: dict[str, Any] | None) -> None:
        done = answer["type"] != "Refused"
        code = "done" if done else answer["code"]
        self.say(f"{ask.act} {_short(altered or ask.what)} as {ask.id}: {code}")
        self.world.notes.told(ask, code, _lasting(answer), altered=altered is not None)
        if code != "store_unavailable" and altered is None:
            self.unanswered.pop(ask.id, None)
        if done and altered is None and self.told is not None:
            self.told.answered(ask, answer)
        if answer["type"] == "TicketIssued":
            self.world.pocket.append(answer["ticket"]["number"])

    # --- acts

    @property
    def credit(self) -> int:
        return self.told.credit if self.told else 0

    async def do_cash_in(self) -> None:
        amount = self.chance.choice([500, 1_000, 3_000, 3_000, 10_000])
        if self.chance.random() < 0.05:
            amount = self.chance.choice([0, -100])
        await self.ask("cash in", {"type": "CashIn", "amount": amount})

    def _drawn(self) -> dict[str, int]:
        return slip(self.chance, self.settings["pay_table"], unit=100, minimum=100, credit=self.credit)

    def _round(self) -> int:
        return self.told.round_number if self.told and self.told.round_number else 1

    async def do_bet(self) -> None:
        await self.connected()
        if not self.credit and self.told and not self.told.session:
            await self.do_cash_in()
        if self.settings.get("box_totals") and self.chance.random() < 0.2:
            # Two who do so have more on the box than all may have together.
            await self._place("bet", {"big": 900}, whole=True)
            return
        await self._place("bet", self._drawn())

    async def do_bet_wrong(self) -> None:
        await self.connected()
        wrong = wrong_slip(self.chance, self.settings["pay_table"], unit=100, minimum=100, credit=self.credit)
        await self._place("wrong bet", wrong, round_=self._round() + self.chance.choice([0, 0, -1, 1]))

    async def do_bet_twice(self) -> None:
        """Another slip under the version of the one before."""
        await self.connected()
        self._version -= 1
        await self._place("bet", {"small": self.chance.choice([100, 200, 300])})

    async def do_take_back(self) -> None:
        await self._place("take back", {})

    async def _place(
        self, act: str, bets: dict[str, int], *, round_: int | None = None, whole: bool = False
    ) -> None:
        self._version += 1
        await self.ask(
            act,
            {
                "type": "Place",
                "round": self._round() if round_ is None else round_,
                "version": self._version,
                "slip": bets,
                "all_or_nothing": self.chance.random() < 0.1 or whole,
            },
        )

    async def do_bet_and_go(self) -> None:
        """Bet and hang up before the answer: it is asked for again later."""
        line = await self.connected()
        self._version += 1
        what = {"type": "Place", "round": self._round(), "version": self._version, "slip": self._drawn()}
        ask = self.world.notes.open(self.sender, self.next_id(), "bet and go", what)
        self.unanswered[ask.id] = ask
        await line.say({**what, "id": ask.id})
        await asyncio.sleep(self.chance.choice([0.0, 0.02, 0.2]))
        line.cut()

    async def do_cash_out(self) -> None:
        named = {"session": self.told.session} if self.told and self.chance.random() < 0.5 else {}
        await self.ask("cash out", {"type": "CashOutAll", **named})

    async def do_ticket_in(self) -> None:
        number = self.chance.choice(self.world.pocket) if self.world.pocket else "1" * 18
        await self.ask("ticket in", {"type": "TicketIn", "number": number})

    async def do_again(self) -> None:
        own = (self.sender, f"{self.sender}:player")
        known = [ask for key, ask in self.world.notes.asks.items() if key[0] in own]
        if known:
            await self.send(self.chance.choice(known[-10:]))

    async def do_altered(self) -> None:
        kinds = ("bet", "cash in")
        known = [
            ask
            for key, ask in self.world.notes.asks.items()
            if key[0] == self.sender and ask.act in kinds and ask.first is not None
        ]
        if not known:
            return
        ask = self.chance.choice(known[-10:])
        if ask.act == "cash in":
            other = {**ask.what, "amount": ask.what["amount"] + 500}
        else:
            other = {**ask.what, "slip": {**ask.what["slip"], "big": 900}}
        if other != ask.what:
            await self.send(ask, altered=other)

    async def do_ready(self) -> None:
        line = await self.connected()
        if self.settings.get("automatic") and "betting_seconds" not in self.settings:
            what = {"type": "Ready", "round": self._round(), "ready": self.chance.random() < 0.9}
            await line.say({**what, "id": self.next_id()})

    async def do_limits(self) -> None:
        limits = {
            "loss_session": self.chance.choice([None, 500, 2_000]),
            "wager_session": self.chance.choice([None, 1_000, 5_000]),
            "minutes_session": self.chance.choice([None, None, 1]),
            "reality_check_minutes": self.chance.choice([None, 1]),
        }
        await self.ask("limits", {"type": "SetLimits", **limits}, of=":player")

    async def do_confirm(self) -> None:
        kind = self.chance.choice(["ConfirmCheck", "ConfirmCheck", "ConfirmLimits"])
        await self.ask("confirm", {"type": kind}, of=":player")

    async def do_attendant(self) -> None:
        line = await self.connected()
        await line.say({"type": "CallAttendant", "wanted": self.chance.random() < 0.6})

    async def do_service(self) -> None:
        line = await self.connected()
        state = self.chance.choice(["in-service", "in-service", "door-open", "printer-fault"])
        await line.say({"type": "Service", "state": state})

    async def do_ping(self) -> None:
        line = await self.connected()
        await line.say({"type": "Ping", "t": 1})

    async def do_hang_up(self) -> None:
        if self._line is not None:
            self._line.cut()

    async def do_nonsense(self) -> None:
        line = await self.connected()
        await line.say(
            self.chance.choice([{"type": "Nothing"}, [1, 2], {"type": "Place", "id": 7}, {"type": "Hello"}])
        )

    async def do_receipt(self) -> None:
        """Take the proof of some slip, if it is there yet."""
        if self.told and self.told.receipts:
            await self._take_receipt(self.chance.choice(list(self.told.receipts)))

    async def _take_receipt(self, address: str) -> bool:
        answer = await self.world.ask(self.name, "GET", address)
        if answer.status == 200:
            self.world.proofs.receipt(self.name, address, answer.body)
        return answer.status == 200

    async def settle(self) -> None:
        if self._turned_away:
            return
        await self.connected()
        for address in list(self.told.receipts)[-1:] if self.told else []:
            if not await self._take_receipt(address):
                raise Lost(f"there is no receipt at {address}")
        for ask in list(self.unanswered.values()):
            await self.send(ask)
            if ask.id in self.unanswered:
                raise Lost(f"{ask.act} as {ask.id} is not answered")


def _lasting(answer: dict[str, Any]) -> Any:
    match answer["type"]:
        case "SlipRegistered":
            return [answer["round"], answer["version"], answer["slip"], answer["cuts"]]
        case "TicketIssued":
            return [answer["ticket"]["number"], answer["ticket"]["amount"]]
        case "Refused":
            return answer["code"]
        case _:
            return None


def _short(what: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in what.items() if name not in ("type", "id"))
