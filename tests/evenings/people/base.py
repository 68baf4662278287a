"""Somebody in the house: does acts at their own pace, repeats what was not answered, and remembers."""

import asyncio
from typing import TYPE_CHECKING, Any

from tests.evenings.lines import Lost, Response, cookie_of
from tests.evenings.notes import Ask
from tests.evenings.plan import PersonPlan

if TYPE_CHECKING:
    from tests.evenings.world import World

_BUSY = (429, 503)
IDENTITY = {"document": "passport", "last": "1234"}


class Person:
    """Begin with `live`; in the calm at the end `settle` asks again for all that was never answered."""

    def __init__(self, world: "World", plan: PersonPlan) -> None:
        self.world, self.plan, self.name = world, plan, plan.name
        self.chance = world.streams[f"person {plan.name}"]
        self.unanswered: dict[str, Ask] = {}
        self._numbers = 0
        self.doing = ""

    async def live(self) -> None:
        """Everything that this person does this evening."""
        for number in range(self.plan.acts):
            # A stream for each act, so that leaving one out does not move those behind it.
            self.chance = self.world.streams[f"person {self.name} {number}"]
            await asyncio.sleep(self.chance.expovariate(1.0) * self.plan.pace)
            if self.world.faults.calm:
                return
            act = self._choose()
            if number in self.plan.without or not act:
                continue
            self.world.acts += 1
            self.world.done.setdefault(self.name, []).append(number)
            self.doing = act
            await self.act(act)
            self.doing = ""

    def _choose(self) -> str:
        likes = self.likes()
        return self.chance.choices(list(likes), list(likes.values()))[0] if likes else ""

    def likes(self) -> dict[str, float]:
        return {act: weight for act, weight in self.plan.weights.items() if weight > 0}

    async def act(self, act: str) -> None:
        """Do one thing; a broken line is nobody's fault."""
        try:
            await getattr(self, f"do_{act}")()
        except Lost as lost:
            self.say(f"{act}: {lost}")

    async def settle(self) -> None:
        """In the calm: nothing stays unanswered."""

    def say(self, what: str) -> None:
        self.world.tell(f"{self.name}: {what}")

    def next_id(self) -> str:
        self._numbers += 1
        return f"{self.name}-{self._numbers}"


