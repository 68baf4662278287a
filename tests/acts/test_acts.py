"""Random acts over every kind of table: no desk stops, no cent and no chip is lost, the audit stays sound."""

import pytest

from tests.acts.running import HOUSES, play
from tests.floor.split import DividedHouse

ACTS_EACH = 1_100  # five houses: above 5,000 in all
DIVIDED_ACTS_EACH = 200


@pytest.mark.slow
@pytest.mark.parametrize("kinds", HOUSES, ids=[" and ".join(kinds) for kinds in HOUSES])
def test_random_acts_leave_every_cent_and_every_chip_where_it_belongs(kinds: tuple[str, ...]) -> None:
    """After each act books and chips are right; after corrections, voids and restarts the audit is sound."""
    tally = play(kinds, ACTS_EACH)
    assert tally.acts >= ACTS_EACH
    assert sum(tally.done.values()) > tally.acts // 4, tally


@pytest.mark.slow
@pytest.mark.parametrize("kinds", HOUSES[:2], ids=[" and ".join(kinds) for kinds in HOUSES[:2]])
def test_so_they_do_where_each_table_and_the_office_have_a_process_of_their_own(
    kinds: tuple[str, ...],
) -> None:
    """Acts go to whoever runs their desk, and cash chips are allotted by the office."""
    tally = play(kinds, DIVIDED_ACTS_EACH, DividedHouse)
    assert sum(tally.done.values()) > tally.acts // 4, tally
