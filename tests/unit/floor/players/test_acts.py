"""The registry of players: exclusions, limits that players set themselves, and time of play."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from taisai.adapters.clock import SystemEntropy
from taisai.errors import InputError
from taisai.floor.gaming_day import DayClock
from taisai.floor.players import messages as msg
from taisai.floor.players.acts import PlayersPolicy, PlayersState, new_pseudonym, players_desk, tighter
from taisai.floor.players.messages import PlayLimits, RoundPlay
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, RefusalCode
from taisai.ledger import credit
from tests.unit.house import CASHIER, DEALER, SHIFT_MANAGER, SUPERVISOR, SYSTEM, Run, minutes

ANNA = Actor("p-anna", Role.PLAYER)
BEN = Actor("p-ben", Role.PLAYER)
DAY = 24 * 60


def run_players(**policy: Any) -> Run:
    def fresh() -> PlayersState:
        return PlayersState(policy=PlayersPolicy(**policy))

    run = Run(fresh(), msg.AnyPlayersEvent, fresh)
    for player in (ANNA, BEN):
        run.do(msg.RegisterPlayer(by=DEALER, at=minutes(0), player=player.name))
    return run


def set_limits(run: Run, at: float = 0, player: Actor = ANNA, **limits: int | None) -> None:
    asked = PlayLimits(**limits)
    run.do(msg.SetPlayLimits(by=player, at=minutes(at), player=player.name, limits=asked))


def played(run: Run, number: int, wagered: int, returned: int, at: float = 1, player: str = "p-anna") -> None:
    plays = {player: RoundPlay(wagered, returned)}
    run.do(msg.RecordPlays(by=SYSTEM, at=minutes(at), table="T1", round=number, plays=plays))


def check(run: Run, wager: int, at: float = 2, player: str = "p-anna", **more: int) -> RefusalCode | None:
    refusal: Refusal | None = run.state.check(player, wager, minutes(at), **more)
    return refusal.code if refusal else None


def test_a_player_without_limits_may_bet() -> None:
    """So may somebody who is not registered, unless the house wants everyone registered."""
    run = run_players()
    assert check(run, 10**9) is None
    assert check(run, 100, player="stranger") is None
    assert (
        check(run_players(registered_only=True), 100, player="stranger") is RefusalCode.PLAYER_NOT_REGISTERED
    )


@pytest.mark.parametrize(
    ("limit", "last_allowed"),
    [("loss_day", 400), ("loss_session", 400), ("wager_day", 300), ("wager_session", 300)],
)
def test_a_limit_counts_what_was_played_and_what_lies(limit: str, last_allowed: int) -> None:
    """Of 1,000: 500 staked, 100 came back, 200 lie; what is left may be staked and no more."""
    run = run_players()
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="seat 1"))
    set_limits(run, **{limit: 1_000})
    played(run, 1, 500, 100)
    assert check(run, last_allowed, on_felt=200) is None
    assert check(run, last_allowed + 1, on_felt=200) is RefusalCode.PLAY_LIMIT_REACHED
    refusal = run.state.check("p-anna", last_allowed + 1, minutes(2), on_felt=200)
    assert refusal.facts["available"] == last_allowed
    assert check(run, -50, on_felt=10_000) is None, "taking bets back is always allowed"


def test_winnings_make_room_for_losses_and_not_for_wagers() -> None:
    """A limit on loss is net, one on wagers is not."""
    run = run_players()
    set_limits(run, loss_day=100, wager_day=1_000)
    played(run, 1, 100, 700)
    assert check(run, 700) is None
    assert check(run, 701) is RefusalCode.PLAY_LIMIT_REACHED
    played(run, 2, 600, 0)
    assert check(run, 100) is None
    played(run, 3, 100, 900)
    assert check(run, 200) is None
    assert run.state.check("p-anna", 201, minutes(2)).facts["what"] == "wager-day"


def test_a_new_gaming_day_begins_from_nothing() -> None:
    """At six in the morning unless the house says otherwise."""
    run = run_players()
    set_limits(run, loss_day=100)
    played(run, 1, 100, 0)
    until_six = 18 * 60
    assert check(run, 1, until_six - 1) is RefusalCode.PLAY_LIMIT_REACHED
    assert check(run, 100, until_six) is None


def test_a_session_begins_from_nothing_when_the_player_sits_down_again() -> None:
    """Moving to a second seat is the same session."""
    run = run_players()
    set_limits(run, loss_session=100)
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="a"))
    played(run, 1, 100, 0)
    run.do(msg.BeginPlay(by=ANNA, at=minutes(1), player="p-anna", place="b"))
    run.do(msg.EndPlay(by=ANNA, at=minutes(2), player="p-anna", place="a"))
    assert check(run, 1, 3) is RefusalCode.PLAY_LIMIT_REACHED
    run.do(msg.EndPlay(by=ANNA, at=minutes(4), player="p-anna", place="b"))
    run.do(msg.BeginPlay(by=ANNA, at=minutes(5), player="p-anna", place="b"))
    assert check(run, 100, 6) is None


def test_a_corrected_round_takes_the_place_of_what_was_counted() -> None:
    """The same round again, with other figures; one of an earlier day changes nothing today."""
    run = run_players()
    set_limits(run, loss_day=100)
    played(run, 1, 60, 0)
    played(run, 2, 40, 0)
    assert check(run, 1) is RefusalCode.PLAY_LIMIT_REACHED
    played(run, 1, 60, 60)
    assert check(run, 60) is None
    assert check(run, 61) is RefusalCode.PLAY_LIMIT_REACHED
    played(run, 3, 10, 0, at=DAY)
    played(run, 1, 60, 0, at=DAY + 1)
    assert check(run, 90, DAY + 2) is None
    assert check(run, 91, DAY + 2) is RefusalCode.PLAY_LIMIT_REACHED


def test_a_stay_over_the_end_of_the_day_can_still_be_corrected() -> None:
    """For the stay it counts, for the new day it does not."""
    run = run_players()
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="a"))
    played(run, 1, 60, 0)
    played(run, 2, 10, 0, at=DAY)
    played(run, 1, 60, 60, at=DAY + 1)
    standing = run.state.standing("p-anna", minutes(DAY + 2))
    assert (standing.session_wagered, standing.session_net) == (70, -10)
    assert (standing.day_wagered, standing.day_net) == (10, -10)
    run.do(msg.EndPlay(by=ANNA, at=minutes(DAY + 3), player="p-anna", place="a"))
    played(run, 3, 10, 0, at=2 * DAY)
    assert set(run.state.players["p-anna"].counted) == {("T1", 3)}


def test_a_limit_of_nothing_stops_all_play() -> None:
    """Zero is a limit like any other."""
    run = run_players()
    set_limits(run, loss_day=0)
    assert check(run, 1) is RefusalCode.PLAY_LIMIT_REACHED


def test_a_player_is_known_by_the_place_where_they_sit() -> None:
    """A terminal's session is the round's player; the registry knows whose it is."""
    run = run_players()
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="T1-5.1"))
    set_limits(run, loss_day=100)
    played(run, 1, 60, 0, player="T1-5.1")
    assert check(run, 41, player="T1-5.1") is RefusalCode.PLAY_LIMIT_REACHED
    run.do(msg.BeginPlay(by=BEN, at=minutes(3), player="p-ben", place="T1-5.1"))
    assert run.state.find("T1-5.1").name == "p-ben"
    assert run.state.players["p-anna"].places == set()


def test_lowering_a_limit_holds_at_once_and_raising_it_waits_a_day_and_for_a_word() -> None:
    """A first limit is a lower one, and giving up a limit is a raise: it holds when it is confirmed."""
    run = run_players()
    set_limits(run, 0, loss_day=100)
    assert check(run, 101) is RefusalCode.PLAY_LIMIT_REACHED
    set_limits(run, 1, loss_day=50)
    assert check(run, 51) is RefusalCode.PLAY_LIMIT_REACHED
    set_limits(run, 2, loss_day=None)
    standing = run.state.standing("p-anna", minutes(3))
    assert (standing.limits.loss_day, standing.later) == (50, PlayLimits())
    early = run.ask(msg.ConfirmPlayLimits(by=ANNA, at=minutes(DAY + 1.9), player="p-anna"))
    assert early.code is RefusalCode.LIMITS_WAIT
    assert early.facts["until"] == minutes(DAY + 2).isoformat(timespec="seconds")
    assert check(run, 51, 3 * DAY) is RefusalCode.PLAY_LIMIT_REACHED
    run.do(msg.ConfirmPlayLimits(by=ANNA, at=minutes(3 * DAY), player="p-anna"))
    assert check(run, 51, 3 * DAY) is None
    assert run.state.standing("p-anna", minutes(3 * DAY)).later is None
    again = run.ask(msg.ConfirmPlayLimits(by=ANNA, at=minutes(3 * DAY), player="p-anna"))
    assert again.code is RefusalCode.NOTHING_CHANGES


def test_of_several_limits_each_goes_its_own_way() -> None:
    """The tighter ones at once, the looser ones later, in one wish."""
    run = run_players()
    set_limits(run, 0, loss_day=100, wager_day=1_000)
    set_limits(run, 1, loss_day=200, wager_day=500)
    player = run.state.players["p-anna"]
    assert player.limits == PlayLimits(loss_day=100, wager_day=500)
    run.do(msg.ConfirmPlayLimits(by=ANNA, at=minutes(DAY + 1), player="p-anna"))
    assert player.limits == PlayLimits(loss_day=200, wager_day=500)


def test_a_wish_in_the_waiting_time_takes_the_place_of_the_one_before() -> None:
    """Whoever lowers again is not raised by an older wish."""
    run = run_players()
    set_limits(run, 0, loss_day=100)
    set_limits(run, 1, loss_day=900)
    set_limits(run, 2, loss_day=50)
    late = run.ask(msg.ConfirmPlayLimits(by=ANNA, at=minutes(2 * DAY), player="p-anna"))
    assert late.code is RefusalCode.NOTHING_CHANGES
    assert run.state.players["p-anna"].limits == PlayLimits(loss_day=50)


amounts = st.none() | st.integers(0, 50)
some_limits = st.builds(
    PlayLimits, loss_day=amounts, wager_session=amounts, minutes_day=amounts, reality_check_minutes=amounts
)


@given(now=some_limits, asked=some_limits)
def test_the_tighter_limits_are_never_looser_than_either(now: PlayLimits, asked: PlayLimits) -> None:
    """What both allow is allowed, and nothing else."""
    holds = tighter(now, asked)
    for name in PlayLimits.__struct_fields__:
        for amount in range(51):
            allowed = [
                limit is None or amount <= limit for limit in (getattr(now, name), getattr(asked, name))
            ]
            limit = getattr(holds, name)
            assert (limit is None or amount <= limit) == all(allowed)


def test_time_of_play_is_counted_and_limited() -> None:
    """By day over several stays, and by stay."""
    run = run_players()
    set_limits(run, minutes_day=60, minutes_session=45)
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="a"))
    assert check(run, 1, 44.9) is None
    assert check(run, 1, 45) is RefusalCode.PLAY_TIME_REACHED
    run.do(msg.EndPlay(by=ANNA, at=minutes(45), player="p-anna", place="a"))
    run.do(msg.BeginPlay(by=ANNA, at=minutes(100), player="p-anna", place="a"))
    assert check(run, 1, 114.9) is None
    assert check(run, 1, 115) is RefusalCode.PLAY_TIME_REACHED
    standing = run.state.standing("p-anna", minutes(110))
    assert (standing.session_seconds, standing.day_seconds) == (600, 55 * 60)


def test_a_stay_over_the_end_of_the_day_counts_in_both_days() -> None:
    """Only what lies in the day counts for it."""
    run = run_players()
    set_limits(run, minutes_day=60)
    until_six = 18 * 60
    run.do(msg.BeginPlay(by=ANNA, at=minutes(until_six - 30), player="p-anna", place="a"))
    assert check(run, 1, until_six + 59) is None
    assert check(run, 1, until_six + 60) is RefusalCode.PLAY_TIME_REACHED


def test_a_reality_check_stops_the_next_bet_until_it_is_confirmed() -> None:
    """Every so many minutes, counted from the last one."""
    run = run_players()
    set_limits(run, reality_check_minutes=30)
    run.do(msg.BeginPlay(by=ANNA, at=minutes(0), player="p-anna", place="a"))
    assert check(run, 1, 29) is None
    assert check(run, 1, 31) is RefusalCode.REALITY_CHECK_DUE
    run.do(msg.ConfirmRealityCheck(by=ANNA, at=minutes(40), player="p-anna"))
    assert check(run, 1, 69) is None
    assert check(run, 1, 70) is RefusalCode.REALITY_CHECK_DUE


def test_an_excluded_player_neither_sits_down_nor_bets() -> None:
    """Until the time; the player's own wish or the house's."""
    run = run_players()
    exclude = msg.ExcludePlayer(by=ANNA, at=minutes(0), player="p-anna", own=True, until=minutes(30 * DAY))
    run.do(exclude)
    assert check(run, 1) is RefusalCode.PLAYER_EXCLUDED
    sit = msg.BeginPlay(by=ANNA, at=minutes(1), player="p-anna", place="a")
    assert run.refused(sit) is RefusalCode.PLAYER_EXCLUDED
    assert check(run, 1, 30 * DAY) is None
    assert run.state.standing("p-anna", minutes(1)).excluded_until == minutes(30 * DAY)


def test_ones_own_exclusion_can_be_made_longer_and_never_shorter() -> None:
    """Nobody can end it before its time, not even a shift manager."""
    run = run_players()
    month = msg.ExcludePlayer(by=ANNA, at=minutes(0), player="p-anna", own=True, until=minutes(30 * DAY))
    run.do(month)
    shorter = msgspec.structs.replace(month, until=minutes(29 * DAY))
    assert run.refused(shorter) is RefusalCode.EXCLUSION_STANDS
    end = msg.EndExclusion(by=SHIFT_MANAGER, at=minutes(DAY), player="p-anna", own=True)
    assert run.refused(end) is RefusalCode.EXCLUSION_STANDS
    run.do(msgspec.structs.replace(month, until=minutes(60 * DAY)))
    run.do(msgspec.structs.replace(month, until=None))
    assert run.refused(month) is RefusalCode.EXCLUSION_STANDS


def test_an_own_exclusion_without_end_can_be_lifted_after_a_day() -> None:
    """By a shift manager, on the player's word."""
    run = run_players()
    run.do(msg.ExcludePlayer(by=ANNA, at=minutes(0), player="p-anna", own=True))
    end = msg.EndExclusion(by=SHIFT_MANAGER, at=minutes(60), player="p-anna", own=True)
    assert run.refused(end) is RefusalCode.EXCLUSION_STANDS
    run.do(msgspec.structs.replace(end, at=minutes(DAY)))
    assert check(run, 1, DAY) is None


