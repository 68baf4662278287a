"""Rounds whose bets and results are in trees, and whose dice were committed to before the bets."""

from typing import Any

import msgspec

from taisai.adapters.memory import MemoryDisk
from taisai.floor.events import table_event
from taisai.floor.table.messages import DiceDrawn, DiceSealed, RoundEvent
from taisai.floor.table.notary import RoundNotary
from taisai.floor.views.rolls import recorded_rolls
from taisai.game import commands as cmd
from taisai.game import events as ev
from taisai.game.settlement import results_of
from taisai.odds.fairness import fairness
from taisai.odds.fairness.rollfile import as_dice
from taisai.proof.dice import commitment, committed_dice, drawn_digest
from taisai.proof.merkle import Tree, includes
from taisai.proof.rounds import RoundName, Salts, leaf_of, result_body, results_context, slip_body
from taisai.record.journal import micros
from tests.floor.houses import (
    DEALER,
    SUPERVISOR,
    SmallHouse,
    act,
    bet,
    cluster,
    live,
    seat,
    settle_down,
    start_round,
    void,
)
from tests.floor.receipts import live_round
from tests.unit.floor.proofs_house import ORIGIN, RECEIPTS_KEY


def stored(disk: MemoryDisk, table: str) -> list[tuple[Any, Any]]:
    return [(event, table_event(event)) for event in disk.streams[f"table:{table}"]]


def of_type(disk: MemoryDisk, table: str, kind: type, number: int = 1) -> list[Any]:
    found = []
    for _, event in stored(disk, table):
        if isinstance(event, RoundEvent) and event.round == number and isinstance(event.event, kind):
            found.append(event.event)
        elif isinstance(event, kind) and getattr(event, "round", number) == number:
            found.append(event)
    return found


def named(disk: MemoryDisk, table: str, number: int = 1) -> tuple[RoundName, bytes]:
    """A round's name and the digest of its opening, as the journal alone has them."""
    for raw, event in stored(disk, table):
        if (
            isinstance(event, RoundEvent)
            and isinstance(event.event, ev.BettingOpened)
            and event.round == number
        ):
            opened = event.event
            return RoundName(
                origin=ORIGIN,
                table=table,
                number=number,
                opened_at=micros(opened.at),
                rulebook_digest=opened.rulebook_digest,
                pay_table_digest=opened.pay_table_digest,
                commitment=bytes.fromhex(opened.commitment),
            ), raw.digest
    raise AssertionError("not opened")


async def played(house: SmallHouse) -> None:
    """One automatic round with two sessions, of which one takes its bets back."""
    async with house.open() as open_house:
        one = await seat(open_house, "C1", "A", 100_000)
        two = await seat(open_house, "C1", "B", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000, "big": 500})
        await bet(open_house, "C1", two, {"big": 1_000})
        await bet(open_house, "C1", two, {}, version=2)
        await house.pass_time(40)


async def test_the_root_of_the_closing_is_that_of_the_slips_as_registered() -> None:
    """Anybody with the journal and the house's key makes the same tree."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    name, opening = named(house.disk, "C1")
    salts = Salts(RECEIPTS_KEY, name, opening).of(0)
    bodies = [slip_body("A.1", 1, {"small": 1_000, "big": 500}), slip_body("B.1", 2, {})]
    tree = Tree.of(leaf_of(name.context(), salts(place), body) for place, body in enumerate(bodies))
    closed = of_type(house.disk, "C1", ev.BettingClosed)[0]
    assert (closed.slips, closed.root) == (2, tree.root().hex())


async def test_the_results_are_in_a_tree_of_their_own() -> None:
    """What each slip brought, under the dice and the root of the bets."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    name, opening = named(house.disk, "C1")
    settled = of_type(house.disk, "C1", ev.BetsSettled)[0]
    closed = of_type(house.disk, "C1", ev.BettingClosed)[0]
    assert (settled.attempt, settled.results) == (1, 2)
    context = results_context(name.context(), bytes.fromhex(closed.root), 1, str(settled.roll))
    salts = Salts(RECEIPTS_KEY, name, opening).of(1)
    async with house.open(dealing=False) as again:
        state = again.table("C1").state.rounds[1]
        assert state.attempt == 1
    won = "small" if settled.roll.total < 11 else "big"
    rows = [
        (box, stake, 2 * stake if box == won and not settled.roll.is_triple else 0)
        for box, stake in (("big", 500), ("small", 1_000))
    ]
    columns = zip(*[(*row[1:], _clause_of(state, row[0])) for row in rows], strict=True)
    bodies = [
        result_body(("A.1", 1, sum(row[2] for row in rows), *columns)),
        result_body(("B.1", 2, 0, [], [], [])),
    ]
    tree = Tree.of(leaf_of(context, salts(place), body) for place, body in enumerate(bodies))
    assert tree.root().hex() == settled.root


