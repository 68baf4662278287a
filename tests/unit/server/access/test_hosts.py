"""Names under which a house answers."""

import pytest

from taisai.server.access.hosts import allowed_hosts, is_allowed


@pytest.mark.parametrize("header", ["localhost", "LOCALHOST:8400", "127.0.0.1:1", "[::1]:8400", "10.0.0.7"])
def test_this_computer_is_known_by_its_own_names_and_by_any_address(header: str) -> None:
    """Without a setting. An address in the header is no name that another site could have chosen."""
    assert is_allowed(header, allowed_hosts([], "127.0.0.1"))


@pytest.mark.parametrize("header", ["", "evil.example", "localhost.evil.example", "evil.example:8400", "a]b"])
def test_another_name_is_not_ours(header: str) -> None:
    """A name that resolves to this computer is still not this house."""
    assert not is_allowed(header, allowed_hosts([], "127.0.0.1"))


def test_the_settings_name_the_house_alone() -> None:
    """With or without a port, a final dot or capitals; localhost only if it is named too."""
    names = allowed_hosts(["House.Example"], "0.0.0.0")
    assert is_allowed("house.example:443", names)
    assert is_allowed("HOUSE.EXAMPLE.", names)
    assert not is_allowed("localhost", names)
