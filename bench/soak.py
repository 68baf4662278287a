"""A house under load for hours: does memory, the number of descriptors or the lag grow?

`python -m bench.soak [HOURS] [TERMINALS]`, or `make soak HOURS=2`. Round after round with bare sockets;
a line a minute, and at the end the slope of each figure after the first third, an hour, by least squares.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import httpx
import uvloop

from bench._child import Child, free_port, up
from bench._line import AnyLine, lines
from bench.server import closed_loop, seated, until_all

SAMPLE_SECONDS = 60.0
WARM_UP_SHARE = 1 / 3


class Sample(NamedTuple):
    """The server at one moment; `lag` is the 99th percentile of acknowledgements in ms."""

    hours: float
    memory: float
    descriptors: float
    journal: float
    lag: float
    slips: float


def slope(samples: Sequence[Sample], figure: str) -> float:
    """By how much a figure grows in an hour, by least squares."""
    xs = [sample.hours for sample in samples]
    ys = [float(getattr(sample, figure)) for sample in samples]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


async def soak(hours: float, terminals: int) -> list[Sample]:
    """Play for so long, and look once a minute."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="taisai-soak-") as folder:
        child = Child("house", str(port), folder, str(terminals))
        try:
            await up(port, "/livez")
            ready = Path(folder, "ready.json")
            while not ready.exists():
                await asyncio.sleep(0.1)
            password = json.loads(ready.read_text(encoding="utf-8"))["dealer"]
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as dealer:
                body = {"name": "dealer", "password": password}
                dealer.headers["X-CSRF-Token"] = (await dealer.post("/api/v1/login", json=body)).json()[
                    "csrf"
                ]
                clients = await seated(port, terminals, lines)
                return await _rounds(hours, child, Path(folder), dealer, clients)
        finally:
            child.end()


async def _rounds(
    hours: float, child: Child, folder: Path, dealer: httpx.AsyncClient, clients: Sequence[AnyLine]
) -> list[Sample]:
    async def act(name: str, **fields: Any) -> None:
        headers = {"Idempotency-Key": os.urandom(8).hex()}
        answer = await dealer.post(
            "/api/v1/tables/C1/acts", json={"act": name, "fields": fields}, headers=headers
        )
        answer.raise_for_status()

    samples: list[Sample] = []
    began, due, slips, number, lag = perf_counter(), SAMPLE_SECONDS, 0, 0, 0.0
    while perf_counter() - began < hours * 3600:
        number += 1
        await act("StartRound")
        figures = await closed_loop(clients, partial(_slip, number), lambda text: b'"SlipReg' in text[:20])
        slips, lag = slips + len(figures.times), max(lag, figures.percentile(0.99))
        await act("CloseBetting")
        await act("CoverTumbler")
        await act("ActivateTumbler", tumbles=3)
        await act("ExposeDice")
        await act("DeclareRoll", roll=[3, 4, 6] if number % 2 else [1, 1, 2])
        await until_all(clients, lambda text: b'"Settled"' in text[:20], partial(act, "SettleBets"))
        await act("ConcludeRound")
        elapsed = perf_counter() - began
        if elapsed >= due:
            samples.append(_look(child, folder, elapsed, lag, slips))
            due, lag = due + SAMPLE_SECONDS, 0.0
    return samples


def _slip(number: int, client: int, count: int) -> bytes:
    text = '{"type":"Place","id":"%d.%d.%d","round":%d,"version":%d,"slip":{"big":%d,"small":200}}'
    return (text % (number, client, count, number, count + 1, 100 + 100 * (count % 2))).encode()


def _look(child: Child, folder: Path, elapsed: float, lag: float, slips: int) -> Sample:
    descriptors = len(list(Path(f"/proc/{child.process.pid}/fd").iterdir()))
    journal = sum(file.stat().st_size for file in folder.glob("house.db*"))
    sample = Sample(elapsed / 3600, child.resident(), descriptors, journal, lag, slips)
    print(
        f"{elapsed / 60:7.1f} min  {sample.memory / 2**20:7.1f} MiB  {descriptors} descriptors  "
        f"journal {journal / 2**20:,.0f} MiB  p99 {lag:,.0f} ms  {slips:,} slips",
        flush=True,
    )
    return sample


def report(hours: float, terminals: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 20_000), hard), hard))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        samples = runner.run(soak(hours, terminals))
    later = [sample for sample in samples if sample.hours >= hours * WARM_UP_SHARE]
    if len(later) < 3:
        raise SystemExit("too short for a slope: ask for some minutes more")
    for figure in ("memory", "descriptors", "lag"):
        middle = sum(getattr(sample, figure) for sample in later) / len(later)
        print(f"{figure}: {100 * slope(later, figure) / middle:+.2f}% an hour over {len(later)} samples")
    bytes_a_slip = (later[-1].journal - later[0].journal) / max(1, later[-1].slips - later[0].slips)
    print(f"journal: {bytes_a_slip:,.0f} bytes a slip")


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:]]
    report(given[0] if given else 1.0, int(given[1]) if len(given) > 1 else 1_000)
