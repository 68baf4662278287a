"""A store that says of each batch that it is durable now: to whoever carries commits to other processes."""

from collections.abc import Callable
from typing import Any, cast

from taisai.record.journal import Batch, Committed
from taisai.record.ports import Store


class _Carrying:
    """Does what the store does, and tells of each append that succeeded.

    One whose fate is unknown is not told: whoever follows finds it on the record.
    """

    def __init__(self, store: Store, carry: Callable[[Batch], None]) -> None:
        self._store, self._carry = store, carry

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, batch: Batch) -> Committed:
        committed = await self._store.append(batch)
        self._carry(batch)
        return committed


def carrying(store: Store, carry: Callable[[Batch], None]) -> Store:
    """The store, whose commits are carried on."""
    return cast("Store", _Carrying(store, carry))
