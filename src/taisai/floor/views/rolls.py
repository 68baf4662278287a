"""The rolls that a record holds: each round's dice as they stand after all corrections."""

import msgspec

from taisai.dice import Roll
from taisai.floor.streams import table_stream
from taisai.game import events as ev
from taisai.record.order import in_order
from taisai.record.ports import CommitSource


class _Inner(msgspec.Struct):
    """Only the round's number and its event are read; everything else on the stream is passed over."""

    round: int
    event: ev.RollDeclared | ev.ResultCorrected | ev.RoundVoided


_WANTED = {"RollDeclared", "ResultCorrected", "RoundVoided"}
_decode = msgspec.json.Decoder(_Inner).decode


async def recorded_rolls(source: CommitSource, table: str | None = None) -> list[Roll]:
    """The results of all rounds that have one, in the order in which they were declared."""
    rolls: dict[tuple[str, int], Roll] = {}
    async for commit in in_order(source):
        for stored in commit.events:
            if stored.type not in _WANTED or (table and stored.stream != table_stream(table)):
                continue
            inner = _decode(stored.body)
            key = (stored.stream, inner.round)
            match inner.event:
                case ev.RollDeclared():
                    rolls[key] = inner.event.roll
                case ev.ResultCorrected():
                    rolls[key] = inner.event.after
                case ev.RoundVoided():
                    # The dice of a void round were not shown to be a valid tumble.
                    rolls.pop(key, None)
    return list(rolls.values())
