"""A desk's state made again: from its stream, or from a checkpoint and what came after it."""

import logging
from typing import Any, Generic

import msgspec

from taisai.errors import StoreError
from taisai.floor.desks.checkpoints import Checkpoints, Resumed
from taisai.floor.desks.kind import DeskHanded, DeskKind, OwnerEvent, S
from taisai.record.ports import Store
from taisai.record.views import balances

log = logging.getLogger("taisai.desks")


class CannotRebuild(Exception):
    """What is on the record cannot be read to a state: only a person can help now."""


class Rebuilt(msgspec.Struct, Generic[S]):
    """A state as the record has it, and the events that those who follow the desk have not heard of."""

    state: Any
    version: int
    at: int
    epoch: int
    missed: list[Any]
    handed: DeskHanded | None = None  # where the one who wrote last handed it over


class Rebuilding(Generic[S]):
    """Reads one desk's state from the record."""

    def __init__(self, kind: DeskKind[S], store: Store, checkpoints: Checkpoints[S]) -> None:
        self._kind, self._store, self._checkpoints = kind, store, checkpoints
        self._decode = msgspec.json.Decoder(kind.events | OwnerEvent).decode

    async def rebuild(self, *, told: int | None) -> Rebuilt[S]:
        """The state now. `told` is the version up to which followers have heard; none when there are none.

        A checkpoint saves time and nothing else: one that does not lead to a state is done without.
        """
        try:
            resumed = await self._checkpoints.resume()
            return await self._read(resumed, told)
        except StoreError:  # damaged bytes too: once they are repaired, the next try succeeds
            raise
        except Exception:
            log.exception(
                "%s cannot be rebuilt from its checkpoint; its whole stream is read", self._kind.name
            )
        try:
            return await self._read(Resumed[S](self._kind.fresh()), told)
        except StoreError:
            raise
        except Exception as error:
            raise CannotRebuild(f"{type(error).__name__}: {error}") from error

    async def _read(self, resumed: Resumed[S], told: int | None) -> Rebuilt[S]:
        state, version, at, epoch = resumed.state, resumed.version, resumed.at, resumed.epoch
        missed: list[Any] = []
        handed: DeskHanded | None = None
        decode, evolve = self._decode, state.evolve
        async for stored in self._store.events(self._kind.stream, after=version):
            event = decode(stored.body)
            handed = event if isinstance(event, DeskHanded) else None
            if isinstance(event, OwnerEvent):
                epoch = event.epoch
            else:
                evolve(event)
                if told is not None and stored.version > told:
                    missed.append(event)
            version, at = stored.version, stored.at
        for account, (debits, credits) in (await self._balances(state, resumed, version)).items():
            if debits or credits:  # nearly nobody owes anything, or has anything waiting
                state.book.open(account, debits_minor=debits, credits_minor=credits)
        if self._kind.recall is not None:
            await self._kind.recall(self._store, state)
        return Rebuilt(state, version, at, epoch, missed, handed)

    async def _balances(self, state: S, resumed: Resumed[S], version: int) -> dict[str, tuple[int, int]]:
        """What is in the desk's own accounts: nobody else moves them, so its own commits say all of it.

        A checkpoint of 0.1.0, or of a cut, does not say where they stood; then the balances of the house do.
        """
        owned, stood = state.owned_accounts(), resumed.balances
        if stood is None:
            return await balances(self._store, owned)
        if not owned:
            return {}
        moved = await self._store.moved(self._kind.stream, after=resumed.version, upto=version)
        if not stood:
            return {account: moved[account] for account in owned if account in moved}
        nothing, found = (0, 0), dict[str, tuple[int, int]]()
        for account in owned:
            if account in stood or account in moved:
                had, came = stood.get(account, nothing), moved.get(account, nothing)
                found[account] = (had[0] + came[0], had[1] + came[1])
        return found