def test_the_house_excludes_and_readmits_by_a_shift_manager() -> None:
    """A supervisor is not enough, and the player's own exclusion is another matter."""
    run = run_players()
    out = msg.ExcludePlayer(by=SUPERVISOR, at=minutes(0), player="p-ben", own=False)
    assert run.refused(out) is RefusalCode.ROLE_NOT_ALLOWED
    assert run.refused(msgspec.structs.replace(out, by=BEN)) is RefusalCode.ROLE_NOT_ALLOWED
    run.do(msgspec.structs.replace(out, by=SHIFT_MANAGER))
    run.do(msg.ExcludePlayer(by=BEN, at=minutes(0), player="p-ben", own=True, until=minutes(2 * DAY)))
    end = msg.EndExclusion(by=SHIFT_MANAGER, at=minutes(1), player="p-ben", own=False)
    run.do(end)
    assert run.refused(end) is RefusalCode.NOTHING_CHANGES
    assert check(run, 1, player="p-ben") is RefusalCode.PLAYER_EXCLUDED
    assert check(run, 1, 2 * DAY, player="p-ben") is None


def test_an_own_exclusion_lasts_a_day_at_least() -> None:
    """A shorter one would only be a pause; one that has passed makes no sense."""
    run = run_players()
    for until in (minutes(60), minutes(0), minutes(5 * DAY).replace(tzinfo=None)):
        out = msg.ExcludePlayer(by=ANNA, at=minutes(0), player="p-anna", own=True, until=until)
        assert run.refused(out) is RefusalCode.SETTING_INVALID


