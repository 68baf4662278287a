"""Everything that can be proved about a record, in one call."""

from collections.abc import Callable, Iterable

import msgspec

from taisai.floor.audit.rounds import RoundFindings, SettlementCheck, check_revisited
from taisai.floor.audit.tickets import TicketCheck, TicketFindings
from taisai.floor.table.state import FindRules
from taisai.floor.views.house_views import VIEWS
from taisai.game.round import shipped_rules
from taisai.record.anchor import AnchorNote
from taisai.record.journal import Tip
from taisai.record.key_changes import KeyChanges
from taisai.record.ports import KeyRing, RecordSnapshot
from taisai.record.verify import Findings, verify
from taisai.record.views import Rows


class Report(msgspec.Struct, frozen=True):
    """How much was checked; that there is a report says that all of it was sound."""

    record: Findings
    rounds: RoundFindings
    tickets: TicketFindings
    notes: tuple[AnchorNote, ...] = ()


async def audit(
    snapshot: RecordSnapshot,
    keys: KeyRing,
    *,
    witnessed: Iterable[Tip] = (),
    scratch: Callable[[], Rows] = dict,
    find_rules: FindRules = shipped_rules,
) -> Report:
    """Chains, signatures, witness, ledger, read models, settlements and tickets; raises the first fault."""
    rounds, tickets, changes = SettlementCheck(find_rules), TicketCheck(), KeyChanges()
    findings = await verify(
        snapshot, keys, witnessed=witnessed, checks=[rounds, tickets, changes], views=VIEWS, scratch=scratch
    )
    await check_revisited(snapshot, rounds, find_rules)
    return Report(findings, rounds.findings, tickets.findings, tuple(changes.notes))
