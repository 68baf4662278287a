"""What ties a record to the outside: each attack and each lawful change, said alike by whoever is asked.

The start of a house, `taisai doctor`, `taisai audit verify` and the audit page ask the same functions.
"""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.auditing.whole import anchor_events
from taisai.adapters.signing.keys import load_public_keys, public_pem
from taisai.adapters.stores import read_store
from taisai.bootstrap import open_parts
from taisai.errors import InputError
from taisai.record.anchor import KeyRotated, WitnessMissed
from taisai.record.faults import RecordFault
from tests.server.houses import LIVE, Serving, serving, settings
from tests.unit.command import run

TABLES = """
[house]
play_money = true

[[table]]
name = "T1"
kind = "live"
pay_table = "tai-sai-v6/2"
"""


class Site:
    """A house's folder, with a settings file for the commands."""

    def __init__(self, folder: Path, **server: Any) -> None:
        self.folder, self.logins = folder, dict[str, str]()
        folder.mkdir(exist_ok=True)
        self.database, self.keys = folder / "house.db", folder / "keys"
        self.witness = folder.parent / f"{folder.name}-witness.jsonl"
        self.server = {"witness": str(self.witness), **server}

    @property
    def config(self) -> Any:
        return settings(self.folder, LIVE, server=self.server)

    @property
    def file(self) -> Path:
        path = self.folder / "house.toml"
        values = {"database": str(self.database), "keys": str(self.keys), **self.server}
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        tables = (
            '[house]\nplay_money = true\n[[table]]\nname = "T1"\nkind = "live"\npay_table = "tai-sai-v6/2"\n'
        )
        path.write_text("[server]\n" + "\n".join(lines) + "\n" + tables, encoding="utf-8")
        return path

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Serving]:
        async with serving(self.config) as house:
            house.logins.update(self.logins)
            self.logins.update(house.logins)
            yield house

    async def play(self) -> None:
        """Open, log in, close: the record grows and the witness sees it."""
        async with self.open() as house:
            await house.person("supervisor")

    async def page(self) -> dict[str, Any]:
        async with self.open() as house:
            return dict(await (await house.person("auditor")).post("/audit/verify"))

    async def doctor(self) -> dict[str, dict[str, Any]]:
        result = await asyncio.to_thread(run, "doctor", "-c", str(self.file), "--format", "json")
        return {each["check"]: each for each in json.loads(result.stdout)["findings"]}

    async def verify(self, *more: str) -> tuple[int, dict[str, Any], str]:
        arguments = ("audit", "verify", str(self.database), "--format", "json", *more)
        result = await asyncio.to_thread(run, *arguments)
        return result.exit_code, json.loads(result.stdout or "{}"), result.stderr

    async def refused(self) -> str:
        """What the start says of a record that it does not open."""
        with pytest.raises((RecordFault, InputError)) as refused:
            async with open_parts(self.config):
                pass
        return str(refused.value)


def swap(site: Site, copy: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        site.database.with_name(site.database.name + suffix).unlink(missing_ok=True)
    shutil.copy(copy, site.database)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "house")


async def test_a_forged_record_with_its_own_key_is_found_by_pinned_keys(site: Site, tmp_path: Path) -> None:
    """It is sound to whoever believes the key beside it, who is warned; nobody with the house's keys does."""
    await site.play()
    forger = Site(tmp_path / "forger", witness="")
    await forger.play()
    swap(site, forger.database)
    shutil.copy(f"{forger.database}.key.pub", f"{site.database}.key.pub")
    code, believed, _ = await site.verify()
    assert (code, [note["code"] for note in believed["notes"]]) == (0, ["keys_beside"])
    assert [key["beside"] for key in believed["keys"]] == [True]
    (pinned,) = load_public_keys([site.keys / "signing.pem.pub"]).raw
    for trusted in ("--key", str(site.keys / "signing.pem.pub")), ("--config", str(site.file)):
        code, found, _ = await site.verify(*trusted)
        assert code == 1
        sentence = f"{found['where']}: {found['fault']}"
        assert "which is not trusted here" in sentence
    code, _, said = await site.verify("--key", pinned)
    assert (code, f"no public key with the id {pinned}" in said) == (2, True)
    assert await site.refused() == sentence
    assert (await site.doctor())["signing key"]["found"] == sentence


async def test_a_pinned_id_is_enough_where_its_key_is_beside_the_record(site: Site) -> None:
    """An id is a digest of the key: an auditor can carry it on paper."""
    await site.play()
    (pinned,) = load_public_keys([site.keys / "signing.pem.pub"]).raw
    code, found, _ = await site.verify("--key", pinned)
    assert (code, found["notes"]) == (0, [])
    assert found["keys"] == [{"key": pinned, "where": "pinned by its id", "beside": False}]
    site.server["trusted_keys"] = [pinned]
    await site.play()
    site.server["trusted_keys"] = ["0" * 32]
    assert "no public key with the id 000" in await site.refused()


