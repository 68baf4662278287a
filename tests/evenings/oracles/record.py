"""What must hold at every commit: each part of the record is read again by somebody who trusts nobody.

The readers here know the record's form and share no code with the house that writes it.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol

import msgspec

from taisai.record.journal import Commit

_decode = msgspec.json.Decoder().decode
Violate = Callable[[str], None]


class Fact(NamedTuple):
    """One event as it stands on the record, its inner one where it is wrapped."""

    stream: str
    version: int
    at: int
    name: str
    body: dict[str, Any]
    round: int | None = None

    @property
    def table(self) -> str:
        return self.stream.removeprefix("table:")


class Reader(Protocol):
    """Somebody who follows the record."""

    def read(self, commit: Commit, facts: list[Fact]) -> None: ...


@cache
def plain_name(name: str) -> str:
    """The name of an event or a message as a handler's name has it."""
    return re.sub("(?<!^)([A-Z])", r"_\1", name).lower()


def facts_of(commit: Commit) -> list[Fact]:
    found = []
    for event in commit.events:
        raw = _decode(event.body)
        inner = raw["event"] if isinstance(raw.get("event"), dict) else raw
        found.append(Fact(event.stream, event.version, event.at, event.type, inner, raw.get("round")))
    return found


def chips_taken(taken: Any) -> dict[str, Any]:
    """Chips taken are written as an object or as a row."""
    if isinstance(taken, dict):
        return taken
    player, box, amount = taken
    return {"player": player, "box": box, "amount": amount}


# What an answer need not name: it follows from what it names.
_BESIDE = ("DeskTaken", "WindowSet")


class Answers:
    """Every command is answered once; what was done is what its answer says, and a refusal did nothing."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self.told: dict[tuple[str, str], dict[str, Any]] = {}
        self.commit_of: dict[tuple[str, str], int] = {}
        self.count = 0

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        self.count += 1
        happened: list[str] = []
        noted = False
        for answer in commit.answers:
            key = (answer.sender, answer.id)
            if key in self.told:
                self._violate(f"the command {key} was answered twice")
            said = _in_full(_decode(answer.answer), facts)
            self.told[key], self.commit_of[key] = said, self.count
            if said["type"] == "Refusal":
                noted = noted or any(fact.stream in ("staff", "approvals") for fact in facts)
            else:
                happened += said["happened"]
        streams = [fact.stream for fact in facts]
        own = [fact.name for fact in facts if fact.stream == _main(streams) and fact.name not in _BESIDE]
        happened = [name for name in happened if name not in _BESIDE]
        if commit.answers and not noted and own != happened:
            self._violate(f"the answers say {happened}, and on the record stands {own}")
        if commit.transfers and not happened:
            self._violate("money moved and nobody was answered that anything happened")


def _in_full(said: dict[str, Any], facts: list[Fact]) -> dict[str, Any]:
    """An answer that names only where its slip is on the record, as it was told."""
    if said["type"] != "ToldBy":
        return said
    (fact,) = (fact for fact in facts if (fact.stream, fact.version) == (said["stream"], said["version"]))
    slip = {key: fact.body[key] for key in ("slip", "cuts")}
    return {
        **slip,
        "type": "Accepted",
        "happened": [fact.name],
        "round": fact.round,
        "slip_version": fact.body["version"],
    }


def _main(streams: list[str]) -> str:
    """The stream of the desk that wrote a commit: tickets only go with it."""
    return next((stream for stream in streams if not stream.startswith("ticket:")), "")


class Chains:
    """Versions without a gap, and time that never goes back."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self._heads: dict[str, tuple[int, int]] = {}
        self._number = 0

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        if commit.number != self._number + 1:
            self._violate(f"commit {commit.number} follows {self._number}")
        self._number = commit.number
        for fact in facts:
            version, at = self._heads.get(fact.stream, (0, 0))
            if fact.version != version + 1:
                self._violate(f"{fact.stream}: version {fact.version} follows {version}")
            if fact.at < at:
                self._violate(f"{fact.stream}: the journal's time goes back at version {fact.version}")
            self._heads[fact.stream] = (fact.version, fact.at)


# Accounts that grow on the debit side.
_DEBIT_SIDE = ("cash", "receivable", "promo")
_MAY_BE_BELOW = ("cash", "house", "promo")


class Books:
    """Double entry: nothing below zero that may not be, and no stake left in a round that is over."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self.balances: dict[str, int] = defaultdict(int)
        self._ids: set[str] = set()
        self._sum = 0

    def of(self, account: str) -> int:
        return self.balances.get(account, 0)

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        touched = set()
        for made in commit.transfers:
            if made.id in self._ids:
                self._violate(f"the transfer {made.id} was made twice")
            self._ids.add(made.id)
            if made.amount_minor <= 0:
                self._violate(f"the transfer {made.id} moves {made.amount_minor}")
            for account, side in ((made.debit, 1), (made.credit, -1)):
                grows = side if account.split(":")[0] in _DEBIT_SIDE else -side
                self.balances[account] += grows * made.amount_minor
                touched.add(account)
        for account in sorted(touched):
            if self.balances[account] < 0 and account.split(":")[0] not in _MAY_BE_BELOW:
                self._violate(f"{account} stands at {self.balances[account]}")
        for fact in facts:
            if fact.name in ("RoundConcluded", "RoundVoided"):
                left = self.of(f"stakes:{fact.table}:{fact.round}")
                if left:
                    self._violate(f"{fact.table}/{fact.round} is over and {left} is left of its stakes")


class Tickets:
    """Each ticket is issued once and ends once, and their sum is what the account of tickets holds."""

    def __init__(self, violate: Violate, books: Books) -> None:
        self._violate, self._books = violate, books
        self.open: dict[str, dict[str, Any]] = {}
        self.ended: dict[str, str] = {}
        self._amounts: dict[str, int] = {}

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        for fact in facts:
            if fact.stream.startswith("ticket:"):
                self._follow(fact)
            elif fact.name == "TicketPaid":
                amount = self._amounts.get(fact.body["ticket"])
                if amount != fact.body["amount"]:
                    self._violate(f"a ticket of {amount} was paid with {fact.body['amount']}")
        outstanding = sum(ticket["amount"] for ticket in self.open.values())
        if outstanding != self._books.of("tickets"):
            held = self._books.of("tickets")
            self._violate(f"tickets of {outstanding} are out, and their account holds {held}")

    def _follow(self, fact: Fact) -> None:
        name = fact.stream.removeprefix("ticket:")
        match fact.name:
            case "TicketIssued":
                if name in self.open or name in self.ended:
                    self._violate(f"the ticket {name[:8]} was issued twice")
                self.open[name], self._amounts[name] = fact.body, fact.body["amount"]
            case "TicketRedeemed" | "TicketVoided":
                issued = self.open.pop(name, None)
                if issued is None:
                    self._violate(f"the ticket {name[:8]} ended twice, or never was")
                    return
                self.ended[name] = fact.name
                if fact.name == "TicketRedeemed" and fact.body["at"] >= issued["expires_at"]:
                    self._violate(f"the ticket {name[:8]} was paid after it had expired")
            case "TicketPrinted":
                if name not in self.open:
                    self._violate(f"the ticket {name[:8]} was printed and is not open")
