"""What both stores of players' names promise."""

from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from taisai.adapters.people.names import NAME_LEN_MAX, SqliteNames
from taisai.adapters.postgres.names import PostgresNames
from taisai.adapters.stores import open_names
from taisai.errors import InputError, StoreUnavailable


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Somewhere to keep names, of each kind."""
    if request.param == "sqlite":
        return tmp_path / "names.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
async def names(where: Path | str, tmp_path: Path) -> AsyncIterator[SqliteNames | PostgresNames]:
    """A fresh store."""
    in_a_file = isinstance(where, Path)
    store = SqliteNames(where, tmp_path / "keys-of-names.db") if in_a_file else PostgresNames(where)
    yield store
    await store.close()


async def test_a_name_is_found_by_its_pseudonym_and_by_a_part(names: SqliteNames | PostgresNames) -> None:
    """Letters in either case, in any script, and no part is a pattern."""
    await names.put("p-1", "Anna  Silva")
    await names.put("p-2", "陳大文")
    await names.put("p-3", "50% Annabel")
    assert await names.get("p-1") == "Anna Silva"
    assert await names.get("p-9") is None
    assert await names.find("ANNA") == [("p-3", "50% Annabel"), ("p-1", "Anna Silva")]
    assert await names.find("大文") == [("p-2", "陳大文")]
    assert await names.find("%") == [("p-3", "50% Annabel")]
    assert len(await names.find("", limit=2)) == 2


async def test_a_name_can_be_corrected(names: SqliteNames | PostgresNames) -> None:
    """The later one stands."""
    await names.put("p-1", "Ana Silva")
    await names.put("p-1", "Anna Silva")
    assert await names.find("silva") == [("p-1", "Anna Silva")]


async def test_an_erased_name_is_gone_and_the_others_stay(names: SqliteNames | PostgresNames) -> None:
    """Erasing again finds nothing."""
    await names.put("p-1", "Anna Silva")
    await names.put("p-2", "Ben Kwan")
    assert await names.erase("p-1")
    assert not await names.erase("p-1")
    assert await names.get("p-1") is None
    assert await names.get("p-2") == "Ben Kwan"


@pytest.mark.parametrize("name", ["", "  ", "x" * (NAME_LEN_MAX + 1)])
async def test_an_impossible_name_is_refused(names: SqliteNames | PostgresNames, name: str) -> None:
    """Empty, or too long."""
    with pytest.raises(InputError, match="a name has 1 to"):
        await names.put("p-1", name)


async def test_nothing_of_an_erased_name_is_left_in_the_file(tmp_path: Path) -> None:
    """What is erased is overwritten, in the file and in whatever lies beside it."""
    store = SqliteNames(tmp_path / "names.db")
    for n in range(200):
        await store.put(f"p-{n}", f"Unmistakable Person {n:03d}")
    await store.put("p-7", "Corrected Person 007")
    await store.erase("p-42")
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Unmistakable Person" not in left
    assert await store.get("p-43") == "Unmistakable Person 043"
    await store.close()


async def test_an_old_copy_of_the_names_holds_nothing_of_an_erased_one(tmp_path: Path) -> None:
    """Its key is destroyed: no backup that is put back, and no standby, can be read."""
    path = tmp_path / "names.db"
    store = SqliteNames(path)
    await store.put("p-1", "Anna Silva")
    await store.put("p-2", "Ben Kwan")
    copy = path.read_bytes()
    await store.erase("p-1")
    await store.close()
    path.write_bytes(copy)
    again = SqliteNames(path)
    assert (await again.get("p-1"), await again.get("p-2")) == (None, "Ben Kwan")
    assert await again.find("") == [("p-2", "Ben Kwan")]
    await again.put("p-1", "Another Person")
    assert await again.get("p-1") == "Another Person"
    await again.close()


async def test_names_that_an_older_version_kept_are_sealed_at_the_next_start(tmp_path: Path) -> None:
    """They are read as before, and stand in the file no longer."""
    path = tmp_path / "names.db"
    await SqliteNames(path).close()
    old = apsw.Connection(str(path))
    old.execute("INSERT INTO player_names VALUES ('p-1', 'Anna Silva')")
    old.close()
    store = SqliteNames(path)
    assert await store.get("p-1") == "Anna Silva"
    await store.close()
    assert b"Anna Silva" not in path.read_bytes()


async def test_names_outlive_the_process(tmp_path: Path) -> None:
    """What was put is there when the file is opened again."""
    store = SqliteNames(tmp_path / "names.db")
    await store.put("p-1", "Anna Silva")
    await store.close()
    again = SqliteNames(tmp_path / "names.db")
    assert await again.get("p-1") == "Anna Silva"
    await again.close()


def test_a_file_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    """Neither another SQLite file nor something else is touched."""
    other = apsw.Connection(str(tmp_path / "other.db"))
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(StoreUnavailable, match="not one of taisai's names"):
        SqliteNames(tmp_path / "other.db")
    (tmp_path / "text.db").write_text("no database at all, and long enough to be looked at" * 100)
    with pytest.raises(StoreUnavailable):
        SqliteNames(tmp_path / "text.db")
    with pytest.raises(StoreUnavailable):
        SqliteNames(tmp_path / "nowhere" / "names.db")


async def test_a_server_that_cannot_be_reached_is_said_so() -> None:
    """The driver's error stays inside."""
    store = PostgresNames("postgresql://nobody@/none?host=/nonexistent")
    with pytest.raises(StoreUnavailable):
        await store.get("p-1")
    await store.close()


