"""A round written down as it is played: who did what, the answer with its clause, and everyone's money."""

from collections.abc import Iterator
from typing import Any

import taisai
from taisai.dice import Roll
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.explain import box_name, catalogue, explain
from taisai.game.limits import Limits
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from tests.rules.table import Table

_WORDS = catalogue("en")
_CLAUSE_COLUMN = 88


def boxes(slip: dict[str, int]) -> str:
    """300 on Big, 50 on Total 9; or nothing."""
    return ", ".join(f"{amount:,} on {box_name(box, _WORDS)}" for box, amount in slip.items()) or "nothing"


def who(actor: Actor) -> str:
    return actor.name if actor.role is Role.PLAYER else f"{actor.name} ({_WORDS['terms'][actor.role]})"


class Script(Table):
    """A table that writes down what happens at it."""

    def __init__(self, pay_table: str, limits: Limits | None = None, **more: Any) -> None:
        self.lines: list[str] = []
        super().__init__(pay_table, limits, **more)

    def do(self, kind: type[cmd.Command], /, *args: Any, **facts: Any) -> list[ev.AnyEvent]:
        decision = super().do(kind, *args, **facts)
        for at, event in enumerate(decision):
            self._write(event, event.clause, f"{_time(event)}  {who(event.by)}" if not at else "")
            self.lines += [f"           {line}" for line in self._details(event)]
        return decision

    def refused(self, kind: type[cmd.Command], /, *args: Any, **facts: Any) -> Refusal:
        refusal = super().refused(kind, *args, **facts)
        self.minutes -= 1
        asked = self.command(kind, *args, **facts)
        self._line(f"{_time(asked)}  {who(asked.by)} asks to {_wish(asked)}", "")
        self.lines.append(f"         ✗ {explain(refusal)[0]}")
        return refusal

    def _write(self, event: ev.AnyEvent, clause: str, begins: str) -> None:
        sentence = _sentence(event)
        self._line(f"{begins} {sentence}" if begins else f"         → {sentence}", clause)

    def _line(self, text: str, clause: str) -> None:
        self.lines.append(f"{text:<{_CLAUSE_COLUMN}}  {clause}".rstrip())

    def _details(self, event: ev.AnyEvent) -> Iterator[str]:
        """What belongs to an event but is too much for its line."""
        match event:
            case ev.BettingOpened(limits=limits):
                if self.limits:
                    yield from _limits(limits)
            case ev.BetsPlaced(cuts=cuts, chips=chips):
                for cut in cuts:
                    taken = f"{cut.accepted:,} of {cut.asked:,} taken under the limit of {cut.limit:,}"
                    yield f"{box_name(cut.box, _WORDS)}: {taken} ({cut.clause})"
                if chips:
                    yield f"of this in {chips.colour} chips of {chips.value:,}: {boxes(chips.boxes)}"
            case ev.RoundVoided():
                back = ", ".join(f"{name} {amount:,}" for name, amount in event.returned.items())
                yield f"returned: {back or 'nothing'} ({event.returns_clause})"

    # --- the end ---------------------------------------------------------------------------------------

    def finish(self) -> str:
        """Everything written so far, with the results, the reasons and the money."""
        parts = ["\n".join(self.lines)]
        if self.state.outcome or self.phase is Phase.VOID:
            parts.append("\n".join(self._reasons()))
        parts.append("\n".join(self._money()))
        return "\n\n".join(part for part in parts if part)

    def _reasons(self) -> Iterator[str]:
        yield "why"
        for result in self.round.results():
            yield f"  {result.player}, {boxes({result.box: result.stake})}: {result.returned:,} back"
            yield from (f"    {sentence}" for sentence in explain(result))

    def _money(self) -> Iterator[str]:
        stakes, paid = self.state.stakes_by_player(), self.paid
        is_void = self.phase is Phase.VOID
        is_settled = self.phase in (Phase.SETTLED, Phase.CONCLUDED)
        yield f"money in round {self.state.number}: {_standing(self.state.standing)}"
        if not stakes:
            yield "  nobody has a bet in it"
        for name, staked in stakes.items():
            if is_void:
                yield f"  {name:<8} bet {staked:>7,}   got back {staked:>7,}   net {0:>+7,}"
            elif is_settled:
                back = paid.get(name, 0)
                yield f"  {name:<8} bet {staked:>7,}   got back {back:>7,}   net {back - staked:>+7,}"
            else:
                yield f"  {name:<8} bet {staked:>7,}   still lying"
        if is_settled:
            yield f"  {'house':<41} net {sum(stakes.values()) - sum(paid.values()):>+7,}"


def _limits(limits: Limits) -> Iterator[str]:
    maximum = limits.default.maximum
    most = f", at most {maximum:,}" if maximum else ""
    noticed = ", noticed by the dealer" if limits.notice == "by-dealer" else ""
    yield f"each box takes at least {limits.default.minimum:,}{most}, in chips of {limits.unit:,}{noticed}"
    for pair, limit in limits.differential.items():
        yield f"{_WORDS['terms'][pair]} may differ by {limit:,}"


def _standing(phase: Phase) -> str:
    return _WORDS["terms"][phase]


def _time(at: ev.AnyEvent | cmd.Command) -> str:
    return f"{at.at:%H:%M}"