def test_players_speak_for_themselves_and_staff_for_them() -> None:
    """Nobody sets another player's limits."""
    run = run_players()
    asked = msg.SetPlayLimits(by=BEN, at=minutes(0), player="p-anna", limits=PlayLimits())
    assert run.refused(asked) is RefusalCode.ROLE_NOT_ALLOWED
    run.do(msgspec.structs.replace(asked, by=CASHIER))
    unknown = msg.SetPlayLimits(by=DEALER, at=minutes(0), player="p-nobody", limits=PlayLimits())
    assert run.refused(unknown) is RefusalCode.PLAYER_NOT_REGISTERED
    assert (
        run.refused(msg.RegisterPlayer(by=ANNA, at=minutes(0), player="p-x")) is RefusalCode.ROLE_NOT_ALLOWED
    )
    again = msg.RegisterPlayer(by=DEALER, at=minutes(0), player="p-anna")
    assert run.refused(again) is RefusalCode.PLAYER_REGISTERED
    bad = msg.RegisterPlayer(by=DEALER, at=minutes(0), player="Anna Doe")
    assert run.refused(bad) is RefusalCode.NAME_INVALID


def test_impossible_limits_are_refused_with_their_names() -> None:
    """Every fault at once."""
    run = run_players()
    limits = PlayLimits(loss_day=-1, minutes_day=10**12, reality_check_minutes=0)
    answer = run.ask(msg.SetPlayLimits(by=ANNA, at=minutes(0), player="p-anna", limits=limits))
    assert answer.facts["faults"] == [
        "loss_day: expected 0 to 9007199254740991, got -1",
        "minutes_day: expected 0 to 525600, got 1000000000000",
        "reality_check_minutes: expected 1 to 525600, got 0",
    ]


