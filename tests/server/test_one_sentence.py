"""Each attack on a record and each lawful change is one sentence, whoever is asked.

`taisai audit verify`, `taisai doctor` and the audit page say it word for word; so does the start.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.auditing.whole import audited
from taisai.adapters.signing.trust import trust_house
from taisai.adapters.stores import read_store
from taisai.adapters.witnesses.file import FileWitness
from tests.server.houses import Serving, serving, settings
from tests.server.test_anchor import Site, swap
from tests.server.test_archive import OldSite, played_long_ago
from tests.server.test_restore import Floor, evening
from tests.unit.command import run


async def forged(site: Site, folder: Path) -> None:
    """Another house's record in the place of this one's."""
    await site.play()
    forger = Site(folder / "forger", witness="")
    await forger.play()
    swap(site, forger.database)


async def rolled_back(site: Site, folder: Path) -> None:
    """An older copy in the place of the record."""
    await site.play()
    shutil.copy(site.database, folder / "older.db")
    await site.play()
    swap(site, folder / "older.db")


async def forked(site: Site, folder: Path) -> None:
    """Somebody with the keys let an old copy go on where the witness does not look."""
    await rolled_back(site, folder)
    away = site.witness.rename(folder / "away")
    for _ in range(3):
        await site.play()
    away.replace(site.witness)


async def swapped(name: str, site: Site, _: Path) -> None:
    """A secret of another house."""
    await site.play()
    (site.keys / f"{name}.key").write_bytes(b"x" * 32)


async def rotated(site: Site, _: Path) -> None:
    """The old and the new key have signed it."""
    await site.play()
    result = await asyncio.to_thread(run, "keys", "rotate", "-c", str(site.file), "--reason", "yearly")
    assert result.exit_code == 0, result.stderr


async def archived(site: Site, _: Path) -> None:
    """Two people let a month leave for an archive."""
    assert isinstance(site, OldSite)
    await played_long_ago(site)
    code, _said, told = await site.archive("casino-manager", "supervisor")
    assert code == 0, told


async def restored(site: Site, folder: Path) -> None:
    """Two people declare a restore after a ticket was paid."""
    assert isinstance(site, Floor)
    await evening(site, folder)
    code, _, told = await site.restore("casino-manager", "supervisor", "--lost", str(folder / "lost.db"))
    assert code == 0, told


Happening = Callable[[Any, Path], Awaitable[None]]

ATTACKS: dict[str, tuple[Happening, str]] = {
    "a forged record": (forged, "which is not trusted here"),
    "a rollback": (rolled_back, "a witness has seen it and it is not in the record, which ends at house/"),
    "a fork": (forked, "the record was forked"),
    "a swapped ticket key": (partial(swapped, "tickets"), "tickets.key: it is not the key that the record"),
    "a swapped sealing key": (partial(swapped, "sealing"), "sealing.key: it is not the key that the record"),
}
CHANGES: dict[str, tuple[type[Site], Happening, str]] = {
    "a rotation": (Site, rotated, " handed over to "),
    "an archive across a cut": (OldSite, archived, "bodies of events and answers up to "),
    "a restore after tickets were paid": (
        Floor,
        restored,
        "1 tickets of 5000 in all were paid after the copy",
    ),
}


@asynccontextmanager
async def page_on(site: Site, folder: Path) -> AsyncIterator[Serving]:
    """A house whose audit page looks at the site's record, with the site's keys and witness."""
    async with serving(settings(folder / "page")) as house:
        kept = FileWitness(site.witness).kept
        trust = trust_house(site.keys, database=str(site.database))
        audit = partial(audited, partial(read_store, str(site.database)), trust, kept)
        object.__setattr__(house.parts, "audit", audit)
        yield house


async def asked(site: Site, folder: Path) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
    """What the command, the page and the doctor say."""
    _, found, _ = await site.verify("--config", str(site.file))
    doctor = {each["found"] for each in (await site.doctor()).values()}
    async with page_on(site, folder) as house:
        told = await (await house.person("auditor")).post("/audit/verify")
    return found, told, doctor


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_attack_is_one_sentence_whoever_is_asked(attack: str, tmp_path: Path) -> None:
    """The first fault, where it is, and nothing else; the house does not open."""
    happen, said = ATTACKS[attack]
    site = Site(tmp_path / "house")
    await happen(site, tmp_path)
    sentence = await site.refused()
    assert said in sentence
    found, told, doctor = await asked(site, tmp_path)
    assert (found["sound"], told["sound"]) == (False, False)
    assert f"{found['where']}: {found['fault']}" == sentence
    assert f"{told['where']}: {told['fault']}" == sentence
    assert sentence in doctor
    assert told["code"], "pages tell it in their reader's language"


@pytest.mark.parametrize("change", CHANGES)
async def test_a_lawful_change_is_one_sentence_whoever_is_asked(change: str, tmp_path: Path) -> None:
    """The record is sound, and whoever reads it is told what happened to it."""
    kind, happen, said = CHANGES[change]
    site = kind(tmp_path / "house")
    await happen(site, tmp_path)
    found, told, doctor = await asked(site, tmp_path)
    assert (found["sound"], told["sound"]) == (True, True), (found, told)
    (note,) = found["notes"]
    assert said in note["text"]
    assert told["notes"] == found["notes"]
    assert note["text"] in doctor
