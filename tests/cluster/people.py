"""Players at terminals, who go to another gateway when theirs is gone and keep all that they were told."""

from typing import Any

from taisai.client import Terminal, TerminalKey
from taisai.server import wire
from tests.faults.people import Bettor


class Listening(Terminal):
    """A terminal that keeps what it was told, in order: amounts, results, sequence numbers."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.told: list[Any] = []
        self.sessions: set[str] = set()

    async def open(self) -> None:
        self.told.append(("opened",))
        await super().open()

    def _take(self, message: Any) -> None:
        match message:
            case wire.Snapshot():
                self.told.append(("snapshot", message.seq))
                if message.session is not None:
                    self._hear_session(message.session)
            case wire.SessionChanged():
                self._hear_session(message.session)
            case wire.RoundChanged():
                view = message.round
                self.told.append(("round", message.seq, view.number, view.phase, view.dice))
            case wire.SlipRegistered():
                self.told.append(("credit", message.credit))
            case wire.Settled():
                played = message.played
                self.told.append(("settled", played.round, played.dice, played.void))
                self.told.append(("credit", message.credit))
            case wire.CreditChanged():
                self.told.append(("credit", message.credit))
        super()._take(message)

    def _hear_session(self, session: wire.SessionView) -> None:
        self.sessions.add(session.session)
        self.told.append(("credit", session.credit))


class Player(Bettor):
    """Knows all gateways, as a load balancer does that remembers nobody."""

    terminal: Listening

    def __init__(self, addresses: list[str], key: TerminalKey, seed: int) -> None:
        super().__init__(addresses[seed % len(addresses)], key, seed)
        self._addresses = addresses

    def make_terminal(self, address: str, key: TerminalKey) -> Listening:
        return Listening(address, key, seconds=5)

    def lost(self) -> None:
        self.terminal.address = self.chance.choice(self._addresses)
