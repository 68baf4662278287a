"""Owners on the bus: what a process does with one whose release does not understand its own."""

from datetime import datetime
from typing import Any

import pytest

from taisai.adapters.bus import messages as msg
from taisai.adapters.bus.following import BusFollowing, BusTelling
from taisai.errors import InputError
from tests.floor.houses import START
from tests.unit.adapters.bus.test_listening import Link


class Copies:
    """Whoever follows, and has nothing to do."""

    streams: tuple[str, ...] = ()

    def now(self) -> datetime:
        return START

    async def start(self) -> None:
        """Nothing is there."""


class Wire(Link):
    """Also says that it has the subscription."""

    async def flush(self) -> None:
        """At once."""


async def test_releases_that_have_no_version_in_common_are_not_mixed() -> None:
    """Whoever comes to such a house does not begin, and names both; one that can be understood is welcome."""
    link: Any = Wire()
    following = BusFollowing(link, Copies())
    await following.start()
    await link.bring(msg.pack(msg.Stands("desk-02", {}, release="0.3.0", oldest=1, newest=2)))
    await following.meet({"desk-02"})
    assert following.strangers() == []
    far = msg.pack(msg.Stands("desk-01", {}, release="0.9.0", oldest=7, newest=8))
    await link.bring(far, far)
    with pytest.raises(InputError, match=r"desk-01 is of release 0\.9\.0, which speaks version 7 to 8 on"):
        await following.meet({"desk-01", "desk-02"})
    assert link.counts == ["release"]
    await link.bring(msg.pack(msg.Stands("desk-01", {})))
    assert following.strangers() == []


async def test_an_owner_does_not_say_that_it_has_a_desk_that_stopped() -> None:
    """Whoever follows it finds out that nobody runs it; the others stand where they stood."""
    link: Any = Wire()
    streams = {"table:T1": lambda: None, "table:T2": lambda: 7}
    telling = BusTelling(link, "desk-01", streams, lambda: START, ())
    said = msg.unpack(telling._stands())
    assert isinstance(said, msg.Stands)
    assert said.versions == {"table:T2": 7}
