"""Chance by name: a stream for each part of an evening, so that taking one away does not move the others."""

import os
import random
from collections.abc import Callable
from random import Random


class Streams:
    """Named random streams of one seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._made: dict[str, Random] = {}

    def __getitem__(self, name: str) -> Random:
        if name not in self._made:
            self._made[name] = Random(f"{self.seed}/{name}")
        return self._made[name]


def draw_from(stream: Random) -> Callable[[], None]:
    """Let the machine's own entropy come from a stream: tokens, keys, names. Returns the way back."""
    urandom, seeding = os.urandom, random._urandom
    os.urandom = stream.randbytes
    random._urandom = stream.randbytes

    def back() -> None:
        os.urandom, random._urandom = urandom, seeding

    return back
