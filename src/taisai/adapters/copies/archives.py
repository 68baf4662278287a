"""Archives beside a record: what left the store is read from them, as if it had never left."""

from array import array
from collections.abc import AsyncIterator, Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from taisai.errors import InputError
from taisai.record.cuts import Claims, claims_of
from taisai.record.export import read_commit
from taisai.record.faults import RecordFault
from taisai.record.journal import Commit, Event, Tip, is_cut
from taisai.record.parts import is_commit, read_header
from taisai.record.ports import Counts, RecordSnapshot

_PIECE = 1 << 20


class ArchiveFile:
    """One archive in a file: where each commit is, and the digest of the whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, array[int]]] = {}  # by writer: its first number, then places
        try:
            with path.open("rb") as file:
                self.digest = self._index(file)
        except OSError as error:
            raise InputError(f"cannot read the archive {path}: {error.strerror}") from None

    def _index(self, file: Iterable[bytes]) -> str:
        sha, place = sha256(), 0
        for number, raw in enumerate(file, 1):
            sha.update(raw)
            if number == 1:
                read_header(raw, str(self.path))
            elif is_commit(raw):
                commit = read_commit(raw, f"{self.path} line {number}")
                first, places = self._places.setdefault(commit.writer, (commit.number, array("Q")))
                if commit.number != first + len(places):
                    raise InputError(f"{self.path} line {number}: commits of {commit.writer} are missing")
                places.append(place)
            place += len(raw)
        return sha.hexdigest()

    def find(self, writer: str, number: int) -> Commit | None:
        """A commit as it was archived."""
        first, places = self._places.get(writer, (0, array("Q")))
        if not first <= number < first + len(places):
            return None
        with self.path.open("rb") as file:
            file.seek(places[number - first])
            return read_commit(file.readline(), str(self.path))


class Filled:
    """A record with the bodies that left it, from the archives that it names itself."""

    def __init__(self, snapshot: RecordSnapshot, archives: Sequence[ArchiveFile]) -> None:
        self._snapshot, self._archives = snapshot, archives

    async def commits(self, writer: str, *, after: int, limit: int) -> list[Commit]:
        found = await self._snapshot.commits(writer, after=after, limit=limit)
        return [self._whole(commit) if is_cut(commit) else commit for commit in found]

    def _whole(self, cut: Commit) -> Commit:
        for archive in self._archives:
            commit = archive.find(cut.writer, cut.number)
            if commit is not None:
                if (commit.digest, commit.signature) != (cut.digest, cut.signature):
                    where = f"commit {cut.writer}/{cut.number}"
                    raise RecordFault(where, f"{archive.path.name} has another", "archive_altered")
                return commit
        return cut

    async def events(self, stream: str, *, after: int = 0) -> AsyncIterator[Event]:
        async for event in self._snapshot.events(stream, after=after):
            yield event

    async def tips(self) -> dict[str, Tip]:
        return await self._snapshot.tips()

    async def seals(self, writer: str, numbers: Sequence[int]) -> dict[int, tuple[bytes, bytes]]:
        return await self._snapshot.seals(writer, numbers)

    async def counts(self) -> Counts:
        return await self._snapshot.counts()

    async def strays(self) -> list[str]:
        return await self._snapshot.strays()

    async def misled(self) -> list[str]:
        return await self._snapshot.misled()

    async def view_positions(self, view: str) -> dict[str, int]:
        return await self._snapshot.view_positions(view)

    async def view_rows(
        self, view: str, prefix: str = "", *, after: str = ""
    ) -> AsyncIterator[tuple[str, bytes]]:
        async for row in self._snapshot.view_rows(view, prefix, after=after):
            yield row


async def filled(snapshot: RecordSnapshot, paths: Sequence[Path], *, whole: bool = False) -> RecordSnapshot:
    """A record together with its archives: every one that it names must be given, and no other.

    Without any the record is read as it is, unless it has to be `whole`.
    """
    if not paths and not whole:
        return snapshot
    archives = [ArchiveFile(path) for path in paths]
    claims: Claims = await claims_of(snapshot)
    named = {claim.digest: claim.name for claim in claims.archived}
    for archive in archives:
        if archive.digest not in named:
            what = "it is not one of the archives that the record names"
            raise RecordFault(f"archive {archive.path.name}", what, "archive_unknown", name=archive.path.name)
    missing = [name for digest, name in named.items() if digest not in {each.digest for each in archives}]
    if missing:
        raise InputError(f"the record names the archive {missing[0]} too: give it with --archive")
    return Filled(snapshot, archives)