def test_erasing_a_name_leaves_the_record_as_it_is() -> None:
    """The pseudonym keeps its limits and plays; the fact of the erasure is on the record."""
    run = run_players()
    set_limits(run, loss_day=100)
    played(run, 1, 60, 0)
    before = list(run.stream)
    run.do(msg.RecordNameErased(by=SHIFT_MANAGER, at=minutes(5), player="p-anna", reason="asked"))
    assert run.stream[: len(before)] == before
    assert run.state.players["p-anna"].erased
    assert check(run, 41, 6) is RefusalCode.PLAY_LIMIT_REACHED


def test_a_pseudonym_says_nothing_and_fits_the_ledger() -> None:
    """Random, and a possible part of an account's name."""
    some = {new_pseudonym(SystemEntropy()) for _ in range(50)}
    assert len(some) == 50
    assert all(credit(each) == f"credit:{each}" for each in some)
    assert players_desk().stream == "players"
    assert players_desk(PlayersPolicy(registered_only=True)).fresh().policy.registered_only


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 3, 2, 21, 59, tzinfo=UTC), date(2026, 3, 2)),
        (datetime(2026, 3, 2, 22, 0, tzinfo=UTC), date(2026, 3, 3)),
        (datetime(2026, 3, 3, 21, 0, tzinfo=UTC), date(2026, 3, 3)),
    ],
)
def test_a_gaming_day_begins_by_the_clock_of_the_house(moment: datetime, day: date) -> None:
    """Six in the morning in Macau is ten at night in UTC."""
    clock = DayClock(zone="Asia/Macau")
    assert clock.day_of(moment) == day
    assert clock.start_of(moment) == datetime.combine(day, time(22), UTC) - timedelta(days=1)