class Staff(Person):
    """Somebody with a login."""

    def __init__(self, world: "World", plan: PersonPlan) -> None:
        super().__init__(world, plan)
        self._cookie = self._csrf = ""

    @property
    def sender(self) -> str:
        return f"staff:{self.name}"

    async def log_in(self) -> bool:
        body = {"name": self.name, "password": self.world.logins[self.name]}
        response = await self.world.ask(self.name, "POST", "/api/v1/login", body=body)
        if response.status != 200:
            self.say(f"login refused: {response.json().get('code')}")
            return False
        self._cookie, self._csrf = cookie_of(response), response.json()["csrf"]
        return True

    @property
    def logged_in(self) -> bool:
        return bool(self._cookie)

    def headers(self) -> dict[str, str]:
        return {"cookie": self._cookie, "x-csrf-token": self._csrf}

    async def get(self, path: str) -> Any:
        """Read something; none when it could not be read."""
        response = await self._ask("GET", path)
        return response.json() if response.status == 200 else None

    async def _ask(self, method: str, path: str, body: Any = None, key: str = "") -> Response:
        if not self.logged_in and not await self.log_in():
            raise Lost("not logged in")
        headers = {**self.headers(), **({"idempotency-key": key} if key else {})}
        response = await self.world.ask(self.name, method, path, body=body, headers=headers)
        if response.status == 401:
            self._cookie = self._csrf = ""
        if response.status == 403 and response.json()["code"] == "csrf" and await self._again_ours():
            headers["x-csrf-token"] = self._csrf
            return await self.world.ask(self.name, method, path, body=body, headers=headers)
        return response

    async def _again_ours(self) -> bool:
        """After a restart a page asks who is logged in, and shows with the answer that it is ours."""
        me = await self.world.ask(self.name, "GET", "/api/v1/me", headers=self.headers())
        if me.status == 200:
            self._csrf = me.json()["csrf"]
        return me.status == 200

    async def post(self, act: str, path: str, body: Any = None) -> Any:
        """Do something under an id of its own; what it brought, or none."""
        ask = self.world.notes.open(self.sender, self.next_id(), act, body, path)
        self.unanswered[ask.id] = ask
        return await self.send(ask)

    async def send(self, ask: Ask, *, altered: Any = None) -> Any:
        """Send an ask, once more if it was sent before; `altered` is other content under its id."""
        ask.sent += 1
        body = ask.what if altered is None else altered
        response = await self._ask("POST", ask.path, body, ask.id)
        raw = response.json() or {}
        if response.status in _BUSY or response.status == 401:
            return None
        done = response.status < 300
        code = "done" if done else str(raw.get("code"))
        self.say(f"{ask.act} {body} as {ask.id}{' (altered)' if altered is not None else ''}: {code}")
        self.world.notes.told(ask, code, self._lasting(ask, raw), altered=altered is not None)
        if altered is None:
            self.unanswered.pop(ask.id, None)
        return raw if done else None

    def _lasting(self, ask: Ask, raw: dict[str, Any]) -> Any:
        """The part of an answer that is the same however often it is asked for."""
        return raw.get("happened") or raw.get("approval") or raw.get("amount")

    async def again(self) -> None:
        """Ask something once more, under its old id."""
        known = [ask for key, ask in self.world.notes.asks.items() if key[0] == self.sender and ask.path]
        if not known:
            return
        ask = self.chance.choice(known[-12:])
        if ask.first is not None and self.chance.random() < 0.25 and isinstance(ask.what, dict):
            altered = self.altered(ask.what)
            if altered != ask.what:
                await self.send(ask, altered=altered)
            return
        await self.send(ask)

    async def do_decide(self) -> None:
        """Agree to what somebody asked for, or not; now and then to one's own, or to what never was."""
        waiting = await self.get("/api/v1/approvals") or []
        if not waiting:
            if self.chance.random() < 0.05:
                await self.post("decide", "/api/v1/approvals/approvals.999", {"decision": "approve"})
            return
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            # Often the one that was asked for last, while the table still waits for it.
            last = waiting[-1] if self.chance.random() < 0.5 else self.chance.choice(waiting)
            await self._decide_on(last)

    async def _decide_on(self, request: dict[str, Any]) -> None:
        if request["by"] == self.name and self.chance.random() < 0.7:
            decision = "withdraw"
        else:
            decision = self.chance.choice(["approve", "approve", "approve", "approve", "deny"])
        if self.chance.random() < 0.1:
            await self.get(f"/api/v1/approvals/{request['id']}/effects")
        body = {"decision": decision, "reason": "so it is"}
        await self.post("decide", f"/api/v1/approvals/{request['id']}", body)

    def identity(self) -> dict[str, Any]:
        """The document that somebody shows, or does not."""
        return {"identity": IDENTITY} if self.chance.random() < 0.6 else {}

    async def decide_owed(self) -> None:
        """Collect what a correction left owing, give it up, or pay out what waits."""
        owed = await self.get("/api/v1/owed") or []
        if not owed:
            return
        waits = [row for row in owed if row["kind"] == "unclaimed"]
        row = self.chance.choice(waits if waits and self.chance.random() < 0.6 else owed)
        pays = row["kind"] == "unclaimed"
        decision = "pay-out" if pays else self.chance.choice(["collect", "collect", "waive"])
        body = {
            "decision": decision, "table": row["table"], "player": row["player"], "amount": row["total"],
            "reason": "at the cage", **self.identity(),
        }  # fmt: skip
        if decision == "collect" and self.chance.random() < 0.3:
            body["source"] = "credit"
        await self.post("owed", "/api/v1/owed/decisions", body)

    def altered(self, what: dict[str, Any]) -> dict[str, Any]:
        """Other content that still makes sense."""
        for name in ("amount", "float", "counted"):
            if name in what:
                return {**what, name: what[name] + 100}
        if what.get("reason") and "decision" not in what:
            return {**what, "reason": what["reason"] + " again"}
        return what

    async def settle(self) -> None:
        for ask in list(self.unanswered.values()):
            await self.send(ask)
            if ask.id in self.unanswered:
                raise Lost(f"{ask.act} as {ask.id} is not answered")
