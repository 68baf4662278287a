"""A closed month leaves the store for an archive, and the house goes on across the cut."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from taisai.adapters.clock import SystemClock
from taisai.adapters.copies.archiving import LEAVING, end_of
from taisai.adapters.sqlite.store import SqliteStore
from taisai.client.refusing import Refused
from taisai.errors import InputError, StoreUnavailable
from taisai.floor.cluster.messages import AnyClusterEvent
from taisai.floor.table.messages import RackEvent, RoundEvent
from taisai.game import events as ev
from taisai.record.journal import Batch, Committed
from taisai.record.ports import BodiesCut
from tests.server.houses import Serving, dealt, serving
from tests.server.test_anchor import Site
from tests.unit.command import run

NOW = datetime.now(UTC)
LONG_AGO = (NOW.replace(day=1) - timedelta(days=45)).replace(day=10)
MONTH = f"{LONG_AGO:%Y-%m}"


class OldSite(Site):
    """A house that played weeks ago."""

    @asynccontextmanager
    async def then(self) -> AsyncIterator[Serving]:
        away = NOW - LONG_AGO
        clock = SystemClock(lambda: datetime.now(UTC) - away)
        async with serving(self.config, timer=clock) as house:
            self.logins.update(house.logins)
            yield house

    async def archive(self, by: str, second: str, month: str = MONTH) -> tuple[int, str, str]:
        secrets = {
            "HOUSE_PASSWORD": self.logins.get(by, "wrong"),
            "HOUSE_SECOND_PASSWORD": self.logins.get(second, "wrong"),
        }
        people = ("--by", by, "--second", second, "--reason", "a closed month")
        arguments = ("archive", "make", month, "-c", str(self.file), "--out", str(self.folder), *people)
        result = await asyncio.to_thread(lambda: run(*arguments, **secrets))
        return result.exit_code, result.stdout, result.stderr

    @property
    def made(self) -> Path:
        return self.folder / f"archive-{MONTH}.jsonl"


async def _command(*arguments: object) -> tuple[int, str, str]:
    result = await asyncio.to_thread(lambda: run(*map(str, arguments)))
    return result.exit_code, result.stdout, result.stderr


async def _played(house: Serving, *rolls: list[int]) -> None:
    console = await house.console("T1")
    for roll in rolls:
        await console.act("StartRound")
        await console.act("BuyIn", player="ann", amount=1_000)
        await console.act("PlaceBets", player="ann", slip={"big": 500}, version=1)
        await dealt(console, roll)


async def played_long_ago(site: OldSite) -> None:
    """Three rounds weeks ago."""
    async with site.then() as house:
        await _played(house, [2, 3, 5], [4, 4, 5], [1, 2, 2])


async def _site(folder: Path) -> OldSite:
    site = OldSite(folder / "house")
    await played_long_ago(site)
    return site


async def test_a_house_goes_on_across_a_cut_and_everyone_says_so(tmp_path: Path) -> None:
    """Play, verification, doctor and page go on; what left is verified by itself and with the store."""
    site = await _site(tmp_path)
    _, before, _ = await _command("rebuild", site.database)
    code, said, _ = await site.archive("casino-manager", "supervisor")
    assert (code, site.made.name in said) == (0, True)
    async with site.open() as house:
        auditor = await house.person("auditor")
        await _played(house, [6, 6, 5])
        told = await auditor.post("/audit/verify")
        (significant,) = (await auditor.get("/audit/significant", code=804))["items"]
        assert (significant["by"], site.made.name in significant["what"]) == ("casino-manager", True)
        export = (await auditor.http.get("/api/v1/audit/export")).content.splitlines()
        assert json.loads(export[0])["format"] == "taisai journal 2", "it says that bodies are missing"
        assert any(b"answers_digest" in each for each in export)
        listed = [row["round"] async for row in auditor.rounds("T1")]
        assert listed == [4, 3, 2, 1], "the read models stay"
        with pytest.raises(Refused) as refused:
            await auditor.get("/tables/T1/rounds/1")
        assert refused.value.code == "in_archive"
        assert (await auditor.get("/tables/T1/rounds/4"))["state"] == "concluded"
        found = await auditor.get("/audit/rounds/T1", player="ann")
        assert ([each["round"]["round"] for each in found["items"]], found["next"]) == ([4, 3], "2")
        with pytest.raises(Refused) as refused:
            await auditor.get("/audit/rounds/T1", player="ann", cursor=found["next"])
        assert refused.value.code == "in_archive"
    assert told["sound"], told
    (note,) = told["notes"]
    assert (note["code"], note["facts"]["name"]) == ("archived", site.made.name)
    assert (told["rounds"]["archived"], told["rounds"]["rounds"]) == (2, 2)
    code, found, _ = await site.verify("--config", str(site.file))
    assert (code, found["notes"]) == (0, told["notes"])
    assert (await site.doctor())["record"]["found"] == note["text"]
    code, found, said = await site.verify("--config", str(site.file), "--archive", str(site.made))
    assert (code, found["rounds"]["rounds"], found["rounds"]["archived"]) == (0, 4, 0), said
    code, said, _ = await _command("archive", "verify", site.made, "--key", site.keys / "signing.pem.pub")
    assert (code, said.startswith("sound: ")) == (0, True)
    code, _, said = await _command("audit", "significant", site.database)
    assert (code, "no longer in the store" in said) == (2, True), "it never leaves anything out unsaid"
    whole = ("--archive", site.made, "--format", "json")
    code, said, _ = await _command("audit", "significant", site.database, *whole)
    assert (code, "record_archived" in said) == (0, True)
    code, _, said = await _command("rebuild", site.database)
    assert (code, f"names the archive {site.made.name} too" in said) == (2, True)
    code, after, _ = await _command("rebuild", site.database, "--archive", site.made)
    assert (code, before != after) == (0, True)
    code, found, said = await site.verify("--archive", str(site.made))
    assert (code, found["sound"]) == (0, True), said


async def test_a_repeated_command_from_before_the_cut_is_not_done_again(tmp_path: Path) -> None:
    """Its id is known for ever; what was answered is in the archive, and that is said."""
    site = OldSite(tmp_path / "house")
    async with site.then() as house:
        dealer = await house.person("dealer")
        asked: dict[str, Any] = {"act": "BuyIn", "fields": {"player": "ann", "amount": 1_000}}
        await dealer.post("/tables/T1/acts", asked, key="buy-in-1")
        await _played(house, [2, 3, 5], [4, 4, 5])
    assert (await site.archive("casino-manager", "supervisor"))[0] == 0
    async with site.open() as house:
        dealer = await house.person("dealer")
        with pytest.raises(Refused) as refused:
            await dealer.post("/tables/T1/acts", asked, key="buy-in-1")
    assert refused.value.code == "answer_archived"


@pytest.mark.parametrize(
    ("by", "second", "month", "said"),
    [
        ("casino-manager", "casino-manager", MONTH, "second_person_is_first"),
        ("dealer", "supervisor", MONTH, "one of them a shift manager or above"),
        ("casino-manager", "nobody", MONTH, "nobody cannot sign in"),
        ("casino-manager", "supervisor", f"{NOW:%Y-%m}", "is not over yet"),
        ("casino-manager", "supervisor", "2001-01", "nothing up to 2001-02-01"),
        ("casino-manager", "supervisor", "autumn", "expected a month such as 2026-10"),
    ],
)
async def test_one_person_alone_archives_nothing(
    tmp_path: Path, by: str, second: str, month: str, said: str
) -> None:
    """Nor two who are not high enough, nor anybody a month that is not over."""
    site = OldSite(tmp_path / "house")
    await site.play()
    code, _, told = await site.archive(by, second, month)
    assert (code, said in told) == (2, True), told
    assert not list(site.folder.glob("archive-*"))
    code, found, _ = await site.verify("--config", str(site.file))
    assert (code, found["notes"]) == (0, [])


async def test_a_month_is_archived_once(tmp_path: Path) -> None:
    """A second time there is nothing left, and the first archive stays as it is."""
    site = await _site(tmp_path)
    assert (await site.archive("casino-manager", "supervisor"))[0] == 0
    first = site.made.read_bytes()
    code, _, said = await site.archive("casino-manager", "supervisor")
    assert (code, "is left to archive" in said) == (2, True)
    assert site.made.read_bytes() == first


async def test_an_archive_stays_where_nobody_was_told_that_it_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is lost right after the commit: bodies have left, and the file is all that has them."""
    site, real = await _site(tmp_path), SqliteStore.archive

    async def lost(self: SqliteStore, batch: Batch, cut: BodiesCut) -> Committed:
        await real(self, batch, cut)
        raise StoreUnavailable("the disk is gone")

    with monkeypatch.context() as failing:
        failing.setattr(SqliteStore, "archive", lost)
        code, _, said = await site.archive("casino-manager", "supervisor")
    assert (code != 0, "the disk is gone" in said) == (True, True)
    code, found, said = await site.verify("--config", str(site.file), "--archive", str(site.made))
    assert (code, found["rounds"]["archived"]) == (0, 0), said


