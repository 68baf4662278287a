"""Every act that was refused, bets and all others, newest first: from the answers that the journal keeps."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from taisai.floor.table.attempts import KeptRefusal
from taisai.floor.views.attempts import answers_with
from taisai.record.journal import Commit
from taisai.record.ports import Store
from taisai.record.views import Rows, catch_up

_MARK: Final = b'"type":"Refusal"'
# Time counts down in the keys, so that the newest stands first.
_LATEST: Final = 10**20 - 1
LOOKED_AT_MAX: Final = 5_000
_encode = msgspec.json.Encoder(order="deterministic").encode
_decode_kept = msgspec.json.Decoder(KeptRefusal).decode


class RefusedAct(msgspec.Struct, frozen=True, kw_only=True):
    """Who asked, under which id, and what forbade it; table and round where it was a bet."""

    at: int
    sender: str
    id: str
    code: str
    clause: str
    facts: dict[str, object]
    table: str = ""
    round: int | None = None

    @property
    def by(self) -> str:
        """The person or the terminal."""
        return self.sender.removesuffix(":player").partition(":")[2] or self.sender


_decode = msgspec.json.Decoder(RefusedAct).decode


def refused_acts_in(commit: Commit) -> Iterator[RefusedAct]:
    """The refusals among a commit's answers."""
    for answer in answers_with(_MARK, commit):
        try:
            kept = _decode_kept(answer.answer)
        except msgspec.ValidationError:
            continue  # a refusal inside of another answer
        tried = kept.attempt
        yield RefusedAct(
            at=commit.at,
            sender=answer.sender,
            id=answer.id,
            code=str(kept.code),
            clause=kept.clause,
            facts=kept.facts,
            table=tried.table if tried else "",
            round=tried.round if tried else None,
        )


class RefusedActs:
    """The list as a read model of the journal."""

    name = "refused-acts"

    def keys(self, commit: Commit) -> Iterable[str]:
        return [_key(refused) for refused in refused_acts_in(commit)]

    def apply(self, commit: Commit, rows: Rows) -> None:
        rows.update({_key(refused): _encode(refused) for refused in refused_acts_in(commit)})


REFUSED_ACTS = RefusedActs()


def _key(refused: RefusedAct) -> str:
    return f"{_LATEST - refused.at:020d}/{refused.sender}/{refused.id}"


async def newest_refused(
    store: Store, *, after: str = "", limit: int, by: str = "", clause: str = ""
) -> tuple[list[RefusedAct], str | None]:
    """A page of the list, and where the next one begins; so many are looked at for it and no more."""
    await catch_up(store, REFUSED_ACTS)
    found: list[RefusedAct] = []
    last, looked = after, 0
    async for key, row in store.view_rows(REFUSED_ACTS.name, after=after):
        if len(found) == limit or looked == LOOKED_AT_MAX:
            return found, last
        last, looked = key, looked + 1
        refused = _decode(row)
        below = refused.clause == clause or refused.clause.startswith(f"{clause}.")
        if by in ("", refused.by) and (not clause or below):
            found.append(refused)
    return found, None
