"""Answers that an event says whole: the record keeps where it is, not the same words again.

Most of what a house records is slips, and the answer to an accepted slip says what its event says. So it is
written as the place of that event, and made again from it when somebody sends the same id again.
"""

from typing import Final, Generic

import msgspec

from taisai.floor.desks.kind import DeskKind, OwnerEvent, S
from taisai.record.journal import Answer
from taisai.record.ports import RecordCorrupt, Store


class ToldBy(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", gc=False):
    """An answer that the event at this version of this stream says whole."""

    stream: str
    version: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ToldBy).decode
_MARK: Final = b'{"type":"ToldBy"'


class Retelling(Generic[S]):
    """Shortens the answers of one desk, and says them in full."""

    def __init__(self, kind: DeskKind[S], store: Store) -> None:
        self._kind, self._store, self._stream = kind, store, kind.stream
        self._event = msgspec.json.Decoder(kind.events | OwnerEvent).decode

    def shortened(self, version: int) -> ToldBy:
        """Where an answer is said of which its one event, which will have this version, says all."""
        return ToldBy(stream=self._stream, version=version)

    @staticmethod
    def is_short(answer: Answer) -> bool:
        return answer.answer.startswith(_MARK)

    async def in_full(self, answer: Answer) -> Answer:
        """An answer as it was told; one of another desk stays as it is, and is another command's here."""
        if not self.is_short(answer):
            return answer
        place = _decode(answer.answer)
        if place.stream != self._kind.stream or self._kind.retold is None:
            return answer
        async for stored in self._store.events(place.stream, after=place.version - 1):
            if not stored.body:  # it has left for an archive, and so the answer has
                return msgspec.structs.replace(answer, answer=b"")
            told = self._kind.retold(self._event(stored.body))
            if told is None:
                break
            return msgspec.structs.replace(answer, answer=_encode(told))
        raise RecordCorrupt(f"{place.stream} at {place.version} does not say what {answer.id} was told")
