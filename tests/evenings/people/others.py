"""The cashier at the cage, and the auditor."""

from typing import Any

from tests.evenings.people.base import Staff
from tests.evenings.plan import LIKES

LIKES["cashier"] = {
    "drawer": 2,
    "sell": 3,
    "redeem": 5,
    "ask_payment": 1.5,
    "void": 1,
    "print": 1,
    "reprint": 0.6,
    "look": 1,
    "decide": 1,
    "again": 1.5,
    "guess": 0.3,
    "owed": 2,
}
LIKES["auditor"] = {
    "verify": 0.5, "export": 0.5, "significant": 1.5, "rounds": 1, "tickets": 1, "decide": 2, "dice": 0.5,
    "search": 1,
}  # fmt: skip


class Cashier(Staff):
    """Sells tickets and pays them."""

    async def do_drawer(self) -> None:
        if self.chance.random() < 0.75:
            await self.post("open drawer", "/api/v1/drawers", {"float": 100_000})
        else:
            await self.post("close drawer", "/api/v1/drawers/close", {"counted": 100_000})

    async def do_sell(self) -> None:
        amount = self.chance.choice([500, 2_500, 4_000, 9_000, 0])
        sold = await self.post("sell ticket", "/api/v1/tickets", {"amount": amount})
        if sold:
            self.world.pocket.append(sold["number"])

    async def do_redeem(self) -> None:
        if not self.world.pocket:
            await self.do_sell()
            return
        number = self.chance.choice(self.world.pocket[-6:])
        await self.post("redeem", "/api/v1/tickets/redeem", {"number": number, **self.identity()})

    async def do_ask_payment(self) -> None:
        if self.world.pocket:
            number = self.chance.choice(self.world.pocket[-6:])
            body = {"number": number, **self.identity(), "reason": "large"}
            await self.post("ask payment", "/api/v1/tickets/payment", body)

    async def do_void(self) -> None:
        if self.world.pocket:
            number = self.chance.choice(self.world.pocket[-6:])
            body = {"number": number, "reason": "torn", "reissue": self.chance.random() < 0.5}
            await self.post("void ticket", "/api/v1/tickets/void", {**body, **self.identity()})

    def _sale(self) -> str | None:
        sales = [
            ask.id
            for key, ask in self.world.notes.asks.items()
            if key[0] == self.sender and ask.act == "sell ticket"
        ]
        return self.chance.choice(sales[-4:]) if sales else None

    async def do_print(self) -> None:
        sale = self._sale()
        if sale:
            await self.post("print", f"/api/v1/tickets/issued/{sale}/print", {})

    async def do_reprint(self) -> None:
        sale = self._sale()
        if sale:
            await self.post("reprint", f"/api/v1/tickets/issued/{sale}/reprint", {"reason": "jammed"})

    async def do_look(self) -> None:
        numbers = self.world.pocket[-4:] or ["1"]
        path = self.chance.choice(
            [
                "/api/v1/drawers",
                "/api/v1/tickets",
                "/api/v1/tickets/liability",
                "/api/v1/tickets/look-up",
                "/api/v1/tickets/receipts",
                f"/api/v1/tickets/issued/{self._sale() or 'none'}",
            ]
        )
        if path.endswith(("look-up", "receipts")):
            await self._ask("POST", path, {"number": numbers[0]})
        else:
            await self.get(path)

    async def do_guess(self) -> None:
        """A number that nobody was given."""
        number = f"{self.chance.randrange(10**18):018d}"
        await self._ask("POST", "/api/v1/tickets/look-up", {"number": number})

    async def do_again(self) -> None:
        await self.again()

    async def do_owed(self) -> None:
        """A debt, or money that waits: the cash goes through a drawer."""
        if self.chance.random() < 0.4:
            await self.post("open drawer", "/api/v1/drawers", {"float": 100_000})
        await self.decide_owed()

    def _lasting(self, ask: Any, raw: dict[str, Any]) -> Any:
        return raw.get("happened") or raw.get("approval") or raw.get("number") or raw.get("amount")


class Auditor(Staff):
    """Verifies, exports, reads."""

    async def do_verify(self) -> None:
        response = await self._ask("POST", "/api/v1/audit/verify")
        if response.status == 200 and not response.json()["sound"]:
            self.world.violate(f"the house's own audit finds a fault: {response.json()}")

    async def do_export(self) -> None:
        await self._ask("GET", "/api/v1/audit/export")

    async def do_significant(self) -> None:
        await self.get("/api/v1/audit/significant")

    async def do_dice(self) -> None:
        path = self.chance.choice(["/api/v1/dice", "/api/v1/dice/set 1/rounds", "/api/v1/owed/day"])
        await self.get(path)

    async def do_search(self) -> None:
        """Rounds and refused acts by what they were about; what a page leaves comes with the next."""
        asked = self.chance.choice(["", "?box=big", "?refused=true&limit=1", "?least=500", "?player=ann"])
        paths = [f"/api/v1/audit/rounds/{self.plan.table}{asked}", "/api/v1/audit/refused?limit=2"]
        path = self.chance.choice(paths)
        page = await self.get(path)
        if page and page["next"]:
            await self.get(f"{path}{'&' if '?' in path else '?'}cursor={page['next']}")

    async def do_rounds(self) -> None:
        table = self.plan.table
        latest = self.world.rounds.latest.get(table, 0)
        if latest:
            more = self.chance.choice(["", "/pay-list"])
            await self.get(f"/api/v1/tables/{table}/rounds/{self.chance.randint(1, latest)}{more}")

    async def do_tickets(self) -> None:
        await self.get(self.chance.choice(["/api/v1/tickets", "/api/v1/tickets/liability"]))
