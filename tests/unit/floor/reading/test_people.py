"""Players and staff as interfaces see them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from taisai.floor.players.messages import PlayLimits
from taisai.floor.players.state import Exclusion, Player
from taisai.floor.reading.people import ExclusionHeld, StaffReading, player_reading
from taisai.floor.staff.acts import StaffState
from taisai.floor.staff.state import Member, Session
from taisai.game.people import Role

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_a_player_is_read_with_the_exclusions_that_hold() -> None:
    """One that has ended is gone; the player's own and the house's are told apart."""
    hour = timedelta(hours=1)
    player = Player("ann", PlayLimits(), places={"T2", "C1-1.4"})
    player.own_exclusion = Exclusion(NOON - hour, NOON - hour / 2)
    player.house_exclusion = Exclusion(NOON - hour, None)
    read = player_reading(player, NOON)
    assert read.exclusions == (ExclusionHeld(own=False, since=NOON - hour, until=None),)
    assert (read.name, read.places, read.limits) == ("ann", ("C1-1.4", "T2"), PlayLimits())


def test_the_staff_list_gives_credentials_only_where_they_are_asked_for() -> None:
    """A list of people has none of them."""
    staff = StaffState()
    assert StaffReading(staff).is_empty
    staff.members["mei"] = Member("mei", Role.DEALER, password_hash="h2", earlier_hashes=("h1",), totp="t")
    staff.sessions["digest"] = Session("mei", Role.DEALER, "digest", NOON, "T1")
    read: Any = StaffReading(staff)
    known = read.credentials("mei")
    assert (known.password_hash, known.earlier_hashes, known.totp) == ("h2", ("h1",), "t")
    assert read.credentials("nobody") is None
    (member,) = read.members(NOON)
    assert (member.name, member.has_totp, member.sessions, member.locked) == ("mei", True, 1, False)
    assert "h2" not in repr(member)
    assert read.dues("mei", NOON) == ("password",)
    with pytest.raises(TypeError):
        read.sessions["digest"] = None
