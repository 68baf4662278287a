"""What people asked under which id and what they were told: every answer is held against the record."""

from collections.abc import Callable
from typing import Any

import msgspec

from tests.evenings.oracles.record import Answers, Violate

# What a desk does not decide: nothing stands on the record, and it may be asked again.
PASSING = frozenset(
    {"store_unavailable", "too_many", "csrf", "session_ended", "internal", "password_due", "login_failed"}
)


class Ask(msgspec.Struct):
    """Something asked under an id, and all that was answered to it."""

    sender: str
    id: str
    act: str
    what: Any
    path: str = ""
    sent: int = 0
    answered: bool = False
    first: tuple[str, Any] | None = None  # the first lasting answer: its kind, and what must not change

    @property
    def key(self) -> tuple[str, str]:
        return self.sender, self.id


class Notes:
    """All asks of an evening, by who asked and under which id."""

    def __init__(self, answers: Answers, violate: Violate, mark: Callable[..., None]) -> None:
        self._record, self._violate, self._mark = answers, violate, mark
        self.asks: dict[tuple[str, str], Ask] = {}
        self.acknowledged = self.refused = 0

    def open(self, sender: str, ask_id: str, act: str, what: Any, path: str = "") -> Ask:
        ask = Ask(sender, ask_id, act, what, path)
        self.asks[ask.key] = ask
        return ask

    def told(self, ask: Ask, kind: str, said: Any, *, altered: bool = False) -> None:
        """A lasting answer: `kind` is "done" or the code of a refusal; `said` must be the same every time."""
        if kind in PASSING:
            return
        on_record = self._record.told.get(ask.key)
        self._mark("answer", ask.act, kind)
        self._mark("refusal", kind)
        if altered:
            if kind == "done" and on_record is not None:
                self._violate(f"{ask.key} came again with other content and was taken")
            return
        ask.answered = True
        if kind == "done":
            self.acknowledged += 1
            self._check_done(ask, on_record)
        else:
            self.refused += 1
            self._check_refused(ask, kind, on_record)
        if on_record is None:
            return  # no desk has decided it, so it may be asked for once more
        if ask.first is None:
            ask.first = (kind, said)
        elif ask.first != (kind, said):
            self._violate(f"{ask.key} {ask.act} was answered {ask.first} first and {(kind, said)} later")

    def _check_done(self, ask: Ask, on_record: Any) -> None:
        if on_record is None:
            self._violate(f"{ask.key} {ask.act} was acknowledged and is not on the record")
        elif on_record["type"] == "Refusal":
            self._violate(f"{ask.key} {ask.act} was acknowledged and is refused on the record")

    def _check_refused(self, ask: Ask, code: str, on_record: Any) -> None:
        if on_record is None or on_record.get("code") == code or ask.act == "decide":
            return
        self._violate(f"{ask.key} {ask.act} was refused ({code}), and on the record stands {on_record}")
