"""`taisai rules` says what is approved, and what is in force when."""

import json
from pathlib import Path

import pytest

from tests.unit.command import run

HOUSE = """
[house]
play_money = true
[rulebook.tai-sai-v4]
until = 2023-10-06T08:00:00
[[table]]
name = "T1"
kind = "live"
pay_table = "tai-sai-v6/2"
"""


def in_force(*arguments: str) -> dict[str, str]:
    rows = json.loads(run("rules", "--format", "json", *arguments).stdout)
    return {row["rulebook"]: row["in_force"] for row in rows}


@pytest.mark.parametrize(
    ("at", "v3", "v6"),
    [
        ("2013-10-21", "not yet", "not yet"),
        ("2013-10-22", "yes", "not yet"),
        ("2023-10-06T07:59", "yes", "not yet"),
        ("2023-10-06T08:00", "yes", "yes"),
        ("2023-10-06T00:00+00:00", "yes", "yes"),
    ],
)
def test_a_rulebook_is_in_force_from_the_time_on_its_front_page(at: str, v3: str, v6: str) -> None:
    """Singapore's time, unless another is said; what nobody approved never is."""
    found = in_force("--at", at)
    assert (found["tai-sai-v3"], found["tai-sai-v6"]) == (v3, v6)
    assert (found["tai-sai-v4"], found["macau"]) == ("yes", "not approved")


def test_a_house_says_until_when(tmp_path: Path) -> None:
    """At the moment at which one ends the other takes its place."""
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    before = in_force("--config", str(path), "--at", "2023-10-06T07:59")
    after = in_force("--config", str(path), "--at", "2023-10-06T08:00")
    assert [found["tai-sai-v4"] for found in (before, after)] == ["yes", "no longer"]
    said = run("rules", "tai-sai-v4", "--config", str(path)).stdout
    assert "until 2023-10-06 08:00 (Singapore's time)" in said
    assert "Gambling Regulatory Authority of Singapore" in said


def test_a_moment_that_is_none_is_bad_input() -> None:
    """One line, with what was expected."""
    wrong = run("rules", "--at", "soon")
    assert wrong.exit_code != 0
    assert "expected a date, or a date and time" in wrong.stderr or "expected a date" in str(wrong.exception)
