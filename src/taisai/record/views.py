"""Views: read models made from commits. They hold nothing that cannot be made again from the journal.

A view is rows of key and value with a position for each writer. It is brought up to date when it is asked,
and rows and positions move in one transaction, so a crash leaves it behind but never wrong.
"""

from collections.abc import AsyncIterator, Iterable, MutableMapping
from typing import Protocol

import msgspec

from taisai.errors import StoreConflict
from taisai.ledger.sums import Sums, added_up
from taisai.record.journal import Commit, is_cut
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, InArchive, Store

# Enough that a transaction is worth it, little enough that memory stays flat.
_ROWS_A_STEP = 20_000

Rows = MutableMapping[str, bytes | None]


class View(Protocol):
    """How a read model follows the journal."""

    @property
    def name(self) -> str: ...

    def keys(self, commit: Commit) -> Iterable[str]:
        """The rows that a commit may change."""
        ...

    def apply(self, commit: Commit, rows: Rows) -> None:
        """Change those rows; a missing key has no row yet, none deletes one."""
        ...


# The commit that was read last: several views and the auditor read the same one after the other.
_read_last: list[tuple[Commit | None, Sums]] = [(None, {})]


def moved_in(commit: Commit) -> Sums:
    """What one commit's transfers add up to, by account."""
    last, found = _read_last[0]
    if last is not commit:
        found = added_up(commit.transfers)
        _read_last[0] = (commit, found)
    return found


class Balances:
    """Debits and credits of every account, as `[debits, credits]`."""

    name = "balances"

    def keys(self, commit: Commit) -> Iterable[str]:
        return moved_in(commit)

    def apply(self, commit: Commit, rows: Rows) -> None:
        for account, (debits, credits, *_) in moved_in(commit).items():
            before = read_totals(rows.get(account))
            rows[account] = _encode((before[0] + debits, before[1] + credits))


_encode = msgspec.json.Encoder().encode
_decode_totals = msgspec.json.Decoder(tuple[int, int]).decode


def read_totals(value: bytes | None) -> tuple[int, int]:
    """Debits and credits from a row of the balances."""
    return _decode_totals(value) if value else (0, 0)


BALANCES = Balances()
# The views that every store keeps; the floor adds its own.
VIEWS: tuple[View, ...] = (BALANCES,)


async def catch_up(store: Store, view: View, source: CommitSource | None = None) -> None:
    """Bring a view to where the journal stands now; `source` has the commits, if not the store itself."""
    while True:
        try:
            await _follow(store, view, source or store)
        except StoreConflict:
            continue  # another process moved it meanwhile: go on from there
        return


async def _follow(store: Store, view: View, source: CommitSource) -> None:
    before = await store.view_positions(view.name)
    positions = dict(before)
    commits: list[Commit] = []
    keys: set[str] = set()
    async for commit in in_order(source, after=before):
        if view is not BALANCES and is_cut(commit):
            raise InArchive(f"what view {view.name} is made of in commit {commit.writer}/{commit.number}")
        commits.append(commit)
        keys.update(view.keys(commit))
        positions[commit.writer] = commit.number
        if len(keys) + len(commits) >= _ROWS_A_STEP:
            await _step(store, view, commits, keys, before, positions)
            before, commits, keys = dict(positions), [], set()
    if commits:
        await _step(store, view, commits, keys, before, positions)


async def _step(
    store: Store,
    view: View,
    commits: list[Commit],
    keys: set[str],
    before: dict[str, int],
    after: dict[str, int],
) -> None:
    rows: dict[str, bytes | None] = dict(await store.view_get(view.name, keys))
    for commit in commits:
        view.apply(commit, rows)
    await store.view_put(view.name, rows, before=before, after=after)


async def rebuild(store: Store, view: View, source: CommitSource | None = None) -> None:
    """Make a view again from nothing but the journal; `source` brings what is in archives."""
    await store.view_clear(view.name)
    await catch_up(store, view, source)


async def dump(store: Store, views: Iterable[View] = VIEWS) -> AsyncIterator[bytes]:
    """All rows of the views as lines, the same for the same journal."""
    for view in views:
        async for key, value in store.view_rows(view.name):
            yield msgspec.json.encode([view.name, key, value.decode("utf-8", "backslashreplace")]) + b"\n"


async def balances(store: Store, accounts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Debits and credits of these accounts, now."""
    wanted = list(accounts)
    await catch_up(store, BALANCES)
    rows = await store.view_get(BALANCES.name, wanted)
    return {account: read_totals(rows.get(account)) for account in wanted}
