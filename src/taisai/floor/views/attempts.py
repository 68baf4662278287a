"""Refused bets by round, read from the answers that the journal keeps under their ids."""

from collections.abc import Iterable, Iterator

import msgspec

from taisai.floor.table.attempts import BetAttempt, KeptRefusal
from taisai.floor.views.rounds import round_key
from taisai.record.journal import Answer, Commit
from taisai.record.order import in_order
from taisai.record.ports import CommitSource, Store
from taisai.record.views import Rows, catch_up

_MARK = b'"attempt":{'
_encode = msgspec.json.Encoder(order="deterministic").encode
_decode_kept = msgspec.json.Decoder(KeptRefusal).decode


class RefusedBet(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that was asked for under an id and refused: by which clause, and with which facts."""

    sender: str
    id: str
    code: str
    clause: str
    facts: dict[str, object]
    attempt: BetAttempt


_decode = msgspec.json.Decoder(RefusedBet).decode


def answers_with(mark: bytes, commit: Commit) -> list[Answer]:
    """A commit's answers in which these bytes stand, which have no line feed; hardly any commit has one."""
    if mark not in b"\n".join([answer.answer for answer in commit.answers]):
        return []
    return [answer for answer in commit.answers if mark in answer.answer]


def refused_in(commit: Commit) -> Iterator[RefusedBet]:
    """The refused bets among a commit's answers."""
    for answer in answers_with(_MARK, commit):
        kept = _decode_kept(answer.answer)
        if kept.attempt is not None:
            yield RefusedBet(
                sender=answer.sender,
                id=answer.id,
                code=str(kept.code),
                clause=kept.clause,
                facts=kept.facts,
                attempt=kept.attempt,
            )


class RefusedBets:
    """Every refused bet, by round and in the order in which they came."""

    name = "refused-bets"

    def keys(self, commit: Commit) -> Iterable[str]:
        return [_key(refused) for refused in refused_in(commit)]

    def apply(self, commit: Commit, rows: Rows) -> None:
        rows.update({_key(refused): _encode(refused) for refused in refused_in(commit)})


REFUSED_BETS = RefusedBets()


def _key(refused: RefusedBet) -> str:
    tried = refused.attempt
    return f"{round_key(tried.table, tried.round)}/{tried.at:020d}/{refused.sender}/{refused.id}"


async def refused_in_store(store: Store, table: str, number: int) -> list[RefusedBet]:
    """What was refused in a round, as it came."""
    await catch_up(store, REFUSED_BETS)
    prefix = f"{round_key(table, number)}/"
    return [_decode(row) async for _, row in store.view_rows(REFUSED_BETS.name, prefix)]


async def refused_in_record(source: CommitSource, table: str, number: int) -> list[RefusedBet]:
    """The same from a whole record, without its views."""
    found = [
        refused
        async for commit in in_order(source)
        for refused in refused_in(commit)
        if (refused.attempt.table, refused.attempt.round) == (table, number)
    ]
    return sorted(found, key=_key)
