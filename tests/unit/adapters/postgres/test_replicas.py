"""How many standbys a commit waits for, as PostgreSQL's setting says it."""

import pytest

from taisai.adapters.postgres.replicas import waited_for


@pytest.mark.parametrize(
    ("names", "count"),
    [
        ("", 0),
        ("  ", 0),
        ("*", 1),
        ("pg2", 1),
        ("pg2, pg3", 1),
        ("2 (pg2, pg3)", 2),
        ("FIRST 2 (pg2, pg3, pg4)", 2),
        ("any 3 (*)", 3),
        ("ANY 1(pg2)", 1),
    ],
)
def test_each_form_of_the_setting_is_read_as_the_server_reads_it(names: str, count: int) -> None:
    """A plain list waits for one."""
    assert waited_for(names) == count
