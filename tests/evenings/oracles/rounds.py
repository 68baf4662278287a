"""Each round against the naive model, with its own settlement, and each player's money against the events."""

from datetime import datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from taisai.record.journal import Commit
from tests.evenings.oracles.record import Books, Fact, Violate, chips_taken, plain_name
from tests.unit.naive_house import House
from tests.unit.naive_round import NaiveRound


class RoundReader:
    """One round, followed event by event."""

    def __init__(self, violate: Violate, opened: Fact) -> None:
        limits = opened.body["limits"]
        sides = limits.get("differential") or {}
        self.name = f"{opened.table}/{opened.round}"
        self._violate = violate
        box_totals = limits.get("box_totals") or {}
        self.house = House(
            pay_table=opened.body["pay_table"],
            minimum=limits["default"]["minimum"],
            maximum=limits["default"].get("maximum"),
            unit=limits["unit"],
            notice=limits.get("notice", "at-placement"),
            differential=sides.get("big-small"),
            box_total=next(iter(box_totals.values()), None),
        )
        self.naive = NaiveRound(self.house, phase="betting")
        self.closes_at: datetime | None = None
        self.drawn: list[int] | str | None = None  # the dice, or a digest of them and their secret
        self.corrected = False

    def are_drawn(self, dice: list[int], secret: str) -> bool:
        """Whether dice are those that were drawn: in the clear, or as a digest with the secret of them."""
        if not isinstance(self.drawn, str):
            return self.drawn is None or sorted(self.drawn) == sorted(dice)
        fields = (b"taisai drawn 1", bytes.fromhex(secret), "-".join(map(str, dice)).encode())
        return (
            sha256(b"".join(len(each).to_bytes(8, "big") + each for each in fields)).hexdigest() == self.drawn
        )

    def wrong(self, what: str) -> None:
        self._violate(f"{self.name}: {what}")

    def follow(self, fact: Fact) -> None:
        handler = getattr(self, f"on_{plain_name(fact.name)}", None)
        if handler is not None:
            handler(fact.body)

    def _fits(self, act: str) -> None:
        if not self.naive.fits_phase(act):
            self.wrong(f"{act} was taken while the round stands at {self.naive.phase}")

    def on_bets_placed(self, body: dict[str, Any]) -> None:
        self._fits("PlaceBets")
        at = datetime.fromisoformat(body["at"])
        if self.closes_at is not None and at >= self.closes_at and body["asked"]:
            self.wrong(f"a bet of {at.time()} was taken after the deadline of {self.closes_at.time()}")
        player, naive = body["player"], self.naive
        version = naive.asked.get(player, (0, {}))[0]
        if body["version"] <= version:
            self.wrong(f"{player}'s slip {body['version']} follows {version}")
        chips = SimpleNamespace(**body["chips"]) if body.get("chips") else None
        asked = SimpleNamespace(slip=body["asked"], player=player, all_or_nothing=False, chips=chips)
        taken = naive.taken_of(asked)
        if taken != body["slip"]:
            self.wrong(f"{player} asked for {body['asked']}, {body['slip']} was taken and {taken} is right")
        naive.bring_to(player, body["slip"])
        naive.asked[player] = (body["version"], body["asked"])

    def on_betting_closed(self, body: dict[str, Any]) -> None:
        self._fits("CloseBetting")
        self.naive.phase = "closed"
        staked = sum(self.naive.lying().values())
        if staked != body["staked"]:
            self.wrong(f"{body['staked']} is said to be staked, and {staked} is")

    def on_tumbler_covered(self, body: dict[str, Any]) -> None:
        self._fits("CoverTumbler")
        self.naive.covered = True

    def on_tumbler_activated(self, body: dict[str, Any]) -> None:
        self._fits("ActivateTumbler")
        self.naive.tumbled = True

    def on_dice_exposed(self, body: dict[str, Any]) -> None:
        self._fits("ExposeDice")
        self.naive.seen = True

    def on_roll_declared(self, body: dict[str, Any]) -> None:
        self.naive.held = False
        if self.naive.phase not in ("closed", "awaiting"):
            self.wrong(f"a roll was declared while the round stands at {self.naive.phase}")
        if self.drawn is not None and not self.are_drawn(body["roll"], body["secret"]):
            self.wrong(f"{self.drawn} was drawn and {body['roll']} declared")
        self.naive.roll, self.naive.phase = tuple(body["roll"]), "declared"

    def on_payouts_made(self, body: dict[str, Any]) -> None:
        due = self.naive.payouts()
        for player, paid in body["payouts"].items():
            if paid != due.get(player):
                self.wrong(f"{player} was paid {paid}, and {due.get(player)} is right")
            if player in self.naive.paid:
                self.wrong(f"{player} was paid twice")
            self.naive.paid[player] = paid

    def on_bets_settled(self, body: dict[str, Any]) -> None:
        self.naive.phase = "concluded" if self.naive.phase == "concluded" else "settled"
        due = self.naive.payouts()
        if self.naive.paid != due:
            self.wrong(f"{self.naive.paid} was paid in all, and {due} is right")

    def on_round_concluded(self, body: dict[str, Any]) -> None:
        self._fits("ConcludeRound")
        self.naive.phase = "concluded"

    def on_excess_rejected(self, body: dict[str, Any]) -> None:
        self._fits("RejectExcess")
        breach = self.naive.breach(body["on"])
        taken = sum(each["amount"] for each in map(chips_taken, body["taken"]))
        if breach is None or breach[1] != taken:
            self.wrong(f"{taken} was rejected on {body['on']}, and {breach} is right")
        before = self.naive.lying()
        if breach is not None:
            self.naive.take(None, *breach)
        for player, stake in before.items():
            theirs = sum(
                each["amount"] for each in map(chips_taken, body["taken"]) if each["player"] == player
            )
            if self.naive.lying().get(player, 0) != stake - theirs:
                self.wrong(f"the excess of {player} is not their latest chips")

    def on_minimum_advised(self, body: dict[str, Any]) -> None:
        self._fits("AdviseMinimum")
        self.naive.told.add((body["player"], body["box"]))

    def on_bets_returned(self, body: dict[str, Any]) -> None:
        for each in map(chips_taken, body["taken"]):
            self.naive.take(each["player"], each["box"], each["amount"])

    def on_round_voided(self, body: dict[str, Any]) -> None:
        lying = self.naive.lying()
        if body["returned"] != lying:
            self.wrong(f"void, {body['returned']} went back and {lying} was staked")
        self.naive.phase, self.naive.held, self.naive.paid = "void", False, {}

    def on_round_suspended(self, body: dict[str, Any]) -> None:
        self._fits("SuspendRound")
        self.naive.held = True

    def on_round_interrupted(self, body: dict[str, Any]) -> None:
        self.naive.held, self.naive.known = True, list(body["known"])
        if not body["readable"] and len(body["known"]) < 3 and not self.naive.roll:
            self.naive.phase, self.naive.held = "awaiting", False

    def on_round_resumed(self, body: dict[str, Any]) -> None:
        self._fits("ResumeRound")
        self.naive.held = False

    def on_result_corrected(self, body: dict[str, Any]) -> None:
        self.naive.roll, self.naive.on_known, self.corrected = tuple(body["after"]), False, True
        self.drawn = None

    def on_known_faces_declared(self, body: dict[str, Any]) -> None:
        if self.naive.phase != "awaiting" or list(body["known"]) != self.naive.known:
            self.wrong(f"{body['known']} was settled on, and {self.naive.known} is known")
        self.naive.on_known, self.naive.phase, self.naive.held, self.drawn = True, "declared", False, None

    def on_ruling_made(self, body: dict[str, Any]) -> None:
        if body["decision"] == "declare":
            self.drawn = None
            if self.naive.roll is not None or self.naive.on_known:
                self.naive.roll, self.naive.on_known = tuple(body["roll"]), False

    def on_settlement_reversed(self, body: dict[str, Any]) -> None:
        self.corrected = True
        if body["payouts"] != self.naive.paid:
            self.wrong(f"{body['payouts']} was undone, and {self.naive.paid} had been paid")
        self.naive.paid = {}

    def on_bets_corrected(self, body: dict[str, Any]) -> None:
        self.naive.bring_to(body["player"], body["after"])