def _clause_of(state: Any, box: str) -> str:
    return ", ".join(next(result.clauses for result in results_of(state) if result.box == box))


async def test_the_dice_follow_from_the_secret_and_all_bets() -> None:
    """The commitment is in the opening, the secret in the commit that declares the dice."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    await played(house)
    name, _ = named(house.disk, "C1")
    declared = of_type(house.disk, "C1", ev.RollDeclared)[0]
    secret = bytes.fromhex(declared.secret)
    assert commitment(ORIGIN, "C1", 1, secret) == name.commitment
    root = bytes.fromhex(of_type(house.disk, "C1", ev.BettingClosed)[0].root)
    assert committed_dice(secret, name.context(), root) == declared.roll
    drawn = of_type(house.disk, "C1", DiceDrawn)[0]
    assert drawn.roll is None
    assert drawn.drawn == drawn_digest(secret, declared.roll).hex()


async def test_the_record_cannot_be_read_for_the_dice_before_they_are_shown() -> None:
    """Neither the draw nor the answer to it holds them, and the secret is sealed."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        one = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000})
        await house.pass_time(20.5)
        state = open_house.table("C1").state
        assert state.draw is not None
        assert state.draw.roll is None
        notary = state.current.notary
        assert isinstance(notary, RoundNotary)
        roll, secret = notary.dice(state.current), notary.revealed().secret
        bodies = b"".join(event.body for event in house.disk.streams["table:C1"])
        assert secret.encode() not in bodies
        assert msgspec.json.encode(roll) not in bodies
        assert of_type(house.disk, "C1", DiceSealed)


async def test_a_restart_between_closing_and_dice_finds_the_same_dice() -> None:
    """They are opened from the record and never drawn again."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        one = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000})
        await house.pass_time(20.5)
        state = open_house.table("C1").state
        roll = state.current.notary.dice(state.current)
    asked = house.entropy.asked
    async with house.open():
        await house.pass_time(4)
        declared = of_type(house.disk, "C1", ev.RollDeclared)[0]
        assert declared.roll == roll
        assert house.entropy.asked == asked


async def test_a_void_publishes_the_secret_too() -> None:
    """So everybody sees which dice a void did away with."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        one = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000})
        await house.pass_time(20.5)
        await void(open_house)
        voided = of_type(house.disk, "C1", ev.RoundVoided)[0]
        assert commitment(ORIGIN, "C1", 1, bytes.fromhex(voided.secret)).hex() == (
            open_house.table("C1").state.rounds[1].commitment
        )
        assert (voided.attempt, voided.results) == (1, 1)


async def test_a_correction_is_the_next_attempt_and_tells_what_was_corrected() -> None:
    """The slip stays what it was in the tree of the closing; the result says what it is now."""
    house = SmallHouse(live(), proofs=True)
    async with house.open() as open_house:
        await start_round(open_house, "T1")
        await live_round(open_house)
        corrected = cmd.CorrectBets(
            by=DEALER,
            at=open_house.now(),
            player="ann",
            slip={"big": 1_000},
            second=SUPERVISOR,
            reason="seen on the recording",
        )
        await act(open_house, "T1", corrected)
        await settle_down()
        attempts = of_type(house.disk, "T1", ev.BetsSettled)
        assert [each.attempt for each in attempts] == [1, 2]
        state = open_house.table("T1").state.rounds[1]
        tree = state.notary.tree(2)
        assert tree is not None
        assert tree.root().hex() == attempts[1].root
        name, opening = named(house.disk, "T1")
        context = results_context(name.context(), bytes.fromhex(state.slip_root), 2, str(state.roll))
        columns = ([1_000], [0], [_clause_of(state, "big")])
        leaf = leaf_of(
            context,
            Salts(RECEIPTS_KEY, name, opening).of(2)(0),
            result_body(("ann", 1, 0, *columns), {"big": 1_000}),
        )
        assert includes(leaf, 0, 1, tree.inclusion(0), tree.root())


async def test_committed_rounds_are_rolls_that_fairness_takes() -> None:
    """Their dice are declared like any others; what a void did away with is not among them."""
    house = SmallHouse(cluster(automatic=True), proofs=True)
    async with house.open() as open_house:
        await house.pass_time(400)
        found = await recorded_rolls(open_house.store)
    declared = [
        event.roll for number in range(1, 40) for event in of_type(house.disk, "C1", ev.RollDeclared, number)
    ]
    assert len(declared) > 5
    assert found == declared
    report = fairness(as_dice(found), seed=1)
    assert report.rolls == len(found)
