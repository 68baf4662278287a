"""A one-player table for the terminal: a bankroll, a slip with undo, and rounds by the rulebook."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime

from taisai.dice import FACES, Roll
from taisai.errors import InputError
from taisai.game import commands as cmd
from taisai.game.events import AnyEvent
from taisai.game.limits import Limits
from taisai.game.people import Actor, Role
from taisai.game.round import Round
from taisai.game.settlement import BetResult
from taisai.rulebooks.model import PayTable, Rulebook

_DEALER = Actor("house", Role.SYSTEM)
_PLAYER = Actor("you", Role.PLAYER)
# A round of practice has no clock that matters; a fixed time makes a replay byte for byte the same.
_AT = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass
class PracticeTable:
    """Plays one round after another; the same seed and the same bets give the same evening."""

    rulebook: Rulebook
    pay_table: PayTable
    limits: Limits
    bankroll: int
    seed: int
    number: int = 0
    slip: dict[str, int] = field(default_factory=dict)
    last_slip: dict[str, int] = field(default_factory=dict)
    history: list[Roll] = field(default_factory=list)
    _undo: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)  # noqa: S311 - practice with play money, made to be repeated

    @property
    def staked(self) -> int:
        return sum(self.slip.values())

    def bet(self, box: str, amount: int) -> None:
        """Add to a box, or take away with a negative amount. The slip must stay one that the table takes."""
        self.pay_table.box(box)
        wanted = dict(self.slip)
        wanted[box] = wanted.get(box, 0) + amount
        if wanted[box] <= 0:
            del wanted[box]
        self._change(wanted)

    def clear(self) -> None:
        self._change({})

    def rebet(self) -> None:
        if not self.last_slip:
            raise InputError("there is no earlier slip to bet again")
        self._change(dict(self.last_slip))

    def double(self) -> None:
        if not self.slip:
            raise InputError("there is nothing to double")
        self._change({box: 2 * amount for box, amount in self.slip.items()})

    def undo(self) -> None:
        if not self._undo:
            raise InputError("there is nothing to undo")
        self.slip = self._undo.pop()

    def _change(self, wanted: dict[str, int]) -> None:
        if sum(wanted.values()) > self.bankroll:
            raise InputError(f"that makes {sum(wanted.values()):,} and you have {self.bankroll:,}")
        # Ask the round itself, so that practice refuses what a real table would, with the same words.
        self._opened().do(self._placing(wanted))
        self._undo.append(self.slip)
        self.slip = wanted

    def _opened(self) -> Round:
        game = Round(self.rulebook, self.pay_table)
        game.open(by=_DEALER, at=_AT, table="practice", number=self.number + 1, limits=self.limits)
        return game

    @staticmethod
    def _placing(slip: dict[str, int]) -> cmd.PlaceBets:
        return cmd.PlaceBets(
            by=_PLAYER, at=_AT, player=_PLAYER.name, slip=slip, version=1, all_or_nothing=True
        )

    def roll(self) -> "PlayedRound":
        """Close, tumble, declare and settle. A round without bets is played too."""
        game = self._opened()
        if self.slip:
            game.do(self._placing(self.slip))
        roll = Roll(*(self._dice.choice(FACES) for _ in range(3)))
        game.deal(roll, by=_DEALER, at=_AT)
        results = game.results()
        staked, returned = self.staked, sum(result.returned for result in results)
        self.bankroll += returned - staked
        self.number += 1
        self.history.append(roll)
        if self.slip:
            self.last_slip = self.slip
        self.slip, self._undo = {}, []
        return PlayedRound(self.number, roll, results, staked, returned, game.events)


@dataclass(frozen=True)
class PlayedRound:
    """What a round brought, with its events."""

    number: int
    roll: Roll
    results: list[BetResult]
    staked: int
    returned: int
    events: list[AnyEvent]

    @property
    def net(self) -> int:
        return self.returned - self.staked
