"""The pit: supervisors and managers who watch, agree or not, ask for corrections, and keep the pit's day."""

from datetime import timedelta
from typing import Any

from tests.evenings.people.base import Staff
from tests.evenings.plan import LIKES
from tests.evenings.process import OPENED_AT

LIKES["pit"] = {
    "decide": 8,
    "correct": 2,
    "rule": 1.5,
    "void_ticket": 0.7,
    "settings": 1,
    "hand_pay": 0.8,
    "service": 0.6,
    "close_table": 0.3,
    "look": 2,
    "round_acts": 1,
    "pit_acts": 2,
    "prepare": 1.5,
    "player": 1,
    "owed": 0.6,
    "again": 0.8,
    "log_out": 0.2,
    "terminal": 0.4,
    "missing": 0.4,
    "whole_day": 1,
    "alarm": 0.7,
}
_READS = (
    "/api/v1/pit", "/api/v1/pit/day", "/api/v1/pit/hold", "/api/v1/pit/takings", "/api/v1/approvals",
    "/readyz", "/metrics", "/livez", "/api/v1/house", "/api/v1/tables", "/api/v1/felts/tai-sai-v6/2",
    "/api/v1/rules/tai-sai-v3",
    "/api/v1/incidents", "/api/v1/owed", "/api/v1/owed/day", "/api/v1/approvals/approvals.2",
    "/api/v1/players?name=some", "/manifest.webmanifest",
)  # fmt: skip


