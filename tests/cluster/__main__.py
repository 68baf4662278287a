"""`python -m tests.cluster`: seeds of faults on a house of many processes, each with what it found."""

import argparse
import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

from tests.cluster.engines import Engines, engines
from tests.cluster.plan import LONG, SHORT, Plan, Step, plan
from tests.cluster.run import SHAPE, Outcome, evening
from tests.earlier import source_of

_DESKS = [name for name, role in SHAPE.items() if role == "desk"]


async def seeds(asked: argparse.Namespace) -> None:
    outcomes: list[Outcome] = []
    fallen: list[str] = []
    begun = monotonic()
    left = list(range(asked.first, asked.first + asked.seeds))
    while left:
        async with engines() as made:
            while left:
                lives, left = left[: asked.life], left[asked.life :]
                lived, cause = await _life(asked, made, lives)
                outcomes += lived
                if cause:
                    fallen.append(cause)
                    left = lives[len(lived) + (not lived or not lived[-1].found.wrong) :] + left
                    break  # what it did to the engines nobody knows
    print(summed(outcomes, monotonic() - begun))
    if fallen:
        raise SystemExit("\n".join(fallen))


async def _life(asked: argparse.Namespace, made: Engines, numbers: list[int]) -> tuple[list[Outcome], str]:
    """One house and its seeds; it ends with the first that brings a fault to light, and says which."""
    lived: list[Outcome] = []
    folder = Path(tempfile.mkdtemp(prefix="taisai-house-"))
    async with AsyncExitStack() as stack:
        shape = {
            name: role for name, role in SHAPE.items() if name in _DESKS[: asked.desks] or role != "desk"
        }
        here = await stack.enter_async_context(evening(made, folder, shape=shape, players=asked.players))
        for seed in numbers:
            steps = plan(here.cluster, seed, seconds=LONG if asked.long else SHORT)
            print(steps, flush=True)
            try:
                outcome = await here.suffer(steps)
            except (AssertionError, TimeoutError) as error:
                print(f"  WRONG: {error!r}\n{here.cluster.said()}", flush=True)
                return lived, f"{steps}: {error!r}; its logs are in {folder}"
            lived.append(outcome)
            print(told(outcome), flush=True)
            if outcome.found.wrong:
                return lived, f"{steps}: {outcome.found.wrong[0]}; its logs are in {folder}"
    shutil.rmtree(folder, ignore_errors=True)
    return lived, ""


MEASURED: tuple[Step, ...] = (
    Step(at=0.3, fault="kill", who="gateway1"),
    Step(at=0.3, fault="hang", who="gateway1", seconds=5.0),
    Step(at=0.3, fault="kill", who="desk1"),
    Step(at=0.3, fault="stop", who="desk1"),
    Step(at=0.3, fault="bus_killed", where="0", seconds=5.0),
    Step(at=0.3, fault="bus_killed", where="all", seconds=5.0),
    Step(at=0.3, fault="standby_killed", seconds=5.0),
    Step(at=0.3, fault="primary_killed", seconds=1.0),
    Step(at=0.3, fault="promoted"),
)


async def measured(players: int) -> None:
    """Each row of the guide's failure table by itself: the longest that anybody waited between two slips."""
    async with engines() as made, AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-house-")))
        here = await stack.enter_async_context(evening(made, folder, players=players))
        quiet = await here.suffer(Plan(0, ()))
        print(f"nothing fails: at most {quiet.waited:.1f} s between two slips of a player", flush=True)
        for step in MEASURED:
            outcome = await here.suffer(Plan(0, (step,)))
            wrong = f" WRONG {outcome.found.wrong[:5]}" if outcome.found.wrong else ""
            print(f"{step}: at most {outcome.waited:.1f} s between two slips of a player{wrong}", flush=True)


async def upgraded_from(commit: str, players: int) -> None:
    """A house of an earlier commit becomes this one, process by process, and goes back again."""
    async with engines() as made, AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-house-")))
        earlier = stack.enter_context(source_of(commit)) / "src"
        here = await stack.enter_async_context(evening(made, folder, players=players, release=str(earlier)))
        for release in ("", str(earlier)):
            outcome = await here.suffer(Plan(0, (Step(at=0.3, fault="upgraded", where=release),)))
            print(f"to {release or 'this code'}:\n{told(outcome)}", flush=True)
            if outcome.found.wrong:
                raise SystemExit(1)


def told(outcome: Outcome) -> str:
    found = outcome.found
    wrong = "".join(f"\n  WRONG: {each}" for each in found.wrong[:20])
    return (
        f"  {found.acknowledged} acknowledged, {found.refused} refused, {found.commits} commits, "
        f"{found.taken} times a desk was taken; all served {outcome.back:.1f} s after the last fault{wrong}"
    )


def summed(outcomes: list[Outcome], seconds: float) -> str:
    wrong = sum(len(outcome.found.wrong) for outcome in outcomes)
    back = sorted(outcome.back for outcome in outcomes)
    return (
        f"{len(outcomes)} seeds in {seconds / 60:.0f} minutes, {wrong} faults of the house; served again "
        f"after {back[len(back) // 2]:.1f} s (median), {back[-1]:.1f} s at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--life", type=int, default=10, help="how many seeds one house lives through")
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--desks", type=int, choices=(1, 2), default=2, help="desk processes of a house")
    parser.add_argument("--long", action="store_true", help="faults of 1, 5 and 30 seconds")
    parser.add_argument("--measure", action="store_true", help="the failure table, a row at a time")
    parser.add_argument("--from", dest="earlier", help="upgrade a house of this commit, and back again")
    asked = parser.parse_args()
    if asked.earlier:
        asyncio.run(upgraded_from(asked.earlier, asked.players))
    else:
        asyncio.run(measured(asked.players) if asked.measure else seeds(asked))


if __name__ == "__main__":
    main()
