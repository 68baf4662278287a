"""The administrator of the staff list, and the people who join it in the course of an evening."""

from typing import Any

from taisai.adapters.people.totp import code_at, step_at
from tests.evenings.lines import Response, cookie_of
from tests.evenings.people.base import Staff
from tests.evenings.plan import LIKES
from tests.evenings.process import OPENED_AT, timedelta

LIKES["administrator"] = {
    "look": 1, "add": 1.5, "change": 1.5, "policy": 0.5, "wrong_login": 1, "forbidden": 1, "reset": 0.7,
    "newcomer": 2, "second_factor": 0.5,
}  # fmt: skip
_READS = ("/api/v1/staff", "/api/v1/staff-policy", "/api/v1/me", "/api/v1/admin/installation")
_NEW_PASSWORD = "three dice under one cover, evening {}"


class Administrator(Staff):
    """Keeps the staff list, and shows what a stranger or the wrong person gets."""

    async def do_look(self) -> None:
        await self.get(self.chance.choice(_READS))

    async def do_add(self) -> None:
        role = self.chance.choice(["dealer", "cashier", "auditor"])
        name = self.chance.choice(["dealer", *[f"new-{self.next_id()}"] * 4])
        body = {"name": name, "role": role, "reason": "a new hand"}
        self._told(await self._ask("POST", "/api/v1/staff", body))

    def _told(self, response: Response) -> None:
        """A one-time password opens something as soon as a second person has agreed."""
        if response.status < 300:
            told = response.json()
            self.world.newcomers[told["name"]] = told["password"]

    async def do_reset(self) -> None:
        name = self.chance.choice(["dealer", *self.world.newcomers])
        self._told(await self._ask("DELETE", f"/api/v1/staff/{name}/password"))

    async def do_change(self) -> None:
        changes: list[dict[str, Any]] = [
            {"unlock": True}, {"unlock": True}, {"role": "pit-supervisor", "reason": "able"},
            {"role": "dealer"}, {},
            {"remove_totp": True, "reason": "lost"}, {"enabled": False, "reason": "a holiday"},
            {"enabled": True, "reason": "back"},
        ]  # fmt: skip
        name = self.chance.choice(["dealer", "dealer", "dealer", *self.world.newcomers, "nobody", "admin"])
        change = self.chance.choice(changes) if name != "admin" else {"role": "dealer", "reason": "mine"}
        await self._ask("POST", f"/api/v1/staff/{name}", change)

    async def do_policy(self) -> None:
        policy = await self.get("/api/v1/staff-policy")
        if policy:
            await self._ask("POST", "/api/v1/staff-policy", {**policy, "reason": "as it was"})

    async def do_wrong_login(self) -> None:
        name = self.chance.choice(["dealer", "nobody"])
        body = {"name": name, "password": "wrong"}
        await self.world.ask(self.name, "POST", "/api/v1/login", body=body)
        await self.world.ask(self.name, "POST", "/api/v1/login/open", body={"name": name})

    async def do_forbidden(self) -> None:
        """Somebody without the position, or without a login at all."""
        await self.get("/api/v1/pit")
        await self.world.ask(self.name, "GET", "/api/v1/approvals")
        await self._ask("POST", "/api/v1/drawers", {"float": 5}, "mine")

    async def do_newcomer(self) -> None:
        """Somebody new logs in, looks where the password is still due, and chooses one: a weak one first."""
        if not self.world.newcomers:
            await self.do_add()
            return
        name, password = self.chance.choice(list(self.world.newcomers.items()))
        body = {"name": name, "password": password}
        answer = await self.world.ask(name, "POST", "/api/v1/login", body=body)
        if answer.status != 200:
            return
        headers = {"cookie": cookie_of(answer), "x-csrf-token": answer.json()["csrf"]}
        await self.world.ask(name, "GET", "/api/v1/approvals", headers=headers)
        for new in ("short", _NEW_PASSWORD.format(self.chance.randrange(10**6))):
            chosen = {"old": password, "new": new}
            done = await self.world.ask(name, "POST", "/api/v1/me/password", body=chosen, headers=headers)
            if done.status == 200:
                self.world.newcomers[name] = new

    async def do_second_factor(self) -> None:
        """A dealer or a newcomer sets up a second factor, and proves it with a right or a wrong code."""
        known = {"dealer": self.world.logins["dealer"], **self.world.newcomers}
        name, password = self.chance.choice(list(known.items()))
        body = {"name": name, "password": password}
        answer = await self.world.ask(name, "POST", "/api/v1/login", body=body)
        if answer.status != 200:
            return
        headers = {"cookie": cookie_of(answer), "x-csrf-token": answer.json()["csrf"]}
        offered = await self.world.ask(name, "GET", "/api/v1/me/totp", headers=headers)
        if offered.status == 200:
            secret = offered.json()["secret"]
            server = self.world.network.server
            off = server.process.clock_off if server else 0.0
            now = OPENED_AT + timedelta(seconds=self.world.loop.time() + off)
            code = code_at(secret, step_at(now)) if self.chance.random() < 0.8 else "000000"
            proof = {"password": password, "code": code}
            await self.world.ask(name, "POST", "/api/v1/me/totp", body=proof, headers=headers)
