"""What is kept of a bug of ours: on the record, sealed, without names; beside the keys when it must be."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.adapters.evidence import FolderSafe
from taisai.adapters.memory import MemoryStore
from taisai.errors import InvariantBroken, StoreUnavailable
from taisai.floor.approvals.asked import TableAct
from taisai.floor.desks.evidence import ALIKE_MAX, IncidentNoted, about
from taisai.floor.desks.incidents import OurFault
from taisai.floor.house import House
from taisai.floor.staff.messages import LogIn
from taisai.floor.table.messages import BuyIn
from taisai.floor.views.significant import Code, SignificantEvents, newest_significant
from taisai.record.journal import Batch, Committed
from taisai.record.views import catch_up
from tests.floor.houses import DEALER, KEY, SmallHouse, live
from tests.record import SIGNER

SECRET = b"a sealing key for the tests only"


async def opened(small: SmallHouse, safe: FolderSafe | None = None) -> House:
    store = MemoryStore(small.disk, writer="house", signer=SIGNER, clock=small.clock)
    house = House(small.plan, store, small.clock, KEY, safe=safe)
    await house.start()
    return house


def broken(why: str) -> Callable[..., Any]:
    def act(command: Any, act_id: str) -> Any:
        raise InvariantBroken(why)

    return act


async def buy_in(house: House, name: str) -> Any:
    command = BuyIn(by=DEALER, at=house.now(), player="Amaryllis", amount=100)
    return await house.do(TableAct("T1", command), DEALER, name)


async def break_buying(house: House, name: str = "1") -> str:
    """Somebody's buy-in meets a bug; its number."""
    house.table("T1").state.act = broken("Amaryllis has one cent too many")
    with pytest.raises(OurFault) as caught:
        await buy_in(house, name)
    return caught.value.incident


def noted(small: SmallHouse) -> list[IncidentNoted]:
    stored = small.disk.streams.get("incidents", [])
    return [msgspec.json.decode(event.body, type=IncidentNoted) for event in stored]


async def test_an_incident_is_on_the_record_sealed_and_names_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Who has the key reads the command, the versions and the error; nobody reads who was there."""
    small, safe = SmallHouse(live()), FolderSafe(None, SECRET)
    house = await opened(small, safe)
    number = await break_buying(house)
    answer = await buy_in(house, "2")
    assert answer.amount == 100, "the table goes on"
    await house.stop()
    [incident] = noted(small)
    assert (incident.number, incident.desk, incident.act, incident.error) == (
        number,
        "T1",
        "BuyIn",
        "InvariantBroken",
    )
    assert "Amaryllis" not in msgspec.json.encode(incident).decode()
    told = safe.open(incident.evidence, about=about(number))
    evidence = msgspec.json.decode(told)
    assert "Amaryllis" not in told
    assert "dora" not in told
    assert evidence["command"]["amount"] == 100
    assert evidence["command"]["player"] == safe.pseudonym("Amaryllis")
    assert evidence["version"] == incident.version
    assert f"{safe.pseudonym('Amaryllis')} has one cent too many" in evidence["error"]
    assert f"incident {number}: BuyIn at T1 met InvariantBroken" in caplog.text


async def test_secrets_are_no_evidence() -> None:
    """A login that meets a bug leaves neither mark nor token."""
    small, safe = SmallHouse(live()), FolderSafe(None, SECRET)
    house = await opened(small, safe)
    house.staff.state.act = broken("no")
    login = LogIn(by=DEALER, at=house.now(), name="Dora", password_mark="a mark", token="a token")
    with pytest.raises(OurFault):
        await house.staff.ask("doors", "1", login)
    await house.stop()
    [incident] = noted(small)
    told = safe.open(incident.evidence, about=about(incident.number))
    assert not any(secret in told for secret in ("a mark", "a token", "Dora"))


async def test_an_incident_is_a_significant_event() -> None:
    """With its number, the act and the sort of error, at its desk."""
    small = SmallHouse(live())
    house = await opened(small)
    number = await break_buying(house)
    await house.incidents.stop()
    view = SignificantEvents()
    await catch_up(house.store, view)
    [found], _ = await newest_significant(house.store, limit=10, code=Code.INCIDENT)
    assert (found.device, found.what) == ("T1", f"{number}, BuyIn, InvariantBroken")
    await house.stop()


async def test_when_the_store_is_what_failed_the_evidence_lies_beside_the_keys(tmp_path: Path) -> None:
    """Sealed and only for its owner; the next start puts it on the record, once."""
    small, safe = SmallHouse(live()), FolderSafe(tmp_path / "incidents", SECRET)
    house = await opened(small, safe)
    appending = house.store.append

    async def append(batch: Batch) -> Committed:
        if any(part.stream == "incidents" for part in batch.streams):
            raise StoreUnavailable("the disk is full")
        return await appending(batch)

    house.store.append = append
    number = await break_buying(house)
    await house.stop()
    assert noted(small) == []
    [path] = (tmp_path / "incidents").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert "Amaryllis" not in path.read_text(encoding="utf-8")
    for _ in range(2):
        house = await opened(small, safe)
        assert [incident.number for incident in house.incidents.latest] == [number]
        await house.stop()
    assert [incident.number for incident in noted(small)] == [number]


async def test_the_same_bug_over_and_over_does_not_fill_the_record() -> None:
    """It is answered and counted each time, and kept only so often."""
    small = SmallHouse(live())
    house = await opened(small)
    met: list[Any] = []
    house.incidents.on_note.append(met.append)
    numbers = {await break_buying(house, f"c{count}") for count in range(ALIKE_MAX + 5)}
    await asyncio.sleep(0)
    await house.stop()
    assert len(numbers) == len(met) == ALIKE_MAX + 5
    assert len(noted(small)) == ALIKE_MAX