class Rounds:
    """All rounds of all tables."""

    def __init__(self, violate: Violate) -> None:
        self._violate = violate
        self.rounds: dict[tuple[str, int], RoundReader] = {}
        self.latest: dict[str, int] = {}
        self.done = 0

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        for fact in facts:
            if not fact.stream.startswith("table:"):
                continue
            if fact.name == "CreditsPaidOut":
                self._check_paid_out(fact)
            if fact.name == "BettingOpened" and fact.round is not None:
                if fact.round != self.latest.get(fact.table, 0) + 1:
                    self._violate(f"{fact.table}: round {fact.round} follows {self.latest.get(fact.table)}")
                before = self.rounds.get((fact.table, fact.round - 1))
                if before and before.naive.phase not in ("concluded", "void"):
                    self._violate(f"{before.name} is not over, and another round was opened")
                self.latest[fact.table] = fact.round
                self.rounds[fact.table, fact.round] = RoundReader(self._violate, fact)
                continue
            number = fact.round if fact.round is not None else fact.body.get("round")
            reader = self.rounds.get((fact.table, number or 0))
            if reader is None:
                continue
            self._follow(reader, fact)

    def _check_paid_out(self, fact: Fact) -> None:
        """Credits do not leave while their session has bets on the felt."""
        reader = self.rounds.get((fact.table, self.latest.get(fact.table, 0)))
        if reader is None or reader.naive.phase in ("concluded", "void"):
            return
        if reader.naive.lying().get(fact.body["session"]):
            reader.wrong(f"{fact.body['session']} was paid out with bets on the felt")

    def _follow(self, reader: RoundReader, fact: Fact) -> None:
        match fact.name:
            case "WindowSet":
                closes_at = fact.body["closes_at"]
                reader.closes_at = datetime.fromisoformat(closes_at) if closes_at else None
            case "DiceDrawn":
                if reader.drawn is not None:
                    reader.wrong("dice were drawn twice")
                if reader.naive.phase != "closed":
                    reader.wrong(f"dice were drawn while the round stands at {reader.naive.phase}")
                reader.drawn = fact.body["roll"] or fact.body["drawn"]
            case "RoundConcluded":
                self.done += 1
                reader.follow(fact)
            case _:
                reader.follow(fact)


