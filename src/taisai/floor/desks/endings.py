"""Why a desk no longer writes."""

from taisai.errors import StoreUnavailable


class DeskStopped(StoreUnavailable):
    """This desk no longer writes: it was closed, another has taken its stream, or a person is needed."""

    passing = False


class OperatorNeeded(DeskStopped):
    """This desk cannot be made again from the record: trying again does not help, a person is needed."""


class Fenced(DeskStopped):
    """Another process has taken this desk's stream: this one has to be started again."""
