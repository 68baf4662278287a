"""Bounds on connections that nobody vouches for: newcomers get in, those who are known stay."""

import pytest

from taisai.server.ops.connections import Connections, place_of


def joined(held: Connections, address: str, closed: list[str], name: str) -> object:
    return held.join(address, lambda: closed.append(name))


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:aaaa::1", "2001:0db8:0001:0002::/64"),
        ("2001:db8:1:2:bbbb::9%eth0", "2001:0db8:0001:0002::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_place_is_an_address_or_a_network_of_sixty_four_bits(address: str, place: str) -> None:
    """Whoever has a /64 has more addresses than a list can hold."""
    assert place_of(address) == place


def test_one_address_can_only_push_out_its_own() -> None:
    """The oldest stranger from the same place makes room, and nobody else does."""
    held, closed = Connections(most=100, per_place=2), []
    for name in ("other", "a", "b", "c"):
        joined(held, "9.9.9.9" if name == "other" else "1.1.1.1", closed, name)
    assert closed == ["a"]
    assert len(held) == 3


def test_strangers_in_all_leave_a_reserve_and_those_who_are_known_stay() -> None:
    """Three quarters are for strangers; whoever showed a key is no longer among them."""
    held, closed = Connections(most=4, per_place=10), []
    known = held.join("0.0.0.1", lambda: closed.append("known"))
    known.known()
    for number in range(5):
        joined(held, f"1.1.1.{number}", closed, str(number))
    assert closed == ["0", "1"]
    assert (len(held), held.let_go) == (3, 2)


def test_a_proxy_brings_many_and_is_not_pushed_out_by_its_own_number() -> None:
    """Behind a proxy that the settings name, all visitors have one address."""
    held, closed = Connections(most=100, per_place=2, proxies=["127.0.0.1"]), []
    for number in range(10):
        joined(held, "127.0.0.1", closed, str(number))
    assert closed == []
