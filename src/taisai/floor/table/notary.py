"""The proofs of a table's rounds: who makes their trees, and who keeps the secrets of committed dice.

A round's trees need the digest of its opening, which the journal has as soon as the opening is durable: it is
read once, before the first act that needs a tree. A very large round is hashed in slices. The table decides
nothing meanwhile, and every other table goes on.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from msgspec import structs

from taisai.dice import Roll
from taisai.errors import InvariantBroken
from taisai.game.acts import Phase
from taisai.game.commands import AnyCommand
from taisai.game.decide import decide
from taisai.game.notary import Proven, Revealed
from taisai.game.result_rows import SlipColumns, Slips, result_rows, void_rows
from taisai.game.state import RoundState
from taisai.proof.dice import commitment, committed_dice, drawn_digest
from taisai.proof.merkle import Tree
from taisai.proof.rounds import (
    SLIPS,
    Growing,
    RoundName,
    Salts,
    result_body,
    results_context,
    slip_body,
)
from taisai.proof.rounds import result_bodies as bodies_of_results
from taisai.record.journal import micros

log = logging.getLogger("taisai.proofs")

# About five milliseconds of work.
SLICE: Final = 1_500


@dataclass(frozen=True, slots=True)
class Notarising:
    """What a house makes proofs with: its name in the log, a key for salts, and a seal for secrets.

    `former` are the names that its log had before restores, the last one first.
    """

    origin: str
    key: bytes = field(repr=False)
    seal: Callable[[str, bytes], str] = field(repr=False)
    unseal: Callable[[str, str], bytes] = field(repr=False)
    former: tuple[str, ...] = ()

    def sealed(self, table: str, number: int, secret: bytes) -> tuple[str, str]:
        """A secret of dice: its commitment, and how the record keeps it until it is published."""
        made = commitment(self.origin, table, number, secret)
        return made.hex(), self.seal(_about(table, number), secret)

    def notary(self, state: RoundState, opening_digest: bytes, sealed: str) -> "RoundNotary":
        """Who makes the proofs of a round that is open."""
        if state.opened_at is None:
            raise InvariantBroken("a round has no proofs before it is opened")
        name = RoundName(
            origin=self.origin,
            table=state.table,
            number=state.number,
            opened_at=micros(state.opened_at),
            rulebook_digest=state.rulebook.digest,
            pay_table_digest=state.pay_table.digest,
            commitment=bytes.fromhex(state.commitment),
        )
        secret = self.unseal(_about(state.table, state.number), sealed) if sealed else b""
        if secret and commitment(self.origin, state.table, state.number, secret).hex() != state.commitment:
            log.critical(
                "%s/%d was committed to by another house than %s", state.table, state.number, self.origin
            )
            secret = b""  # such a round can only be voided
        return RoundNotary(name, Salts(self.key, name, opening_digest), secret)


def closed_slip(state: RoundState, player: str) -> bytes:
    """A slip as it was when the bets were closed, as its leaf holds it."""
    slip = state.slips[player]
    return slip_body(player, slip.version, state.amended.get(player, slip.amounts))


def _about(table: str, number: int) -> str:
    return f"dice {table}/{number}"


# How often amounts of a round changed, and how many slips came.
_Bets = tuple[int, int]


class RoundNotary:
    """Makes the trees of one round, keeps those made last, and knows the secret of its dice."""

    def __init__(self, name: RoundName, salts: Salts, secret: bytes = b"") -> None:
        self.name, self.context = name, name.context()
        self._salts, self._secret = salts, secret
        self.share = b""
        # By number, each with the state of the bets that it holds for and, of results, the outcome.
        self._trees: dict[int, tuple[_Bets, str, Tree]] = {}
        self._places: dict[str, int] = {}

    def place(self, state: RoundState, player: str) -> int:
        """Where a slip is: slips stay in the order of their first registration."""
        if len(self._places) != len(state.slips):
            self._places = {name: place for place, name in enumerate(state.slips)}
        return self._places[player]

    def closed(self, state: RoundState) -> bool:
        """Whether a round's slips were closed under this name: then their tree has the root on the record."""
        growing = Growing(self.context, self._salts, SLIPS)
        growing.add(closed_slip(state, player) for player in islice(state.slips, state.slips_closed))
        return growing.tree.root().hex() == state.slip_root

    def salt(self, tree: int, place: int) -> bytes:
        """The salt of one leaf."""
        return self._salts.of(tree)(place)

    def tree(self, number: int) -> Tree | None:
        """A tree that was made: 0 over the slips, and over the results of each attempt."""
        made = self._trees.get(number)
        return made[2] if made else None

    def take_trees(self, other: "RoundNotary") -> None:
        """Trees of the same round that were made again."""
        self._trees = {**other._trees, **self._trees}

    def slips(self, state: RoundState) -> Proven:
        tree = self._made(SLIPS, state, "", self._slips(state))
        return Proven(tree.size, tree.root().hex())

    def results(self, state: RoundState, *, void_clauses: tuple[str, ...] = ()) -> Proven:
        if state.betting_has_closed and not state.slip_root:
            return Proven()  # it was closed before there were trees
        outcome = outcome_of(state, void=bool(void_clauses))
        tree = self._made(state.attempt + 1, state, outcome, self._results(state, void_clauses))
        return Proven(tree.size, tree.root().hex())

    def revealed(self) -> Revealed:
        return Revealed(self._secret.hex(), self.share.hex()) if self._secret else Revealed()

    def dice(self, state: RoundState) -> Roll:
        """What the dice of this round are, from its closing on."""
        return committed_dice(self._known(), self.context, bytes.fromhex(state.slip_root), self.share)

    def drawn(self, state: RoundState, share: bytes) -> bytes:
        """What the record holds of the dice before they are shown."""
        root = bytes.fromhex(state.slip_root)
        return drawn_digest(self._known(), committed_dice(self._known(), self.context, root, share))

    def _known(self) -> bytes:
        """The secret. Without it anybody could tell the dice: then there are none."""
        if not self._secret:
            where = f"{self.name.table}/{self.name.number}"
            raise InvariantBroken(f"the secret of {where} is not known here: the round can only be made void")
        return self._secret

    async def prepare(self, state: RoundState, void_clauses: tuple[str, ...] | None = None) -> None:
        """Make a tree now, letting others go on: over the slips, or with clauses, maybe none, the results."""
        number, outcome, bodies = SLIPS, "", self._slips(state)
        if void_clauses is not None:
            if not void_clauses and (state.outcome is None or not state.slip_root):
                return
            number, outcome = state.attempt + 1, outcome_of(state, void=bool(void_clauses))
            bodies = self._results(state, void_clauses)
        if self._ready(number, state, outcome) is None:
            growing, bets = self._growing(number, state, outcome), _bets(state)
            async for part in _paused(bodies):
                growing.add(part)
            self._trees[number] = (bets, outcome, growing.tree)

    def _made(self, number: int, state: RoundState, outcome: str, bodies: Iterable[bytes]) -> Tree:
        ready = self._ready(number, state, outcome)
        if ready is not None:
            return ready
        growing = self._growing(number, state, outcome)
        growing.add(bodies)
        self._trees[number] = (_bets(state), outcome, growing.tree)
        return growing.tree

    def _ready(self, number: int, state: RoundState, outcome: str) -> Tree | None:
        made = self._trees.get(number)
        return made[2] if made and made[:2] == (_bets(state), outcome) else None

    def _growing(self, number: int, state: RoundState, outcome: str) -> Growing:
        context = self.context
        if number != SLIPS:
            context = results_context(context, bytes.fromhex(state.slip_root), number, outcome)
        return Growing(context, self._salts, number)

    def _slips(self, state: RoundState) -> Iterator[bytes]:
        for player, slip in state.slips.items():
            yield slip_body(player, slip.version, slip.amounts)

    def _results(self, state: RoundState, void_clauses: tuple[str, ...]) -> Iterator[bytes]:
        return result_bodies(state, void_clauses)


