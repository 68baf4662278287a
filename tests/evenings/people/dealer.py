"""A dealer at a console: mostly the next act of the course of play, sometimes another or a wrong one."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from tests.evenings.lines import Line, Lost, in_time
from tests.evenings.notes import Ask
from tests.evenings.people.base import Staff
from tests.evenings.people.slips import slip, wrong_slip
from tests.evenings.plan import LIKES, PersonPlan

if TYPE_CHECKING:
    from tests.evenings.world import World

LIKES["dealer"] = {
    "next": 14,
    "bet": 6,
    "bet_wrong": 0.5,
    "buy_in": 2,
    "cash_out": 0.7,
    "seat": 1,
    "colour": 1.5,
    "remark": 1,
    "out_of_order": 2.5,
    "void": 0.4,
    "early": 0.2,
    "interrupt": 0.4,
    "excess": 1.5,
    "ask_second": 1,
    "extend": 0.3,
    "reading": 0.4,
    "leave_owing": 0.5,
    "slip_twice": 0.4,
    "again": 1,
    "hang_up": 0.3,
    "nonsense": 0.1,
    "by_http": 1,
}
PLAYERS = ("ann", "bob", "cat", "dan")
COLOURS = ("red", "blue")
_WAIT_SECONDS = 9.0
_OUT_OF_ORDER = (
    "StartRound", "CloseBetting", "CoverTumbler", "ExposeDice", "SettleBets", "ConcludeRound", "ResumeRound",
    "SuspendRound",
)  # fmt: skip


class Dealer(Staff):
    """Deals one table, over its console's WebSocket or over HTTP."""

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

    # --- acts

    def _roll(self) -> list[int]:
        if self.chance.random() < 0.2:
            return [self.chance.randint(1, 6)] * 3
        return [self.chance.randint(1, 6) for _ in range(3)]

    async def do_next(self) -> None:
        await self.connected()
        act = self._view.get("next_act")
        match act:
            case None | "MakeRuling":
                return
            case "ActivateTumbler":
                await self.do_act(act, tumbles=self.chance.choice([3, 3, 3, 3, 4, 2]))
            case "ExposeDice":
                await self.do_act(act, flat=self.chance.random() < 0.95)
            case "DeclareRoll":
                await self.do_act(act, roll=self._roll())
            case "CloseBetting" if self._view.get("breaches"):
                await self.do_act(act, excess=self.chance.choice(["reject", "leave"]))
            case _:
                await self.do_act(act)

    async def do_by_http(self) -> None:
        """The same act again as the console would offer it, by the other way in."""
        act = self._view.get("next_act")
        if act in (
            "StartRound",
            "CloseBetting",
            "CoverTumbler",
            "SettleBets",
            "ConcludeRound",
            "ResumeRound",
        ):
            await self.post(act, f"/api/v1/tables/{self.plan.table}/acts", {"act": act})

    def _slip_of(self, player: str) -> dict[str, Any]:
        return next((each for each in self._view.get("slips", []) if each["player"] == player), {})

    async def do_bet(self) -> None:
        await self.connected()
        if not self.live_table or self._round.get("phase") != "betting":
            await self.do_next()
            return
        player = self.chance.choice(PLAYERS)
        seen = self._slip_of(player)
        credit = seen.get("credit")
        if not credit and self.settings.get("money") != "chips":
            await self.do_buy_in()
            return
        bets = slip(
            self.chance,
            self.settings["pay_table"],
            unit=100,
            minimum=200 if self.chance.random() < 0.85 else 100,
            credit=credit or 2_000,
        )
        await self._bet_for(player, bets, seen)

    async def _bet_for(self, player: str, bets: dict[str, int], seen: dict[str, Any]) -> None:
        version = max(self._versions.get(player, 0), seen.get("version", 0)) + 1
        self._versions[player] = version
        chips = self._chips_for(player, bets)
        more = {"chips": chips} if chips else {}
        await self.do_act("PlaceBets", player=player, slip=bets, version=version, **more)

    def _chips_for(self, player: str, bets: dict[str, int]) -> dict[str, Any] | None:
        for colour in self._view.get("colours", []):
            if colour["player"] == player and self.chance.random() < 0.7:
                boxes = {box: amount for box, amount in bets.items() if amount % colour["value"] == 0}
                return {"colour": colour["colour"], "value": colour["value"], "boxes": boxes}
        return None

    async def do_bet_wrong(self) -> None:
        await self.connected()
        player = self.chance.choice((*PLAYERS, "nobody"))
        bets = wrong_slip(self.chance, self.settings["pay_table"], unit=100, minimum=200, credit=5_000)
        await self._bet_for(player, bets, self._slip_of(player))

    async def do_buy_in(self) -> None:
        amount = self.chance.choice([1_000, 3_000, 3_000, 20_000, 0])
        await self.do_act("BuyIn", player=self.chance.choice(PLAYERS), amount=amount)

    async def do_cash_out(self) -> None:
        await self.connected()
        player = self.chance.choice(PLAYERS)
        if self.settings.get("money") == "chips":
            await self.do_act("CashOut", player=player, chips=self.chance.choice([200, 1_000, 50_000]))
            return
        await self.do_act("CashOut", player=player)
        if self.chance.random() < 0.3:
            await self.do_act("LeaveTable", player=player)

    async def do_seat(self) -> None:
        act = self.chance.choice(["TakeSeat", "TakeSeat", "LeaveSeat"])
        fields: dict[str, Any] = {"seat": self.chance.choice([1, 2, 3, 99])}
        if act == "TakeSeat" and self.chance.random() < 0.8:
            fields["player"] = self.chance.choice((*PLAYERS, *self.world.registered))
        await self.do_act(act, **fields)

    async def do_colour(self) -> None:
        await self.connected()
        if not self._view.get("colour_chips") and self.chance.random() < 0.9:
            return
        act = self.chance.choice(["IssueColour", "IssueColour", "ChangeBack", "PayInColour", "CollectColour"])
        more = {"value": self.chance.choice([100, 200])} if act == "IssueColour" else {}
        colour, player = self.chance.choice(COLOURS), self.chance.choice(PLAYERS)
        out = self._view.get("colours", [])
        if out and self.chance.random() < 0.7:
            known = self.chance.choice(out)
            colour, player = known["colour"], known["player"]
        chips = self.chance.choice([1, 5, 20])
        await self.do_act(act, colour=colour, player=player, chips=chips, **more)

    async def do_remark(self) -> None:
        await self.connected()
        below = self._view.get("below_minimum", [])
        if below and self.chance.random() < 0.7:
            each = self.chance.choice(below)
            act = "ReturnBelowMinimum" if each["advised"] else "AdviseMinimum"
            await self.do_act(act, player=each["player"], box=each["box"])
            return
        act = self.chance.choice(["RecordDisplayFault", "RecordWalkAway", "RecordCutOff", "AdviseMinimum"])
        player = self.chance.choice(PLAYERS)
        fields: dict[str, Any] = {"what": "a lamp"} if act == "RecordDisplayFault" else {"player": player}
        if act == "AdviseMinimum":
            fields["box"] = "big"
        await self.do_act(act, **fields)

    async def do_out_of_order(self) -> None:
        """Any act, whatever the round stands at."""
        player, box = self.chance.choice(PLAYERS), self.chance.choice(["big", "small"])
        with_fields: list[tuple[str, dict[str, Any]]] = [
            ("DeclareRoll", {"roll": self._roll()}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("AdviseMinimum", {"player": player, "box": box}),
            ("ReturnBelowMinimum", {"player": player, "box": box}),
            ("RejectExcess", {"on": box}),
            ("VoidRound", {"ground": "not-flat"}),
            ("RecordWalkAway", {"player": player}),
            ("CorrectBets", {"player": player, "slip": {box: 200}, "reason": "felt"}),
            ("RecordDisplayFault", {"what": "a lamp", "kind": "lamps"}),
            ("InterruptRound", {"known": [self.chance.randint(1, 6)], "readable": False}),
            ("PlaceBets", {"player": player, "slip": {box: 200}, "version": self.chance.randint(1, 40)}),
        ]
        plain: list[tuple[str, dict[str, Any]]] = [(act, {}) for act in _OUT_OF_ORDER]
        act, fields = self.chance.choice([*plain, *with_fields])
        await self.do_act(act, **fields)

    async def do_void(self) -> None:
        ground = self.chance.choice(["too-few-tumbles", "not-flat", "exposed-early", "activated-early"])
        await self.do_act("VoidRound", ground=ground)

    async def do_early(self) -> None:
        """Dice before the closing: covered dice may tumble, exposed ones void."""
        await self.connected()
        if self._round.get("phase") == "betting":
            act = self.chance.choice(["ActivateTumbler", "ExposeDice", "CoverTumbler"])
            fields = (
                {"tumbles": 3, "uncovered": self.chance.random() < 0.3} if act == "ActivateTumbler" else {}
            )
            await self.do_act(act, **fields)

    async def do_interrupt(self) -> None:
        known = [self.chance.randint(1, 6) for _ in range(self.chance.choice([0, 1, 2, 2, 3]))]
        await self.do_act("InterruptRound", known=known, readable=self.chance.random() < 0.4)

    async def do_excess(self) -> None:
        await self.connected()
        breaches = self._view.get("breaches", [])
        on = self.chance.choice(breaches)["on"] if breaches else "big"
        await self.do_act("RejectExcess", on=on)

    async def do_ask_second(self) -> None:
        """What takes two people, asked for by the dealer."""
        number = max(1, (self._round.get("number") or 1) - self.chance.choice([0, 0, 1, 3]))
        what = self.chance.choice(["CorrectResult", "CorrectBets", "ReportDamagedDice"])
        fields: dict[str, Any] = {"reason": "the film"}
        match what:
            case "CorrectResult":
                fields["roll"] = self._roll()
            case "CorrectBets":
                fields |= {"player": self.chance.choice(PLAYERS), "slip": {"big": 400}}
            case _:
                fields["rounds"] = [number]
        await self.do_act(what, number, **fields)

    async def do_leave_owing(self) -> None:
        """Somebody takes what they have and goes; the film then shows other dice for the round before."""
        await self.connected()
        number = self._round.get("number")
        players = [each["player"] for each in self._view.get("slips", [])]
        if not number or not players or not self.live_table:
            return
        player = self.chance.choice(players)
        for act in self.chance.choice([("CashOut", "LeaveTable"), ("LeaveTable", "CashOut"), ("CashOut",)]):
            await self.do_act(act, player=player)
        earlier = max(1, number - self.chance.choice([0, 1]))
        await self.do_act("CorrectResult", earlier, roll=self._roll(), reason="the film")

    async def do_slip_twice(self) -> None:
        """Another slip under the version of the one before."""
        await self.connected()
        for seen in self._view.get("slips", [])[:1]:
            if self.live_table and seen.get("version"):
                slip_ = {"small": self.chance.choice([200, 300, 400])}
                version = seen["version"]
                await self.do_act("PlaceBets", player=seen["player"], slip=slip_, version=version)

    async def do_extend(self) -> None:
        await self.do_act("ExtendBetting", seconds=self.chance.choice([3, 10, 0]))

    async def do_reading(self) -> None:
        number = self._round.get("number") or 1
        await self.do_act("ReadDice", roll=self._roll(), source="camera", round=number)

    async def do_again(self) -> None:
        await self.again()

    async def do_hang_up(self) -> None:
        if self._line is not None:
            self._line.cut()

    async def do_nonsense(self) -> None:
        line = await self.connected()
        await line.say(
            self.chance.choice([{"type": "Nothing"}, {"type": "ConsoleAct", "id": "", "act": "x"}])
        )

    async def settle(self) -> None:
        """At a live table the dealer resumes what a restart has suspended, and everything is answered."""
        await super().settle()
        await self.connected()
        if self._view.get("next_act") == "ResumeRound" and self._round.get("held") == "suspended":
            await self.do_act("ResumeRound")
