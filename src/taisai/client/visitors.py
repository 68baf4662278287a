"""What can be asked of a house over HTTP, by anyone and by its staff."""

from collections.abc import AsyncIterator
from ssl import SSLContext
from types import TracebackType
from typing import Any

import httpx
import msgspec

from taisai.client.links import Console
from taisai.client.refusing import SECONDS, Refused, TerminalKey, Unanswered, fresh_id
from taisai.server import wire

__all__ = ["Refused", "Staff", "TerminalKey", "Unanswered", "Visitor", "fresh_id"]

_decode = msgspec.json.Decoder(wire.FromServer).decode
_SILENT_SECONDS = 20.0  # the server says that it is there more often than that


class Visitor:
    """What anyone may ask of a house over HTTP."""

    def __init__(self, address: str, *, verify: SSLContext | bool = True, seconds: float = SECONDS) -> None:
        self.address = address.rstrip("/")
        self._tls = verify if isinstance(verify, SSLContext) else None
        # Where there is no TLS there are no certificates to load either.
        trust = verify if self.address.startswith("https") else False
        self.http = httpx.AsyncClient(base_url=self.address, verify=trust, timeout=seconds)

    async def __aenter__(self) -> "Visitor":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.aclose()

    async def get(self, path: str, **query: Any) -> Any:
        """Read something; `path` is what follows /api/v1."""
        asked = {name: value for name, value in query.items() if value is not None}
        return _read(await self.http.get(f"/api/v1{path}", params=asked))

    async def post(self, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """Do something; `key` is the Idempotency-Key of what moves money."""
        headers = {"Idempotency-Key": key} if key else {}
        return _read(await self.http.post(f"/api/v1{path}", json=body, headers=headers))

    async def delete(self, path: str) -> Any:
        """Take something away."""
        return _read(await self.http.delete(f"/api/v1{path}"))

    async def tables(self) -> list[wire.TableView]:
        return msgspec.convert(await self.get("/tables"), list[wire.TableView])

    async def rounds(self, table: str) -> AsyncIterator[dict[str, Any]]:
        """Every round of a table, newest first, page after page."""
        cursor = None
        while True:
            page = await self.get(f"/tables/{table}/rounds", cursor=cursor, limit=100)
            for row in page["items"]:
                yield row
            cursor = page["next"]
            if cursor is None:
                return

    async def demo_terminal(self, table: str) -> TerminalKey:
        """A terminal, in a house that plays for nothing."""
        return msgspec.convert(await self.post("/demo/terminal", {"table": table}), TerminalKey)

    async def enrol(self, code: str) -> TerminalKey:
        """A terminal's first contact: a supervisor's code for a key."""
        return msgspec.convert(await self.post("/terminals/enrol", {"code": code}), TerminalKey)

    async def follow(self, table: str, last_seq: int | None = None) -> AsyncIterator[wire.Wire]:
        """A table's public events as they happen; a line that falls silent is `Unanswered`."""
        headers = {} if last_seq is None else {"Last-Event-ID": str(last_seq)}
        path = f"/api/v1/tables/{table}/events"
        patience = httpx.Timeout(None, read=_SILENT_SECONDS)
        try:
            async with self.http.stream("GET", path, headers=headers, timeout=patience) as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data: "):
                        message = _decode(line.removeprefix("data: "))
                        if not isinstance(message, wire.StillHere):
                            yield message
        except httpx.ReadTimeout as silence:
            raise Unanswered(f"nothing was heard of {table} for {_SILENT_SECONDS:.0f} seconds") from silence


def _read(answer: httpx.Response) -> Any:
    if answer.is_success:
        return answer.json() if answer.content else None
    try:
        problem = answer.json()
        raise Refused(problem["code"], problem["clause"], problem["facts"], problem["sentences"])
    except (ValueError, KeyError, TypeError):
        answer.raise_for_status()
        raise


class Staff(Visitor):
    """Somebody of the staff, after `log_in`."""

    async def log_in(self, name: str, password: str, **more: Any) -> dict[str, Any]:
        """Begin a session; `more` is `totp` and `acting` where they are needed."""
        person: dict[str, Any] = await self.post("/login", {"name": name, "password": password, **more})
        self.http.headers["X-CSRF-Token"] = person["csrf"]
        return person

    async def log_out(self) -> None:
        await self.post("/logout")

    async def act(self, table: str, act: str, *, round_: int | None = None, **fields: Any) -> Any:
        """Do an act at a table, as at its console."""
        body = {"act": act, "fields": fields, "round": round_}
        return await self.post(f"/tables/{table}/acts", body, key=fresh_id())

    async def approve(self, approval: str) -> Any:
        """Agree to what somebody else asked for."""
        return await self.decide(approval, "approve")

    async def decide(self, approval: str, decision: str, *, reason: str = "") -> Any:
        """Agree to a request, deny it, or withdraw one's own."""
        body = {"decision": decision, "reason": reason}
        return await self.post(f"/approvals/{approval}", body, key=fresh_id())

    def console(self, table: str) -> "Console":
        """The Game Console of a table, for this person."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        return Console(self.address, table, cookies, verify=self._tls)
