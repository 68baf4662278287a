"""What each session's credit and net were after each commit, to hold what people are told against it."""

from collections.abc import Iterable
from typing import NamedTuple

from taisai.record.journal import Commit
from tests.evenings.oracles.record import Answers, Books, Fact, chips_taken


class Stood(NamedTuple):
    """Credit and net of a session from a commit on."""

    commit: int
    credit: int
    net: int


class History:
    """Follows every session of every cluster."""

    def __init__(self, books: Books, answers: Answers) -> None:
        self._books, self._answers = books, answers
        self._bought: dict[str, int] = {}
        self._staked: dict[str, tuple[int | None, int]] = {}  # the round, and what is on the felt there
        self._stood: dict[str, list[Stood]] = {}

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        touched = {
            account.partition(":")[2]: None
            for made in commit.transfers
            for account in (made.debit, made.credit)
            if account.startswith(("credit:", "receivable:"))
        }
        for fact in facts:
            touched.update(dict.fromkeys(self._follow(fact)))
        for session in touched:
            credit = self._books.of(f"credit:{session}")
            net = credit + self._staked.get(session, (0, 0))[1] - self._bought.get(session, 0)
            net -= self._books.of(f"receivable:{session}")
            self._stood.setdefault(session, []).append(Stood(self._answers.count, credit, net))

    def _follow(self, fact: Fact) -> list[str]:
        body = fact.body
        match fact.name:
            case "CreditsBought":
                session = body["session"]
                self._bought[session] = self._bought.get(session, 0) + body["amount"]
            case "BetsPlaced":
                self._staked[body["player"]] = (fact.round, sum(body["slip"].values()))
            case "PayoutsMade":
                return self._off_the_felt(fact, body["payouts"])
            case "RoundVoided":
                return self._off_the_felt(fact, body["returned"])
            case "BetsReturned" | "ExcessRejected":
                for each in map(chips_taken, body["taken"]):
                    number, staked = self._staked.get(each["player"], (None, 0))
                    if number == fact.round and staked:  # once it is paid, nothing of it is on the felt
                        self._staked[each["player"]] = (number, staked - each["amount"])
        return []

    def _off_the_felt(self, fact: Fact, players: Iterable[str]) -> list[str]:
        gone = [player for player in players if self._staked.get(player, (None, 0))[0] == fact.round]
        for player in gone:
            self._staked[player] = (fact.round, 0)
        return gone

    def since(self, session: str, floor: int) -> list[Stood]:
        """What held at some time since a commit, the state just before it included."""
        stood = self._stood.get(session, [Stood(0, 0, 0)])
        before = [each for each in stood if each.commit <= floor]
        return [*before[-1:], *(each for each in stood if each.commit > floor)]
