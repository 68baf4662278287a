"""What strangers with patience try: endless heads, silence, too many connections, other names, odd input."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from taisai.server import protocols
from tests.server.houses import CLUSTER, Serving, serving, settings


async def _line(house: Serving) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = house.address.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


async def test_an_endless_head_is_refused_after_64_kib(tmp_path: Path) -> None:
    """Long before the application, and the house goes on answering."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        reader, writer = await _line(house)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(ConnectionError):
            for _ in range(40):
                writer.write(b"x-more: " + b"a" * 8_192 + b"\r\n")
                await writer.drain()
        assert b" 431 " in await reader.readline()
        writer.close()
        assert (await (await house.visitor()).http.get("/livez")).status_code == 200


async def test_whoever_says_nothing_or_half_a_request_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A head and a body have their time; silence is not waited for."""
    monkeypatch.setattr(protocols, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(protocols, "BODY_SECONDS", 0.05)
    begun = (
        b"",
        b"GET / HTT",
        b"POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
    )
    async with serving(settings(tmp_path, CLUSTER)) as house:
        for sent in begun:
            reader, writer = await _line(house)
            writer.write(sent)
            await writer.drain()
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()


async def test_idle_connections_of_one_address_do_not_shut_out_those_who_have_a_key(tmp_path: Path) -> None:
    """The oldest stranger makes room for the next; a terminal that showed its key stays connected."""
    config = settings(tmp_path, CLUSTER, server={"strangers_per_address": 4})
    async with serving(config) as house:
        terminal = await house.terminal(credit=1_000)
        idle = [await _line(house) for _ in range(12)]
        late = await house.terminal(credit=1_000)
        await terminal.cash_in(500)
        await late.cash_in(500)
        closed = [reader for reader, _ in idle if reader.at_eof()]
        assert len(closed) >= 8
        for _, writer in idle:
            writer.close()


async def test_a_name_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    """A page of another site that resolves its own name to us gets nothing."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        visitor = await house.visitor()
        answer = await visitor.http.get("/api/v1/tables", headers={"host": "evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (400, "host_unknown")
        assert (await visitor.http.get("/api/v1/tables")).status_code == 200


async def test_deep_json_and_odd_tokens_are_bad_requests(tmp_path: Path) -> None:
    """Not faults of ours: 400, and nothing is done."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        visitor, boss = await house.visitor(), await house.person("auditor")
        deep = await visitor.http.post(
            "/api/v1/login", content=b"[" * 60_000, headers={"content-type": "application/json"}
        )
        assert deep.status_code == 400
        odd = await boss.http.post("/api/v1/logout", headers={"x-csrf-token": "t\xf6ken".encode("latin-1")})
        assert odd.status_code == 400


async def test_visitors_get_terminals_at_a_pace_and_never_one_of_another(tmp_path: Path) -> None:
    """What was given stays with whoever has its key, connected or not."""
    config = settings(tmp_path, {**CLUSTER, "terminals_max": 2}, server={"visitors_per_minute": 3})
    async with serving(config) as house:
        visitor = await house.visitor()
        keys = [await visitor.demo_terminal("C1") for _ in range(2)]
        full = await visitor.http.post("/api/v1/demo/terminal", json={"table": "C1"})
        assert (full.status_code, full.json()["code"]) == (503, "terminals_full")
        assert len({key.terminal for key in keys}) == 2
        again = await visitor.http.post("/api/v1/demo/terminal", json={"table": "C1"})
        assert (again.status_code, again.json()["code"]) == (429, "too_many")
