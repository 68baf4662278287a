"""The round and a naive model of it, asked the same things side by side."""

from typing import Any

import msgspec

from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.acts import Phase
from taisai.game.limits import Limit, Limits
from taisai.game.refusals import Refusal
from taisai.game.round import Round
from tests.rules.table import Table
from tests.unit.naive_house import House
from tests.unit.naive_round import NaiveRound

PLAYERS = ("Ann", "Bob", "Cyd")
BOXES = ("big", "small", "any-triple", "sum-9", "single-3", "odd", "pair-112")

HOUSES = [
    House(pay_table, minimum, maximum, 10, notice, differential, box_total)
    for pay_table, notices in [
        ("tai-sai-v3/1", ["at-placement"]),
        ("tai-sai-open-cover/2", ["at-placement"]),
        ("tai-sai-v4/1", ["at-placement", "by-dealer"]),
        ("tai-sai-v6/2", ["at-placement", "by-dealer"]),
        ("sic-bo-etg-v8/2", ["at-placement"]),
    ]
    for notice in notices
    for minimum, maximum in [(10, None), (50, 300)]
    for differential in ([None, 100] if "v4" in pay_table or "v6" in pay_table else [None])
    for box_total in ([None, 400] if "etg" in pay_table else [None])
]


class Pair:
    """Asks both for the same things and compares what they say, and what players have gained."""

    def __init__(self, house: House) -> None:
        totals = dict.fromkeys(BOXES[:-1], house.box_total) if house.box_total else {}
        limits = Limits(
            unit=house.unit,
            default=Limit(house.minimum, house.maximum),
            notice=house.notice,
            differential={} if house.differential is None else {"big-small": house.differential},
            box_totals=totals,
        )
        self.table = Table(house.pay_table, limits, opened=False)
        self.naive = NaiveRound(house)
        self.gained: dict[str, int] = {}
        self.lay: dict[str, dict[str, int]] = {}
        self.ask(cmd.OpenBetting, **self.table.opening())

    def ask(self, kind: type[cmd.Command], /, **facts: Any) -> bool:
        """Ask the machine and the model; apply what follows; refused acts change nothing."""
        command = self.table.command(kind, **facts)
        before, lying = self.table.state.copy(), self.table.state.stakes_by_player()
        decision = self.table.round.ask(command)
        assert self.table.state == before
        accepted = self.naive.accepts(command)
        assert isinstance(decision, Refusal) != accepted, (command, decision, self.naive.phase)
        if isinstance(decision, Refusal):
            assert decision.clause
            return False
        self.table.round.apply(decision)
        self.naive.do(command)
        for event in decision:
            self._follow(event)
            if isinstance(event, ev.RoundVoided):
                assert event.returned == lying
            if isinstance(event, ev.BetsPlaced):
                assert before.phase is Phase.BETTING
        return True

    def _follow(self, event: ev.AnyEvent) -> None:
        """Move money as the event says."""
        moves: dict[str, int] = {}
        match event:
            case ev.BetsPlaced(player=name, slip=slip) | ev.BetsCorrected(player=name, after=slip):
                moves = {name: sum(self.lay.get(name, {}).values()) - sum(slip.values())}
                self.lay[name] = dict(slip)
            case ev.ExcessRejected(taken=taken) | ev.BetsReturned(taken=taken):
                for chips in taken:
                    moves[chips.player] = moves.get(chips.player, 0) + chips.amount
                    self.lay[chips.player][chips.box] -= chips.amount
            case ev.PayoutsMade(payouts=paid):
                moves = paid
            case ev.SettlementReversed(payouts=paid):
                moves = {name: -amount for name, amount in paid.items()}
            case ev.RoundVoided(returned=returned):
                moves = returned
        for name, amount in moves.items():
            self.gained[name] = self.gained.get(name, 0) + amount

    def check(self) -> None:
        """What must hold after every act."""
        self._both_say_the_same()
        self._money_in_is_money_out()

    def _both_say_the_same(self) -> None:
        state, naive = self.table.state, self.naive
        phases = {"none": Phase.NOT_OPEN, "awaiting": Phase.AWAITING_RULING}
        assert state.phase is (phases.get(naive.phase) or Phase(naive.phase))
        assert bool(state.held) == naive.held
        assert {name: slip.slip() for name, slip in state.slips.items() if slip.amounts} == {
            name: naive.slip(name) for name in naive.lying()
        }
        assert state.totals == {box: naive.total(box) for box in BOXES if naive.total(box)}
        assert state.paid == naive.paid
        assert (state.roll.faces if state.roll else None) == naive.roll
        breaches = {breach.on: (breach.box, breach.excess) for breach in state.breaches()}
        if naive.house.has_pro_rata:
            on = (*BOXES, "big-small")
            assert breaches == {name: naive.breach(name) for name in on if naive.breach(name)}
        assert {(name, box) for name, box, _, _ in state.below_minimum()} == {
            (name, box)
            for name in PLAYERS
            for box, stake in naive.slip(name).items()
            if stake < naive.house.minimum
        }

    def _money_in_is_money_out(self) -> None:
        """What a player has gained is what the events moved; the rest lies, or is the house's."""
        state = self.table.state
        for name in PLAYERS:
            assert self.gained.get(name, 0) == self.naive.gained.get(name, 0)
            lying = 0 if state.phase is Phase.VOID else state.stakes_by_player().get(name, 0)
            assert self.gained.get(name, 0) == state.paid.get(name, 0) - lying
        if state.phase is Phase.VOID:
            assert not any(self.gained.values())

    def finish(self) -> None:
        """A replay through bytes gives the same state; no bet is taken at or after the closing."""
        events = self.table.round.events
        stored = msgspec.json.encode(events)
        read = msgspec.json.decode(stored, type=list[ev.AnyEvent])
        assert read == events
        assert Round.rebuild(read).state == self.table.state
        kinds = [type(event) for event in events]
        if ev.BettingClosed in kinds:
            assert ev.BetsPlaced not in kinds[kinds.index(ev.BettingClosed) :]

    # --- the next ordinary act, so that rounds come to their end -------------------------------------------

    def deal(self, roll: Any) -> None:
        naive = self.naive
        match naive.phase:
            case "betting":
                self.ask(cmd.CloseBetting, excess="leave")
            case "closed" if not naive.tumbled and not naive.covered and not naive.house.is_open:
                self.ask(cmd.CoverTumbler)
            case "closed" if not naive.tumbled:
                self.ask(cmd.ActivateTumbler, tumbles=3)
            case "closed" if not naive.seen:
                self.ask(cmd.ExposeDice)
            case "closed":
                self.ask(cmd.DeclareRoll, roll=roll)
            case "declared":
                self.ask(cmd.SettleBets)
            case "settled":
                self.ask(cmd.ConcludeRound)
