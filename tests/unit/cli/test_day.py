"""`taisai day` and `taisai loaded` as people type them, from plans and from a record."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import taisai
from taisai.cli.counted import counted_slips, limits_of
from taisai.errors import InputError
from tests.unit.command import run
from tests.unit.record_cli import fails, kept, ok, spoil, store

__all__ = ["kept", "store"]  # fixtures


def limited(pay_table: str, slips: list[dict[str, int]], maximum: int) -> list[dict[str, int]]:
    table, book = taisai.pay_table(pay_table), taisai.rulebook(pay_table.partition("/")[0])
    limits = limits_of(book, table, ({"big": maximum}, None), minimum=50, unit=5)
    return counted_slips(book, table, limits, slips)


def test_limits_count_as_each_rulebook_settles_them() -> None:
    """Pro rata (the rulebook's own example), first come first served, or refused."""
    slips = [{"big": 300}, {"big": 600, "small": 50}, {"big": 400}]
    shared = limited("tai-sai-v6/2", slips, 1000)
    assert [slip["big"] for slip in shared] == [230, 460, 310]
    assert shared[1]["small"] == 50
    assert [slip.get("big", 0) for slip in limited("tai-sai-v3/1", slips, 1000)] == [300, 600, 100]
    with pytest.raises(InputError, match="above the maximum of 500"):
        limited("sic-bo-etg-v8/1", slips, 500)


def test_a_planned_day_says_every_figure_with_its_method(tmp_path: Path) -> None:
    """Win, hold, float, drawdown, drop, year and players; and a page with pictures."""
    page = tmp_path / "day.html"
    plan = ("day", "tai-sai-v6/2", "--player", "big=100,sum-9=20*2", "--player", "small=200", "--hours", "2")
    more = ("--buy-in", "1000", "--simulated", "200", "--comps", "30%", "--days", "5")
    document = json.loads(ok(*plan, *more, "--format", "json", "--report", str(page)))
    assert document["day"]["rounds"] == 90
    assert Fraction(document["day"]["handle"]["exact"]) == 90 * 440
    theo = 90 * (Fraction(400, 36) + 40 * Fraction(2, 27))
    assert Fraction(document["day"]["theo"]["exact"]) == theo
    assert document["year"]["rounds"] == 450
    assert document["float_999"]["method"] == document["drawdown_999"]["method"] == "exact"
    assert document["drop"]["low_95"] <= document["drop"]["value"] <= document["drop"]["high_95"]
    assert [row["average_bet"] for row in document["players"]] == ["120", "120", "200"]
    drawn = page.read_text(encoding="utf-8")
    assert drawn.count("<svg") > 3
    assert "prefers-color-scheme: dark" in drawn
    assert "theoretical win of a day" in ok(*plan, "--simulated", "50", "--days", "2")


def test_a_recorded_day_knows_its_players(store: str) -> None:
    """Theo of every player, exactly what the boxes' edges say, from the bets that counted."""
    document = json.loads(
        ok("day", "--record", store, "--simulated", "50", "--hours", "1", "--days", "2", "--comps", "50%",
           "--format", "json")
    )  # fmt: skip
    assert document["players"]
    assert document["drop"] is None
    for row in document["players"]:
        assert row["handle"] >= row["rounds"]
        assert float(row["comps"].replace(",", "")) <= float(row["theo"].replace(",", "")) + 0.01
    assert run("day", "--record", store, "--table", "nowhere").exit_code == 2


def test_rounds_without_their_rules_are_counted(store: str) -> None:
    """Left out of the figures, and said: how many and on which pay table, also when nothing else is left."""
    asked = ("day", "--record", store, "--simulated", "50", "--hours", "1", "--days", "2")
    assert json.loads(ok(*asked, "--format", "json"))["left_out"] == {}
    unknown = "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '{0}/', '{1}/') AS BLOB)"
    spoil(store, unknown.format("sic-bo-etg-v8", "sic-bo-etg-v9"))
    document = json.loads(ok(*asked, "--format", "json"))
    assert document["left_out"] == {"sic-bo-etg-v9/1": 2}
    assert {row["table"] for row in document["players"]} == {"T1 tai-sai-v6/2"}
    assert "2 on sic-bo-etg-v9/1" in ok(*asked)
    spoil(store, unknown.format("tai-sai-v6", "tai-sai-v7"))
    fails(2, "yet; left out: settled rounds whose rules are not at hand: 2 on sic-bo-etg-v9/1, ", *asked)


def test_rules_of_the_same_name_that_differ_are_not_at_hand(store: str) -> None:
    """A round is priced by the very pay table that it was opened with, or not at all."""
    digest = taisai.pay_table("tai-sai-v6/2").digest
    spoil(
        store, f"UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '{digest}', '{'0' * 64}') AS BLOB)"
    )
    document = json.loads(
        ok("day", "--record", store, "--simulated", "50", "--hours", "1", "--days", "2", "--format", "json")
    )
    assert list(document["left_out"]) == ["tai-sai-v6/2"]
    assert {row["table"] for row in document["players"]} == {"C1 sic-bo-etg-v8/1"}


def test_loaded_dice_in_every_form(tmp_path: Path) -> None:
    """Given chances with an exposure, recorded rolls, and the bias that turns each group."""
    faces = "1/6,1/6,1/6,1/6,0.15,11/60"
    given = json.loads(
        ok("loaded", "macau/1", "--faces", faces, "--bet", "big=1000", "--format", "json",
           "--report", str(tmp_path / "faces.html"))
    )  # fmt: skip
    boxes = {row["box"]: row for row in given["boxes"]}
    assert (
        Fraction(boxes["big"]["edge"])
        < Fraction(boxes["big"]["fair_edge"])
        < Fraction(boxes["small"]["edge"])
    )
    assert Fraction(given["exposure"]["expected_win"]["exact"]) == 1000 * Fraction(boxes["big"]["edge"])
    rolls = tmp_path / "rolls.csv"
    rolls.write_text("6,6,6\n1,2,3\n" * 30, encoding="utf-8")
    seen = json.loads(ok("loaded", "macau/1", "--rolls", str(rolls), "--draws", "500", "--format", "json"))
    assert seen["faces"] == [30, 30, 30, 0, 0, 90]
    assert {row["box"]: row["chance_gone"] for row in seen["boxes"]}["triple-6"] > 0.9
    turned = {
        row["group"]: row for row in json.loads(ok("loaded", "macau/1", "--turning", "--format", "json"))
    }
    assert turned["single"]["bias_of"].startswith("face")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("day", "macau/1"), "--player with a pay table, or --record"),
        (("day", "--player", "big=5"), "on which pay table"),
        (("day", "--record", "x", "--buy-in", "5"), "limits of their own"),
        (("loaded", "macau/1"), "one of --faces, --rolls and --turning"),
        (("loaded", "macau/1", "--turning", "--bet", "big=5"), "add --faces"),
        (("loaded", "macau/1", "--faces", "1/6,1/6"), "six chances"),
    ],
)
def test_what_is_missing_is_said(arguments: tuple[str, ...], said: str) -> None:
    """One line that names it."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
