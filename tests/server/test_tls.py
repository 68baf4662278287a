"""Served over TLS by certificate files: pages, logins, terminals and consoles, and nothing in the clear."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from taisai.client import Staff, Terminal, Visitor
from taisai.errors import InputError
from tests.server.houses import CLUSTER, LIVE, dealt, serving, settings


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "taisai test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    shown, kept = folder / "house.pem", folder / "house.key"
    shown.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    kept.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return shown, kept


async def test_a_house_of_real_money_is_served_over_tls(tmp_path: Path) -> None:
    """A login, a console, a terminal that enrols with a code, a round; and plain HTTP gets nothing."""
    shown, kept = certificate(tmp_path)
    config = settings(
        tmp_path,
        CLUSTER,
        LIVE,
        house={"play_money": False},
        server={"certificate": str(shown), "certificate_key": str(kept), "terminal_cash": True},
    )
    trust = ssl.create_default_context(cafile=str(shown))
    async with serving(config) as house:
        address = house.address.replace("http://", "https://")
        async with Staff(address, verify=trust) as supervisor, Visitor(address, verify=trust) as visitor:
            answer = await supervisor.http.post(
                "/api/v1/login", json={"name": "supervisor", "password": house.logins["supervisor"]}
            )
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-taisai=")
            assert all(part in cookie for part in ("Secure", "HttpOnly", "SameSite=strict", "Path=/"))
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            supervisor.http.headers["X-CSRF-Token"] = answer.json()["csrf"]
            offered = await supervisor.post("/terminals", {"table": "C1"})
            key = await visitor.enrol(offered["code"])
            async with (
                Terminal(address, key, verify=trust) as terminal,
                supervisor.console("C1") as console,
            ):
                await terminal.cash_in(10_000)
                await console.act("StartRound")
                number = (await terminal.betting()).number
                await terminal.place(number, {"big": 100})
                await dealt(console, [6, 6, 5])
                assert (await terminal.result(number)).returned == 200
        async with httpx.AsyncClient(base_url=house.address) as plain:
            with pytest.raises(httpx.TransportError):
                await plain.get("/livez")
        async with Visitor(address) as stranger:
            with pytest.raises(httpx.ConnectError):
                await stranger.get("/house")


def test_a_certificate_without_its_key_is_refused(tmp_path: Path) -> None:
    """Both or neither."""
    with pytest.raises(InputError, match="belongs together"):
        settings(tmp_path, CLUSTER, server={"certificate": "house.pem"})
