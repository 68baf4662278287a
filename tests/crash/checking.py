"""After a crash: what was acknowledged is there once, nothing is there by half, and all verifies."""

from collections.abc import Iterable, Mapping

from taisai.record.journal import Batch
from taisai.record.order import in_order
from taisai.record.ports import RecordSnapshot
from taisai.record.verify import Findings, verify
from taisai.record.views import VIEWS
from tests.record import KEYS


async def check_whole(
    snapshot: RecordSnapshot, sent: Mapping[str, Batch], acknowledged: Iterable[str]
) -> Findings:
    """Compare a record with what was sent to it and what was acknowledged."""
    findings = await verify(snapshot, KEYS, views=VIEWS)
    events, transfers, answers = [], [], []
    async for commit in in_order(snapshot):
        events += [(event.stream, event.version, event.body) for event in commit.events]
        transfers += [transfer.id for transfer in commit.transfers]
        answers += [answer.id for answer in commit.answers]
    assert len(set(answers)) == len(answers)
    assert set(acknowledged) <= set(answers), "an acknowledged command is gone"
    expected = [sent[name] for name in answers]
    assert sorted(events) == sorted(_events(expected))
    assert sorted(transfers) == sorted(transfer.id for batch in expected for transfer in batch.transfers)
    return findings


def _events(batches: list[Batch]) -> list[tuple[str, int, bytes]]:
    return [
        (part.stream, part.expected_version + 1 + place, event.body)
        for batch in batches
        for part in batch.streams
        for place, event in enumerate(part.events)
    ]
