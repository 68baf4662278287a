"""One round as an object: `ask` decides, `do` decides and applies, `Round.rebuild` replays."""

from collections.abc import Callable, Iterable
from datetime import datetime

from taisai.dice import Roll
from taisai.errors import InputError
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Act, Phase, cell
from taisai.game.decide import Decision, decide
from taisai.game.evolve import evolve
from taisai.game.limits import Limits, house_limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal, Refused
from taisai.game.settlement import BetResult, results_of
from taisai.game.state import RoundState
from taisai.rulebooks.catalogue import pay_table as shipped_pay_table
from taisai.rulebooks.catalogue import rulebook_of
from taisai.rulebooks.model import PayTable, Rulebook

Rules = tuple[Rulebook, PayTable]


def shipped_rules(pay_table_id: str) -> Rules:
    """The rulebook and the pay table of a shipped `RULEBOOK/N`."""
    return rulebook_of(pay_table_id), shipped_pay_table(pay_table_id)


class Round:
    """A round of play, with the events that made it."""

    def __init__(self, rulebook: Rulebook, pay_table: PayTable) -> None:
        self.state = RoundState(rulebook, pay_table)
        self.events: list[ev.AnyEvent] = []

    @classmethod
    def of(cls, pay_table_id: str) -> "Round":
        """A round that has not been opened yet, under a shipped pay table."""
        return cls(*shipped_rules(pay_table_id))

    @classmethod
    def rebuild(
        cls, happened: Iterable[ev.AnyEvent], find_rules: Callable[[str], Rules] = shipped_rules
    ) -> "Round":
        """A round from its events alone. Rules with another digest than the recorded one are refused."""
        happened = list(happened)
        if not happened or not isinstance(happened[0], ev.BettingOpened):
            raise InputError("a round's first event is BettingOpened")
        rebuilt = cls(*find_rules(happened[0].pay_table))
        rebuilt.apply(happened)
        return rebuilt

    def ask(self, command: cmd.AnyCommand) -> Decision:
        """What would follow from a command; changes nothing."""
        return decide(self.state, command)

    def do(self, command: cmd.AnyCommand) -> list[ev.AnyEvent]:
        """Do it, or raise `Refused` with the clause."""
        decision = self.ask(command)
        if isinstance(decision, Refusal):
            raise Refused(decision)
        self.apply(decision)
        return decision

    def apply(self, happened: Iterable[ev.AnyEvent]) -> None:
        for event in happened:
            evolve(self.state, event)
            self.events.append(event)

    def open(
        self,
        *,
        by: Actor,
        at: datetime,
        table: str,
        number: int,
        limits: Limits | None = None,
        dice_set: str | None = None,
    ) -> list[ev.AnyEvent]:
        """Open betting under the rules of this round; without limits, none bind."""
        rulebook, pay_table = self.state.rulebook, self.state.pay_table
        return self.do(
            cmd.OpenBetting(
                by=by,
                at=at,
                table=table,
                number=number,
                rulebook=rulebook.id,
                rulebook_digest=rulebook.digest,
                pay_table=pay_table.id,
                pay_table_digest=pay_table.digest,
                limits=limits or house_limits(pay_table),
                dice_set=dice_set,
            )
        )

    def place(
        self, player: str, slip: dict[str, int], *, at: datetime, version: int = 1
    ) -> list[ev.AnyEvent]:
        """A player's own slip."""
        by = Actor(player, Role.PLAYER)
        return self.do(cmd.PlaceBets(by=by, at=at, player=player, slip=slip, version=version))

    def deal(self, roll: Roll, *, by: Actor, at: datetime) -> list[ev.AnyEvent]:
        """All that is left for a dealer to do, from "No more bets" to the end of an ordinary round."""
        procedure, state = self.state.rulebook.procedure, self.state
        covered = procedure.cover == "covered"
        acts: list[cmd.AnyCommand] = [cmd.CloseBetting(by=by, at=at, excess="leave")]
        if covered and not state.covered:
            acts.append(cmd.CoverTumbler(by=by, at=at))
        if state.tumbles is None:
            acts.append(cmd.ActivateTumbler(by=by, at=at, tumbles=procedure.tumbles_min))
        if covered:
            acts.append(cmd.ExposeDice(by=by, at=at))
        acts += [
            cmd.DeclareRoll(by=by, at=at, roll=roll),
            cmd.SettleBets(by=by, at=at),
            cmd.ConcludeRound(by=by, at=at),
        ]
        return [event for act in acts for event in self.do(act)]

    def legal_acts(self) -> list[Act]:
        """What the table of acts allows now, whoever asks."""
        return [act for act in Act if cell(self.state.rulebook, act, self.state.standing).legal]

    def results(self) -> list[BetResult]:
        """What became of each bet, with reasons, once a roll is declared or the round is void."""
        if self.state.phase is not Phase.VOID and self.state.outcome is None:
            raise InputError("this round has no result")
        return results_of(self.state)
