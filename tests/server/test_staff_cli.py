"""`taisai staff` against a real server: the administrator's work without a page."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import Result

from taisai.cli.output import Exit
from taisai.client import Refused, Staff
from tests.server.houses import Serving
from tests.unit.command import run


async def asked(house: Serving, *words: str, **environment: str) -> Result:
    """A verb of the command as the administrator, beside the loop of the test."""
    variables = {"HOUSE": house.address, "HOUSE_PASSWORD": house.logins["admin"], **environment}
    return await asyncio.to_thread(lambda: run("staff", *words, **variables))


async def agreed(house: Serving, ask: Result, verb: str = "agree") -> str:
    """What the auditor is told who agrees to what was asked for."""
    request = ask.stderr.partition("taisai staff agree ")[2].split()[0]
    password = house.logins["auditor"]
    answer = await asked(house, verb, request, "--as", "auditor", HOUSE_PASSWORD=password)
    assert answer.exit_code == Exit.OK, answer.stderr
    return answer.stderr


async def test_what_was_denied_is_not_done(house: Serving) -> None:
    """The one-time password stays worth nothing."""
    added = await asked(house, "add", "mei", "dealer")
    assert "is denied" in await agreed(house, added, "deny")
    with pytest.raises(Refused):
        async with Staff(house.address) as mei:
            await mei.log_in("mei", added.stdout.split()[1])


async def test_a_person_is_added_and_changes_the_password_that_was_shown(house: Serving) -> None:
    """The one-time password opens nothing but its own change."""
    added = await asked(house, "add", "mei", "dealer")
    assert added.exit_code == Exit.OK, added.stderr
    name, once = added.stdout.split()
    assert name == "mei"
    assert "shown this once" in added.stderr
    await agreed(house, added)
    new = "quite another password 5"
    changed = await asked(house, "password", "--as", "mei", HOUSE_PASSWORD=once, HOUSE_NEW_PASSWORD=new)
    assert (changed.exit_code, changed.stderr) == (Exit.OK, "mei has a new password\n")
    mei = Staff(house.address)
    async with mei:
        assert (await mei.log_in("mei", new))["dues"] == []


async def test_people_are_listed_changed_shut_out_and_reset(house: Serving) -> None:
    """Each with what happened, which is on the record."""
    listed = await asked(house, "list", "--format", "csv")
    assert "dealer,dealer,yes,no,no,no," in listed.stdout
    moved = await asked(house, "change", "dealer", "--role", "pit-supervisor")
    assert "ChangeRole" in (await asked(house, "waiting", "--as", "admin", "--format", "csv")).stdout
    assert await agreed(house, moved) == "done: RoleChanged\n"
    out = await asked(house, "change", "dealer", "--disable", "--reason", "left")
    assert out.stderr == "dealer: StaffDisabled\n"
    with pytest.raises(Refused):
        await house.person("dealer")
    assert await agreed(house, await asked(house, "change", "dealer", "--enable")) == "done: StaffEnabled\n"
    again = await asked(house, "reset", "dealer")
    assert again.exit_code == Exit.OK
    await agreed(house, again)
    house.logins["dealer"] = again.stdout.split()[1]
    await house.person("dealer")


async def test_what_cannot_be_is_said_in_one_line(house: Serving, tmp_path: Path) -> None:
    """A wrong password, a position that may not, nothing to change, a house that does not answer."""
    wrong = await asked(house, "list", HOUSE_PASSWORD="guess")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (Exit.CHECK_FAILED, 1)
    cashier = await asked(house, "list", "--as", "cashier", HOUSE_PASSWORD=house.logins["cashier"])
    assert cashier.exit_code == Exit.CHECK_FAILED
    assert "error:" in (await asked(house, "change", "dealer")).stderr
    gone = await asked(house, "list", HOUSE="http://127.0.0.1:1")
    assert (gone.exit_code, "does not answer" in gone.stderr) == (Exit.STORE, True)
    no_file = await asked(house, "list", "--ca", str(tmp_path / "none.pem"))
    assert (no_file.exit_code, "cannot read the certificates" in no_file.stderr) == (Exit.BAD_INPUT, True)
