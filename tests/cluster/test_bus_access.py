"""Who is let in by the bus, and which bus is the house's: a real server with its locks."""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from taisai.adapters.bus.access import BusAccess
from taisai.adapters.bus.link import BusLink
from taisai.checkup.cluster import look_at_bus
from taisai.errors import InputError
from taisai.server.cluster_settings import ClusterConfig
from tests.cluster.credentials import Authority, operated
from tests.nats import NatsServer

USER = "authorization { user: taisai, password: secret }"
SHUT = "the bus does not let this process in, see cluster.nats: "


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the files that settings name."""
    for name, said in (("password", "secret\n"), ("guess", "guess"), ("empty", "\n")):
        (tmp_path / name).write_text(said, encoding="utf-8")
    return tmp_path


@contextmanager
def locked(place: Path, settings: str) -> Iterator[NatsServer]:
    """A server with settings of its own."""
    server = NatsServer()
    path = place / "bus.conf"
    path.write_text(settings, encoding="utf-8")
    server.options = ["-c", str(path)]
    server.start()
    try:
        yield server
    finally:
        server.stop()


async def let_in(server: NatsServer, **access: Any) -> None:
    """Come in, and hear what is said."""
    link, heard = BusLink([server.url], "desk", access=BusAccess(**access)), asyncio.Event()

    async def hear(message: Any) -> None:
        heard.set()

    await link.open()
    try:
        await link.hear("x", hear)
        await link.say("x", b"")
        async with asyncio.timeout(30):
            await heard.wait()
    finally:
        await link.close()


async def shut_out(*servers: str, **access: Any) -> str:
    """Why nobody lets this process in, and that it is counted."""
    counts: Counter[str] = Counter()
    link = BusLink(servers, "desk", access=BusAccess(**access), counted=lambda what: counts.update([what]))
    with pytest.raises(InputError) as refused:
        await link.open()
    said = str(refused.value)
    assert bool(counts["refused"]) == said.startswith(SHUT)
    assert not link.is_up
    return said


async def test_a_password_and_a_token_are_read_from_files(place: Path) -> None:
    """Without them, or with wrong ones, the process is told so at once and does not wait for ever."""
    ours = {"user": "taisai", "password_file": str(place / "password")}
    with locked(place, USER) as server:
        await let_in(server, **ours)
        for access in ({}, {"user": "taisai", "password_file": str(place / "guess")}):
            said = await shut_out(server.url, **access)
            assert said == f"{SHUT}127.0.0.1:{server.port}: Authorization Violation"
        assert "secret" not in await shut_out(server.url.replace("://", "://taisai:nosecret@"))
        gone = f"nats://127.0.0.1:{NatsServer().port}"
        link = BusLink([gone, server.url], "desk", access=BusAccess(**ours))
        await link.open()  # one of two is enough
        await link.close()
    with locked(place, "authorization { token: secret }") as server:
        await let_in(server, token_file=str(place / "password"))
        assert "Authorization Violation" in await shut_out(server.url, token_file=str(place / "guess"))


async def test_an_operators_account_lets_in_whoever_has_its_credentials(place: Path) -> None:
    """And nobody with those of another operator."""
    settings, ours = operated(place)
    (other := place / "other").mkdir()
    with locked(place, settings) as server:
        await let_in(server, credentials=str(ours))
        said = await shut_out(server.url, credentials=str(operated(other)[1]))
        assert "Authorization Violation" in said


async def test_a_bus_over_tls_knows_its_clients_and_they_know_it(place: Path) -> None:
    """Whoever another authority vouches for is refused, on either side, and so is who shows nothing."""
    house, other = Authority(place, "house"), Authority(place, "other")
    shown, kept = house.vouch_for("server")
    ours, theirs = (authority.vouch_for(name) for authority, name in ((house, "desk"), (other, "stranger")))
    tls = f'tls {{ cert_file: "{shown}", key_file: "{kept}", ca_file: "{house.path}", verify: true }}'
    here = {"ca": str(house.path), "certificate": ours[0], "certificate_key": ours[1]}
    with locked(place, tls) as server:
        await let_in(server, **here)
        for access, why in (
            ({"ca": here["ca"]}, "certificate required"),
            ({**here, "certificate": theirs[0], "certificate_key": theirs[1]}, "unknown ca"),
            ({**here, "ca": str(other.path)}, "its certificate does not count here"),
            ({}, "its certificate does not count here"),
        ):
            assert why in await shut_out(server.url, **access)


async def test_nothing_is_said_in_the_clear_to_a_bus_that_should_encrypt(place: Path) -> None:
    """A server without TLS, or somebody in between, hears no password."""
    house = Authority(place, "house")
    ours = {"user": "taisai", "password_file": str(place / "password")}
    with locked(place, USER) as server:
        for url, access in (
            (server.url, {**ours, "ca": str(house.path)}),
            (server.url.replace("nats:", "tls:"), ours),
        ):
            assert "it does not encrypt" in await shut_out(url, **access)


@pytest.mark.parametrize(
    ("access", "said"),
    [
        (
            {"user": "taisai", "password_file": "nowhere"},
            "nats_password_file: nowhere cannot be read: No such",
        ),
        (
            {"user": "taisai", "password_file": "empty"},
            "nats_password_file: expected a file with a line in it",
        ),
        ({"token_file": "empty"}, "nats_token_file: expected a file with a line in it, empty is empty"),
        ({"credentials": "password"}, "nats_credentials: expected a file of credentials"),
        ({"credentials": "damaged"}, "nats_credentials: the seed in damaged is not one of a user"),
        ({"ca": "password"}, "nats_ca: password cannot be used"),
        ({"ca": "nowhere"}, "nats_ca: nowhere cannot be used: No such file"),
        (
            {"certificate": "password", "certificate_key": "password"},
            "nats_certificate: password and",
        ),
    ],
)
async def test_a_file_that_cannot_be_used_is_named_with_its_setting(
    access: dict[str, str], said: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anybody is asked."""
    monkeypatch.chdir(place)
    _, path = operated(place)
    creds = path.read_text(encoding="utf-8")
    (place / "damaged").write_text(creds.replace("SEED-----\nS", "SEED-----\nT"), encoding="utf-8")
    assert (await shut_out("nats://127.0.0.1:1", **access)).startswith(f"cluster.{said}")


