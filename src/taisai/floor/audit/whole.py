"""Everything that can be proved about a record, in one call or in shares."""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Final

import msgspec

from taisai.floor.audit.rounds import RoundFindings, SettlementCheck, check_revisited
from taisai.floor.audit.tickets import TicketCheck, TicketFindings
from taisai.floor.table.state import FindRules
from taisai.floor.views.dice_rounds import DICE_ROUNDS
from taisai.floor.views.house_views import VIEWS
from taisai.floor.views.rounds import PLAYS
from taisai.floor.views.rounds import ROUNDS as RECORDED_ROUNDS
from taisai.game.round import shipped_rules
from taisai.record.anchor import AnchorNote
from taisai.record.journal import Commit, Tip
from taisai.record.key_changes import KeyChanges
from taisai.record.ports import KeyRing, RecordSnapshot
from taisai.record.verify import AGAIN, Check, Elsewhere, Findings, Place, Verifier, run
from taisai.record.views import Rows

Share = frozenset[str]

CHAINS: Final = "chains"  # and signatures, witness, ledger, tickets and changes of keys with them
ROUNDS: Final = "rounds"
_VIEWS: Final = frozenset(f"view {view.name}" for view in VIEWS)
EVERYTHING: Final[Share] = frozenset({CHAINS, ROUNDS}) | _VIEWS
# Views that are made from every slip: whoever makes them reads all that was said. The others need hardly any.
_PLAYED: Final = frozenset(f"view {view.name}" for view in (RECORDED_ROUNDS, PLAYS, DICE_ROUNDS))


class Report(msgspec.Struct, frozen=True):
    """How much was checked; that there is a report says that all of it was sound."""

    record: Findings
    rounds: RoundFindings
    tickets: TicketFindings
    notes: tuple[AnchorNote, ...] = ()


def shares(processes: int) -> list[Share]:
    """An audit in so many shares of about the same work, or in all that it has; chains are in the first."""
    if processes <= 1:
        return [EVERYTHING]
    mine = EVERYTHING - _PLAYED - {ROUNDS}
    if processes == 2:
        return [mine, _PLAYED | {ROUNDS}]
    return [mine, frozenset({ROUNDS}), _PLAYED]


def first_of(found: Iterable[tuple[Place, Exception]]) -> Exception:
    """Of what the shares met, that which one process would have met first."""
    return min(found, key=itemgetter(0))[1]


class Audit:
    """One share of an audit. `place` says how far it has come, and of a fault where it stands."""

    def __init__(
        self,
        keys: KeyRing,
        *,
        share: Share = EVERYTHING,
        witnessed: Iterable[Tip] = (),
        find_rules: FindRules = shipped_rules,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        self._share, self._find_rules = share, find_rules
        self._rounds, self._tickets, self._changes = SettlementCheck(find_rules), TicketCheck(), KeyChanges()
        has_chains = CHAINS in share
        checks: Sequence[Check] = [
            self._rounds if ROUNDS in share else Elsewhere(),
            self._tickets if has_chains else Elsewhere(),
            self._changes if has_chains else Elsewhere(),
            _Watched(watch) if watch else Elsewhere(),
        ]
        self._verifier = Verifier(keys, witnessed, checks, chains=has_chains)

    @property
    def place(self) -> Place:
        return self._verifier.place

    async def run(self, snapshot: RecordSnapshot, scratch: Callable[[], Rows] = dict) -> Report:
        """Read the record; raises the first fault of this share."""
        views = [view if f"view {view.name}" in self._share else None for view in VIEWS]
        findings = await run(snapshot, self._verifier, views, scratch)
        self._verifier.place = (AGAIN, 0, 0)
        await check_revisited(snapshot, self._rounds, self._find_rules)
        notes = tuple(self._changes.notes)
        return Report(findings, self._rounds.findings, self._tickets.findings, notes)


class _Watched:
    """Tells somebody how many commits were read."""

    def __init__(self, watch: Callable[[int], None]) -> None:
        self._watch, self._read = watch, 0

    def feed(self, commit: Commit) -> None:
        self._read += 1
        self._watch(self._read)

    def finish(self) -> None:
        """Whoever watches sees the end by itself."""


async def audit(
    snapshot: RecordSnapshot,
    keys: KeyRing,
    *,
    witnessed: Iterable[Tip] = (),
    scratch: Callable[[], Rows] = dict,
    find_rules: FindRules = shipped_rules,
) -> Report:
    """Chains, signatures, witness, ledger, read models, settlements and tickets; raises the first fault."""
    return await Audit(keys, witnessed=witnessed, find_rules=find_rules).run(snapshot, scratch)
