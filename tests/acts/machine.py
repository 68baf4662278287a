"""Who does what at random: dealers, players, supervisors, terminals, the cage, the house's own restarts."""

from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from taisai.dice import ROLLS, Roll
from taisai.floor.cage import RedeemTicket
from taisai.floor.cluster.messages import CashOutToTicket, CreditIn, NewTicket, SetService
from taisai.floor.desks.decider import SYSTEM
from taisai.floor.table.player_names import plain_player
from taisai.game.acts import Phase
from taisai.game.refusals import Refusal
from taisai.ledger.accounts import receivable, unclaimed
from taisai.rulebooks.catalogue import pay_table
from taisai.rulebooks.model import Ground
from taisai.server.sockets.console_view import next_act
from tests.acts.watched_house import CASHIER, SHIFT, TABLES, TERMINALS, WatchedHouse
from tests.floor.houses import DEALER, MANAGER, SUPERVISOR, SmallHouse

PLAYERS = ("ann", "bo", "cho")
COLOURS = ("red", "Red", "blue")
LIVE = [kind for kind, plan in TABLES.items() if plan.kind == "live"]
BOXES = ("big", "small", "single-4", "sum-9", "double-4", "any-triple", "domino-12", "odd", "trio-123")

tables = st.integers(0, 1)
players = st.sampled_from(PLAYERS)
colours = st.sampled_from(COLOURS)
terminals = st.sampled_from(TERMINALS)
rolls = st.sampled_from(ROLLS)
backs = st.sampled_from([0, 0, 0, 1, 1, 2, 3])
slips = st.dictionaries(st.sampled_from(BOXES), st.integers(1, 30), max_size=4)
few = st.integers(0, 6)
steps = st.integers(0, 7)  # how far the round goes on before something is corrected
seldom = st.sampled_from([False, False, True])

is_live = precondition(lambda self: any(name != "C1" for name in self.house.tables))
has_cluster = precondition(lambda self: "C1" in self.house.tables)


