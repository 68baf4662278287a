"""Two people for the staff list, over HTTP and by command: asked, seen, agreed, told, on the record."""

import asyncio
from pathlib import Path

import pytest

from taisai.cli.output import Exit
from taisai.client import Refused, Staff
from taisai.game.people import Role
from tests.server.houses import CLUSTER, Serving, serving, settings
from tests.unit.command import run


async def test_an_administrator_alone_is_not_two_people(house: Serving) -> None:
    """What was asked for opens nothing before a casino manager or an auditor agreed."""
    admin = await house.person("admin")
    told = [await admin.post("/staff", {"name": name, "role": "casino-manager"}) for name in ("eve", "adam")]
    visitor = await house.visitor()
    for each in told:
        body = {"name": each["name"], "password": each["password"]}
        assert (await visitor.http.post("/api/v1/login", json=body)).status_code == 401
        with pytest.raises(Refused) as refused:
            await admin.approve(each["approval"])
        assert refused.value.code == "second_person_is_first"
    for name in ("shift-manager", "cashier", "dealer"):
        with pytest.raises(Refused) as refused:
            await (await house.person(name)).approve(told[0]["approval"])
        assert refused.value.code == "second_person_not_allowed"
    await (await house.person("casino-manager")).approve(told[0]["approval"])
    house.logins["eve"] = told[0]["password"]
    await house.person("eve")


async def test_who_seconds_sees_what_it_is_and_no_secret(house: Serving) -> None:
    """The floor's people see nothing of it, the administrator nothing of the floor's."""
    admin, auditor = await house.person("admin"), await house.person("auditor")
    await admin.post("/staff/dealer", {"role": "cashier", "remove_totp": False, "reason": "a new post"})
    await admin.post("/staff", {"name": "eve", "role": "dealer"})
    dealer = await house.person("dealer")
    await dealer.act("T1", "StartRound")
    await dealer.act("T1", "MakeRuling", decision="record", reason="a question")
    seen = {row["act"]: row for row in await auditor.get("/approvals")}
    assert set(seen) == {"ChangeRole", "AddStaff", "MakeRuling"}
    role = seen["ChangeRole"]
    assert (role["fields"]["role"], role["fields"]["role_before"]) == ("cashier", "dealer")
    assert (role["reason"], role["target"]) == ("a new post", "staff")
    assert not {"password_hash", "facts", "secret"} & set(seen["AddStaff"]["fields"])
    assert {row["act"] for row in await admin.get("/approvals")} == {"ChangeRole", "AddStaff"}
    assert {row["act"] for row in await dealer.get("/approvals")} == {"MakeRuling"}
    with pytest.raises(Refused) as unknown:
        await dealer.get(f"/approvals/{role['id']}")
    assert unknown.value.code == "approval_unknown"


async def test_what_cannot_be_done_is_refused_before_anybody_is_asked(house: Serving) -> None:
    """A name that is taken, a person whom nobody knows, the last administrator."""
    admin = await house.person("admin")
    for path, body, code in (
        ("/staff", {"name": "dealer", "role": "dealer"}, "staff_exists"),
        ("/staff/nobody", {"enabled": True}, "staff_unknown"),
        ("/staff/admin", {"role": "auditor"}, "last_administrator"),
        ("/staff/dealer", {"enabled": True}, "nothing_changes"),
    ):
        with pytest.raises(Refused) as refused:
            await admin.post(path, body)
        assert refused.value.code == code
    assert await admin.get("/approvals") == []


async def test_a_reset_is_told_to_the_person_and_is_significant(house: Serving) -> None:
    """With both names and the reason, at the next login; the removed second factor too."""
    admin, auditor = await house.person("admin"), await house.person("auditor")
    assert (await (await house.person("dealer")).get("/me"))["notices"] == []
    told = (await admin.http.delete("/api/v1/staff/dealer/password")).json()
    await auditor.approve(told["approval"])
    again = Staff(house.address)
    await house.stack.enter_async_context(again)
    (notice,) = (await again.log_in("dealer", told["password"]))["notices"]
    assert (notice["what"], notice["by"], notice["second"]) == ("PasswordSet", "admin", "auditor")
    listed = await auditor.get("/audit/significant")
    found = [(row["name"], row["what"], row["by"]) for row in listed["items"]]
    assert ("password_reset", "dealer", "admin") in found