def _bets(state: RoundState) -> _Bets:
    """Differs whenever a leaf does: a slip that comes again as it was has a new version, and old amounts."""
    return state.revision, state.registrations


def result_bodies(state: RoundState, void_clauses: tuple[str, ...] = ()) -> Iterator[bytes]:
    """What each slip brought, as its leaf holds it."""
    rows = _rows(state, state.slips.items(), void_clauses)
    if not state.amended and (not state.betting_has_closed or len(state.slips) == state.slips_closed):
        return bodies_of_results(rows)  # nobody was corrected, as nearly always
    return (result_body(row, _corrected(state, place, row[0])) for place, row in enumerate(rows))


def result_body_of(state: RoundState, player: str, place: int) -> bytes:
    """What one slip brought in a round that is settled or void, as its leaf holds it."""
    if player in state.went_since:
        then = structs.replace(state.slips[player], absent=state.went_since[player])
        state = replace(state, slips={**state.slips, player: then})
    void = (state.void_clause, state.rulebook.cite("void_returns")) if state.phase is Phase.VOID else ()
    row = next(_rows(state, [(player, state.slips[player])], void))
    return result_body(row, _corrected(state, place, player))


def _rows(state: RoundState, slips: Slips, void_clauses: tuple[str, ...]) -> Iterator[SlipColumns]:
    if void_clauses:
        return void_rows(slips, void_clauses)
    if state.outcome is None:
        raise InvariantBroken("a round without an outcome has no results")
    return result_rows(state, slips, state.outcome)


def _corrected(state: RoundState, place: int, player: str) -> dict[str, int] | None:
    """What a slip is now, if it was corrected after the closing or added by a correction."""
    amounts = state.slips[player].amounts
    if state.betting_has_closed and place >= state.slips_closed:
        return amounts
    changed = state.amended and state.amended.get(player, amounts) != amounts
    return amounts if changed else None


def outcome_of(state: RoundState, *, void: bool = False) -> str:
    """What results follow from: the dice, or `ruled` where a ruling settled without them, or `void`."""
    if void:
        return "void"
    return "ruled" if state.settles_known or state.roll is None else str(state.roll)


class _Wanting:
    """Stands in for a notary while a decision is only tried, and writes down which trees it would need."""

    def __init__(self) -> None:
        self.wanted: list[tuple[RoundState, tuple[str, ...] | None]] = []

    def slips(self, state: RoundState) -> Proven:
        self.wanted.append((state, None))
        return Proven()

    def results(self, state: RoundState, *, void_clauses: tuple[str, ...] = ()) -> Proven:
        self.wanted.append((state, void_clauses))
        return Proven()

    def revealed(self) -> Revealed:
        return Revealed()


async def hash_apart(state: RoundState, command: AnyCommand) -> None:
    """Make the trees that a command needs of a large round, in slices: to decide must not take that long."""
    notary = state.notary
    if not isinstance(notary, RoundNotary) or len(state.slips) <= SLICE:
        return
    trial = _Wanting()
    state.notary = trial
    try:
        decide(state, command)
    finally:
        state.notary = notary
    for wanted, void_clauses in trial.wanted:
        await notary.prepare(wanted, void_clauses)


async def _paused(bodies: Iterator[bytes]) -> AsyncIterator[list[bytes]]:
    """Bodies in slices, between which everybody else has their turn."""
    while part := list(islice(bodies, SLICE)):
        yield part
        await asyncio.sleep(0)
