"""Why a desk no longer writes, and what that means for whoever asks it."""

import pytest

from taisai.errors import StoreUnavailable
from taisai.floor.desks.endings import DeskStopped, Fenced, OperatorNeeded


@pytest.mark.parametrize("ending", [DeskStopped, Fenced, OperatorNeeded])
def test_an_ended_desk_is_unavailable_and_asking_again_does_not_help(ending: type[DeskStopped]) -> None:
    """A store that is away comes back; a desk that has ended does not, so nobody tries again."""
    error = ending("the desk of T1 has stopped")
    assert isinstance(error, StoreUnavailable)
    assert StoreUnavailable("the store is away").passing
    assert not error.passing


def test_who_took_a_desk_and_who_is_needed_for_it_are_told_apart() -> None:
    """One asks for a start of the process, the other for an operator."""
    assert not issubclass(Fenced, OperatorNeeded)
    assert not issubclass(OperatorNeeded, Fenced)