async def test_a_request_dies_with_the_right_to_ask_for_it(house: Serving) -> None:
    """Asked by a dealer who was disabled since, it is not carried out, and the record says why."""
    dealer, admin = await house.person("dealer"), await house.person("admin")
    await dealer.act("T1", "StartRound")
    asked = await dealer.act("T1", "MakeRuling", decision="record", reason="a question")
    await admin.post("/staff/dealer", {"enabled": False, "reason": "left"})
    manager = await house.person("shift-manager")
    with pytest.raises(Refused) as refused:
        await manager.approve(asked["approval"])
    assert refused.value.code == "asker_gone"
    became = await manager.get(f"/approvals/{asked['approval']}")
    assert (became["status"], became["outcome"]) == ("refused", "asker_gone")


async def test_with_the_server_stopped_the_keys_open_the_list_on_the_record(tmp_path: Path) -> None:
    """Refused while the house is open and while two are left; then done, told, and significant."""
    file = tmp_path / "house.toml"
    file.write_text(
        f"""[house]
name = "Small"
play_money = true
[server]
database = "sqlite:///{tmp_path / "house.db"}"
keys = "{tmp_path / "keys"}"
port = 0
[practice]
tables = 0
[[table]]
name = "C1"
kind = "cluster"
pay_table = "sic-bo-etg-v8/1"
unit = 100
minimum = 100
maximum = 100000
"""
    )
    people = {"admin": Role.ADMINISTRATOR, "auditor": Role.AUDITOR, "other": Role.ADMINISTRATOR}

    async def remedied(*words: str) -> tuple[int, str, str]:
        said = ("--config", str(file), "--by", "the engineer", "--reason", "both phones are lost")
        done = await asyncio.to_thread(lambda: run("incident", "staff", *words, *said))
        return done.exit_code, done.stdout, done.stderr

    config = settings(tmp_path, CLUSTER)
    assert (await remedied("reset", "admin"))[0] == Exit.BAD_INPUT  # there is no record yet
    async with serving(config, people=people) as house:
        code, _, said = await remedied("reset", "admin")
        assert (code, "process" in said) == (Exit.STORE, True), said
        auditor_password = house.logins["auditor"]
    code, _, said = await remedied("reset", "admin")
    assert (code, "other" in said) == (Exit.CHECK_FAILED, True), said
    assert (await remedied("reset", "nobody", "--absent", "other"))[0] == Exit.CHECK_FAILED
    assert (await remedied("add", "x"))[0] == Exit.BAD_INPUT
    code, shown, said = await remedied("reset", "admin", "--absent", "other")
    assert code == Exit.OK, said
    name, password = shown.split()
    assert name == "admin"
    async with serving(config, people=people) as house:
        house.logins.update(admin=password, auditor=auditor_password)
        admin = await house.person("admin")
        assert [each["by"] for each in (await admin.get("/me"))["notices"]] == ["house"]
        listed = await (await house.person("auditor")).get("/audit/significant")
        found = {row["name"]: row["what"] for row in listed["items"]}
        assert found["staff_incident"] == "the engineer, reset, admin, both phones are lost"
        assert found["password_reset"] == "admin"


async def test_the_first_start_is_on_the_record_as_what_it_is(house: Serving) -> None:
    """Nobody agreed to the first people: their events say so."""
    import msgspec

    bodies = [
        msgspec.json.decode(event.body)
        async for event in house.parts.house.store.events("staff")
        if event.type == "StaffAdded"
    ]
    assert len(bodies) == 8
    assert {(body["reason"], body["second"], body["by"]["role"]) for body in bodies} == {
        ("first start", None, "system")
    }
