"""A round as plain as can be, for comparison: one list of chips, and the rules as sentences of code.

It imports nothing of the machine that it is compared with. `accepts` says whether an act is taken, `do` says
what follows. Commands are read by the names of their fields.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.exhaustive.naive import TABLES, brought
from tests.unit.naive_house import House
from tests.unit.naive_shares import naive_counts, whole_chips

IN_PLAY = ("betting", "closed", "declared", "settled")
PIT = ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager")


@dataclass
class NaiveRound:
    """What a person with pencil and paper would keep."""

    house: House
    phase: str = "none"
    held: bool = False
    chips: list[list[Any]] = field(
        default_factory=list
    )  # player, box, amount, in the order they were put down
    asked: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    told: set[tuple[str, str]] = field(default_factory=set)
    covered: bool = False
    tumbled: bool = False
    seen: bool = False
    known: list[int] = field(default_factory=list)
    roll: tuple[int, ...] | None = None
    on_known: bool = False  # settled on the faces that were read
    paid: dict[str, int] = field(default_factory=dict)
    gained: dict[str, int] = field(default_factory=dict)

    # --- what lies ----------------------------------------------------------------------------------

    def on(self, player: str, box: str) -> int:
        return sum(amount for who, where, amount in self.chips if (who, where) == (player, box))

    def total(self, box: str) -> int:
        return sum(amount for _, where, amount in self.chips if where == box)

    def slip(self, player: str) -> dict[str, int]:
        boxes = {where for who, where, _ in self.chips if who == player}
        return {box: self.on(player, box) for box in boxes}

    def lying(self) -> dict[str, int]:
        stakes: dict[str, int] = {}
        for who, _, amount in self.chips:
            stakes[who] = stakes.get(who, 0) + amount
        return stakes

    def put(self, player: str, box: str, amount: int) -> None:
        self.chips.append([player, box, amount])
        self.move(player, -amount)
        self.told.discard((player, box))

    def take(self, player: str | None, box: str, amount: int) -> None:
        """Take the latest chips on a box, of one player or of anyone."""
        for chip in reversed(list(self.chips)):
            if amount and chip[1] == box and player in (None, chip[0]):
                part = min(amount, chip[2])
                chip[2] -= part
                amount -= part
                self.move(chip[0], part)
                self.told.discard((chip[0], box))
        self.chips = [chip for chip in self.chips if chip[2]]
        assert not amount

    def bring_to(self, player: str, slip: dict[str, int]) -> None:
        for box in {*self.slip(player), *slip}:
            change = slip.get(box, 0) - self.on(player, box)
            if change > 0:
                self.put(player, box, change)
            elif change < 0:
                self.take(player, box, -change)

    def move(self, player: str, amount: int) -> None:
        self.gained[player] = self.gained.get(player, 0) + amount

    # --- what a slip becomes ----------------------------------------------------------------------------

    def taken_of(self, command: Any) -> dict[str, int] | None:
        """The slip as accepted, or None when it is refused."""
        house, slip = self.house, command.slip
        boxes = TABLES[house.pay_table][0]
        if any(box not in boxes or amount <= 0 or amount % house.unit for box, amount in slip.items()):
            return None
        accepted = {}
        for box, amount in slip.items():
            held, others = self.on(command.player, box), self.total(box) - self.on(command.player, box)
            if amount < house.minimum and not house.has_pro_rata:
                cut_by_limit = house.maximum is not None and not house.is_electronic and amount > held
                if not (cut_by_limit and amount + others > house.maximum):
                    return None
            accepted[box] = amount
            if amount <= held:
                continue
            if house.is_electronic:
                if house.maximum is not None and amount > house.maximum:
                    return None
                if house.box_total is not None and amount + others > house.box_total:
                    return None
            elif (
                house.maximum is not None
                and house.notice == "at-placement"
                and amount + others > house.maximum
            ):
                left = max(whole_chips(command.chips, box, house.maximum - others), held)
                accepted[box] = left if left >= house.minimum else held
        if command.all_or_nothing and accepted != slip:
            return None
        return {box: amount for box, amount in accepted.items() if amount}

    def breach(self, on: str) -> tuple[str, int] | None:
        """The box that holds too much, and how much too much."""
        house = self.house
        if on == "big-small":
            gap = self.total("big") - self.total("small")
            if house.differential is not None and abs(gap) > house.differential:
                return ("big" if gap > 0 else "small"), abs(gap) - house.differential
        elif house.maximum is not None and self.total(on) > house.maximum:
            return on, self.total(on) - house.maximum
        return None

    def breaches(self) -> list[tuple[str, int]]:
        """All that the dealer's screen shows as too much."""
        if not self.house.has_pro_rata:
            return []
        on = [*dict.fromkeys(box for _, box, _ in self.chips), "big-small"]
        return [found for found in map(self.breach, on) if found]

    # --- whether an act is taken -----------------------------------------------------------------------

    def accepts(self, command: Any) -> bool:
        name = type(command).__name__
        return (
            self._allowed_here(name, command)
            and self._right_people(name, command)
            and self._facts_fit(name, command)
        )

    def _allowed_here(self, name: str, command: Any) -> bool:
        return self._ruling_allowed(command) if name == "MakeRuling" else self.fits_phase(name)

    def fits_phase(self, name: str) -> bool:  # noqa: C901 - one line for each act
        """Whether the game has the act and the round is where it can be done."""
        house, phase = self.house, self.phase
        free = None if self.held else phase
        in_play = phase in IN_PLAY or phase == "awaiting"
        match name:
            case "OpenBetting":
                return phase == "none"
            case "PlaceBets":
                return free == "betting"
            case "CloseBetting":
                return free == "betting"
            case "CoverTumbler" | "ExposeDice":
                return not house.is_open and free in ("betting", "closed")
            case "ActivateTumbler":
                return free in ("betting", "closed")
            case "DeclareRoll":
                return free == "closed"
            case "SettleBets":
                return free == "declared"
            case "ConcludeRound":
                return free == "settled"
            case "RejectExcess" | "AdviseMinimum" | "ReturnBelowMinimum":
                return house.has_pro_rata and free == "betting"
            case "RecordWalkAway" | "VoidRound":
                return in_play
            case "RecordCutOff":
                return house.is_electronic and in_play
            case "ReportDamagedDice":
                return in_play or (phase == "concluded" and not house.has_no_irregularities)
            case "SuspendRound":
                return free in IN_PLAY
            case "InterruptRound":
                return phase in IN_PLAY
            case "ResumeRound":
                return self.held
            case "CorrectResult":
                return free in ("declared", "settled", "concluded")
            case "CorrectBets":
                return not house.is_electronic and free in ("closed", "declared", "settled", "concluded")
            case "RecordDisplayFault" | "MakeRuling":
                return phase != "none"
        raise AssertionError(name)

    def _ruling_allowed(self, command: Any) -> bool:
        if self.phase == "none":
            return False
        if command.decision == "record":
            return True
        if self.phase == "void":
            return False
        if command.decision == "settle-known":
            return self.phase == "awaiting"
        return command.decision != "declare" or self.phase != "betting"

    def _right_people(self, name: str, command: Any) -> bool:
        role = str(command.by.role)
        if name == "PlaceBets":
            if role == "player":
                return command.by.name == command.player
            return role in PIT and not self.house.is_electronic
        two = name in ("ReportDamagedDice", "CorrectResult", "CorrectBets", "MakeRuling")
        if name == "VoidRound":
            denied = str(command.ground) == "too-few-tumbles" and self.tumbled
            two = bool(command.second or self.roll or self.seen or self.known or denied)
        if two:
            second = command.second
            if (
                role not in PIT
                or second is None
                or str(second.role) not in PIT
                or second.name == command.by.name
            ):
                return False
            least = 3 if name == "MakeRuling" else 1
            highest = max(PIT.index(role), PIT.index(str(second.role)))
            return highest >= least and bool(command.reason.strip())
        return role in PIT

    def _facts_fit(self, name: str, command: Any) -> bool:  # noqa: C901 - one line for each act
        match name:
            case "CloseBetting":
                return command.excess is not None or not self.breaches()
            case "PlaceBets":
                version, asked = self.asked.get(command.player, (0, {}))
                if command.version <= version:
                    return command.version == version and command.slip == asked
                return self.taken_of(command) is not None
            case "CoverTumbler":
                return not self.tumbled and not self.covered
            case "ActivateTumbler":
                bare = command.uncovered or self.house.is_open
                return not self.tumbled and self.covered != bare and command.tumbles >= 0
            case "ExposeDice":
                return not self.seen and self.covered and (self.tumbled or self.phase == "betting")
            case "DeclareRoll":
                return self.tumbled and self.seen and self._agrees(command.roll)
            case "RejectExcess":
                return self.breach(command.on) is not None
            case "AdviseMinimum" | "ReturnBelowMinimum":
                stake = self.on(command.player, command.box)
                told = (command.player, command.box) in self.told
                return 0 < stake < self.house.minimum and (told or name == "AdviseMinimum")
            case "RecordWalkAway" | "RecordCutOff":
                return command.player in self.lying()
            case "VoidRound":
                return self._ground_is_here(str(command.ground))
            case "ReportDamagedDice":
                return 1 in command.rounds
            case "InterruptRound":
                return self._readable(command.known)
            case "CorrectResult":
                return self._agrees(command.roll) and sorted(command.roll) != sorted(self.roll or ())
            case "CorrectBets":
                boxes = TABLES[self.house.pay_table][0]
                fits = all(
                    box in boxes and amount > 0 and amount % self.house.unit == 0
                    for box, amount in command.slip.items()
                )
                return fits and command.slip != self.slip(command.player)
            case "MakeRuling":
                return self._ruling_fits(command)
        return True

    def _agrees(self, dice: Any) -> bool:
        """Whether the dice show every face that was read."""
        left = list(dice)
        for face in self.known:
            if face not in left:
                return False
            left.remove(face)
        return True

    def _readable(self, known: list[int]) -> bool:
        if self.roll or self.on_known:
            return True
        if known and not self.tumbled:
            return False
        return len(known) <= 3 and all(1 <= face <= 6 for face in known) and self._agrees(known)

    def _ground_is_here(self, ground: str) -> bool:
        if ground in ("too-few-tumbles", "not-flat"):
            return self.tumbled
        return ground == ("activated-early" if self.house.is_open else "exposed-early")

    def _ruling_fits(self, command: Any) -> bool:
        if command.decision == "declare":
            return command.roll is not None and sorted(command.roll) != sorted(self.roll or ())
        if command.decision == "return-bets":
            return bool(command.bets) and all(self.on(bet.player, bet.box) for bet in command.bets)
        return True

    # --- what follows ------------------------------------------------------------------------------------

    def do(self, command: Any) -> None:
        name = re.sub("(?<!^)([A-Z])", r"_\1", type(command).__name__).lower()
        getattr(self, f"do_{name}", lambda _: None)(command)

    def do_open_betting(self, _: Any) -> None:
        self.phase = "betting"

    def do_place_bets(self, command: Any) -> None:
        if command.version > self.asked.get(command.player, (0, {}))[0]:
            taken = self.taken_of(command)
            assert taken is not None
            self.bring_to(command.player, taken)
            self.asked[command.player] = (command.version, dict(command.slip))

    def do_close_betting(self, command: Any) -> None:
        while command.excess == "reject" and self.breaches():
            self.take(None, *self.breaches()[0])
        self.phase = "closed"

    def do_cover_tumbler(self, _: Any) -> None:
        self.covered = True

    def do_activate_tumbler(self, command: Any) -> None:
        bare = not self.covered
        self.tumbled, self.seen = True, bare
        if (bare and self.phase == "betting") or command.tumbles < 3 or (bare and not command.flat):
            self.void()

    def do_expose_dice(self, command: Any) -> None:
        self.seen = True
        if self.phase == "betting" or not command.flat:
            self.void()

    def do_declare_roll(self, command: Any) -> None:
        self.roll, self.phase = tuple(command.roll), "declared"

    def do_settle_bets(self, command: Any) -> None:
        due = self.payouts()
        left = [player for player in due if player not in self.paid]
        part = left if command.players_max is None else left[: max(command.players_max, 1)]
        for player in part:
            self.paid[player] = due[player]
            self.move(player, due[player])
        if len(part) == len(left):
            self.phase = "settled"

    def do_conclude_round(self, _: Any) -> None:
        self.phase = "concluded"

    def do_reject_excess(self, command: Any) -> None:
        breach = self.breach(command.on)
        assert breach is not None
        self.take(None, *breach)

    def do_advise_minimum(self, command: Any) -> None:
        self.told.add((command.player, command.box))

    def do_return_below_minimum(self, command: Any) -> None:
        self.take(command.player, command.box, self.on(command.player, command.box))

    def do_void_round(self, _: Any) -> None:
        self.void()

    def do_report_damaged_dice(self, _: Any) -> None:
        self.void()

    def do_suspend_round(self, _: Any) -> None:
        self.held = True

    def do_resume_round(self, _: Any) -> None:
        self.held = False

    def do_interrupt_round(self, command: Any) -> None:
        if self.roll or self.on_known:
            self.held = True
        elif self.phase == "betting" or not command.known:
            self.seen = self.seen or bool(command.known)
            self.void()
        else:
            self.held = True
            self.known, self.seen = list(command.known), True
            if not command.readable and len(command.known) < 3:
                self.phase, self.held = "awaiting", False

    def do_correct_result(self, command: Any) -> None:
        self.again(lambda: self.show(command.roll))

    def show(self, roll: Any) -> None:
        self.roll, self.on_known = tuple(roll), False

    def do_correct_bets(self, command: Any) -> None:
        self.again(lambda: self.bring_to(command.player, command.slip))

    def do_make_ruling(self, command: Any) -> None:
        if command.decision == "void":
            self.void()
        elif command.decision == "settle-known":
            self.on_known, self.phase, self.held = True, "declared", False
        elif command.decision == "declare" and self.roll is None and not self.on_known:
            self.roll, self.phase, self.held = tuple(command.roll), "declared", False
        elif command.decision == "declare":
            self.again(lambda: self.show(command.roll))
        elif command.decision == "return-bets":
            self.again(lambda: self.give_back(command.bets))

    def give_back(self, bets: Any) -> None:
        for bet in bets:
            self.take(bet.player, bet.box, self.on(bet.player, bet.box))

    def again(self, change: Any) -> None:
        """Undo what was paid, change something, and pay again if the round had been settled."""
        self.undo_payouts()
        change()
        if self.phase in ("settled", "concluded"):
            self.paid = self.payouts()
            for player, amount in self.paid.items():
                self.move(player, amount)

    def undo_payouts(self) -> None:
        for player, amount in self.paid.items():
            self.move(player, -amount)
        self.paid = {}

    def void(self) -> None:
        self.undo_payouts()
        for player, amount in self.lying().items():
            self.move(player, amount)
        self.phase, self.held = "void", False

    # --- settlement --------------------------------------------------------------------------------------

    def payouts(self) -> dict[str, int]:
        """What each player gets back: what counted and won, and what did not count."""
        bets = list(dict.fromkeys((who, where) for who, where, _ in self.chips))
        counts = naive_counts(self.house, {bet: self.on(*bet) for bet in bets})
        due: dict[str, int] = {}
        for player, box in bets:
            counted = counts[player, box]
            faces = self.roll or tuple(self.known)
            back = brought(self.house.pay_table, box, faces, stake=counted) if counted else 0
            due[player] = due.get(player, 0) + back + self.on(player, box) - counted
        return due
