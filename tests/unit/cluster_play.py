"""A cluster with a few terminals, driven act by act."""

from datetime import timedelta
from typing import Any

from taisai.dice import Roll
from taisai.floor.cluster.messages import (
    CashOutToTicket,
    CreditIn,
    EnrolTerminal,
    HandPay,
    NewTicket,
    SetService,
)
from taisai.floor.cluster.state import ClusterState
from taisai.floor.desks.kind import Acted
from taisai.floor.table.messages import InRound, OpenTable, StartRound, TableSettings
from taisai.floor.tickets import Ticket, TicketIssued
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.rulebooks.model import Ground
from tests.unit.house import DEALER, SHIFT_MANAGER, SUPERVISOR, SYSTEM, minutes

AT = minutes(0)
TERMINALS = ("E1-1", "E1-2", "E1-3")
SETTINGS = TableSettings(pay_table="sic-bo-etg-v8/1", limits=Limits(unit=2, default=Limit(2, 100_000)))


def finishing(roll: Roll) -> list[cmd.AnyCommand]:
    """From the closing to the conclusion."""
    return [
        cmd.CloseBetting(by=DEALER, at=AT),
        cmd.CoverTumbler(by=DEALER, at=AT),
        cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
        cmd.ExposeDice(by=DEALER, at=AT),
        cmd.DeclareRoll(by=DEALER, at=AT, roll=roll),
        cmd.SettleBets(by=DEALER, at=AT),
        cmd.ConcludeRound(by=DEALER, at=AT),
    ]


def correction(roll: Roll) -> cmd.CorrectResult:
    return cmd.CorrectResult(by=DEALER, second=SUPERVISOR, reason="misread", at=AT, roll=roll)


def damaged(number: int) -> cmd.ReportDamagedDice:
    return cmd.ReportDamagedDice(by=DEALER, second=SUPERVISOR, reason="chipped", at=AT, rounds=[number])


def void() -> cmd.VoidRound:
    return cmd.VoidRound(by=DEALER, at=AT, ground=Ground.EXPOSED_EARLY)


class Cluster:
    """Remembers every act's outcome in the order in which it came."""

    def __init__(self) -> None:
        self.state = ClusterState("E1")
        self.outcomes: list[Acted] = []
        self.tickets = self.versions = 0
        self.ask(OpenTable(by=SUPERVISOR, at=AT, settings=SETTINGS))
        for terminal in TERMINALS:
            self.ask(EnrolTerminal(by=SUPERVISOR, at=AT, terminal=terminal, key_digest="k"))

    def ask(self, command: Any) -> Acted | Refusal:
        outcome = self.state.act(command, f"E1.{len(self.outcomes) + 1}")
        if isinstance(outcome, Acted):
            self.outcomes.append(outcome)
        return outcome

    def in_round(self, command: cmd.AnyCommand, number: int | None = None) -> Acted | Refusal:
        return self.ask(InRound(by=command.by, at=AT, command=command, round=number))

    def start(self) -> Acted | Refusal:
        return self.ask(StartRound(by=DEALER, at=AT))

    def finish(self, roll: Roll) -> None:
        for command in finishing(roll):
            self.in_round(command)

    def cash_in(self, terminal: str, amount: int, source: Any = "cash") -> Acted | Refusal:
        return self.ask(CreditIn(by=SYSTEM, at=AT, terminal=terminal, source=source, amount=amount))

    def ticket_in(self, terminal: str, amount: int) -> Acted | Refusal:
        self.tickets += 1
        name = f"in{self.tickets}"
        issued = TicketIssued(
            by=SYSTEM,
            at=AT,
            where="cage",
            amount=amount,
            expires_at=AT + timedelta(days=30),
            sequence=1,
            last_four="0001",
        )
        self.state.tickets[name] = Ticket(issued, 1)
        return self.ask(CreditIn(by=SYSTEM, at=AT, terminal=terminal, source="ticket", ticket=name))

    def bet(self, terminal: str, slip: dict[str, int]) -> Acted | Refusal | None:
        session = self.state.terminals[terminal].session
        if session is None:
            return None
        self.versions += 1
        placing = cmd.PlaceBets(
            by=Actor(session, Role.PLAYER), at=AT, player=session, slip=slip, version=self.versions
        )
        return self.in_round(placing)

    def cash_out(self, terminal: str) -> Acted | Refusal:
        self.tickets += 1
        ticket = NewTicket(name=f"out{self.tickets}", last_four="0001", expires_at=AT + timedelta(days=30))
        return self.ask(CashOutToTicket(by=SYSTEM, at=AT, terminal=terminal, ticket=ticket))

    def hand_pay(self, terminal: str) -> Acted | Refusal:
        return self.ask(HandPay(by=SHIFT_MANAGER, at=AT, terminal=terminal, second=DEALER, reason="by hand"))

    def service(self, terminal: str, service: Any) -> Acted | Refusal:
        return self.ask(SetService(by=SYSTEM, at=AT, terminal=terminal, service=service))
