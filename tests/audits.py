"""An audit in shares, all of them in this process: what several processes would find together."""

from collections.abc import Callable, Iterable

from taisai.floor.audit.whole import Audit, Report, first_of, shares
from taisai.record.journal import Tip
from taisai.record.ports import KeyRing, RecordSnapshot
from taisai.record.verify import Place
from taisai.record.views import Rows


async def in_shares(
    snapshot: RecordSnapshot,
    processes: int,
    keys: KeyRing,
    *,
    witnessed: Iterable[Tip] = (),
    scratch: Callable[[], Rows] = dict,
) -> Report:
    """Each share by itself; the report of all, or the fault that stands first."""
    found: list[tuple[Place, Exception]] = []
    reports: list[Report] = []
    seen = tuple(witnessed)
    for share in shares(processes):
        audit = Audit(keys, share=share, witnessed=seen)
        try:
            reports.append(await audit.run(snapshot, scratch))
        except Exception as error:
            found.append((audit.place, error))
    if found:
        raise first_of(found)
    first, *others = reports
    for other in others:
        first.rounds.add(other.rounds)
    return first
