"""A lawful restore: two people declare it, rounds in play are void, and no ticket is paid twice."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.client.refusing import Refused
from taisai.proof.notes import read_key
from tests.server.houses import CLUSTER, LIVE, dealt, settings
from tests.server.test_anchor import Site, swap
from tests.unit.command import run


class Floor(Site):
    """A house with a live table and a cluster."""

    @property
    def config(self) -> Any:
        return settings(self.folder, LIVE, CLUSTER, server=self.server)

    async def restore(self, by: str, second: str, *more: str) -> tuple[int, str, str]:
        config = self.folder / "restore.toml"
        config.write_text(
            self.file.read_text(encoding="utf-8")
            + '\n[[table]]\nname = "C1"\nkind = "cluster"\npay_table = "sic-bo-etg-v8/1"\n',
            encoding="utf-8",
        )
        secrets = {
            "HOUSE_PASSWORD": self.logins.get(by, "wrong"),
            "HOUSE_SECOND_PASSWORD": self.logins.get(second, "wrong"),
        }
        people = ("--by", by, "--second", second, "--reason", "a dead disk")
        arguments = ("incident", "restore", "-c", str(config), *people, *more)
        result = await asyncio.to_thread(lambda: run(*arguments, **secrets))
        return result.exit_code, result.stdout, result.stderr


async def evening(site: Floor, folder: Path) -> str:
    """A ticket is out and a round in play when the copy is made; then the ticket is paid. Its number."""
    async with site.open() as house:
        terminal = await house.terminal(credit=5_000)
        number = (await terminal.cash_out()).number
        await (await house.console("T1")).act("StartRound")
    shutil.copy(site.database, folder / "copy.db")
    async with site.open() as house:
        await (await house.terminal()).ticket_in(number)
        console = await house.console("C1")
        await console.act("StartRound")  # the log goes on as well
        await dealt(console, [2, 3, 5])
    shutil.move(site.database, folder / "lost.db")
    swap(site, folder / "copy.db")
    return str(number)


async def test_a_restore_after_a_ticket_was_paid_is_declared_and_told_alike(tmp_path: Path) -> None:
    """The record opens again, the ticket is not paid twice, and command, doctor and page say one sentence."""
    site = Floor(tmp_path / "house")
    number = await evening(site, tmp_path)
    assert "a witness has seen it and it is not in the record" in await site.refused()
    lost = str(tmp_path / "lost.db")
    code, listed, said = await site.restore("casino-manager", "supervisor", "--lost", lost)
    assert code == 0, said
    assert "the round in play at T1 is void" in said
    assert "1 ticket of 5,000 in all" in said
    assert listed.split() == ["ending", "in", number[-4:], "5,000"]
    async with site.open() as house:
        with pytest.raises(Refused) as refused:
            await (await house.terminal()).ticket_in(number)
        assert refused.value.code == "ticket_redeemed"
        console = await house.console("T1")
        await console.act("StartRound")
        auditor = await house.person("auditor")
        text = (site.keys / "log-checkpoint").read_text(encoding="utf-8")
        assert text.splitlines()[0].endswith("/restored-1"), "a log that goes on from a copy has its own name"
        told = await auditor.post("/audit/verify")
        async with httpx.AsyncClient(base_url=house.address) as anybody:
            keys = [read_key(line) for line in (await anybody.get("/log/keys")).text.splitlines()]
        assert [key.name for key in keys] == [f"{keys[1].name}/restored-1", keys[1].name]
        (significant,) = (await auditor.get("/audit/significant", code=803))["items"]
    assert (significant["by"], "a dead disk" in significant["what"]) == ("casino-manager", True)
    assert told["sound"], told
    (note,) = told["notes"]
    assert note["code"] == "restored"
    assert "declared by casino-manager and supervisor: " in note["text"]
    assert note["text"].endswith("and 1 tickets of 5000 in all were paid after the copy")
    code, found, _ = await site.verify("--config", str(site.file))
    assert (code, found["notes"]) == (0, told["notes"])
    assert found["record"]["left_behind"] > 0
    assert (await site.doctor())["record"]["found"] == note["text"]
    assert "left behind by a restore" in (await site.doctor())["witness"]["found"]


async def test_what_is_cut_off_after_a_restore_is_found_as_ever(tmp_path: Path) -> None:
    """The declaration excuses what it names: the witness goes on being worth something."""
    site = Floor(tmp_path / "house")
    await evening(site, tmp_path)
    assert (await site.restore("casino-manager", "dealer"))[0] == 0
    shutil.copy(site.database, tmp_path / "after.db")
    for _ in range(3):
        await site.play()
    swap(site, tmp_path / "after.db")
    assert "a witness has seen it and it is not in the record" in await site.refused()


@pytest.mark.parametrize(
    ("by", "second", "said"),
    [
        ("casino-manager", "casino-manager", "second_person_is_first"),
        ("dealer", "supervisor", "one of them a shift manager or above"),
        ("admin", "casino-manager", "role_not_allowed"),
        ("casino-manager", "nobody", "nobody cannot sign in"),
    ],
)
async def test_one_person_alone_restores_nothing(tmp_path: Path, by: str, second: str, said: str) -> None:
    """Nor two who are not high enough, nor somebody who is not on the copy's list."""
    site = Floor(tmp_path / "house")
    await site.play()
    code, _, told = await site.restore(by, second)
    assert code == 2
    assert said in told
    code, found, _ = await site.verify("--config", str(site.file))
    assert (code, found["notes"]) == (0, [])


async def test_a_record_that_is_not_the_copys_own_is_not_taken_for_the_lost_one(tmp_path: Path) -> None:
    """Tickets of another house's record would be refused for ever."""
    site, other = Floor(tmp_path / "house"), Floor(tmp_path / "other")
    await site.play()
    await other.play()
    code, _, said = await site.restore("casino-manager", "dealer", "--lost", str(other.database))
    assert (code, "the copy is not one of it" in said) == (2, True)
