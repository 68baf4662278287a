"""Open logins: one press at this computer, never for money, never the administrator from elsewhere."""

from pathlib import Path

import httpx
import pytest

from taisai.bootstrap import first_logins, note_money
from taisai.errors import InputError
from taisai.floor.staff.messages import LoggedIn
from taisai.game.people import Role
from taisai.server.config import load_config
from taisai.server.open_door import is_here, may_be
from tests.server.houses import Serving, serving, settings

OPEN = {"house": {"open_logins": True}}


async def press(house: Serving, name: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.address) as client:
        sent = {"Sec-Fetch-Site": "same-origin", **headers}
        return await client.post("/api/v1/login/open", json={"name": name}, headers=sent)


async def shown(house: Serving, **headers: str) -> str:
    """The pit's page with what it begins with."""
    async with httpx.AsyncClient(base_url=house.address) as client:
        return (await client.get("/pit", headers=headers)).text


async def test_one_press_at_this_computer_opens_each_position(tmp_path: Path) -> None:
    """The session is whole, and the record says that it began by a press."""
    async with serving(settings(tmp_path, **OPEN)) as house:
        for name in ("dealer", "cashier", "auditor", "admin"):
            answer = await press(house, name)
            assert (answer.status_code, answer.json()["name"]) == (200, name)
        events = [event async for event in house.parts.house.store.events("staff")]
        assert sum(b'"open":true' in event.body for event in events) == 4


async def test_a_press_from_elsewhere_is_refused(tmp_path: Path) -> None:
    """A proxy on this machine speaks for others; a name of another host is not this computer."""
    async with serving(settings(tmp_path, **OPEN)) as house:
        assert (await press(house, "dealer", **{"X-Forwarded-For": "192.0.2.7"})).status_code == 403
        assert (await press(house, "nobody")).status_code == 403
        page = await shown(house, **{"X-Forwarded-For": "192.0.2.7"})
        assert '"open_logins":[]' in page
        assert '"open_house":true' in page
        assert '"name":"dealer"' in await shown(house)


async def test_without_the_setting_nobody_comes_in_by_a_press(tmp_path: Path) -> None:
    """A house to which nobody gave the switch."""
    async with serving(settings(tmp_path)) as house:
        assert (await press(house, "dealer")).status_code == 403
        assert '"open_house":false' in await shown(house)


async def test_presses_come_no_faster_than_logins(tmp_path: Path) -> None:
    """One pace for both, by address: who presses all the time is told to wait."""
    async with serving(settings(tmp_path, server={"login_tries_per_minute": 3}, **OPEN)) as house:
        codes = [(await press(house, "dealer")).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        async with httpx.AsyncClient(base_url=house.address) as client:
            guess = await client.post("/api/v1/login", json={"name": "dealer", "password": "a guess"})
        assert (guess.status_code, guess.json()["code"]) == (429, "too_many")


@pytest.mark.parametrize(
    ("role", "here", "anywhere", "may"),
    [
        (Role.DEALER, True, False, True),
        (Role.ADMINISTRATOR, True, False, True),
        (Role.DEALER, False, False, False),
        (Role.DEALER, False, True, True),
        (Role.ADMINISTRATOR, False, True, False),
    ],
)
def test_who_may_be_whom_from_where(role: Role, here: bool, anywhere: bool, may: bool) -> None:
    """The second switch opens the door to others, and never the administrator's."""
    table = {"name": "C1", "kind": "cluster", "pay_table": "sic-bo-etg-v8/1"}
    house = {"play_money": True, "open_logins": True, "open_logins_anywhere": anywhere}
    config = load_config(None, {}, base={"house": house, "table": [table]})
    assert may_be(role, config.house, here=here) is may


@pytest.mark.parametrize(
    ("client", "host", "headers", "here"),
    [
        ("127.0.0.1", "localhost:8400", {}, True),
        ("::1", "[::1]:8400", {}, True),
        ("127.0.0.1", "127.0.0.1", {}, True),
        ("192.0.2.7", "localhost:8400", {}, False),
        ("127.0.0.1", "casino.example", {}, False),
        ("127.0.0.1", "localhost", {"x-forwarded-for": "192.0.2.7"}, False),
        ("127.0.0.1", "localhost", {"forwarded": "for=192.0.2.7"}, False),
        ("", "localhost", {}, False),
    ],
)
def test_who_is_at_this_computer(client: str, host: str, headers: dict[str, str], here: bool) -> None:
    """Both ends of the line are this computer, and nobody speaks for another."""
    assert is_here(client, host, headers) is here


@pytest.mark.parametrize("house", [{"open_logins": True}, {"play_money": True, "open_logins_anywhere": True}])
def test_settings_that_no_house_may_have_are_refused(house: dict[str, bool]) -> None:
    """For money there are no open logins; and from where is no question without them."""
    table = {"name": "C1", "kind": "cluster", "pay_table": "sic-bo-etg-v8/1"}
    with pytest.raises(InputError, match="open_logins"):
        load_config(None, {}, base={"house": house, "table": [table]})


async def test_a_record_that_ever_played_for_money_stays_shut(tmp_path: Path) -> None:
    """A start for money is on the record for ever; a later start with open logins is refused."""
    money = settings(tmp_path, house={"play_money": False})
    async with serving(settings(tmp_path)) as house:
        assert not house.parts.house.read.staff().for_money
        await note_money(house.parts, money)
        await note_money(house.parts, money)
        assert house.parts.house.read.staff().for_money
    async with serving(settings(tmp_path, **OPEN)) as house:
        with pytest.raises(InputError, match="played for money"):
            await note_money(house.parts, settings(tmp_path, **OPEN))
        assert (await press(house, "dealer")).status_code == 403


async def test_a_record_that_began_for_money_stays_shut_though_nothing_was_noted(tmp_path: Path) -> None:
    """Records of earlier versions: their first people had to change their passwords."""
    async with serving(settings(tmp_path), people={}) as house:
        config = settings(tmp_path)
        await first_logins(house.parts, config.staff_policy, {"admin": Role.ADMINISTRATOR}, must_change=True)
        assert house.parts.house.read.staff().for_money


def test_what_was_recorded_before_has_no_press_in_it() -> None:
    """A login of an earlier version reads as one with a password."""
    assert LoggedIn.__struct_defaults__[-1] is False
