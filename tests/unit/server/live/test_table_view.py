"""What everyone may see of a table."""

from datetime import UTC, datetime, timedelta

from taisai.dice import Roll
from taisai.floor.table.messages import WindowSet
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.rulebooks.catalogue import pay_table
from taisai.server.live.table_view import felt_view, limits_view, millis, result_view, round_view, rules_shown
from tests.floor.houses import DEALER, SmallHouse, act, live, settings, start_round


def test_a_moment_is_whole_milliseconds_since_1970() -> None:
    """The wire has no fractions, and no zone but one."""
    assert millis(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert millis(datetime(1970, 1, 1, 0, 0, 1, 500_600, tzinfo=UTC)) == 1_501


def test_a_felt_shows_every_box_of_its_pay_table_once() -> None:
    """Each box has its place, its ways among the 216 and a name in each language."""
    table, view = pay_table("tai-sai-v6/2"), felt_view("tai-sai-v6/2")
    assert sorted(box.id for box in view.boxes) == sorted(box.id for box in table.boxes)
    shown = {box.id: box for box in view.boxes}
    assert shown["big"].ways == table.box("big").wins.bit_count() == 105
    assert shown["big"].return_percent == round(100 * 210 / 216, 4)
    assert {len(box.names) for box in view.boxes} == {3}
    assert felt_view("tai-sai-v6/2") is view


def test_limits_are_shown_as_they_are_set() -> None:
    """The default, and those of a group or a box that has its own."""
    own = Limits(unit=100, default=Limit(100, 5_000), boxes={"big": Limit(200, 9_000)})
    view = limits_view(own)
    assert (view.unit, view.default.minimum, view.default.maximum) == (100, 100, 5_000)
    assert {name: (limit.minimum, limit.maximum) for name, limit in view.boxes.items()} == {
        "big": (200, 9_000)
    }
    assert view.groups == {}


async def test_a_round_shows_its_dice_only_once_they_are_declared() -> None:
    """Before there are none, whatever can be seen in the tumbler; after there are the winning boxes too."""
    async with SmallHouse(live(betting_seconds=20)).open() as house:
        await start_round(house, "T1")
        state, by, at = house.table("T1").state, DEALER, house.now()
        view = round_view(state.current, state.window, 5)
        assert (view.opens_at, view.closes_at, view.warn_at) == (
            millis(at),
            millis(at) + 20_000,
            millis(at) + 15_000,
        )
        assert (view.dice, view.winning_boxes) == (None, [])
        await act(house, "T1", cmd.CloseBetting(by=by, at=at))
        await act(house, "T1", cmd.CoverTumbler(by=by, at=at))
        await act(house, "T1", cmd.ActivateTumbler(by=by, at=at, tumbles=3))
        await act(house, "T1", cmd.ExposeDice(by=by, at=at))
        assert round_view(state.current, state.window, 5).dice is None
        assert result_view(state.current).dice is None
        await act(house, "T1", cmd.DeclareRoll(by=by, at=at, roll=Roll(2, 2, 2)))
        view, result = round_view(state.current, state.window, 5), result_view(state.current)
        assert view.dice == result.dice == [2, 2, 2]
        assert (result.total, result.triple, result.void) == (6, True, False)
        assert "small" not in view.winning_boxes
        assert "triple-2" in view.winning_boxes


async def test_the_window_of_another_round_is_not_shown() -> None:
    """A clock that belongs to the round before says nothing of this one."""
    async with SmallHouse(live(betting_seconds=20)).open() as house:
        await start_round(house, "T1")
        state, now = house.table("T1").state, house.now()
        other = WindowSet(by=DEALER, at=now, round=2, opens_at=now, closes_at=now + timedelta(seconds=9))
        view = round_view(state.current, other, 5)
        assert (view.opens_at, view.closes_at, view.warn_at) == (None, None, None)


async def test_a_round_in_play_keeps_the_rules_it_opened_with() -> None:
    """New settings are shown from the next round on."""
    new = settings("tai-sai-v6/1")
    async with SmallHouse(live()).open() as house:
        await start_round(house, "T1")
        current = house.table("T1").state.current
        assert rules_shown(new, current)[0].id == "tai-sai-v6/2"
        assert rules_shown(new, None)[0].id == "tai-sai-v6/1"
