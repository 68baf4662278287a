"""A house whose log two witnesses cosign, each a process of its own; one has a share in the dice."""

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from taisai.adapters.signing.keys import verifies_raw
from taisai.adapters.witnesses.proof_parts import log_key
from taisai.client import Terminal
from taisai.proof.checking import Verdict, check_receipt
from taisai.proof.notes import NoteKey, note_key, read_key
from tests.server.houses import AUTOMATIC, Serving, serving, settings

ORIGIN = "house.example/taisai"
TRIES = 2_000


@dataclass
class Witness:
    """`taisai witness` in a folder of its own, always at the same port."""

    folder: Path
    name: str
    house: NoteKey
    port: int = 0
    key: str = ""
    process: Process | None = None

    async def start(self) -> None:
        said = ["witness", self.name, "--house", str(self.house), "--folder", str(self.folder)]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "taisai", *said, "--port", str(self.port), stdout=PIPE
        )
        assert self.process.stdout is not None
        self.key = (await self.process.stdout.readline()).decode().strip()
        address = (await self.process.stdout.readline()).decode().split()[-1]
        self.port = int(address.rstrip("/").rpartition(":")[2])

    async def kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    @property
    def setting(self) -> str:
        return f"http://127.0.0.1:{self.port} {self.key}"


@asynccontextmanager
async def witnessed(folder: Path) -> AsyncIterator[tuple[Serving, list[Witness]]]:
    """The house and both of its witnesses; the first of them has a share in the dice."""
    (folder / "keys").mkdir(mode=0o700)
    house = note_key(ORIGIN, log_key(folder / "keys", begun=False).public)
    witnesses = [Witness(folder / name, f"witness.example/{name}", house) for name in ("w1", "w2")]
    async with AsyncExitStack() as stack:
        for witness in witnesses:
            stack.push_async_callback(witness.kill)
        await asyncio.gather(*(witness.start() for witness in witnesses))
        proof = {
            "origin": ORIGIN,
            "checkpoint_seconds": 0.0,
            "witnesses": [witness.setting for witness in witnesses],
            "dice_witness": witnesses[0].setting,
        }
        yield await stack.enter_async_context(serving(settings(folder, AUTOMATIC, proof=proof))), witnesses


async def verdict_of(house: Serving, witnesses: list[Witness], address: str, *named: str) -> Verdict:
    """What the receipt says once these sayings are in it: witnesses sign within a moment."""
    verdict = Verdict(2, [])
    async with httpx.AsyncClient(base_url=house.address) as client:
        key = read_key((await client.get("/log/key")).text)
        for _ in range(TRIES):
            answer = await client.get(address)
            verdict = check_receipt(
                answer.content,
                key,
                verifies_raw,
                now=int(time.time()),
                witnesses=[read_key(witness.key) for witness in witnesses],
            )
            if answer.status_code == 200 and set(named) <= {saying.id for saying in verdict.said}:
                break
    return verdict


async def staked(terminal: Terminal) -> int:
    """A bet at the beginning of the next round, so that there is time for what comes before its closing."""
    round_ = await terminal.betting(after=terminal.round.number if terminal.round else 0)
    await terminal.place(round_.number, {"big": 500})
    return round_.number


async def test_witnesses_and_a_share_in_the_dice_are_in_the_receipt(tmp_path: Path) -> None:
    """Both signed the closing before the dice, and the dice follow from one's share too.

    While that one is away no dice come; when it is back the same round goes on, and it signs no other root.
    Two people can make a round void that waits for it.
    """
    async with witnessed(tmp_path) as (house, witnesses):
        terminal = await house.terminal(credit=10_000)
        number = await staked(terminal)
        played = await terminal.result(number)
        verdict = await verdict_of(house, witnesses, played.receipt, "seen", "chosen_by_nobody")
        assert verdict.code == 0, verdict.sentences()
        said = " ".join(verdict.sentences())
        assert "all bets and the share of witness.example/w1: nobody could choose the dice." in said
        assert "That the closing came before the dice is the house's word." not in said
        number = await staked(terminal)
        await witnesses[0].kill()
        await terminal.phase("closed")
        assert terminal.round is not None
        assert (terminal.round.number, terminal.round.dice) == (number, None)
        await witnesses[0].start()
        again = await terminal.result(number)
        verdict = await verdict_of(house, witnesses, again.receipt, "chosen_by_nobody")
        assert verdict.code == 0, verdict.sentences()
        number = await staked(terminal)
        await witnesses[0].kill()
        await terminal.phase("closed")
        await made_void(house)
        voided = await terminal.result(number)
        assert (voided.void, voided.dice, voided.returned) == (True, None, 500)
        verdict = await verdict_of(house, witnesses[1:], voided.receipt, "void")
        assert verdict.code == 0, verdict.sentences()


async def made_void(house: Serving) -> None:
    """By two people, as where a witness does not come back."""
    dealer, manager = await house.person("dealer"), await house.person("shift-manager")
    asked = await dealer.act("C1", "MakeRuling", decision="void", reason="the witness is away")
    await manager.approve(asked["approval"])
