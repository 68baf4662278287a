"""What a house keeps outside of its record: keys, public keys, a witness; and what of it may be lost."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import Result

from taisai.adapters.signing.keys import load_public_keys
from taisai.adapters.stores import read_store
from taisai.adapters.witnesses.file import FileWitness, Telling
from taisai.bootstrap import open_parts
from taisai.errors import InputError
from taisai.floor.audit.whole import audit
from tests.server.houses import LIVE, Serving, serving, settings
from tests.unit.command import run


async def command(*arguments: str) -> Result:
    """A command of ours, beside the loop of the test."""
    return await asyncio.to_thread(run, *arguments)


async def opened_once(folder: Path) -> None:
    async with open_parts(settings(folder, LIVE)):
        pass


async def test_a_witness_is_told_where_the_record_stands(tmp_path: Path) -> None:
    """When the house opens and when it closes, so that nothing before can be cut off unseen."""
    witness = tmp_path / "elsewhere.jsonl"
    async with serving(settings(tmp_path, LIVE, server={"witness": str(witness)})) as house:
        supervisor = await house.person("supervisor")
        await supervisor.post("/tables/T1/acts", {"act": "StartRound", "fields": {}}, key="start")
    kept = FileWitness(witness).kept()
    database = tmp_path / "house.db"
    async with read_store(str(database)) as snapshot:
        assert kept[-1] == (await snapshot.tips())["house"]
        keys = load_public_keys([tmp_path / "house.db.key.pub"])
        report = await audit(snapshot, keys, witnessed=kept, scratch=dict)
    assert report.record.witnessed == len({tip.number for tip in kept})


async def test_a_witness_that_cannot_be_reached_does_not_stop_the_house(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told again later, and the log says that it was not told."""
    gone = tmp_path / "not-mounted" / "witness.jsonl"
    async with open_parts(settings(tmp_path, LIVE, server={"witness": str(gone)})) as parts:
        counted: list[str] = []
        ours = FileWitness(gone.with_name("ours.jsonl"))  # the house tells the other one by itself
        telling = Telling(parts.house.store, ours, parts.house.timer, counted.append)
        await telling.tell()
        assert "the witness could not be told" in caplog.text
        gone.parent.mkdir()
        await telling.tell()
        assert len(ours.kept()) == 1
        await telling.tell()
        assert len(ours.kept()) == 1, "nothing has moved since"
        assert counted == ["failed", "told"]


@pytest.mark.parametrize("name", ["tickets.key", "sealing.key"])
async def test_a_secret_that_was_lost_is_not_silently_replaced(tmp_path: Path, name: str) -> None:
    """With another one no ticket could be redeemed and nobody could log in."""
    await opened_once(tmp_path)
    path = tmp_path / "keys" / name
    secret = path.read_bytes()
    path.unlink()
    with pytest.raises(InputError, match=f"{name} is not there, and the record was made with it"):
        await opened_once(tmp_path)
    assert not path.exists()
    path.write_bytes(secret)
    path.chmod(0o600)
    await opened_once(tmp_path)


async def test_after_a_change_of_keys_everything_still_verifies(tmp_path: Path) -> None:
    """The old key's public half stays in the folder, and beside the record lie both."""
    await opened_once(tmp_path)
    for name in ("signing.pem", "signing.pem.pub"):
        (tmp_path / "keys" / name).rename(tmp_path / "keys" / name.replace("signing", "signing-before"))
    config = settings(tmp_path, LIVE)
    async with serving(config) as house:
        report = await (await house.person("auditor")).post("/audit/verify")
        assert report["sound"], report
    assert len(load_public_keys([tmp_path / "house.db.key.pub"]).raw) == 2
    assert (await command("audit", "verify", str(tmp_path / "house.db"))).exit_code == 0


async def test_significant_events_can_be_read_by_those_who_watch(house: Serving) -> None:
    """Newest first, by page, code and device; and the command finds the same in the journal."""
    visitor = await house.visitor()
    answer = await visitor.http.post("/api/v1/login", json={"name": "dealer", "password": "wrong"})
    assert answer.status_code == 401
    supervisor = await house.person("supervisor")
    page = await supervisor.get("/audit/significant", limit=1)
    assert len(page["items"]) == 1
    rest = await supervisor.get("/audit/significant", cursor=page["next"], limit=200)
    items = [*page["items"], *rest["items"]]
    assert [item["at"] for item in items] == sorted((item["at"] for item in items), reverse=True)
    (failed,) = (await supervisor.get("/audit/significant", code=501))["items"]
    assert (failed["name"], failed["what"].split(",")[0]) == ("login_failed", "dealer")
    assert {item["code"] for item in (await supervisor.get("/audit/significant", device="T1"))["items"]} == {
        101,
        601,
    }
    for wrong in ("code=999", "cursor=x", "cursor=%00"):
        refused = await supervisor.http.get(f"/api/v1/audit/significant?{wrong}")
        assert (refused.status_code, refused.json()["code"]) == (400, "input_invalid")
    listed = (await command("audit", "significant", house.config.server.database, "--format", "csv")).stdout
    assert listed.count("\n") == len(items) + 1
    assert ",501,login_failed,staff," in listed


async def test_a_rebuild_keeps_what_counts_as_large(tmp_path: Path) -> None:
    """The list of significant events is made again by the thresholds that it was made by."""
    database = str(tmp_path / "house.db")
    async with serving(settings(tmp_path, LIVE, significant={"wager_minor": 500})) as house:
        await (await house.person("supervisor")).get("/audit/significant")
    before = await significant_rows(database)
    assert before["thresholds"] == b'{"win":null,"wager":500,"transaction":null,"attempts":10}'
    assert (await command("rebuild", database)).exit_code == 0
    after = await significant_rows(database)
    assert before.items() <= after.items()


async def significant_rows(database: str) -> dict[str, bytes]:
    async with read_store(database) as snapshot:
        return {key: row async for key, row in snapshot.view_rows("significant")}


async def test_an_export_is_restored_where_no_key_is(tmp_path: Path) -> None:
    """Whoever looks after a record signs nothing, and no key is made for them."""
    await opened_once(tmp_path)
    database, export, restored = (tmp_path / name for name in ("house.db", "house.jsonl", "restored.db"))
    assert (await command("audit", "export", str(database), "--out", str(export))).exit_code == 0
    done = await command("restore", str(export), str(restored), "--key", f"{database}.key.pub")
    assert done.exit_code == 0, done.stderr
    assert (await command("rebuild", str(restored))).exit_code == 0
    assert not list(tmp_path.glob("restored.db.key*"))
