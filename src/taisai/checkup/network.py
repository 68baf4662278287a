"""What `taisai doctor` finds out about a house's certificate and its port. Extras may be missing."""

import errno
import http.client
import json
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from taisai.floor import health as checkup
from taisai.floor.health import Finding, failed, ok, warning
from taisai.server.config import Config

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_SECONDS: Final = 3.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared with, not listened at


def not_checked(check: str, error: ImportError) -> Finding:
    """Something that cannot be looked at before a package is installed."""
    advice = "pip install 'taisai[server]'"
    name = (error.name or "a package").partition(".")[0]
    return failed(check, f"not looked at: {name} is missing", expected="the extra server", advice=advice)


def mode_of(path: Path) -> int:
    """Who may do what with a file."""
    return path.stat().st_mode & 0o777


def look_at_tls(config: Config) -> list[Finding]:
    server = config.server
    if not config.uses_tls:
        return [_without_tls(config)]
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            server.certificate, server.certificate_key, password=lambda: b""
        )
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        said = f"{server.certificate}: {getattr(error, 'strerror', None) or error}"
        advice = "give the certificate chain and the key that belongs to it, both in PEM form"
        return [failed("tls", said, expected="a certificate and its key", advice=advice)]
    try:
        from cryptography import x509
    except ImportError as missing:
        return [not_checked("tls", missing)]
    certificate = x509.load_pem_x509_certificate(Path(server.certificate).read_bytes())
    found = [
        checkup.judge_certificate(
            certificate.not_valid_before_utc,
            certificate.not_valid_after_utc,
            datetime.now(UTC),
            _names(certificate),
        )
    ]
    if mode_of(Path(server.certificate_key)) & 0o007:
        advice = "chmod o= it"
        mode = f"mode {mode_of(Path(server.certificate_key)):o}: anyone can read it"
        found.append(failed("tls key", mode, expected="mode 600 or 640", advice=advice))
    return found


def _names(certificate: Any) -> list[str]:
    from cryptography import x509

    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in names]


def _without_tls(config: Config) -> Finding:
    server = config.server
    if config.house.play_money:
        return ok("tls", "no certificate; play money needs none")
    advice = "set `certificate` and `certificate_key`, or put a proxy with TLS in front (`trusted_proxies`)"
    if server.trusted_proxies:
        return ok("tls", f"no certificate here: the proxy at {server.trusted_proxies} brings it")
    if server.host in LOOPBACK:
        said = "no certificate: logins work only through a proxy that has one"
        return warning("tls", said, expected="a certificate", advice=advice)
    said = f"no certificate, and {server.host} is open to others"
    return failed("tls", said, expected="a certificate", advice=advice)


def look_at_port(config: Config) -> Finding:
    """Free for the house, or answered by it."""
    host, port = config.server.host, config.server.port
    if port == 0:
        return ok("port", "any free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return _answered(config)
            advice = "choose an address of this machine, and a port that this user may listen at"
            said = f"{host}:{port}: {error.strerror}"
            return failed("port", said, expected="one to listen at", advice=advice)
    return ok("port", f"{host}:{port} is free")


def _answered(config: Config) -> Finding:
    where = f"{config.server.host}:{config.server.port}"
    name, faults = ask_house(config)
    if name != config.house.name:
        said = f"{where} is taken by {'another house: ' + name if name else 'something else'}"
        advice = "stop what listens there, or choose another port"
        return failed("port", said, expected="a free port, or this house", advice=advice)
    if faults:
        advice = "see the house's log; when a desk has stopped, start the house again"
        return failed(
            "port", f"this house is not ready: {'; '.join(faults)}", expected="ready", advice=advice
        )
    return ok("port", f"this house answers at {where} and is ready")


def ask_house(config: Config) -> tuple[str, list[str]]:
    """The name of the house that answers there, and what keeps it from being ready; no name for others."""
    house = _asked(config, "/api/v1/house")
    if not isinstance(house, dict) or "name" not in house:
        return "", []
    ready = _asked(config, "/readyz")
    faults = ready.get("faults", []) if isinstance(ready, dict) else ["it does not say whether it is ready"]
    return str(house["name"]), [str(fault) for fault in faults]


def _asked(config: Config, path: str) -> Any:
    host = _EVERYWHERE.get(config.server.host, config.server.host)
    try:
        connection = _connection(config, host)
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().read(65_536))
        finally:
            connection.close()
    except (OSError, ValueError, http.client.HTTPException):
        return None


def _connection(config: Config, host: str) -> http.client.HTTPConnection:
    if not config.uses_tls:
        return http.client.HTTPConnection(host, config.server.port, timeout=_SECONDS)
    # Whether the certificate is good is looked at elsewhere; here it only matters who answers.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection(host, config.server.port, timeout=_SECONDS, context=context)
