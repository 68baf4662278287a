"""Who wants the dice is told to each terminal that is connected here, once for each change."""

import itertools

from tests.unit.floor.test_gathering import two_with_bets, unhurried


async def test_what_has_not_changed_is_not_said_again() -> None:
    """However often somebody looks; a terminal that comes later is told at once."""
    async with two_with_bets(unhurried()) as (hub, table, _, clients):
        table.wants_dice("C1-1", 1, ready=True)
        for _ in range(3):
            hub.readiness["C1"].tell()
        await clients["C1-1"].outbox.finish()
        told = [message for message in clients["C1-1"].heard if message["type"] == "Readiness"]
        assert told[-1] == {**told[-1], "ready": True, "waits_for": 1}
        assert all(one != next_ for one, next_ in itertools.pairwise(told))