class AnyActs(RuleBasedStateMachine):
    """A house with tables of these kinds; `ended` hears of each case at its end."""

    kinds: ClassVar[tuple[str, ...]] = ("credits", "cluster")
    made: ClassVar[type[SmallHouse]] = SmallHouse
    ended: ClassVar[Callable[[WatchedHouse], None]]

    def __init__(self) -> None:
        super().__init__()
        self.house = WatchedHouse(self.kinds, self.made)
        self.version = 0
        self.tickets: list[str] = []

    def name(self, table: int) -> str:
        return self.house.tables[table % len(self.house.tables)]

    def live(self, table: int) -> str:
        """A live table: the one that is meant, or the other where that is a cluster."""
        name = self.name(table)
        return self.name(table + 1) if name == "C1" else name

    def unit(self, table: str) -> int:
        settings = self.house.state(table).settings
        return settings.limits.unit if settings else 5

    def slip(self, table: str, slip: dict[str, int]) -> dict[str, int]:
        """Units as amounts, on boxes that this layout has."""
        settings = self.house.state(table).settings
        boxes = pay_table(settings.pay_table).by_id if settings else {}
        return {box: units * self.unit(table) for box, units in slip.items() if box in boxes}

    def number(self, table: str, back: int) -> int:
        return max(1, self.house.state(table).number - back)

    # --- the course of play -------------------------------------------------------------------------

    @initialize(red=players, blue=players, chips=st.integers(1, 12), units=st.integers(1, 3))
    def the_evening_begins(self, red: str, blue: str, chips: int, units: int) -> None:
        """Everybody has money, some have colours, and a round is open at every table."""
        for name in self.house.tables:
            unit = self.unit(name)
            for player in PLAYERS if name != "C1" else ():
                self.house.do(name, "BuyIn", player=player, amount=60 * unit)
            for player, colour in ((red, "red"), (blue, "blue")) if name.startswith("K") else ():
                sale = {"colour": colour, "chips": chips, "value": units * unit}
                self.house.do(name, "IssueColour", player=player, **sale)
            self.house.do(name, "StartRound")
        for terminal in TERMINALS if "C1" in self.house.tables else ():
            self.notes(terminal, 60, "cash")

    def course(self, name: str, roll: Roll, steps: int, part: int | None = None) -> None:
        """The next acts that the course of play asks for, up to the opening of a round."""
        for _ in range(steps):
            act = next_act(self.house.state(name))
            if act is None:
                return
            current = self.house.state(name).current
            noticed = current is not None and any(current.breaches())
            fields: dict[str, Any] = {
                "CloseBetting": {"excess": "leave" if part else "reject"} if noticed else {},
                "ActivateTumbler": {"tumbles": 3},
                "DeclareRoll": {"roll": list(roll.faces)},
                "SettleBets": {"players_max": part},
                "MakeRuling": {"decision": "settle-known", "reason": "never to be read"},
            }.get(act, {})
            by = SHIFT if act == "MakeRuling" else DEALER
            if isinstance(self.house.do(name, act, by=by, **fields), Refusal) or act == "StartRound":
                return

    @rule(table=tables, roll=rolls, count=st.integers(1, 8), part=st.sampled_from([None, 1]))
    def go_on(self, table: int, roll: Roll, count: int, part: int | None) -> None:
        self.course(self.name(table), roll, count, part)

    @rule(table=tables, roll=rolls)
    def play_to_the_next_round(self, table: int, roll: Roll) -> None:
        self.course(self.name(table), roll, 8)

    def open_round(self, name: str, roll: Roll) -> None:
        """Bring a table to where bets are taken."""
        current = self.house.state(name).current
        if current is None or current.phase is not Phase.BETTING or current.held:
            self.course(name, roll, 8)

    @is_live
    @rule(table=tables, roll=rolls, asked=st.dictionaries(players, slips, min_size=1))
    def bets(self, table: int, roll: Roll, asked: dict[str, dict[str, int]]) -> None:
        name = self.live(table)
        self.open_round(name, roll)
        for player, slip in asked.items():
            self.version += 1
            self.house.do(name, "PlaceBets", player=player, slip=self.slip(name, slip), version=self.version)

    @is_live
    @rule(
        table=tables,
        player=players,
        slip=st.dictionaries(st.sampled_from(BOXES), st.tuples(few, few), max_size=3),
        roll=rolls,
        wrong=st.sampled_from([0, 0, 0, 0, 5]),
        data=st.data(),
    )
    def bet_in_colour(
        self,
        table: int,
        player: str,
        slip: dict[str, tuple[int, int]],
        roll: Roll,
        wrong: int,
        data: st.DataObject,
    ) -> None:
        """Some chips in colour and some units beside them; now and then somebody else's, or another value."""
        name, self.version = self.live(table), self.version + 1
        self.open_round(name, roll)
        rack = self.house.state(name).rack
        own = (
            [colour for colour, held in rack.colours.items() if held.holder == f"{player}@{name}"]
            if rack
            else []
        )
        colour = data.draw(st.sampled_from([*own, *own, *own, *COLOURS]))
        said = self.in_colour(name, slip, colour, wrong)
        self.house.do(name, "PlaceBets", player=player, version=self.version, **said)

    def in_colour(
        self, name: str, slip: dict[str, tuple[int, int]], colour: str, wrong: int = 0
    ) -> dict[str, Any]:
        rack = self.house.state(name).rack
        held = rack.find(colour)[1] if rack else None
        value, unit = (held.value if held else 2 * self.unit(name)) + wrong, self.unit(name)
        here = self.slip(name, dict.fromkeys(slip, 1))
        whole = {box: slip[box][0] * value + slip[box][1] * unit for box in here}
        boxes = {box: slip[box][0] * value for box in here if slip[box][0]}
        return {
            "slip": {box: amount for box, amount in whole.items() if amount},
            "chips": {"colour": colour, "value": value, "boxes": boxes},
        }

    # --- money at a live table ----------------------------------------------------------------------

    @is_live
    @rule(table=tables, player=players, units=st.integers(0, 400), promo=st.booleans())
    def buy_in(self, table: int, player: str, units: int, promo: bool) -> None:
        name = self.live(table)
        gift = {"source": "promo"} if promo else {}
        self.house.do(name, "BuyIn", by=SUPERVISOR, player=player, amount=units * self.unit(name), **gift)

    @is_live
    @rule(table=tables, player=players, chips=st.sampled_from([0, 0, 5, 100, 1_000]), known=st.booleans())
    def cash_out(self, table: int, player: str, chips: int, known: bool) -> None:
        shown = {"identity": {"document": "passport", "last": "41Z"}} if known else {}
        self.house.do(self.live(table), "CashOut", player=player, chips=chips, **shown)

    @is_live
    @rule(table=tables, player=players, colour=colours, chips=few, units=st.integers(1, 3))
    def sell_colour(self, table: int, player: str, colour: str, chips: int, units: int) -> None:
        name = self.live(table)
        value = units * self.unit(name)
        self.house.do(name, "IssueColour", player=player, colour=colour, chips=chips, value=value)

    @is_live
    @rule(
        table=tables,
        act=st.sampled_from(["ChangeBack", "ChangeBack", "PayInColour", "CollectColour", "DeclareMissing"]),
        chips=few,
        data=st.data(),
    )
    def at_the_rack(self, table: int, act: str, chips: int, data: st.DataObject) -> None:
        """Mostly with a colour that is out and whoever holds it."""
        name = self.live(table)
        rack = self.house.state(name).rack
        held = (
            [(plain_player(one.holder, name), colour) for colour, one in rack.colours.items()] if rack else []
        )
        player, colour = data.draw(st.sampled_from(3 * held + [("ann", "red"), ("bo", "BLUE")]))
        self.house.do(name, act, by=SUPERVISOR, player=player, colour=colour, chips=chips)

    @is_live
    @rule(
        table=tables,
        act=st.sampled_from(["TakeSeat", "LeaveSeat", "LeaveTable", "RecordWalkAway"]),
        player=players,
        seat=st.integers(1, 3),
    )
    def come_and_go(self, table: int, act: str, player: str, seat: int) -> None:
        fields = {"TakeSeat": {"seat": seat, "player": player}, "LeaveSeat": {"seat": seat}}
        self.house.do(self.live(table), act, **fields.get(act, {"player": player}))

    # --- irregularities -----------------------------------------------------------------------------

    @rule(
        table=tables,
        act=st.sampled_from(["SuspendRound", "ResumeRound", "CloseBetting", "CoverTumbler", "ExposeDice"]),
    )
    def out_of_turn(self, table: int, act: str) -> None:
        self.house.do(self.name(table), act)

    @rule(table=tables, tumbles=st.integers(1, 3), uncovered=seldom, flat=st.booleans(), really=seldom)
    def tumble(self, table: int, tumbles: int, uncovered: bool, flat: bool, really: bool) -> None:
        if really:
            self.house.do(
                self.name(table), "ActivateTumbler", tumbles=tumbles, uncovered=uncovered, flat=flat
            )

    @rule(table=tables, known=st.lists(st.integers(1, 6), max_size=3), readable=st.booleans())
    def interrupt(self, table: int, known: list[int], readable: bool) -> None:
        self.house.do(self.name(table), "InterruptRound", known=known, readable=readable)

    @rule(table=tables, on=st.sampled_from(["big", "small", "big-small", "sum-9"]))
    def reject_excess(self, table: int, on: str) -> None:
        self.house.do(self.name(table), "RejectExcess", on=on)

    @rule(
        table=tables,
        ground=st.sampled_from([str(ground) for ground in Ground]),
        two=st.booleans(),
        really=seldom,
    )
    def void(self, table: int, ground: str, two: bool, really: bool) -> None:
        if not really:
            return
        by = SUPERVISOR if two else DEALER
        self.house.do(self.name(table), "VoidRound", by=by, ground=ground)
        self.house.verify()

    @rule(table=tables, back=backs, more=st.booleans())
    def damaged_dice(self, table: int, back: int, more: bool) -> None:
        name = self.name(table)
        number = self.number(name, back)
        rounds = [number - 1, number] if more and number > 1 else [number]
        self.house.do(name, "ReportDamagedDice", number=number, rounds=rounds, reason="a chipped edge")
        self.house.verify()

    @rule(table=tables, back=backs, before=rolls, steps=steps, roll=rolls)
    def correct_result(self, table: int, back: int, before: Roll, steps: int, roll: Roll) -> None:
        name = self.name(table)
        self.course(name, before, steps, 1)
        fields = {"roll": list(roll.faces), "reason": "misread"}
        self.house.do(name, "CorrectResult", number=self.number(name, back), **fields)
        self.house.verify()

    @is_live
    @rule(table=tables, back=backs, roll=rolls, steps=steps, player=players, slip=slips)
    def correct_bets(
        self, table: int, back: int, roll: Roll, steps: int, player: str, slip: dict[str, int]
    ) -> None:
        name = self.live(table)
        self.course(name, roll, steps)
        fields = {"player": player, "slip": self.slip(name, slip), "reason": "the felt"}
        self.house.do(name, "CorrectBets", number=self.number(name, back), **fields)
        self.house.verify()

    @is_live
    @rule(
        table=tables,
        back=backs,
        roll=rolls,
        steps=steps,
        player=players,
        slip=st.dictionaries(st.sampled_from(BOXES), st.tuples(few, few), max_size=2),
        colour=colours,
    )
    def correct_colours(
        self,
        table: int,
        back: int,
        roll: Roll,
        steps: int,
        player: str,
        slip: dict[str, tuple[int, int]],
        colour: str,
    ) -> None:
        name = self.live(table)
        self.course(name, roll, steps, 1)
        said = self.in_colour(name, slip, colour)
        number = self.number(name, back)
        self.house.do(name, "CorrectBets", number=number, player=player, reason="the felt", **said)
        self.house.verify()

    @rule(
        table=tables,
        back=backs,
        decision=st.sampled_from(["void", "declare", "settle-known", "return-bets", "record"]),
        roll=rolls,
        data=st.data(),
    )
    def rule_on_it(self, table: int, back: int, decision: str, roll: Roll, data: st.DataObject) -> None:
        name = self.name(table)
        number = self.number(name, back)
        fields: dict[str, Any] = {"decision": decision, "reason": "so ruled"}
        if decision == "declare":
            fields["roll"] = list(roll.faces)
        played = self.house.state(name).rounds.get(number)
        bets = [(bet.player, bet.box) for bet in played.bets()] if played else []
        if decision == "return-bets" and bets:
            player, box = data.draw(st.sampled_from(bets))
            fields["bets"] = [{"player": player, "box": box}]
        self.house.do(name, "MakeRuling", by=SHIFT, number=number, **fields)
        self.house.verify()

    @rule(table=tables, units=st.integers(0, 20), waive=st.booleans(), data=st.data())
    def collect_owed(self, table: int, units: int, waive: bool, data: st.DataObject) -> None:
        """Mostly of somebody who owes something."""
        name = self.name(table)
        state = self.house.state(name)
        owing = [who for who in sorted(state.players) if state.book.balance(receivable(who))]
        player = data.draw(st.sampled_from([*owing, *owing, *owing, "ann"]))
        fields = {"player": plain_player(player, name), "amount": units * self.unit(name), "waive": waive}
        self.house.do(name, "CollectOwed", by=SHIFT, reason="settled", **fields)

    @rule(table=tables, units=st.integers(0, 20), data=st.data())
    def pay_unclaimed(self, table: int, units: int, data: st.DataObject) -> None:
        """Mostly to somebody for whom something waits, and mostly all of it."""
        name = self.name(table)
        state = self.house.state(name)
        waiting = {who: state.book.balance(unclaimed(who)) for who in sorted(state.players)}
        found = [(who, amount) for who, amount in waiting.items() if amount]
        player, amount = data.draw(st.sampled_from([*found, *found, ("ann", units * self.unit(name))]))
        fields = {"player": plain_player(player, name), "amount": amount, "reason": "came back"}
        self.house.do(name, "PayUnclaimed", by=SHIFT, **fields)

    # --- a cluster ----------------------------------------------------------------------------------

    @has_cluster
    @rule(terminal=terminals, units=st.integers(0, 200), source=st.sampled_from(["cash", "cash", "promo"]))
    def notes_in(self, terminal: str, units: int, source: Any) -> None:
        self.notes(terminal, units, source)

    def notes(self, terminal: str, units: int, source: Any) -> None:
        at, amount = self.house.house.now(), units * self.unit("C1")
        self.house.ask("C1", CreditIn(by=SYSTEM, at=at, terminal=terminal, source=source, amount=amount))

    @has_cluster
    @rule(terminal=terminals, slip=slips, roll=rolls)
    def bet_at_a_terminal(self, terminal: str, slip: dict[str, int], roll: Roll) -> None:
        self.version += 1
        self.open_round("C1", roll)
        self.house.bet_at(terminal, self.slip("C1", slip), self.version)

    @has_cluster
    @rule(terminal=terminals)
    def ticket_out(self, terminal: str) -> None:
        name = f"{len(self.tickets):064x}"
        new = NewTicket(name=name, last_four="1234", days=30)
        at = self.house.house.now()
        answer = self.house.ask("C1", CashOutToTicket(by=SYSTEM, at=at, terminal=terminal, ticket=new))
        if not isinstance(answer, Refusal):
            self.tickets.append(name)

    @has_cluster
    @precondition(lambda self: bool(self.tickets))
    @rule(terminal=terminals, which=st.integers(0, 50), at_cage=st.booleans())
    def ticket_in(self, terminal: str, which: int, at_cage: bool) -> None:
        """At the cage or at a terminal, also one that was paid already."""
        ticket, at = self.tickets[which % len(self.tickets)], self.house.house.now()
        if at_cage:
            self.house.at_cage(RedeemTicket(by=CASHIER, at=at, ticket=ticket))
        else:
            self.house.ask(
                "C1", CreditIn(by=SYSTEM, at=at, terminal=terminal, source="ticket", ticket=ticket)
            )

    @has_cluster
    @rule(terminal=terminals, service=st.sampled_from(["in-service", "in-service", "door-open"]))
    def door(self, terminal: str, service: Any) -> None:
        at = self.house.house.now()
        self.house.ask("C1", SetService(by=SYSTEM, at=at, terminal=terminal, service=service))

    # --- the house ----------------------------------------------------------------------------------

    @is_live
    @rule(
        table=tables,
        money=st.sampled_from(["credits", "chips"]),
        kind=st.sampled_from(LIVE),
        really=seldom,
    )
    def change_the_table(self, table: int, money: Any, kind: str, really: bool) -> None:
        """Other rules, other money: between rounds, by two people, and not often."""
        if not really:
            return
        name, settings = self.live(table), TABLES[kind].settings
        new = msgspec.to_builtins(msgspec.structs.replace(settings, money=money))
        self.house.do(name, "OpenTable", by=MANAGER, settings=new, reason="another game")

    @rule(seconds=st.integers(1, 600))
    def time_passes(self, seconds: int) -> None:
        self.house.run(self.house.small.pass_time(seconds))

    @rule()
    def restart(self) -> None:
        self.house.restart()
        self.house.verify()

    @invariant()
    def all_is_where_it_must_be(self) -> None:
        self.house.look()

    def teardown(self) -> None:
        try:
            self.house.verify()
            self.ended(self.house)
        finally:
            self.house.close()