def test_an_unknown_zone_is_refused() -> None:
    """One clear line."""
    with pytest.raises(InputError, match="Asia/Macau"):
        DayClock(zone="Macau/Asia").day_of(minutes(0))


class Spending(RuleBasedStateMachine):
    """Rounds, corrections, stays and days at random, against a model that adds up the whole history."""

    def __init__(self) -> None:
        super().__init__()
        self.run = run_players()
        self.now, self.round, self.session, self.sitting = 0.0, 0, 0, False
        self.history: dict[int, tuple[int, int, date, int]] = {}

    def day(self) -> date:
        return (minutes(self.now) - timedelta(hours=6)).date()

    @rule(wagered=st.integers(1, 100), returned=st.integers(0, 150), wait=st.sampled_from([0, 1, 60, 600]))
    def play(self, wagered: int, returned: int, wait: float) -> None:
        self.now += wait
        self.round += 1
        played(self.run, self.round, wagered, returned, self.now)
        self.history[self.round] = (wagered, returned, self.day(), self.session)

    @rule(data=st.data(), returned=st.integers(0, 150))
    def correct(self, data: st.DataObject, returned: int) -> None:
        today = [number for number, each in self.history.items() if each[2] == self.day()]
        if today:
            number = data.draw(st.sampled_from(today))
            wagered, _, day, session = self.history[number]
            played(self.run, number, wagered, returned, self.now)
            self.history[number] = (wagered, returned, day, session)

    @rule()
    def sit_or_leave(self) -> None:
        kind: Any = msg.EndPlay if self.sitting else msg.BeginPlay
        self.run.do(kind(by=ANNA, at=minutes(self.now), player="p-anna", place="a"))
        self.session += not self.sitting
        self.sitting = not self.sitting

    @invariant()
    def sums_are_those_of_the_history(self) -> None:
        standing = self.run.state.standing("p-anna", minutes(self.now))
        today = [each for each in self.history.values() if each[2] == self.day()]
        stay = [each for each in self.history.values() if each[3] == self.session]
        assert standing.day_wagered == sum(each[0] for each in today)
        assert standing.day_net == sum(each[1] - each[0] for each in today)
        assert standing.session_wagered == sum(each[0] for each in stay)
        assert standing.session_net == sum(each[1] - each[0] for each in stay)

    @invariant()
    def a_restart_finds_the_same(self) -> None:
        assert self.run.replayed() == self.run.state


TestSpending = Spending.TestCase
TestSpending.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
