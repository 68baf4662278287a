"""What an automatic table with committed dice waits for between its closing and its dice."""

from base64 import b64encode
from dataclasses import dataclass
from typing import Any, Protocol

from taisai.dice import Roll
from taisai.errors import InvariantBroken
from taisai.floor.desks.desk import Desk
from taisai.floor.proofs.bringing import bring_notary
from taisai.floor.proofs.log_keeping import LogKeeping
from taisai.floor.table.notary import RoundNotary
from taisai.floor.table.state import TableState
from taisai.proof.dice import share_text
from taisai.record.ports import Store


class Holding(Protocol):
    """Who knows what the log holds."""

    def holds(self, table: str, number: int) -> bool: ...


@dataclass
class TableProving:
    """The proofs of one table's current round."""

    store: Store
    desk: Desk[Any]
    log: Holding | None = None
    keeping: LogKeeping | None = None

    async def share(self, number: int) -> str:
        """The share of a second party in the dice, in hex; empty where the house needs none."""
        if self.keeping is None or self.keeping.ask_share is None:
            return ""
        state: TableState = self.desk.state
        current = state.rounds[number]
        root, committed = bytes.fromhex(current.slip_root), bytes.fromhex(current.commitment)
        text = share_text(
            self.keeping.key.name,
            state.name,
            number,
            b64encode(committed).decode(),
            b64encode(root).decode(),
        )
        return (await self.keeping.ask_share(state.name, number, text)).hex()

    def may_show(self, number: int) -> bool:
        """Whether the closing is where nobody can take it back."""
        return self.log is None or self.log.holds(self.desk.state.name, number)

    async def dice(self, number: int) -> Roll:
        """The dice that follow from the secret and the bets."""
        state: TableState = self.desk.state
        await bring_notary(self.store, state, number)
        current = state.rounds.get(number)
        if current is None or not isinstance(current.notary, RoundNotary):
            raise InvariantBroken(f"{state.name}/{number} has no committed dice")
        return current.notary.dice(current)
