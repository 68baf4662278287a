"""How it is said that a record is not what was recorded."""

from taisai.errors import TaisaiError


class RecordFault(TaisaiError):
    """The record is not what was recorded: the first fault, and where it is.

    A fault that is told to people in their language has a code, and the facts that its sentence names.
    """

    def __init__(self, where: str, what: str, code: str = "", **facts: str | int) -> None:
        self.where, self.what, self.code, self.facts = where, what, code, facts
        super().__init__(f"{where}: {what}")
