"""A table for tests: people with names, and one line for each act at it."""

from datetime import UTC, datetime, timedelta
from string import Formatter
from typing import Any

import pytest

import taisai
from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.explain import catalogue
from taisai.game.limits import Limit, Limits, house_limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.round import Round
from taisai.game.settlement import BetResult

V3, V4, V6, OPEN, ETG = "tai-sai-v3", "tai-sai-v4", "tai-sai-v6", "tai-sai-open-cover", "sic-bo-etg-v8"
RULEBOOKS = (V3, OPEN, V4, V6, ETG)

# One pay table for each rulebook; the ten of them; and those whose dice tumble under a cover.
ONE_EACH = ("tai-sai-v3/1", "tai-sai-open-cover/2", "tai-sai-v4/1", "tai-sai-v6/2", "sic-bo-etg-v8/2")
ALL_TEN = tuple(table.id for book in RULEBOOKS for table in taisai.rulebook(book).pay_tables)
COVERED = tuple(table for table in ONE_EACH if OPEN not in table)
LIVE = tuple(table for table in ONE_EACH if ETG not in table)
WITH_PRO_RATA = ("tai-sai-v4/1", "tai-sai-v6/2")
WITHOUT_IRREGULARITIES = ("tai-sai-v3/1", "tai-sai-open-cover/2")

DEALER = Actor("Dana", Role.DEALER)
SUPERVISOR = Actor("Sam", Role.PIT_SUPERVISOR)
MANAGER = Actor("Max", Role.PIT_MANAGER)
SHIFT = Actor("Chris", Role.SHIFT_MANAGER)
CONSOLE = Actor("console", Role.SYSTEM)

EVENING = datetime(2024, 2, 10, 20, 0, tzinfo=UTC)


def player(name: str) -> Actor:
    return Actor(name, Role.PLAYER)


def limits(
    minimum: int = 50, maximum: int | None = 1000, *, unit: int = 10, notice: str = "", **more: Any
) -> Limits:
    """Limits for every box alike, unless `groups` or `boxes` say otherwise."""
    if notice:
        more["notice"] = notice
    return Limits(unit=unit, default=Limit(minimum, maximum), **more)


