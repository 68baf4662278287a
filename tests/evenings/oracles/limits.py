"""A player's own limits are kept: what was wagered and lost since they sat down, by the rounds alone.

A limit or a loss counts here some seconds after it happened: what was decided at the same moment may not have
known of it.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from taisai.record.journal import Commit
from tests.evenings.oracles.record import Fact, Violate

_KNOWN_AFTER = timedelta(seconds=10)


class _Set(NamedTuple):
    at: datetime
    limits: dict[str, Any]


class OwnLimits:
    """Follows sessions at terminals that have set limits for themselves."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self._began: dict[str, datetime] = {}
        self._set: dict[str, list[_Set]] = {}
        self._staked: dict[tuple[str, int | None, str], int] = {}
        self._played: dict[str, dict[tuple[str, int | None], tuple[datetime, int, int]]] = {}
        self._elsewhere: set[str] = set()

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        for fact in facts:
            body = fact.body
            match fact.name:
                case "PlayBegan" if body["player"] == body["place"]:
                    self._began[body["player"]] = datetime.fromisoformat(body["at"])
                case "PlayBegan":
                    self._elsewhere.add(body["place"])
                case "PlayLimitsSet":
                    now = _Set(datetime.fromisoformat(body["at"]), body["limits"])
                    self._set.setdefault(body["player"], []).append(now)
                case "BetsPlaced":
                    self._bet(fact)
                case "PayoutsMade":
                    self._paid(fact)
                case "RoundVoided":
                    for player in body["returned"]:
                        self._played.get(player, {}).pop((fact.table, fact.round), None)

    def _paid(self, fact: Fact) -> None:
        at = datetime.fromisoformat(fact.body["at"])
        for player, paid in fact.body["payouts"].items():
            staked = self._staked.get((fact.table, fact.round, player), 0)
            rounds = self._played.setdefault(player, {})
            first = rounds.get((fact.table, fact.round), (at, 0, 0))[0]
            rounds[fact.table, fact.round] = (first, staked, staked - paid)

    def _bet(self, fact: Fact) -> None:
        player, at = fact.body["player"], datetime.fromisoformat(fact.body["at"])
        key = (fact.table, fact.round, player)
        before, now = self._staked.get(key, 0), sum(fact.body["slip"].values())
        self._staked[key] = now
        limits = self._limits_at(player, at)
        if limits is None or now <= before or player in self._elsewhere:
            return
        known = [
            (staked, lost)
            for paid_at, staked, lost in self._played.get(player, {}).values()
            if self._began[player] <= paid_at <= at - _KNOWN_AFTER
        ]
        self._hold(player, limits.get("wager_session"), sum(each[0] for each in known) + now, "wagered")
        if all(paid[0] <= at - _KNOWN_AFTER for paid in self._played.get(player, {}).values()):
            self._hold(player, limits.get("loss_session"), sum(each[1] for each in known) + now, "at risk")

    def _limits_at(self, player: str, at: datetime) -> dict[str, Any] | None:
        """The limits that have stood long enough to be known, if none has been set since."""
        given = self._set.get(player, [])
        if player not in self._began or not given or given[-1].at > at - _KNOWN_AFTER:
            return None
        return given[-1].limits

    def _hold(self, player: str, limit: int | None, amount: int, what: str) -> None:
        if limit is not None and amount > limit:
            self._violate(f"{player} has set a limit of {limit}, and {amount} is {what}")
