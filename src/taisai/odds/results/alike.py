"""Results that can be compared: `==` answers yes or no though their fields are columns."""

from dataclasses import fields
from typing import Any


class Alike:
    """A dataclass that equals another of its kind when every compared field does, columns entry by entry."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = (field.name for field in fields(self) if field.compare)  # type: ignore[arg-type]  # a mixin
        return all(_same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None  # type: ignore[assignment]  # as of everything that holds columns


def _same(one: Any, other: Any) -> bool:
    if hasattr(one, "dtype") or hasattr(other, "dtype"):
        import numpy as np

        return bool(np.array_equal(one, other))
    return bool(one == other)