def _wish(command: Any) -> str:
    match command:
        case cmd.PlaceBets(player=name, slip=slip):
            whose = "" if command.by.name == name else f" for {name}"
            return f"bet {boxes(slip)}{whose}"
        case cmd.DeclareRoll(roll=roll):
            return f"declare {roll}"
        case cmd.CorrectResult(roll=roll):
            return f"correct the result to {roll}"
        case cmd.InterruptRound(known=known):
            return f"report an interruption with {_faces(known)}"
        case cmd.VoidRound(ground=ground):
            return f"void the round: {_WORDS['terms'][ground]}"
        case cmd.RejectExcess(on=on):
            return f"reject the excess on {_on(on)}"
        case cmd.MakeRuling(decision=decision):
            return f"rule: {decision}"
        case cmd.OpenBetting(limits=limits):
            return f"open the betting with chips of {limits.unit}"
    return _WISHES[type(command)]


_WISHES = {
    cmd.CloseBetting: "close the betting",
    cmd.CoverTumbler: "cover the tumbler",
    cmd.ActivateTumbler: "activate the tumbler",
    cmd.ExposeDice: "lift the cover",
    cmd.SettleBets: "settle",
    cmd.ConcludeRound: "conclude the round",
    cmd.AdviseMinimum: "advise of the minimum",
    cmd.ReturnBelowMinimum: "return a bet below the minimum",
    cmd.RecordWalkAway: "record that a player left",
    cmd.RecordCutOff: "record a terminal cut off",
    cmd.ReportDamagedDice: "report damaged dice",
    cmd.CorrectBets: "correct the bets",
    cmd.ResumeRound: "resume",
    cmd.SuspendRound: "suspend the round",
}


def _faces(known: list[int]) -> str:
    return f"{' and '.join(map(str, known))} read" if known else "no die read"


def _on(on: str) -> str:
    return _WORDS["terms"].get(on) or box_name(on, _WORDS)


def _flat(*, flat: bool) -> str:
    return "" if flat else ", one of them not flat"


def _sentence(event: ev.AnyEvent) -> str:
    match event:
        case ev.BettingOpened():
            said = taisai.rulebook(event.rulebook).procedure.say_open
            return f"opens round {event.number} of {event.table}: '{said}'"
        case ev.BetsPlaced():
            ways = {"felt": f" from {event.player}'s chips", "on-request": f" for {event.player}, who asked"}
            for_whom = ways.get(event.how or "", "")
            return f"has {boxes(event.slip)}{for_whom}" if event.slip else f"has no bets{for_whom}"
        case ev.BettingClosed():
            excess = {"": "", "rejected": ", the excess rejected", "left": ", the excess left"}
            by = excess.get(event.excess_by, ", by the clock, the excess not rejected")
            return f"closes the betting: {event.players} players, {event.staked:,} staked{by}"
        case ev.TumblerCovered():
            return "covers the tumbler"
        case ev.TumblerActivated():
            return f"sets the tumbler off: {event.tumbles} tumbles{_seen(event)}"
        case ev.DiceExposed():
            return f"lifts the cover: three dice{_flat(flat=event.flat)}"
        case ev.RollDeclared():
            return f"declares {event.roll}, total {event.roll.total}"
        case ev.KnownFacesDeclared():
            return f"settles on {_faces(event.known)}, whatever the others showed"
        case ev.PayoutsMade():
            return "pays " + ", ".join(f"{name} {amount:,}" for name, amount in event.payouts.items())
        case ev.BetsSettled():
            return f"has settled {event.bets} bets: {event.staked:,} staked, {event.paid:,} back"
        case ev.RoundConcluded():
            return "concludes the round"
    return _irregular(event)


def _seen(event: ev.TumblerActivated) -> str:
    return f" in the open{_flat(flat=event.flat)}" if event.exposed else " under the cover"


def _taken(taken: list[ev.ChipsTaken]) -> str:
    return ", ".join(f"{chips.player} {boxes({chips.box: chips.amount})}" for chips in taken)


def _irregular(event: ev.AnyEvent) -> str:
    match event:
        case ev.ExcessRejected():
            return f"rejects the excess on {_on(event.on)}: {_taken(event.taken)}"
        case ev.MinimumAdvised():
            return f"tells {event.player} that {boxes({event.box: event.stake})} is below {event.minimum:,}"
        case ev.BetsReturned():
            return f"returns {_taken(event.taken)}"
        case ev.PlayerAbsent():
            return f"notes that {event.player} {'is cut off' if event.cut_off else 'has left'}"
        case ev.RoundVoided():
            return f"THE ROUND IS VOID: {_WORDS['terms'][event.ground]}"
        case ev.DamagedDiceReported():
            rounds = ", ".join(map(str, event.rounds))
            return f"with {who(event.second)} reports damaged dice, rounds {rounds}: {event.reason}"
        case ev.RoundSuspended():
            return "holds the round where it is"
        case ev.RoundInterrupted():
            established = "an outcome is established" if event.established else "no outcome is established"
            never = "" if event.readable else ", and the rest can never be read"
            return f"reports an interruption, {_faces(event.known)}: {established}{never}"
        case ev.RoundResumed():
            return "resumes"
    return _corrective(event)


def _corrective(event: ev.AnyEvent) -> str:
    match event:
        case ev.ResultCorrected():
            change = f"the result from {event.before} to {event.after}: {event.reason}"
            return f"with {who(event.second)} corrects {change}"
        case ev.SettlementReversed():
            return "takes back " + ", ".join(f"{name} {amount:,}" for name, amount in event.payouts.items())
        case ev.BetsCorrected():
            change = f"from {boxes(event.before)} to {boxes(event.after)}"
            return f"with {who(event.second)} corrects {event.player}'s bets {change}: {event.reason}"
        case ev.DisplayFaultRecorded():
            return f"notes a fault of the {event.kind}: {event.what}"
        case ev.RulingMade():
            dice = f" {event.roll}" if isinstance(event.roll, Roll) else ""
            return f"with {who(event.second)} rules: {event.decision}{dice}, since {event.reason}"
    raise AssertionError(event)