async def test_each_process_of_a_shared_house_finds_what_another_put(
    tmp_path: Path, postgres_url: str
) -> None:
    """On machines that have no file in common; and where the key was destroyed nobody reads a copy."""
    first, second = PostgresNames(postgres_url), PostgresNames(postgres_url)
    await first.put("p-1", "Anna Silva")
    assert await second.find("anna") == [("p-1", "Anna Silva")]
    await second.put("p-1", "Anna Silva-Kwan")
    assert await first.get("p-1") == "Anna Silva-Kwan"
    sealed = await first._names.fetch("SELECT name FROM player_names")
    await first.erase("p-1")
    assert await second.get("p-1") is None
    await second._names.fetch("INSERT INTO player_names VALUES ('p-1', $1)", sealed[0][0])
    assert (await first.get("p-1"), await first.find("")) == (None, [])
    await first.close()
    await second.close()


async def test_a_house_that_becomes_many_processes_brings_its_names_along(
    tmp_path: Path, postgres_url: str
) -> None:
    """Once, whichever process is first; the file keeps none of them, and an erased one does not come back."""
    file = tmp_path / "names.db"
    async with open_names(postgres_url, file, "", shared=False) as alone:
        await alone.put("p-1", "Anna Silva")
        await alone.put("p-2", "Ben Kwan")
    for _ in range(2):
        async with open_names(postgres_url, file, "", shared=True) as names:
            assert await names.get("p-1") == "Anna Silva"
            await names.erase("p-2")
            assert await names.get("p-2") is None
    async with open_names(str(tmp_path / "house.db"), file, "", shared=False) as left:
        assert await left.find("") == []


async def test_names_stay_in_a_file_where_somebody_says_so(tmp_path: Path, postgres_url: str) -> None:
    """With a file of keys that all processes of one machine share; an address needs a house in PostgreSQL."""
    file, keys = tmp_path / "names.db", tmp_path / "keys.db"
    async with open_names(postgres_url, file, str(keys), shared=True) as names:
        await names.put("p-1", "Anna Silva")
    assert keys.exists()
    with pytest.raises(InputError, match=r"server\.name_keys: expected a file"):
        async with open_names(str(tmp_path / "house.db"), file, postgres_url, shared=True):
            pass
