"""Why a desk no longer writes."""

from taisai.errors import StoreUnavailable
from taisai.record.ports import FateUnknown


class DeskStopped(StoreUnavailable):
    """This desk no longer writes: it was closed, another has taken its stream, or a person is needed."""

    passing = False


class OperatorNeeded(DeskStopped):
    """This desk cannot be made again from the record: trying again does not help, a person is needed."""


class Fenced(DeskStopped):
    """Another process has taken this desk's stream: this one has to be started again."""


class DeskOver(Exception):
    """A desk finds that it ends here, for the reason that this carries."""

    def __init__(self, why: DeskStopped) -> None:
        self.why = why


def is_final(error: Exception) -> bool:
    """Whether deciding again is of no use: the store is away, or the desk is over."""
    return isinstance(error, StoreUnavailable | DeskOver) and not isinstance(error, FateUnknown)
