"""What players asked and were told, against the record of the server that survived.

It trusts nobody: the record is read by the oracles of `tests/evenings`, which share no code with the house.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from taisai.adapters.signing.keys import public_keys_in
from taisai.adapters.stores import read_store
from taisai.floor.audit.whole import Audit
from taisai.record.journal import Commit
from taisai.record.order import in_order
from taisai.record.ports import RecordCorrupt
from taisai.record.verify import verify
from tests.cluster.people import Player
from tests.evenings.oracles.record import Books, Fact, Reader, Tickets, Violate, facts_of
from tests.evenings.oracles.rounds import Purses, Rounds
from tests.faults.checker import check_promise
from tests.record import told


class Found(msgspec.Struct, kw_only=True):
    """What a check looked at, and all that it found wrong."""

    wrong: list[str] = []
    acknowledged: int = 0
    refused: int = 0
    commits: int = 0
    taken: int = 0  # how often a desk was taken


class Streams:
    """Versions without gaps, each writer's commits in a row, and nothing by a writer that was taken over."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self._versions: dict[str, int] = defaultdict(int)
        self._numbers: dict[str, int] = defaultdict(int)
        self._owners: dict[str, str] = {}
        self._epochs: dict[str, int] = defaultdict(int)
        self.taken = 0

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        if commit.number != self._numbers[commit.writer] + 1:
            self._violate(f"{commit.writer}/{commit.number} follows {self._numbers[commit.writer]}")
        self._numbers[commit.writer] = commit.number
        for fact in facts:
            if fact.version != self._versions[fact.stream] + 1:
                self._violate(f"{fact.stream}: version {fact.version} follows {self._versions[fact.stream]}")
            self._versions[fact.stream] = fact.version
            if fact.name == "DeskTaken":
                self._take(commit, fact)
            elif self._owners.get(fact.stream, commit.writer) != commit.writer:
                owner = f"{self._owners[fact.stream]} (epoch {self._epochs[fact.stream]})"
                self._violate(
                    f"{fact.stream}/{fact.version}: {commit.writer} wrote {fact.name} after {owner} took it"
                )

    def _take(self, commit: Commit, fact: Fact) -> None:
        self.taken += 1
        self._owners[fact.stream] = commit.writer
        if fact.body["epoch"] != self._epochs[fact.stream] + 1:
            self._violate(f"{fact.stream}: epoch {fact.body['epoch']} follows {self._epochs[fact.stream]}")
        self._epochs[fact.stream] = fact.body["epoch"]


class Promises:
    """Each id is answered once, and what its answer says was done stands in the same commit."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self.told: dict[tuple[str, str], dict[str, Any]] = {}

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        happened: Counter[str] = Counter()
        for answer in commit.answers:
            key = (answer.sender, answer.id)
            if key in self.told:
                self._violate(f"{key} was answered twice")
            self.told[key] = told(commit, answer)
            happened.update(self.told[key].get("happened", ()))
        stands = Counter(fact.name for fact in facts)
        if happened - stands:
            self._violate(f"{commit.writer}/{commit.number}: {dict(happened - stands)} is told and not there")
        if happened["BetsPlaced"] != stands["BetsPlaced"]:
            slips = f"{stands['BetsPlaced']} slips for {happened['BetsPlaced']} answers"
            self._violate(f"{commit.writer}/{commit.number}: {slips}")


class Credits:
    """What each session had after each commit."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self.stood: dict[str, list[int]] = defaultdict(lambda: [0])

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        touched = {
            account
            for made in commit.transfers
            for account in (made.debit, made.credit)
            if account.startswith("credit:")
        }
        for account in touched:
            self.stood[account.partition(":")[2]].append(self._books.of(account))