class Pit(Staff):
    """A pit supervisor or somebody above."""

    def _table(self) -> dict[str, Any]:
        return self.chance.choice(self.world.plan.tables)

    def _round_of(self, table: str) -> int:
        return max(1, self.world.rounds.latest.get(table, 1) - self.chance.choice([0, 0, 0, 1, 4]))

    async def _act(self, table: str, act: str, round_: int | None = None, **fields: Any) -> None:
        await self.post(act, f"/api/v1/tables/{table}/acts", {"act": act, "fields": fields, "round": round_})

    def _roll(self) -> list[int]:
        return [self.chance.randint(1, 6) for _ in range(3)]

    def _player(self, table: dict[str, Any]) -> str:
        if table["kind"] == "live":
            return self.chance.choice(["ann", "bob", "cat", "dan"])
        return self.chance.choice(self.world.sessions(table["name"]) or ["nobody"])

    async def do_correct(self) -> None:
        table = self._table()
        number = self._round_of(table["name"])
        match self.chance.choice(["result", "bets", "dice"]):
            case "result":
                await self._act(table["name"], "CorrectResult", number, roll=self._roll(), reason="film")
            case "bets":
                bets = self.chance.choice([{"big": 400}, {"small": 200, "sum-9": 200}, {}])
                player = self._player(table)
                await self._act(table["name"], "CorrectBets", number, player=player, slip=bets, reason="felt")
            case _:
                rounds = self.chance.choice([[number]] * 5 + [list(range(1, 1_100))])
                more = {"dice_set": self.chance.choice(["set 1", "set 9"])} if len(rounds) == 1 else {}
                more = more if self.chance.random() < 0.4 else {}
                await self._act(
                    table["name"], "ReportDamagedDice", number, rounds=rounds, reason="an edge", **more
                )

    def _waiting_for_ruling(self) -> list[dict[str, Any]]:
        """Tables whose round needs somebody to rule on it."""
        rounds, found = self.world.rounds, []
        for table in self.world.plan.tables:
            reader = rounds.rounds.get((table["name"], rounds.latest.get(table["name"], 0)))
            found += [table] if reader is not None and reader.naive.phase == "awaiting" else []
        return found

    async def do_rule(self) -> None:
        """Mostly where a ruling is needed; also where none is."""
        needed = self._waiting_for_ruling()
        table = self.chance.choice(needed) if needed and self.chance.random() < 0.8 else self._table()
        decisions = ["void", "declare", "return-bets", "record", "settle-known"]
        decision = self.chance.choice([*decisions, *["settle-known"] * (3 if table in needed else 0)])
        rolls = decision == "declare" and self.chance.random() < 0.85
        more: dict[str, Any] = {"roll": self._roll()} if rolls else {}
        if decision == "return-bets":
            more["bets"] = [{"player": self._player(table), "box": "big"}]
        name = table["name"]
        number = self.world.rounds.latest[name] if table in needed else self._round_of(name)
        await self._act(name, "MakeRuling", number, decision=decision, reason="a ruling", **more)

    async def do_alarm(self) -> None:
        """Somebody looks after an alarm, or after one that never was."""
        cards = await self.get("/api/v1/pit") or []
        found = [{**one, "table": card["table"]["name"]} for card in cards for one in card["alarms"]]
        one = self.chance.choice(found) if found else {"table": self._table()["name"], "kind": "held"}
        fields = {"table": one["table"], "alarm": one["kind"]}
        fields |= {name: one.get(name, "") for name in ("about", "mark")}
        await self.post("AcknowledgeAlarm", "/api/v1/pit/acts", {"act": "AcknowledgeAlarm", "fields": fields})

    async def do_round_acts(self) -> None:
        table = self._table()
        act = self.chance.choice(
            ["SuspendRound", "ResumeRound", "ResumeRound", "VoidRound", "RecordDisplayFault"]
        )
        fields = {"VoidRound": {"ground": "not-flat"}, "RecordDisplayFault": {"what": "lamp"}}.get(act, {})
        await self._act(table["name"], act, **fields)

    async def do_close_table(self) -> None:
        table = self._table()["name"]
        await self._act(table, "CloseTable", reason="a pause")
        await self._act(table, "ReopenTable")

    async def do_owed(self) -> None:
        """Decide on a debt or on what waits; or on what nobody owes."""
        if self.chance.random() < 0.8:
            await self.decide_owed()
            return
        table = self._table()
        player, waive = self._player(table), self.chance.random() < 0.5
        amount = self.chance.choice([100, 400, 2_000])
        why = {"reason": "they said so"} if self.chance.random() < 0.7 else {}
        await self._act(table["name"], "CollectOwed", player=player, amount=amount, waive=waive, **why)

    async def do_void_ticket(self) -> None:
        if self.world.pocket:
            number = self.chance.choice(self.world.pocket)
            body = {"reason": "torn", "reissue": self.chance.random() < 0.5}
            await self.post("void ticket", "/api/v1/tickets/void", {"number": number, **body})

    async def do_settings(self) -> None:
        """Other limits at once or from a time on; and what is planned is taken back."""
        name = self._table()["name"]
        if self.chance.random() < 0.25:
            await self._act(name, "CancelChange", reason="not tonight")
            return
        settings = await self.get(f"/api/v1/tables/{name}/settings")
        if settings:
            maximum = self.chance.choice([1_200, 1_200, 1_200, 100])
            limits = {**settings["limits"], "default": {"minimum": 200, "maximum": maximum}}
            body = {"settings": {**settings, "limits": limits}, "reason": "a quiet evening"}
            if self.chance.random() < 0.5:
                ahead = timedelta(seconds=self.world.loop.time() + self.chance.choice([2, 15, 40, 200]))
                body["effective"] = round((OPENED_AT + ahead).timestamp() * 1000)
            await self.post("settings", f"/api/v1/tables/{name}/settings", body)
            if "effective" in body and self.chance.random() < 0.5:
                await self._act(name, "CancelChange", reason="on second thoughts")

    async def _seat(self) -> tuple[str, str] | None:
        clusters = [table["name"] for table in self.world.plan.tables if table["kind"] == "cluster"]
        if not clusters:
            return None
        name = self.chance.choice(clusters)
        seats = await self.get(f"/api/v1/tables/{name}/terminals") or []
        if self.chance.random() < 0.05:
            return name, f"{name}-none"
        return (name, self.chance.choice(seats)["terminal"]) if seats else None

    async def do_hand_pay(self) -> None:
        seat = await self._seat()
        if seat:
            path = f"/api/v1/tables/{seat[0]}/terminals/{seat[1]}/hand-pay"
            await self.post("hand pay", path, {"reason": "the printer"})

    async def do_service(self) -> None:
        seat = await self._seat()
        if seat:
            service = self.chance.choice(["in-service", "in-service", "out-of-service"])
            path = f"/api/v1/tables/{seat[0]}/terminals/{seat[1]}/service"
            await self.post("service", path, {"service": service, "reason": "looked at"})

    async def do_terminal(self) -> None:
        clusters = [table["name"] for table in self.world.plan.tables if table["kind"] == "cluster"]
        if not clusters:
            return
        made = await self._ask("POST", "/api/v1/terminals", {"table": clusters[0], "label": "new"})
        if made.status == 201:
            await self._ask("POST", "/api/v1/terminals/enrol", {"code": made.json()["code"]})

    async def do_missing(self) -> None:
        """Colour chips that a player has taken away."""
        table, colour = self._table(), self.chance.choice(["red", "blue"])
        await self._act(table["name"], "DeclareMissing", colour=colour, player=self._player(table), chips=1)

    async def do_whole_day(self) -> None:
        """What a table's day is made of, in its order: a second person agrees to the counts meanwhile."""
        table, day = self._table()["name"], {"day": "2026-05-04"}
        dealer = {"name": self.chance.choice([f"dealer-{table.lower()}", "somebody"])}
        counted = {"table": table, "counted": 5_000}
        acts: list[tuple[str, dict[str, Any]]] = [
            ("OpenDay", day), ("StartShift", {"shift": "night"}),
            ("FillTable", {"table": table, "amount": 5_000, "slip": "F1"}),
            ("CountFloat", {**counted, "when": "opening"}),
            ("TakeDrop", {"table": table, "box": f"box {table}"}),
            ("CountDrop", {"box": f"box {table}", "counted": 900}),
            ("CreditTable", {"table": table, "amount": 1_000, "slip": "C1"}), ("CloseDay", {}),
            ("CountFloat", {**counted, "when": "closing"}), ("CloseDay", {}),
        ]  # fmt: skip
        first = self.chance.randrange(len(acts))
        for act, fields in acts[first : first + 3]:
            await self.post(act, "/api/v1/pit/acts", {"act": act, "fields": fields})
        await self.post("seat dealer", f"/api/v1/tables/{table}/dealer", dealer)

    async def do_look(self) -> None:
        table = self._table()["name"]
        own = [f"/api/v1/tables/{table}/{what}" for what in ("meters", "roads", "rounds", "rules")]
        number = self._round_of(table)
        proofs = ["/log/checkpoint", f"/receipts/{table}/{number}/0/guessed"]
        rounds = [f"/api/v1/tables/{table}/rounds/{number}", f"/api/v1/tables/{table}"]
        path = self.chance.choice([*_READS, *own, *rounds, *proofs])
        await self.get(path)

    async def do_pit_acts(self) -> None:
        table = self._table()["name"]
        act, fields = self.chance.choice(
            [
                ("OpenDay", {"day": "2026-05-04"}),
                ("OpenDay", {"day": "2026-05-04"}),
                ("StartShift", {"shift": "night"}),
                ("SeatDealer", {"table": table, "dealer": f"dealer-{table.lower()}"}),
                ("PutInDice", {"table": table, "dice_set": "set 1"}),
                ("PutInDice", {"table": table, "dice_set": "set 2"}),
                ("InspectDice", {"table": table, "dice_set": "set 1", "passed": self.chance.random() < 0.7}),
                ("InspectShaker", {"table": table, "passed": self.chance.random() < 0.8}),
                ("TakeOutDice", {"table": table, "dice_set": "set 1", "why": "rotation"}),
                ("FillTable", {"table": table, "amount": 5_000, "slip": "F1"}),
                ("CreditTable", {"table": table, "amount": 1_000, "slip": "C1"}),
                ("CountFloat", {"table": table, "when": "opening", "counted": 5_000}),
                ("CountFloat", {"table": table, "when": "closing", "counted": 4_000}),
                ("TakeDrop", {"table": table, "box": f"box {table}"}),
                ("CountDrop", {"box": f"box {table}", "counted": 900}),
                ("CloseDay", {}),
            ]
        )
        await self.post(act, "/api/v1/pit/acts", {"act": act, "fields": fields})

    async def do_prepare(self) -> None:
        """What a house whose pit has a day waits for before its first round, in its order."""
        table = self._table()["name"]
        dice = f"set of {table}"
        acts: list[tuple[str, dict[str, Any]]] = [
            ("OpenDay", {"day": "2026-05-04"}),
            ("SeatDealer", {"table": table, "dealer": f"dealer-{table.lower()}"}),
            ("InspectShaker", {"table": table, "passed": True}),
            ("InspectDice", {"table": table, "dice_set": dice, "passed": True}),
            ("PutInDice", {"table": table, "dice_set": dice}),
        ]
        if self.world.plan.house.get("pit"):
            for act, fields in acts:
                await self.post(act, "/api/v1/pit/acts", {"act": act, "fields": fields})

    async def do_player(self) -> None:
        """A player is registered, seated, limited, excluded, forgotten."""
        if not self.world.registered or self.chance.random() < 0.3:
            made = await self._ask("POST", "/api/v1/players", {"name": "Somebody"})
            if made.status == 201:
                self.world.registered.append(made.json()["player"])
            return
        player = self.chance.choice([*self.world.registered, *(["p-nobody"] * (self.chance.random() < 0.1))])
        kinds = ["seat", "seat", "limits", "confirm", "exclude", "end", "look", "erase", "own", "raise"]
        match self.chance.choice(kinds):
            case "seat":
                terminals = [each.key["terminal"] for each in self.world.terminals() if each.key]
                places = [*terminals, f"ann@{self._table()['name']}"]
                await self.post(
                    "seat player", f"/api/v1/players/{player}/seat", {"place": self.chance.choice(places)}
                )
            case "limits":
                limits = {
                    "loss_session": self.chance.choice([None, 600]),
                    "wager_day": self.chance.choice([None, 4_000]),
                }
                await self.post("player limits", f"/api/v1/players/{player}/limits", limits)
            case "raise":
                for most in (600, 2_000):
                    limits = {"loss_session": most}
                    await self.post("player limits", f"/api/v1/players/{player}/limits", limits)
                await self.post("confirm limits", f"/api/v1/players/{player}/limits/confirm", {})
            case "own":
                body = {"own": True, "until": "2026-05-09T20:00:00Z"}
                await self.post("exclude", f"/api/v1/players/{player}/exclusion", body)
                await self._ask("DELETE", f"/api/v1/players/{player}/exclusion?own=true&reason=over")
            case "confirm":
                await self.post("confirm limits", f"/api/v1/players/{player}/limits/confirm", {})
            case "exclude":
                body = {"own": False, "reason": "conduct"}
                await self.post("exclude", f"/api/v1/players/{player}/exclusion", body)
                await self._ask("DELETE", f"/api/v1/players/{player}/exclusion?reason=a+mistake")
            case "end":
                await self._ask("DELETE", f"/api/v1/players/{player}/exclusion?reason=over")
            case "erase":
                await self._ask("DELETE", f"/api/v1/players/{player}/name?reason=asked")
            case _:
                await self.get(f"/api/v1/players/{player}")

    async def do_again(self) -> None:
        await self.again()

    async def do_log_out(self) -> None:
        await self._ask("POST", "/api/v1/logout")
        self._cookie = self._csrf = ""

    async def settle(self) -> None:
        await super().settle()
        await self.get("/api/v1/me")
