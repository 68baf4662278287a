"""What a bus and its clients show one another: certificates, and the tokens of an operator's account."""

import base64
import binascii
import hashlib
import json
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

_SEED = 18 << 3
# Whose key it is, as the first letters of its text say: operator, account, user.
OPERATOR, ACCOUNT, USER = 14 << 3, 0, 20 << 3


class Authority:
    """Somebody who vouches for servers and clients of a bus."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(self._signed(name, self._key).public_bytes(serialization.Encoding.PEM))

    def vouch_for(self, name: str) -> tuple[str, str]:
        """A certificate for 127.0.0.1, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        shown, kept = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        shown.write_bytes(self._signed(name, key).public_bytes(serialization.Encoding.PEM))
        kept.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return str(shown), str(kept)

    def _signed(self, name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(_named(name))
            .issuer_name(_named(self._name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
            )
            .add_extension(x509.BasicConstraints(ca=name == self._name, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


class NKey:
    """A key as the bus writes them."""

    def __init__(self, kind: int) -> None:
        self._kind, self._key = kind, Ed25519PrivateKey.generate()

    @property
    def public(self) -> str:
        return _checked(bytes([self._kind]) + self._key.public_key().public_bytes_raw())

    @property
    def seed(self) -> str:
        kind = bytes([_SEED | self._kind >> 5, (self._kind & 31) << 3])
        return _checked(kind + self._key.private_bytes_raw())

    def token_for(self, subject: str, **nats: Any) -> str:
        """What this key says of another one."""
        claims: dict[str, Any] = {
            "iss": self.public,
            "sub": subject,
            "iat": int(datetime.now(UTC).timestamp()),
        }
        claims |= {"name": nats["type"], "nats": {"version": 2, **nats}}
        claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(claims).encode()).digest()).decode()
        said = b".".join(_text(each) for each in ({"typ": "JWT", "alg": "ed25519-nkey"}, claims))
        return b".".join((said, _plain(self._key.sign(said)))).decode()


def _checked(raw: bytes) -> str:
    return base64.b32encode(raw + binascii.crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")


def _text(part: dict[str, Any]) -> bytes:
    return _plain(json.dumps(part).encode())


def _plain(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def operated(folder: Path) -> tuple[str, Path]:
    """Settings of a server that asks for credentials, and a file of them that it takes."""
    operator, account, user = NKey(OPERATOR), NKey(ACCOUNT), NKey(USER)
    limits = {"subs": -1, "data": -1, "payload": -1}
    of_account = operator.token_for(
        account.public,
        type="account",
        limits={**limits, "imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1},
    )
    of_user = account.token_for(user.public, type="user", **limits)
    path = folder / "house.creds"
    path.write_text(
        f"-----BEGIN NATS USER JWT-----\n{of_user}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n",
        encoding="utf-8",
    )
    of_operator = operator.token_for(operator.public, type="operator")
    settings = (
        f"operator: {of_operator}\nresolver: MEMORY\nresolver_preload: {{ {account.public}: {of_account} }}\n"
    )
    return settings, path