async def test_the_page_says_it_where_the_witness_came_back_later(site: Site, tmp_path: Path) -> None:
    """The house opened without its witness, and said so; the audit then asks it and finds the rollback."""
    await site.play()
    shutil.copy(site.database, tmp_path / "older.db")
    await site.play()
    swap(site, tmp_path / "older.db")
    away = site.witness.rename(tmp_path / "away")
    async with site.open() as house:
        ready = (await (await house.person("admin")).http.get("/readyz")).json()
        assert ready["ready"] is True
        assert "the witness was not asked at the start" in ready["warnings"][0]
        auditor = await house.person("auditor")
        (missed,) = (await auditor.get("/audit/significant", code=802))["items"]
        assert "cannot read the witness" in missed["what"]
        site.witness.write_bytes(away.read_bytes())
        told = await auditor.post("/audit/verify")
    assert (told["sound"], told["code"]) == (False, "forked")
    assert told["where"] == f"commit {told['facts']['commit']}"


async def test_the_page_tells_of_a_secret_that_was_swapped_while_the_house_was_open(site: Site) -> None:
    """With a code and facts, so that it is told in the reader's language."""
    await site.play()
    async with site.open() as house:
        object.__setattr__(house.parts.trust, "secrets", {"tickets": b"x" * 32})
        told = await (await house.person("auditor")).post("/audit/verify")
    assert (told["sound"], told["code"], told["facts"]["name"]) == (False, "secret_swapped", "tickets.key")


async def _rotate(site: Site) -> KeyRotated:
    result = await asyncio.to_thread(run, "keys", "rotate", "-c", str(site.file), "--reason", "yearly")
    assert result.exit_code == 0, result.stderr
    async with read_store(str(site.database)) as snapshot:
        events = [event for event in await anchor_events(snapshot) if isinstance(event, KeyRotated)]
    return events[-1]


async def test_after_a_rotation_whoever_pinned_the_old_key_verifies_as_before(site: Site) -> None:
    """Old and new key have signed it; all say so in one sentence, and the old private key is gone."""
    await site.play()
    pinned = site.folder / "pinned.pub"
    shutil.copy(site.keys / "signing.pem.pub", pinned)
    rotated = await _rotate(site)
    await site.play()
    assert not list(site.keys.glob("*.next*"))
    assert set(load_public_keys(sorted(site.keys.glob("*.pub"))).raw) == {rotated.old, rotated.new}
    code, found, _ = await site.verify("--key", str(pinned))
    (note,) = found["notes"]
    assert (code, note["code"]) == (0, "rotated")
    assert f"key {rotated.old} of house handed over to {rotated.new} on " in note["text"]
    assert (await site.doctor())["record"]["found"] == note["text"]
    told = await site.page()
    assert [each["text"] for each in told["notes"]] == [note["text"]]
    assert {key["key"] for key in told["keys"]} == {rotated.old, rotated.new}
    listed = await asyncio.to_thread(run, "keys", "list", "-c", str(site.file), "--format", "json")
    rows = {row["id"]: row for row in json.loads(listed.stdout)}
    assert (rows[rotated.new]["use"], rows[rotated.old]["use"]) == ("in use", "before")
    assert {row["record"] for row in rows.values() if row["key"] != "signing"} == {"the same"}


async def test_a_rotation_that_was_cut_short_is_finished_by_the_next_start(site: Site) -> None:
    """The event is on the record and the process died before the keys changed places."""
    await site.play()
    before = site.folder / "before"
    shutil.copytree(site.keys, before)
    rotated = await _rotate(site)
    new = (site.keys / "signing.pem").read_bytes()
    shutil.rmtree(site.keys)
    shutil.copytree(before, site.keys)
    (site.keys / "signing.next.pem").write_bytes(new)
    (site.keys / "signing.next.pem").chmod(0o600)
    (site.keys / "signing.next.pem.pub").write_bytes(public_pem(bytes.fromhex(rotated.public)))
    told = await site.page()
    assert told["sound"], told
    assert load_public_keys([site.keys / "signing.pem.pub"]).raw.keys() == {rotated.new}


async def test_the_key_before_a_rotation_opens_the_record_no_more(site: Site) -> None:
    """Who kept a copy of the old key cannot go on with it, and a commit by it is found."""
    await site.play()
    before = site.folder / "before"
    shutil.copytree(site.keys, before)
    rotated = await _rotate(site)
    shutil.rmtree(site.keys)
    shutil.copytree(before, site.keys)
    assert f"the record was handed over to key {rotated.new}" in await site.refused()


async def test_a_house_that_asks_for_its_witness_does_not_open_without_it(site: Site) -> None:
    """`witness_required`: no witness, no house."""
    await site.play()
    site.server["witness_required"] = True
    await site.play()
    site.witness.unlink()
    assert "the house does not open without its witness" in await site.refused()


async def test_a_line_that_the_house_never_signed_does_not_close_it(site: Site) -> None:
    """Whoever can write to the witness's file cannot close the house with it; it is on the record."""
    await site.play()
    line = json.loads(site.witness.read_bytes().splitlines()[-1])
    line.update(number=line["number"] + 1_000, signature="00" * 64)
    with site.witness.open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
    async with site.open() as house:
        told = await (await house.person("auditor")).post("/audit/verify")
        assert told["code"] == "witness_false"
    async with read_store(str(site.database)) as snapshot:
        assert any(isinstance(event, WitnessMissed) for event in await anchor_events(snapshot))
