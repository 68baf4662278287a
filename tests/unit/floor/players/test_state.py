"""The registry as its stream tells it: which exclusion holds, what counts for a day and for a stay."""

from datetime import datetime, timedelta

from taisai.floor.players import messages as msg
from taisai.floor.players.messages import PlayLimits, RoundPlay
from taisai.floor.players.state import Exclusion, Player, PlayersList, Sums
from tests.unit.house import START, SYSTEM, minutes

NEXT_DAY = 18 * 60  # gaming days begin at six, and the start is noon


def registry() -> PlayersList:
    players = PlayersList()
    players.evolve(msg.PlayerRegistered(by=SYSTEM, at=START, player="p-1"))
    return players


def sit(players: PlayersList, at: float, place: str = "T1") -> None:
    players.evolve(msg.PlayBegan(by=SYSTEM, at=minutes(at), player="p-1", place=place))


def get_up(players: PlayersList, at: float, place: str = "T1") -> None:
    players.evolve(msg.PlayEnded(by=SYSTEM, at=minutes(at), player="p-1", place=place))


def played(players: PlayersList, at: float, number: int, wagered: int, returned: int = 0) -> None:
    plays = {"p-1": RoundPlay(wagered, returned)}
    players.evolve(msg.PlaysRecorded(by=SYSTEM, at=minutes(at), table="T1", round=number, plays=plays))


def test_of_two_exclusions_the_longer_one_holds_and_none_at_its_very_end() -> None:
    """Until further notice is longer than any time."""

    def held(own: datetime | None, house: datetime | None, now: datetime) -> Exclusion | None:
        player = Player("p-1")
        player.own_exclusion, player.house_exclusion = Exclusion(START, own), Exclusion(START, house)
        return player.exclusion_at(now)

    assert held(minutes(5), minutes(9), minutes(1)) == Exclusion(START, minutes(9))
    assert held(None, minutes(9), minutes(1)) == Exclusion(START, None)
    assert held(minutes(5), minutes(9), minutes(5)) == Exclusion(START, minutes(9))
    assert held(minutes(5), minutes(9), minutes(9)) is None
    assert Player("p-1").exclusion_at(START) is None


def test_a_correction_takes_the_place_of_what_was_counted() -> None:
    """Told twice, a round counts once, for the day and for the stay."""
    players = registry()
    sit(players, 0)
    played(players, 1, 1, 100)
    played(players, 2, 2, 50, 150)
    played(players, 3, 1, 100, 200)
    player = players.players["p-1"]
    assert player.today == player.session == Sums(wagered=150, returned=350)
    assert player.today.lost == -200


def test_a_new_gaming_day_begins_at_nothing_while_the_stay_goes_on() -> None:
    """A correction of yesterday then changes the stay alone, and after the stay nothing."""
    players = registry()
    sit(players, 0)
    played(players, NEXT_DAY - 1, 1, 100)
    played(players, NEXT_DAY, 2, 30)
    player = players.players["p-1"]
    assert (player.today.wagered, player.session.wagered) == (30, 130)
    played(players, NEXT_DAY + 1, 1, 70)
    assert (player.today.wagered, player.session.wagered) == (30, 100)
    assert player.today_at(minutes(0).date()) == Sums()
    get_up(players, NEXT_DAY + 2)
    sit(players, NEXT_DAY + 3)
    played(players, NEXT_DAY + 4, 2, 0)
    assert (player.today.wagered, player.session.wagered) == (0, 0)


def test_time_at_two_places_at_once_is_one_stay() -> None:
    """It ends when the last place is left; of a stay over the day's beginning only the rest is today's."""
    players = registry()
    sit(players, 0)
    sit(players, 10, "T2")
    get_up(players, 20)
    player = players.players["p-1"]
    assert (player.session_time(minutes(30)), player.sessions) == (timedelta(minutes=30), 1)
    assert players.find("T2") is players.find("p-1@T1") is player
    assert players.find("T1") is None
    get_up(players, NEXT_DAY + 5, "T2")
    assert player.session_time(minutes(NEXT_DAY + 9)) == timedelta()
    assert player.day_time(minutes(NEXT_DAY), minutes(NEXT_DAY + 9)) == timedelta(minutes=5)


def test_a_reality_check_is_due_on_the_minute_and_again_after_it_was_confirmed() -> None:
    """Never for one who does not play, or who asked for none."""
    players = registry()
    player = players.players["p-1"]
    sit(players, 0)
    assert not player.check_due(minutes(600))
    limits = PlayLimits(reality_check_minutes=30)
    set_ = msg.PlayLimitsSet(by=SYSTEM, at=START, player="p-1", limits=limits, later=None, later_from=None)
    players.evolve(set_)
    assert [player.check_due(minutes(at)) for at in (29.9, 30)] == [False, True]
    players.evolve(msg.CheckConfirmed(by=SYSTEM, at=minutes(31), player="p-1"))
    assert [player.check_due(minutes(at)) for at in (60, 61)] == [False, True]
    get_up(players, 70)
    assert not player.check_due(minutes(600))
