"""A dealer at a console: mostly the next act of the course of play, sometimes another or a wrong one."""

import asyncio
from typing import Any

from tests.evenings.people.irregular import PLAYERS, Irregular
from tests.evenings.people.slips import slip, wrong_slip
from tests.evenings.plan import LIKES

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
    "interrupt": 0.5,
    "excess": 1,
    "ask_second": 1.2,
    "extend": 0.3,
    "reading": 0.4,
    "leave_owing": 0.5,
    "walk_off": 0.6,
    "slip_twice": 0.4,
    "again": 1,
    "hang_up": 0.3,
    "nonsense": 0.1,
    "by_http": 1,
}
COLOURS = ("red", "blue")
_BY_HTTP = ("StartRound", "CloseBetting", "CoverTumbler", "SettleBets", "ConcludeRound", "ResumeRound")


class Dealer(Irregular):
    """Deals one table, over its console's WebSocket or over HTTP."""

    async def do_next(self) -> None:
        await self.connected()
        act = self._view.get("next_act")
        if self._round.get("phase") not in (None, "betting", "closed") and self.chance.random() < 0.15:
            await self.do_out_of_order()  # phases that are over soon
            return
        match act:
            case None:
                return
            case "MakeRuling" if self.chance.random() < 0.5:
                await asyncio.sleep(self.chance.uniform(2, 10))  # somebody in the pit asks, another agrees
            case "MakeRuling" if self.chance.random() < 0.5:
                await self.do_out_of_order()
            case "MakeRuling":
                await self.do_ask_second()
            case "CloseBetting" if self._view.get("below_minimum") and self.chance.random() < 0.4:
                await self.do_remark()
            case "CloseBetting" if self._bets_are_few():
                await self._bet_now()
            case "CloseBetting" if self._view.get("breaches"):
                excess = self.chance.choice(["reject", "leave", None])
                await self.do_act(act, **({"excess": excess} if excess else {}))
            case "ActivateTumbler":
                await self.do_act(act, tumbles=self.chance.choice([3, 3, 3, 3, 4, 2]))
            case "ExposeDice":
                await self.do_act(act, flat=self.chance.random() < 0.95)
            case "DeclareRoll":
                await self.do_act(act, roll=self.roll())
            case _:
                await self.do_act(act)

    async def do_by_http(self) -> None:
        """The same act again as the console would offer it, by the other way in."""
        act = self._view.get("next_act")
        if act in _BY_HTTP:
            await self.post(act, f"/api/v1/tables/{self.plan.table}/acts", {"act": act})

    def _slip_of(self, player: str) -> dict[str, Any]:
        return next((each for each in self._view.get("slips", []) if each["player"] == player), {})

    async def do_bet(self) -> None:
        """Register what a player puts on the felt, and before that what they buy in with."""
        await self.connected()
        if self.live_table and self._round.get("phase") == "betting" and not self._round.get("held"):
            await self._bet_now()
        else:
            await self.do_next()

    def _bets_are_few(self) -> bool:
        """Whether a dealer would still wait for more of them before the closing."""
        return self.live_table and len(self.betting_players()) < self.chance.choice([0, 1, 2, 3])

    async def _bet_now(self) -> None:
        player = self.chance.choice(PLAYERS)
        seen = self._slip_of(player)
        credit = seen.get("credit") or 0
        in_chips = self.settings.get("money") == "chips"
        if credit < 200 and (not in_chips or self.chance.random() < 0.4):
            credit = self.chance.choice([1_000, 3_000, 3_000])
            if not await self.do_act("BuyIn", player=player, amount=credit):
                return
        bets = slip(
            self.chance,
            self.settings["pay_table"],
            unit=100,
            minimum=200 if self.chance.random() < 0.75 else 100,
            credit=credit or 2_000,
        )
        await self._bet_for(player, bets, seen)

    async def _bet_for(self, player: str, bets: dict[str, int], seen: dict[str, Any]) -> None:
        version = max(self._versions.get(player, 0), seen.get("version", 0)) + 1
        self._versions[player] = version
        chips = self._chips_for(player, bets)
        more: dict[str, Any] = {"chips": chips} if chips else {}
        if self.chance.random() < 0.15:
            more["on_request"] = True  # for a player who cannot reach so far
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
        if below and self.chance.random() < 0.8:
            each = self.chance.choice(below)
            told = each["advised"] or self.chance.random() < 0.2
            act = "ReturnBelowMinimum" if told else "AdviseMinimum"
            await self.do_act(act, player=each["player"], box=each["box"])
            return
        act = self.chance.choice(["RecordDisplayFault", "RecordWalkAway", "RecordCutOff", "AdviseMinimum"])
        player = self.chance.choice(PLAYERS)
        fields: dict[str, Any] = {"what": "a lamp"} if act == "RecordDisplayFault" else {"player": player}
        if act == "AdviseMinimum":
            fields["box"] = "big"
        await self.do_act(act, **fields)

    async def do_extend(self) -> None:
        await self.do_act("ExtendBetting", seconds=self.chance.choice([3, 10, 0]))

    async def do_reading(self) -> None:
        number = self._round.get("number") or 1
        await self.do_act("ReadDice", roll=self.roll(), source="camera", round=number)

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