async def test_whoever_is_thrown_out_asks_again_until_it_is_let_in(
    place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The bus's settings change under way, and back again; the process waits, says why, and goes on."""
    counts: Counter[str] = Counter()
    access = BusAccess(user="taisai", password_file=str(place / "password"))
    heard = asyncio.Event()

    async def hear(message: Any) -> None:
        heard.set()

    with locked(place, USER) as server:
        link = BusLink([server.url], "desk", access=access, counted=lambda what: counts.update([what]))
        await link.open()
        await link.hear("x", hear)
        (place / "bus.conf").write_text(USER.replace("secret", "another"), encoding="utf-8")
        server.signal(signal.SIGHUP)
        async with asyncio.timeout(30):
            while not counts["refused"]:
                await asyncio.sleep(0.01)
        assert "does not let this process in: Authorization Violation" in caplog.text
        (place / "password").write_text("another", encoding="utf-8")
        async with asyncio.timeout(30):
            while not link.is_up:
                await asyncio.sleep(0.01)
            await link.say("x", b"")
            await heard.wait()
        await link.close()


def test_the_doctor_comes_in_as_the_house_would(place: Path) -> None:
    """A bus that answers and lets nobody in is no bus."""
    with locked(place, USER) as server:
        how = {"nats": (server.url,), "nats_user": "taisai"}
        (well,) = look_at_bus(ClusterConfig(**how, nats_password_file=str(place / "password")))
        (shut,) = look_at_bus(ClusterConfig(**how, nats_password_file=str(place / "guess")))
        (without,) = look_at_bus(ClusterConfig(**how, nats_password_file=str(place / "empty")))
    assert (well.level, shut.level, without.level) == ("ok", "failed", "failed")
    assert "Authorization Violation" in shut.found
    assert "nats_password_file" in without.found