async def test_a_part_is_exported_by_time_and_verified_by_itself(tmp_path: Path) -> None:
    """Weeks ago alone, or since then alone; a part of what left needs the archive."""
    site = await _site(tmp_path)
    await site.play()
    between = f"{NOW - timedelta(days=5):%Y-%m-%d}"
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for bounds, out in ((("--to", between), old), (("--from", between), new)):
        code, _, said = await _command("audit", "export", site.database, "--out", out, *bounds)
        assert code == 0, said
    counts = [json.loads(each.read_text(encoding="utf-8").splitlines()[-1])["commits"] for each in (old, new)]
    _, found, _ = await site.verify()
    assert (min(counts) > 1, sum(counts)) == (True, found["record"]["commits"])
    header = json.loads(new.read_text(encoding="utf-8").splitlines()[0])
    assert header["tips"][0][1] == counts[0]
    key = ("--key", site.keys / "signing.pem.pub")
    code, said, _ = await _command("archive", "verify", "--unsigned", new, *key)
    assert (code, said.startswith("sound: ")) == (0, True), said
    code, _, said = await _command("archive", "verify", new, *key)
    assert (code, "no key has signed it as an archive" in said) == (1, True)
    assert (await site.archive("casino-manager", "supervisor"))[0] == 0
    again = tmp_path / "again.jsonl"
    code, _, said = await _command("audit", "export", site.database, "--out", again, "--to", between)
    assert (code, "give it with --archive" in said) == (2, True)
    arguments = ("--out", again, "--to", between, "--archive", site.made)
    code, _, said = await _command("audit", "export", site.database, *arguments)
    assert code == 0, said
    assert again.read_bytes().splitlines()[1:] == old.read_bytes().splitlines()[1:]
    backwards = ("--from", between, "--to", f"{LONG_AGO:%Y-%m-%d}", "--out", tmp_path / "no")
    code, _, said = await _command("audit", "export", site.database, *backwards)
    assert (code, "begins before it ends" in said) == (2, True)


