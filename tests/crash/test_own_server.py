"""The tests' own PostgreSQL leaves nothing behind."""

from pathlib import Path

import pytest

from tests.postgres import Server, own_server


def _running(server: Server) -> list[str]:
    """The processes that have the server's folder on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(server.folder) in line:
            found.append(line)
    return found


def test_a_server_of_ones_own_stops_when_its_test_fails() -> None:
    """Neither the process nor its folder outlives an error."""
    seen: list[Server] = []
    with pytest.raises(ZeroDivisionError):
        _fail_beside(seen)
    assert _running(seen[0]) == []
    assert not seen[0].folder.exists()


def _fail_beside(seen: list[Server]) -> None:
    with own_server() as server:
        seen.append(server)
        assert _running(server)
        raise ZeroDivisionError
