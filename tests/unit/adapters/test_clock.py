"""The house's clock: never back, never still, and it finds its way back to the machine's."""

from datetime import UTC, datetime, timedelta

from taisai.adapters.clock import SystemClock

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Machine:
    """A machine whose clock somebody sets."""

    def __init__(self) -> None:
        self.wall, self.tick = NOON, 100.0

    def passes(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.tick += seconds


def clock_of(machine: Machine) -> SystemClock:
    return SystemClock(lambda: machine.wall, lambda: machine.tick)


def test_time_goes_on_though_the_machines_clock_was_set_back() -> None:
    """An automatic table closes and deals on: a second later it is later."""
    machine = Machine()
    clock = clock_of(machine)
    before = clock.now()
    machine.wall -= timedelta(hours=1)
    times = []
    for _ in range(10):
        machine.passes(1)
        times.append(clock.now())
    assert [before, *times] == sorted({before, *times})
    assert times[-1] - before >= timedelta(seconds=9)
    assert timedelta(minutes=59) < clock.ahead() <= timedelta(hours=1)


def test_the_two_clocks_meet_again() -> None:
    """Ours goes a little slower meanwhile; then it is the machine's again."""
    machine = Machine()
    clock = clock_of(machine)
    clock.now()
    machine.wall -= timedelta(seconds=30)
    for _ in range(301):
        machine.passes(1)
        clock.now()
    assert clock.ahead() == timedelta()
    assert clock.now() == machine.wall


def test_a_clock_that_is_set_forward_is_followed_at_once() -> None:
    """Deadlines that have passed have passed."""
    machine = Machine()
    clock = clock_of(machine)
    clock.now()
    machine.wall += timedelta(hours=1)
    assert clock.now() == machine.wall
    assert clock.ahead() == timedelta()


def test_looking_often_does_not_make_time_pass() -> None:
    """Only the machine does."""
    machine = Machine()
    clock = clock_of(machine)
    clock.now()
    machine.wall -= timedelta(minutes=1)
    assert len({clock.now() for _ in range(100)}) == 1