async def test_a_copy_from_before_the_archive_is_still_verified(tmp_path: Path) -> None:
    """Bodies that are there are checked as ever, whatever later archives say."""
    site = await _site(tmp_path)
    shutil.copy(site.database, tmp_path / "copy.db")
    shutil.copy(f"{site.database}.key.pub", tmp_path / "copy.db.key.pub")
    assert (await site.archive("casino-manager", "supervisor"))[0] == 0
    code, said, _ = await _command("audit", "verify", tmp_path / "copy.db")
    assert (code, "recomputed 3 rounds" in said) == (0, True)


def test_what_leaves_is_what_happened_in_rounds_and_nothing_else() -> None:
    """No other event of a table has a name that leaves, so what a desk is set up with always stays."""
    others = set(get_args(AnyClusterEvent)) - {RoundEvent}
    inner = set(get_args(RackEvent.__annotations__["event"]))
    assert not {event.__name__ for event in others | inner} & set(LEAVING)
    assert ev.BettingOpened.__name__ not in LEAVING


def test_a_month_ends_with_its_last_moment() -> None:
    """December too, and only when it is over."""
    assert end_of("2025-12", NOW) == datetime(2026, 1, 1, tzinfo=UTC)
    assert end_of("2025-09", NOW) == datetime(2025, 10, 1, tzinfo=UTC)
    with pytest.raises(InputError, match="is not over yet"):
        end_of("2025-12", datetime(2025, 12, 31, 23, 59, 59, tzinfo=UTC))
