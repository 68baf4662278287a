"""Two people where two are needed, in the positions that they have; and each request carried out once."""

from typing import Any

from taisai.record.journal import Commit
from tests.evenings.oracles.record import Fact, Violate

PIT = ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager")
# What takes two people: the least position of one of them, and who besides the pit may be one.
TWO: dict[str, tuple[int, tuple[str, ...]]] = {
    "DamagedDiceReported": (1, ()),
    "ResultCorrected": (1, ()),
    "BetsCorrected": (1, ()),
    "RulingMade": (3, ()),
    "TicketCancelled": (1, ("cashier",)),
    "TicketVoided": (1, ("cashier",)),
    "TableFilled": (1, ("cashier",)),
    "TableCredited": (1, ("cashier",)),
    "FloatCounted": (1, ("cashier",)),
    "DropCounted": (1, ("cashier",)),
}

# What follows from an act at other desks has the request's id with a word more.
_FOLLOWS = ("done", "drawer", "dice")
_ON_STAFF = ("StaffAdded", "StaffEnabled", "StaffPolicySet")


def _is_lower(role: str, before: str) -> bool:
    """Whether somebody goes down on the gaming floor, which takes no second person."""
    return role in PIT and before in PIT and PIT.index(role) < PIT.index(before)


class TwoPeople:
    """Reads who did what, and who agreed to it."""

    def __init__(self, violate: Violate, positions: dict[str, str], second_from: int) -> None:
        self._violate, self._positions, self._second_from = violate, positions, second_from
        self._requests: dict[str, dict[str, Any]] = {}
        self._agreed: dict[str, str] = {}
        self._done: set[str] = set()
        self._opened: set[str] = set()

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        for fact in facts:
            if fact.stream == "approvals":
                self._follow(fact)
            elif fact.stream == "staff":
                self._on_staff(fact)
            else:
                self._check(fact)
        for answer in commit.answers:
            if answer.sender == "approvals":
                name, _, word = answer.id.rpartition(".")
                self._carried_out(name if word in _FOLLOWS else answer.id)

    def _on_staff(self, fact: Fact) -> None:
        """Nobody changes the staff list alone: an auditor or the casino manager agrees."""
        body = fact.body
        by, name = body.get("by", {"role": "system"}), body.get("name", "")
        raised = fact.name == "RoleChanged" and not _is_lower(body["role"], self._positions.get(name, ""))
        other = fact.name in ("PasswordSet", "TotpChanged") and by["name"] != name
        if by["role"] != "system" and (raised or other or fact.name in _ON_STAFF):
            second = body.get("second") or {"name": "nobody", "role": ""}
            if by["role"] != "administrator" or second["role"] not in ("casino-manager", "auditor"):
                self._violate(f"{fact.name} of {name} was {by['name']}'s word with {second['name']}'s")
        if fact.name in ("StaffAdded", "RoleChanged"):
            self._positions[name] = body["role"]

    def _check(self, fact: Fact) -> None:
        rule = self._rule(fact)
        if rule is not None:
            self._two(fact, *rule)

    def _rule(self, fact: Fact) -> tuple[int, tuple[str, ...]] | None:
        body, cage = fact.body, ("cashier",)
        match fact.name:
            case "TableOpened":
                first = fact.stream not in self._opened
                self._opened.add(fact.stream)
                return None if first and body["by"]["role"] == "system" else (2, ())
            case "CreditsPaidOut":
                return None if body["ticket"] else (1, cage)
            case "ServiceChanged":
                unlocked = body["service"] == "in-service" and body["by"]["role"] in PIT
                return (1, ()) if unlocked else None
            case "CopyPrinted":
                return (1, cage) if body["copy"] > 1 else None
            case "TicketPaid":
                return (1, cage) if 0 < self._second_from <= body["amount"] else None
            case _:
                return TWO.get(fact.name)

    def _two(self, fact: Fact, least: int, also: tuple[str, ...]) -> None:
        first, second = fact.body["by"], fact.body.get("second")
        if not second:
            self._violate(f"{fact.name} on {fact.stream} was one person's word: {first['name']}'s")
            return
        if first["name"].casefold() == second["name"].casefold():
            self._violate(f"{fact.name} on {fact.stream}: {first['name']} agreed with themselves")
        for person in (first, second):
            if person["role"] not in (*PIT, *also):
                self._violate(f"{fact.name}: {person['name']} is a {person['role']}")
        highest = max(PIT.index(each["role"]) if each["role"] in PIT else -1 for each in (first, second))
        if highest < least:
            self._violate(f"{fact.name}: neither of the two is a {PIT[least]}")

    def _follow(self, fact: Fact) -> None:
        body = fact.body
        match fact.name:
            case "ApprovalRequested":
                self._requests[body["approval"]] = body
            case "RequestApproved":
                asked = self._requests[body["approval"]]
                if asked["by"]["name"].casefold() == body["by"]["name"].casefold():
                    self._violate(f"{body['by']['name']} approved what they had asked for")
                if body["at"] >= asked["expires_at"]:
                    self._violate(f"the request {body['approval']} was approved after its time")
                self._agreed[body["approval"]] = body["by"]["name"]
            case "RequestCarriedOut":
                if body["approval"] in self._done:
                    self._violate(f"the request {body['approval']} was carried out twice")
                self._done.add(body["approval"])
            case _:
                pass

    def _carried_out(self, approval: str) -> None:
        if approval not in self._agreed:
            self._violate(f"the request {approval} was carried out and nobody had agreed")
