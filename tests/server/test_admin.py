"""What an administrator reads: the house as it is in force, without a secret, and what doctor says.

The acts on the staff list have tests of their own.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from taisai.adapters.copies.backup import copy_sqlite, note_backup
from taisai.checkup.house import look_at_house
from taisai.checkup.machine import look_at_machine
from taisai.server.http.admin import HIDDEN, settings_in_force
from tests.server.houses import CLUSTER, Serving, serving, settings

TOKEN = "s3cr3t-of-the-witness"


async def test_the_page_says_what_doctor_says(house: Serving) -> None:
    """One look for both: the same checks with the same words, but for those that tell the time."""
    admin = await house.person("admin")
    told = await admin.get("/admin/health")
    found = await asyncio.to_thread(look_at_house, house.config, thorough=False)
    looked = [*look_at_machine(), *found]
    assert [one["check"] for one in told["findings"]] == [one.check for one in looked]
    wanted = {one.check: one.found for one in looked if one.check in ("python", "settings", "schema", "disk")}
    said = {one["check"]: one["found"] for one in told["findings"]}
    assert {check: said[check] for check in wanted} == wanted


async def test_tables_keys_and_backups_are_as_they_are(tmp_path: Path) -> None:
    """What the record has, the ids of keys, and the note that a backup leaves."""
    config = settings(tmp_path, CLUSTER)
    async with serving(config) as house:
        admin = await house.person("admin")
        before = await admin.get("/admin/installation")
        assert (before["backup"], before["backup_known"], before["witness"]) == (None, True, None)
        (table,) = [one for one in before["tables"] if one["name"] == "C1"]
        assert table["settings"]["pay_table"] == CLUSTER["pay_table"]
        trust = house.parts.trust
        names = [(one["name"], one["id"]) for one in before["keys"]]
        assert [("public", one.key) for one in trust.sources] == names[: len(trust.sources)]
        assert {name for name, _ in names} == {"public", *trust.secrets}
        record, copy = tmp_path / "house.db", tmp_path / "copy.db"
        copy_sqlite(record, copy)
        note_backup(record, copy, datetime(2026, 5, 4, tzinfo=UTC))
        note_backup(record, copy, datetime(2026, 5, 5, tzinfo=UTC))
        after = (await admin.get("/admin/installation"))["backup"]
        assert after == {
            "at": 1000 * int(datetime(2026, 5, 5, tzinfo=UTC).timestamp()),
            "where": str(copy.resolve()),
            "bytes": copy.stat().st_size,
        }


async def test_what_is_asked_of_logins_is_shown_as_the_record_has_it(house: Serving) -> None:
    """Two people changed it: the settings file no longer says what holds."""
    admin, other = await house.person("admin"), await house.person("auditor")
    policy = await admin.get("/staff-policy")
    asked = await admin.post("/staff-policy", {**policy, "idle_minutes": 7, "reason": "tills left open"})
    await other.approve(asked["waiting"][0]["approval"])
    shown = (await admin.get("/admin/installation"))["settings"]
    (idle,) = [one for one in shown if (one["section"], one["name"]) == ("staff", "idle_minutes")]
    assert (idle["value"], idle["is_default"]) == ("7", False)


async def test_the_witness_is_told_of_with_its_lag(tmp_path: Path) -> None:
    """Where it is, and how many commits it has not heard of yet."""
    kept = tmp_path / "outside" / "witness.jsonl"
    kept.parent.mkdir()
    config = settings(tmp_path, CLUSTER, server={"witness": str(kept)})
    async with serving(config) as house:
        admin = await house.person("admin")
        told = (await admin.get("/admin/installation"))["witness"]
        assert (told["where"], told["required"], told["trouble"]) == (str(kept), False, "")
        (writer,) = told["writers"]
        assert writer["commits"] >= (writer["witnessed"] or 0)


def test_no_secret_is_shown(tmp_path: Path) -> None:
    """Neither a token nor the password in an address nor a module's PIN; that one is set is said."""
    config = settings(tmp_path, CLUSTER)
    server = msgspec.structs.replace(
        config.server,
        witness="https://witness.example/tips",
        witness_token=TOKEN,
        database=f"postgresql://taisai:{TOKEN}@db.example/taisai",
        signer=f"pkcs11:token=house?pin-value={TOKEN}&module-path=/lib/hsm.so",
    )
    shown = settings_in_force(msgspec.structs.replace(config, server=server), config.staff_policy)
    assert TOKEN not in msgspec.json.encode(shown).decode()
    by_name = {f"{one.section}.{one.name}": one for one in shown}
    assert by_name["server.witness_token"].value == HIDDEN
    assert by_name["server.database"].value == f"postgresql://{HIDDEN}@db.example/taisai"
    assert (by_name["server.log_level"].is_default, by_name["server.witness"].is_default) == (True, False)
    assert by_name["server.witness"].value == "https://witness.example/tips"