class Table:
    """One round at a table. Acts that must succeed fail the test when they are refused, and vice versa."""

    def __init__(
        self,
        pay_table: str = "tai-sai-v6/2",
        limits: Limits | None = None,
        *,
        number: int = 1,
        dice_set: str | None = None,
        opened: bool = True,
    ) -> None:
        self.round = Round.of(pay_table)
        self.limits, self.number, self.dice_set = limits, number, dice_set
        self.versions: dict[str, int] = {}
        self.minutes = 0
        if opened:
            self.open()

    # --- asking -----------------------------------------------------------------------------------

    def open(self, **changes: Any) -> list[ev.AnyEvent]:
        return self.do(cmd.OpenBetting, **{**self.opening(), **changes})

    def opening(self) -> dict[str, Any]:
        """The facts of a proper opening."""
        rulebook, pay_table = self.state.rulebook, self.state.pay_table
        return {
            "table": "T1",
            "number": self.number,
            "rulebook": rulebook.id,
            "rulebook_digest": rulebook.digest,
            "pay_table": pay_table.id,
            "pay_table_digest": pay_table.digest,
            "limits": self.limits or house_limits(pay_table),
            "dice_set": self.dice_set,
        }

    def command(self, kind: type[cmd.Command], /, by: Actor = DEALER, **facts: Any) -> Any:
        self.minutes += 1
        if issubclass(kind, cmd.TwoPeople | cmd.VoidRound):
            facts = {"second": SUPERVISOR, "reason": "seen by both", **facts}
        return kind(by=by, at=EVENING + timedelta(minutes=self.minutes), **facts)

    def do(self, kind: type[cmd.Command], /, by: Actor = DEALER, **facts: Any) -> list[ev.AnyEvent]:
        """An act that the rules allow."""
        command = self.command(kind, by, **facts)
        decision = self.round.ask(command)
        if isinstance(decision, Refusal):
            pytest.fail(f"{kind.__name__} was refused: {decision}")
        self.round.apply(decision)
        for event in decision:
            assert (event.by, event.at) == (command.by, command.at), event
        return decision

    def refused(self, kind: type[cmd.Command], /, by: Actor = DEALER, **facts: Any) -> Refusal:
        """An act that the rules forbid; it changes nothing."""
        before = self.state.copy()
        decision = self.round.ask(self.command(kind, by, **facts))
        assert isinstance(decision, Refusal), f"{kind.__name__} was not refused"
        assert self.state == before
        sentence = catalogue("en")["refusals"][decision.code]
        for _, fact, _, _ in Formatter().parse(sentence):
            assert fact is None or decision.facts[fact] is not None, f"{decision} does not say {fact}"
        return decision

    def _slip(
        self, name: str, slip: dict[str, int], by: Actor | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        version = more.pop("version", self.versions.get(name, 0) + 1)
        return {"by": by or player(name), "player": name, "slip": slip, "version": version, **more}

    def bet(self, name: str, slip: dict[str, int], by: Actor | None = None, **more: Any) -> ev.BetsPlaced:
        """A player's whole slip, placed by the player unless `by` says who."""
        facts = self._slip(name, slip, by, more)
        (placed,) = self.do(cmd.PlaceBets, **facts)
        assert isinstance(placed, ev.BetsPlaced)
        self.versions[name] = facts["version"]
        return placed

    def bet_refused(self, name: str, slip: dict[str, int], by: Actor | None = None, **more: Any) -> Refusal:
        return self.refused(cmd.PlaceBets, **self._slip(name, slip, by, more))

    # --- the ordinary course ----------------------------------------------------------------------

    def close(self, excess: str = "leave") -> list[ev.AnyEvent]:
        """No more bets; where a breach is on the screen it is left, unless told otherwise."""
        return self.do(cmd.CloseBetting, excess=excess)

    def tumble(self, times: int = 3) -> list[ev.AnyEvent]:
        """Cover where the game is covered, and set the tumbler off."""
        if self.state.rulebook.procedure.cover == "covered" and not self.state.covered:
            self.do(cmd.CoverTumbler)
        return self.do(cmd.ActivateTumbler, tumbles=times)

    def declare(self, dice: str) -> list[ev.AnyEvent]:
        """Close, tumble and expose as far as that is still to do, then declare."""
        if self.phase is Phase.BETTING:
            self.close()
        if self.state.tumbles is None:
            self.tumble()
        if not self.state.exposed:
            self.do(cmd.ExposeDice)
        return self.do(cmd.DeclareRoll, roll=Roll.parse(dice))

    def settle(self, dice: str) -> list[ev.AnyEvent]:
        self.declare(dice)
        return self.do(cmd.SettleBets)

    def conclude(self, dice: str) -> list[ev.AnyEvent]:
        self.settle(dice)
        return self.do(cmd.ConcludeRound)

    # --- what there is to see ---------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.round.state

    @property
    def phase(self) -> Phase:
        return self.round.state.phase

    @property
    def paid(self) -> dict[str, int]:
        """What each player has got back, net of all reversals."""
        return dict(self.round.state.paid)

    def slip_of(self, name: str) -> dict[str, int]:
        return self.round.state.slips[name].slip()

    def result(self, name: str, box: str) -> BetResult:
        (found,) = (result for result in self.round.results() if (result.player, result.box) == (name, box))
        return found

    def effective(self) -> dict[tuple[str, str], int]:
        return {(result.player, result.box): result.effective for result in self.round.results()}


def voided(events: list[ev.AnyEvent]) -> ev.RoundVoided:
    """The void among the events; there is exactly one, and it comes last."""
    assert isinstance(events[-1], ev.RoundVoided)
    assert sum(isinstance(event, ev.RoundVoided) for event in events) == 1
    return events[-1]


def at_phase(table: Table, phase: Phase, dice: str = "113") -> Table:
    """Bring a round that is open for bets, or a new one, to a phase by ordinary acts."""
    if phase is Phase.NOT_OPEN:
        return table
    if table.phase is Phase.NOT_OPEN:
        table.open()
    match phase:
        case Phase.CLOSED:
            table.close()
        case Phase.DECLARED:
            table.declare(dice)
        case Phase.SETTLED:
            table.settle(dice)
        case Phase.CONCLUDED:
            table.conclude(dice)
        case Phase.VOID:
            table.do(cmd.InterruptRound, known=[])
        case Phase.INTERRUPTED:
            table.do(cmd.SuspendRound)
        case Phase.AWAITING_RULING:
            table.close()
            table.tumble()
            table.do(cmd.InterruptRound, known=[4], readable=False)
    return table
