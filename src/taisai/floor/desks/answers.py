"""What a desk has answered: the same command again gets the same answer, however long ago it was."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import msgspec

from taisai.floor.desks.batch import Draft, Reply, WaitingCommand
from taisai.floor.desks.incidents import OurFault
from taisai.floor.desks.requests import is_same_request, request_digest
from taisai.floor.desks.retelling import Retelling
from taisai.record.journal import Answer
from taisai.record.ports import AnswerArchived, CommandAltered, Store

# As bytes, some 600 a piece: a desk that answers all day holds 12 MB of them and no more.
ANSWERS_KEPT = 20_000
FAULTS_KEPT = 1_000


class Answers:
    """The latest answers in memory, the others on the record."""

    def __init__(self, store: Store, types: Any, retelling: Retelling[Any]) -> None:
        self._store, self._retelling = store, retelling
        self.key = b""  # what digests of commands are made with
        self._decode = msgspec.json.Decoder(types).decode
        self._kept: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._faults: OrderedDict[tuple[str, str, bytes], OurFault] = OrderedDict()
        self._known_senders: set[str] = set()

    def settle(self, each: WaitingCommand, draft: Draft) -> bool:
        """Whether a command came before: then it has the same answer, once that is durable."""
        key = each.key
        known, coming = self._kept.get(key), draft.replies.get(key)
        if known is None and coming is None and not self._faults:
            return False
        found = self._read(known) if known else coming
        fault = self._faults.get((*key, each.request)) if self._faults else None
        if fault is not None:
            each.fail(fault)
            return True
        if found is None:
            return False
        if known and not known.answer:
            each.fail(self._long_ago(known, each.command, each.request))
            return True
        if not is_same_request(found[0], each.command, each.request, self.key):
            each.fail(CommandAltered(each.sender, each.command_id))
        elif known:
            each.succeed(found[1])
        else:
            draft.waiting.append((each, found[1]))
        return True

    def digest(self, command: Any) -> bytes:
        """What a command is known by."""
        return request_digest(command, self.key)

    async def first(self, key: tuple[str, str], command: Any) -> Any:
        """What was answered to the same command before, or none."""
        request = self.digest(command)
        if key not in self._kept:
            self.keep((await self._store.answers([key])).values())
        await self._say_in_full(key)
        known = self._kept.get(key)
        if known and not known.answer:
            raise self._long_ago(known, command, request)
        if known is None or not is_same_request(known.request, command, request, self.key):
            return None
        return self._read(known)[1]

    async def recall(self, waiting: list[WaitingCommand]) -> None:
        """What is kept of these commands is needed in full; hardly ever is there anything."""
        kept = self._kept
        for each in waiting:
            if each.key in kept:
                await self._say_in_full(each.key)

    async def _say_in_full(self, key: tuple[str, str]) -> None:
        known = self._kept.get(key)
        if known is not None and self._retelling.is_short(known):
            self._kept[key] = await self._retelling.in_full(known)

    def keep(self, answers: Iterable[Answer]) -> None:
        """These are durable, and kept as the record has them: small, since few are asked for again."""
        for answer in answers:
            self._kept[answer.sender, answer.id] = answer
        while len(self._kept) > ANSWERS_KEPT:
            self._kept.popitem(last=False)

    def keep_fault(self, each: WaitingCommand, fault: OurFault) -> None:
        """A command that met a bug of ours: sent again, it is not tried again."""
        self._faults[(*each.key, each.request)] = fault
        while len(self._faults) > FAULTS_KEPT:
            self._faults.popitem(last=False)
        each.fail(fault)

    def doubt(self, waiting: list[WaitingCommand]) -> None:
        """What these senders asked may be on the record though nobody saw it: look there again."""
        self._known_senders.difference_update(each.sender for each in waiting)

    async def look_up_new_senders(self, waiting: list[WaitingCommand]) -> None:
        """Whoever has asked nothing new since the start may be repeating what was answered before it."""
        known = self._known_senders
        new = [each for each in waiting if each.key[0] not in known]
        if new:
            await self._look_up(new)
            self._known_senders.update(each.sender for each in new if each.key not in self._kept)

    async def _look_up(self, waiting: list[WaitingCommand]) -> None:
        keys = [each.key for each in waiting if each.command is not None and not each.reply.done()]
        if not keys:
            return
        found = await self._store.answers(keys)
        self.keep(found.values())

    def _read(self, answer: Answer) -> Reply:
        try:
            return answer.request, self._decode(answer.answer)
        except msgspec.DecodeError:  # another desk answered it: here it is another command
            return b"", None

    def _long_ago(self, known: Answer, command: Any, request: bytes) -> CommandAltered:
        """A command that was answered so long ago that only its id is left in the store."""
        is_same = is_same_request(known.request, command, request, self.key)
        return (AnswerArchived if is_same else CommandAltered)(known.sender, known.id)