class Purses:
    """What each player has follows from what happened: paid in, staked, won, paid out; to the unit."""

    def __init__(self, violate: Violate, books: Books) -> None:
        self._violate, self._books = violate, books
        self._due: dict[str, int] = {}
        self._staked: dict[tuple[str, int | None, str], int] = {}
        self._paid: dict[tuple[str, int | None, str], int] = {}
        self._other_money: set[str] = set()  # players and tables whose money is chips

    def read(self, commit: Commit, facts: list[Fact]) -> None:
        touched: set[str] = set()
        for fact in facts:
            if fact.stream.startswith("table:"):
                touched |= self._follow(fact)
        for player in sorted(touched):
            table = player.partition("@")[2]
            if player in self._other_money or table in self._other_money:
                continue
            books = self._books
            has = books.of(f"credit:{player}") + books.of(f"unclaimed:{player}")
            has -= books.of(f"receivable:{player}")
            if has != self._due.get(player, 0):
                self._violate(f"{player} has {has}, and {self._due.get(player, 0)} follows from the events")

    def _move(self, player: str, amount: int) -> str:
        self._due[player] = self._due.get(player, 0) + amount
        return player

    def _follow(self, fact: Fact) -> set[str]:  # noqa: C901 - one line for each event
        body = fact.body
        match fact.name:
            case "CreditsBought":
                return {self._move(body["session"], body["amount"])}
            case "CreditsPaidOut":
                return {self._move(body["session"], -body["amount"])}
            case "PlayerPaidIn" | "OwedSettled":
                return {self._move(body["player"], body["amount"])}
            case "PlayerCashedOut" | "UnclaimedPaid":
                return {self._move(body["player"], -body["amount"])}
            case "TableOpened":
                if body["settings"].get("money") == "chips":
                    self._other_money.add(fact.table)
            case "ColourIssued" | "ColourPaid" | "ColourChangedBack" | "ColourCollected":
                self._other_money.add(body["player"])
            case "BetsPlaced":
                if body.get("chips"):
                    self._other_money.add(body["player"])
                return {self._stake(fact, body["player"], sum(body["slip"].values()))}
            case "BetsCorrected":
                return {self._stake(fact, body["player"], sum(body["after"].values()))}
            case "ExcessRejected" | "BetsReturned":
                taken = list(map(chips_taken, body["taken"]))
                return {
                    self._stake(fact, each["player"], self._at(fact, each["player"]) - each["amount"])
                    for each in taken
                }
            case "PayoutsMade":
                return {self._pay(fact, player, paid) for player, paid in body["payouts"].items()}
            case "SettlementReversed":
                return {self._pay(fact, player, 0) for player in body["payouts"]}
            case "RoundVoided":
                return {self._stake(fact, player, 0) for player in body["returned"]}
        return set()

    def _at(self, fact: Fact, player: str) -> int:
        return self._staked.get((fact.table, fact.round, player), 0)

    def _stake(self, fact: Fact, player: str, stake: int) -> str:
        before = self._at(fact, player)
        self._staked[fact.table, fact.round, player] = stake
        return self._move(player, before - stake)

    def _pay(self, fact: Fact, player: str, paid: int) -> str:
        before = self._paid.get((fact.table, fact.round, player), 0)
        self._paid[fact.table, fact.round, player] = paid
        return self._move(player, paid - before)
