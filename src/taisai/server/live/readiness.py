"""Who wants the dice at a table without a clock, as each of its terminals here is told."""

from dataclasses import dataclass, field

from taisai.server import wire
from taisai.server.live.feed import Feed
from taisai.server.live.outbox import Outbox


@dataclass(eq=False)
class ReadinessTold:
    """Tells each terminal that is connected here, once for each change."""

    feed: Feed
    _told: dict[Outbox, wire.Readiness] = field(default_factory=dict)

    def tell(self) -> None:
        """Whoever does not know it yet."""
        gathered = self.feed.gathered
        number = gathered.waiting_round
        before, self._told = self._told, {}
        if number is None:
            return
        for terminal, client in self.feed.seats.connected.items():
            counted = wire.Readiness(
                round=number,
                ready=terminal in gathered.ready,
                waits_for=gathered.waits_for,
                rolls_at=gathered.rolls_at,
            )
            self._told[client] = counted
            if before.get(client) != counted:
                client.say(counted)
