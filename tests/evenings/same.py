"""The same seed gives the same bytes: in another process, with other hashes, alone and after others."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
# Two ways to come to an evening: those before it are others, and sets have another order.
_WAYS = (("1", "--digests"), ("2", "--digests-backwards"))


def _digests(first: int, seeds: int, hash_seed: str, order: str) -> dict[str, str]:
    said = subprocess.run(
        [sys.executable, "-m", "tests.evenings", order, "--first", str(first), "--seeds", str(seeds)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return dict(line.split() for line in said.splitlines())


def differing(first: int, seeds: int) -> list[str]:
    """The seeds whose evenings are not the same whichever way they are come to."""
    one, other = (_digests(first, seeds, hash_seed, order) for hash_seed, order in _WAYS)
    return [seed for seed, digest in one.items() if other.get(seed) != digest]
