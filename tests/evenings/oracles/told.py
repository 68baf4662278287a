"""What a terminal was told is the record: every sequence number, slip, credit, net and payout."""

import asyncio
from typing import TYPE_CHECKING, Any

from tests.evenings.oracles.record import plain_name

if TYPE_CHECKING:
    from tests.evenings.notes import Ask
    from tests.evenings.world import World


class Told:
    """One terminal's picture of its table and its session, made from messages alone."""

    def __init__(self, world: "World", terminal: str, table: str) -> None:
        self._world, self.terminal, self.table = world, terminal, table
        self.seq: int | None = None
        self._shown = 0  # the number of the last snapshot
        self.round_number: int | None = None
        self.phase = ""
        self.session: str | None = None
        self.credit = 0
        self.heard: list[int] = []
        self.receipts: dict[str, None] = {}  # the addresses of proofs of settled slips
        self.begun = asyncio.Event()
        self._floor = 0  # the commit before which nothing that is told now can have happened
        self._snapshot_due = True

    def wrong(self, what: str) -> None:
        self._world.violate(f"{self.terminal} was told {what}")

    def begins(self, last_seq: int | None, process: str) -> None:
        """A new connection: a snapshot, or what was missed since a number."""
        self.heard = self._world.listening.line(self.terminal, self.table, process)
        self.begun = asyncio.Event()
        self._snapshot_due = last_seq is None
        count = self._world.answers.count
        self._floor = self._world.disk.unseen.get(f"table:{self.table}", count)
        if self._world.is_rebuilt(self.table):
            self._floor = 0  # until the desk is back, what it knew before is shown

    def hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        handler = getattr(self, f"on_{plain_name(kind)}", None)
        if handler is not None:
            handler(message)

    def on_snapshot(self, message: dict[str, Any]) -> None:
        if self.seq is not None and message["seq"] < self.seq:
            self.wrong(f"the number {message['seq']} after {self.seq}")
        self.seq = self._shown = message["seq"]
        self._round(message["table"]["round"])
        self._take_session(message["session"])
        self.begun.set()

    def on_round_changed(self, message: dict[str, Any]) -> None:
        self._next(message)
        self._round(message["round"])

    def on_table_changed(self, message: dict[str, Any]) -> None:
        self._next(message)
        self._round(message["table"]["round"])

    def _next(self, message: dict[str, Any]) -> None:
        if message["seq"] <= self._shown:
            return  # a page drops what its snapshot shows already
        self.heard.append(message["seq"])
        if self.seq is not None and message["seq"] <= self.seq:
            self.wrong(f"the number {message['seq']} after {self.seq}")
        self.seq = message["seq"]

    def _round(self, view: dict[str, Any] | None) -> None:
        if view is None:
            return
        self.round_number, self.phase = view["number"], view["phase"]
        reader = self._world.rounds.rounds.get((self.table, view["number"]))
        if reader is None:
            self.wrong(f"of a round {view['number']} that is not on the record")
            return
        dice = view.get("dice")
        if dice and isinstance(reader.drawn, list) and sorted(dice) != sorted(reader.drawn):
            self.wrong(f"the dice {dice}, and {reader.drawn} was drawn")

    def on_session_changed(self, message: dict[str, Any]) -> None:
        self._take_session(message["session"])
        self.begun.set()

    def _take_session(self, view: dict[str, Any] | None) -> None:
        self.session = view["session"] if view else None
        if view is None:
            self.credit = 0
            return
        self._check_money(view["session"], view["credit"], view["net"], "its session")
        self.credit = view["credit"]

    def on_settled(self, message: dict[str, Any]) -> None:
        played = message["played"]
        if played["receipt"] and self._world.plan.proof:
            self.receipts[played["receipt"]] = None
        if self.session is None:
            return
        self.credit = message["credit"]
        self._check_money(self.session, message["credit"], message["net"], "a settlement")
        reader = self._world.rounds.rounds.get((self.table, played["round"]))
        if reader is not None and not played["void"]:
            paid = reader.naive.paid.get(self.session)
            back = sum(bet["returned"] for bet in played["bets"])
            if paid is not None and played["dice"] and paid != back and not reader.corrected:
                self.wrong(f"that round {played['round']} brought {back}, and {paid} was paid")

    def on_credit_changed(self, message: dict[str, Any]) -> None:
        if self.session is not None:
            self._check_money(self.session, message["credit"], message["net"], "new credits")
        self.credit = message["credit"]

    def answered(self, ask: "Ask", answer: dict[str, Any]) -> None:
        """An acknowledgement: what it says of the slip is on the record, word for word."""
        if answer["type"] != "SlipRegistered":
            return
        on_record = self._world.answers.told.get(ask.key)
        if on_record is None:
            return
        if on_record.get("slip", {}) != answer["slip"] or on_record["round"] != answer["round"]:
            self.wrong(f"the slip {answer['slip']}, and {on_record.get('slip')} is on the record")
        self.credit = answer["credit"]
        if self.session is not None:
            self._check_money(self.session, answer["credit"], None, "a slip", since=ask)

    def _check_money(
        self, session: str, credit: int, net: int | None, where: str, since: "Ask | None" = None
    ) -> None:
        """The amount stood on the record at some commit since this line began, or since the act."""
        floor = self._floor
        if since is not None:
            floor = max(floor, self._world.answers.commit_of.get(since.key, 0))
        stood = self._world.history.since(session, floor)
        if not any(credit == each.credit and (net is None or net == each.net) for each in stood):
            self.wrong(f"{credit} (net {net}) with {where}, and since then it was {stood}")
