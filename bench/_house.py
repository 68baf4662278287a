"""A house in a process of its own, with a dealer who is signed in: how benchmarks of the server begin."""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bench._child import REPOSITORY, Child, free_port, up


@dataclass
class ServedHouse:
    """Where a house listens and keeps its record, its process, and its dealer."""

    port: int
    folder: str
    child: Child
    dealer: httpx.AsyncClient

    async def act(self, table: str, name: str, **fields: Any) -> None:
        """An act of the dealer."""
        headers = {"Idempotency-Key": os.urandom(8).hex()}
        sent = {"act": name, "fields": fields}
        answer = await self.dealer.post(f"/api/v1/tables/{table}/acts", json=sent, headers=headers)
        answer.raise_for_status()

    async def throw(self, table: str) -> None:
        """From the closing to the dice; what remains is the settlement."""
        await self.act(table, "CloseBetting")
        await self.act(table, "CoverTumbler")
        await self.act(table, "ActivateTumbler", tumbles=3)
        await self.act(table, "ExposeDice")
        await self.act(table, "DeclareRoll", roll=[3, 4, 6])


@asynccontextmanager
async def served_house(terminals: int, *more: str, source: Path = REPOSITORY) -> AsyncIterator[ServedHouse]:
    """Start it with so many terminals at each table, by another source if need be; it ends with the block."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="taisai-bench-") as folder:
        child = Child("house", str(port), folder, str(terminals), *more, source=source)
        try:
            await up(port, "/livez")
            ready = Path(folder, "ready.json")
            while not ready.exists():
                await asyncio.sleep(0.1)
            async with dealer_at(port, folder) as dealer:
                yield ServedHouse(port, folder, child, dealer)
        finally:
            child.end()


@asynccontextmanager
async def dealer_at(port: int, folder: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who deals, signed in by the password that the house has written down."""
    told = json.loads(Path(folder, "ready.json").read_text(encoding="utf-8"))
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, verify=False, timeout=120) as dealer:
        body = {"name": "dealer", "password": told["dealer"]}
        csrf = (await dealer.post("/api/v1/login", json=body)).json()["csrf"]
        dealer.headers["X-CSRF-Token"] = csrf
        yield dealer