class Checker:
    """Everything that must hold of one house at rest."""

    def __init__(self) -> None:
        self.found = Found()
        violate = self.found.wrong.append
        self.answers, self.books, self.streams = Promises(violate), Books(violate), Streams(violate)
        self.rounds, self.credits = Rounds(violate), Credits(self.books)
        self._readers: list[Reader] = [
            *(self.answers, self.books, self.streams, self.rounds, self.credits),
            *(Tickets(violate, self.books), Purses(violate, self.books)),
        ]

    async def check(self, database: str, keys: Path, players: Sequence[Player]) -> Found:
        """Read the record whole, then hold against it what each player knows."""
        async with read_store(database) as snapshot:
            ring = public_keys_in(keys)
            try:
                await verify(snapshot, ring)
                await Audit(ring).run(snapshot, dict)
            except Exception as error:  # whatever an audit stops at is a finding
                self.found.wrong.append(f"the audit finds a fault: {type(error).__name__}: {error}")
            try:
                async for commit in in_order(snapshot):
                    self.read(commit)
            except RecordCorrupt as error:
                self.found.wrong.append(f"the record cannot be read to its end: {error}")
        self.hear(players)
        return self.found

    def read(self, commit: Commit) -> None:
        self.found.commits += 1
        facts = facts_of(commit)
        for reader in self._readers:
            reader.read(commit, facts)
        self.found.taken = self.streams.taken

    def hear(self, players: Sequence[Player]) -> None:
        """What was promised to each of them, and what each connection was told."""
        for player in players:
            sender = f"terminal:{player.terminal.key.terminal}"
            for asked in player.log:
                self.found.acknowledged += asked.outcome == "registered"
                self.found.refused += asked.outcome == "refused"
                try:
                    check_promise(asked, self.answers.told.get((sender, asked.id)))
                except AssertionError as error:
                    self.found.wrong.append(f"{sender}: {error}")
            self._hear_one(player)
        self._hear_alike(players)

    def _hear_one(self, player: Player) -> None:
        terminal, table = player.terminal, player.terminal.key.table
        if not terminal.sessions:
            return
        if len(terminal.sessions) > 1:
            self.found.wrong.append(f"{terminal.key.terminal} had the sessions {sorted(terminal.sessions)}")
        session = max(terminal.sessions)
        if terminal.credit != self.books.of(f"credit:{session}"):
            stands = self.books.of(f"credit:{session}")
            self.found.wrong.append(f"{session} was told {terminal.credit} at last, and has {stands}")
        for connection in connections(terminal.told):
            self._hear_credits(session, [each[1] for each in connection if each[0] == "credit"])
            self._hear_numbers(session, connection)
            for kind, *said in connection:
                if kind == "settled" and not said[2]:
                    self._hear_dice(table, said[0], said[1], session)

    def _hear_credits(self, session: str, told: list[int]) -> None:
        """In the order of the record: none may be left out of it, or come before an older one."""
        stood, place = self.credits.stood[session], 0
        for credit in told:
            later = next((at for at in range(place, len(stood)) if stood[at] == credit), None)
            if later is None:
                known = "never" if credit not in stood else "earlier"
                self.found.wrong.append(f"{session} was told a credit of {credit}, which it had {known}")
                return
            place = later

    def _hear_numbers(self, session: str, connection: Sequence[Any]) -> None:
        """What a snapshot shows already a page drops; everything else goes forward."""
        shown = max((each[1] for each in connection if each[0] == "snapshot"), default=0)
        numbers = [each[1] for each in connection if each[0] == "round" and each[1] > shown]
        for before, after in pairwise(numbers):
            if after <= before:
                self.found.wrong.append(f"{session} heard the number {after} after {before}")

    def _hear_alike(self, players: Sequence[Player]) -> None:
        """One number is one message, whoever hears it at whichever gateway; and dice are those declared."""
        heard: dict[tuple[str, int], Any] = {}
        for player in players:
            table, name = player.terminal.key.table, player.terminal.key.terminal
            for kind, *said in player.terminal.told:
                if kind != "round":
                    continue
                seq, number, *view = said
                known = heard.setdefault((table, seq), (number, view))
                if known != (number, view):
                    self.found.wrong.append(f"{table}: {seq} was {known} to some and {view} to {name}")
                if view[1]:
                    self._hear_dice(table, number, view[1], name)

    def _hear_dice(self, table: str, number: int, dice: list[int] | None, who: str) -> None:
        reader = self.rounds.rounds.get((table, number))
        declared = reader.naive.roll if reader is not None else None
        if declared is None or sorted(declared) != sorted(dice or ()):
            self.found.wrong.append(f"{who} saw {dice} in {table}/{number}, and {declared} was declared")


def connections(told: Sequence[Any]) -> list[list[Any]]:
    """What was told, connection by connection."""
    found: list[list[Any]] = [[]]
    for each in told:
        if each[0] == "opened":
            found.append([])
        else:
            found[-1].append(each)
    return found
