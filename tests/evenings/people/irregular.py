"""What does not go as it should at a table: voids, interruptions, corrections, people who walk away."""

import asyncio
from typing import Any

from tests.evenings.people.base import IDENTITY
from tests.evenings.people.console import Console

PLAYERS = ("ann", "bob", "cat", "dan")
_PLAIN = (
    "StartRound", "CloseBetting", "CoverTumbler", "ExposeDice", "SettleBets", "ConcludeRound", "ResumeRound",
    "SuspendRound",
)  # fmt: skip
_GROUNDS = ("too-few-tumbles", "not-flat", "exposed-early", "activated-early")


class Irregular(Console):
    """A dealer's acts beside the course of play."""

    def roll(self) -> list[int]:
        """Dice as they come, with more triples among them than dice have."""
        if self.chance.random() < 0.2:
            return [self.chance.randint(1, 6)] * 3
        return [self.chance.randint(1, 6) for _ in range(3)]

    def betting_players(self) -> list[str]:
        """Those whose slips the console shows."""
        return [each["player"] for each in self._view.get("slips", []) if each.get("slip")]

    async def wait_for_second(self, asked: dict[str, Any] | None) -> None:
        """The table waits for whoever has to agree; some of the time."""
        if asked and asked.get("approval") and self.chance.random() < 0.7:
            await asyncio.sleep(self.chance.uniform(2, 12))

    async def do_out_of_order(self) -> None:
        """Any act, whatever the round stands at."""
        players = PLAYERS if self.live_table else self.world.sessions(self.plan.table) or PLAYERS
        player, box = self.chance.choice(players), self.chance.choice(["big", "small"])
        with_fields: list[tuple[str, dict[str, Any]]] = [
            ("DeclareRoll", {"roll": self.roll()}),
            ("ActivateTumbler", {"tumbles": 3}),
            ("AdviseMinimum", {"player": player, "box": box}),
            ("ReturnBelowMinimum", {"player": player, "box": box}),
            ("RejectExcess", {"on": box}),
            ("VoidRound", {"ground": "not-flat"}),
            ("RecordWalkAway", {"player": player}),
            ("RecordCutOff", {"player": player}),
            ("PlaceBets", {"player": player, "slip": {box: 200}, "version": 40, "on_request": True}),
            ("CorrectBets", {"player": player, "slip": {box: 200}, "reason": "felt"}),
            ("RecordDisplayFault", {"what": "a lamp", "kind": "lamps"}),
            ("InterruptRound", {"known": [self.chance.randint(1, 6)], "readable": False}),
            ("PlaceBets", {"player": player, "slip": {box: 200}, "version": self.chance.randint(1, 40)}),
        ]
        plain: list[tuple[str, dict[str, Any]]] = [(act, {}) for act in _PLAIN]
        foreign = ("CoverTumbler", "ExposeDice", "PlaceBets", "AdviseMinimum", "CorrectBets")
        unlike = [each for each in (*plain, *with_fields) if each[0] in foreign]  # not of every rulebook
        act, fields = self.chance.choice([*plain, *with_fields, *unlike])
        await self.do_act(act, **fields)

    async def do_void(self) -> None:
        await self.wait_for_second(await self.do_act("VoidRound", ground=self.chance.choice(_GROUNDS)))

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
        """The light goes out; of dice that have come to rest some faces were seen."""
        await self.connected()
        for _ in range(6):
            resting = self._round.get("phase") == "closed" and self._round.get("tumbles")
            if resting or self.chance.random() < 0.15:
                break
            await self.act("next")  # mostly the dice are waited for
            if self.world.faults.calm:
                return  # where a ruling is waited for, that takes longer than anybody may wait for an answer
        seen = self.chance.choice([1, 1, 2, 2, 3] if resting else [0, 1, 2, 2, 3])
        known = [self.chance.randint(1, 6) for _ in range(seen)]
        if self.chance.random() < 0.05:
            known = [7]  # no die has it
        await self.do_act("InterruptRound", known=known, readable=self.chance.random() < 0.4)

    async def do_excess(self) -> None:
        await self.connected()
        breaches = self._view.get("breaches", [])
        on = self.chance.choice(breaches)["on"] if breaches else "big"
        await self.do_act("RejectExcess", on=on)

    async def do_ask_second(self) -> None:
        """What takes two people, asked for by the dealer, who may wait for the second."""
        await self.connected()
        phase, number = self._round.get("phase"), self._round.get("number") or 1
        acts = ["CorrectResult", "CorrectBets", "ReportDamagedDice", "VoidRound"]
        if phase in ("declared", "settled", "awaiting-ruling"):
            acts += ["ReportDamagedDice", "VoidRound", "VoidRound"]
        elif self.chance.random() < 0.7:
            number = max(1, number - self.chance.choice([0, 1, 1, 3]))
        what = self.chance.choice(acts)
        fields: dict[str, Any] = {"reason": "the film"}
        match what:
            case "CorrectResult":
                dice = self._round.get("dice")
                fields["roll"] = dice if dice and self.chance.random() < 0.5 else self.roll()
            case "CorrectBets":
                fields |= {"player": self.chance.choice(PLAYERS), "slip": {"big": 400}}
            case "VoidRound":
                fields["ground"] = self.chance.choice(_GROUNDS)
            case _:
                fields["rounds"] = [number]
        await self.wait_for_second(await self.do_act(what, number, **fields))

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
        roll = self.chance.choice([self.roll(), [1, 1, 1], [6, 6, 6]])  # with a triple most winners owe
        asked = await self.do_act("CorrectResult", earlier, roll=roll, reason="the film")
        await self.wait_for_second(asked)

    async def do_walk_off(self) -> None:
        """Somebody goes while their bets are on the felt; somebody comes for what waits for them."""
        await self.connected()
        betting = self.betting_players()
        if betting and self.chance.random() < 0.6:
            act = self.chance.choice(["LeaveTable", "RecordWalkAway"])
            await self.do_act(act, player=self.chance.choice(betting))
            return
        waits = [each["player"] for each in self._view.get("slips", []) if each.get("unclaimed")]
        player = self.chance.choice(waits or PLAYERS)
        for _ in range(2):  # the second finds no credit any more
            if self.live_table:
                await self.do_act("CashOut", player=player, identity=IDENTITY)

    async def do_slip_twice(self) -> None:
        """Another slip under the version of the one before."""
        await self.connected()
        for seen in self._view.get("slips", [])[:1]:
            if self.live_table and seen.get("version"):
                slip_ = {"small": self.chance.choice([200, 300, 400])}
                version = seen["version"]
                await self.do_act("PlaceBets", player=seen["player"], slip=slip_, version=version)
