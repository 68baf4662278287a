"""Who makes a round's proofs: trees over slips and results, and the secret of committed dice."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from taisai.dice import Roll
from taisai.errors import InvariantBroken
from taisai.floor.table import notary as made
from taisai.floor.table.notary import RoundNotary, hash_apart, outcome_of, result_bodies, result_body_of
from taisai.game import commands as cmd
from taisai.game.decide import would_refuse
from taisai.game.evolve import evolve
from taisai.game.notary import Proven, Revealed
from taisai.game.people import Actor, Role
from taisai.game.refusals import Refusal
from taisai.game.round import Round
from taisai.game.state import RoundState
from taisai.proof.dice import commitment, committed_dice, drawn_digest
from taisai.proof.merkle import Tree
from taisai.proof.rounds import Salts, leaf_of, results_context, slip_body
from tests.unit.floor.proofs_house import ORIGIN, RECEIPTS_KEY, notarising
from tests.unit.floor.table.test_round_money import AT, DEALER, SUPERVISOR, limits

SECRET = b"\x07" * 32
OPENING = b"\x01" * 32


def opened(*, committed: bool = True, players: int = 3) -> Round:
    """A round with bets, and whoever makes its proofs."""
    round_ = Round.of("tai-sai-v6/2")
    committed_to, sealed = notarising().sealed("T1", 1, SECRET) if committed else ("", "")
    state = round_.state
    round_.do(
        cmd.OpenBetting(
            by=DEALER,
            at=AT,
            table="T1",
            number=1,
            rulebook=state.rulebook.id,
            rulebook_digest=state.rulebook.digest,
            pay_table=state.pay_table.id,
            pay_table_digest=state.pay_table.digest,
            limits=limits(),
            commitment=committed_to,
        )
    )
    state.notary = notarising().notary(state, OPENING, sealed)
    for place in range(players):
        round_.do(
            cmd.PlaceBets(by=DEALER, at=AT, player=f"p{place}", slip={"big": 50, "small": 100}, version=1)
        )
    return round_


def settling() -> list[cmd.AnyCommand]:
    """What a dealer does from the closing to the settlement."""
    return [
        cmd.CloseBetting(by=DEALER, at=AT, excess="leave"),
        cmd.CoverTumbler(by=DEALER, at=AT),
        cmd.ActivateTumbler(by=DEALER, at=AT, tumbles=3),
        cmd.ExposeDice(by=DEALER, at=AT),
        cmd.DeclareRoll(by=DEALER, at=AT, roll=Roll(1, 2, 4)),
        cmd.SettleBets(by=DEALER, at=AT),
    ]


def settled() -> Round:
    round_ = opened(committed=False)
    for command in settling():
        round_.do(command)
    return round_


def of(state: RoundState) -> RoundNotary:
    assert isinstance(state.notary, RoundNotary)
    return state.notary


def test_the_tree_of_slips_is_made_from_the_bets_and_anew_when_they_change() -> None:
    """Anybody with the key and the opening makes the same."""
    round_ = opened()
    notary = of(round_.state)
    proven = notary.slips(round_.state)
    salts = Salts(RECEIPTS_KEY, notary.name, OPENING).of(0)
    bodies = [slip_body(f"p{place}", 1, {"big": 50, "small": 100}) for place in range(3)]
    tree = Tree.of(leaf_of(notary.context, salts(place), body) for place, body in enumerate(bodies))
    assert proven == Proven(3, tree.root().hex())
    kept = notary.tree(0)
    assert notary.slips(round_.state) == proven
    assert notary.tree(0) is kept
    round_.do(cmd.PlaceBets(by=DEALER, at=AT, player="p0", slip={"big": 100}, version=2))
    assert notary.slips(round_.state).root != proven.root


@pytest.mark.parametrize("slip", [{"big": 50, "small": 100}, {}])
def test_a_slip_without_new_amounts_makes_the_tree_anew(slip: dict[str, int]) -> None:
    """Registered again as it was, or empty by somebody new, after a console has looked at the closing."""
    round_, looked_at = opened(players=1), opened(players=1)
    of(looked_at.state).slips(looked_at.state)
    player = "p0" if slip else "p1"
    for each in (round_, looked_at):
        each.do(cmd.PlaceBets(by=DEALER, at=AT, player=player, slip=slip, version=2))
        each.do(cmd.CloseBetting(by=DEALER, at=AT))
    assert looked_at.state.slip_root == round_.state.slip_root


def test_results_stand_under_the_root_of_the_bets_and_the_dice() -> None:
    """Each leaf alone is what it is among all; a correction tells what the slip is now."""
    round_ = settled()
    state, notary = round_.state, of(round_.state)
    tree = notary.tree(1)
    assert tree is not None
    bodies = list(result_bodies(state))
    context = results_context(notary.context, bytes.fromhex(state.slip_root), 1, "1-2-4")
    leaves = [leaf_of(context, notary.salt(1, place), body) for place, body in enumerate(bodies)]
    assert tree.root() == Tree.of(leaves).root()
    assert [result_body_of(state, f"p{place}", place) for place in range(3)] == bodies
    correct = cmd.CorrectBets(
        by=DEALER, at=AT, player="p1", slip={"small": 50}, second=SUPERVISOR, reason="on the film"
    )
    round_.do(correct)
    changed = list(result_bodies(state))
    assert [old == new for old, new in zip(bodies, changed, strict=True)] == [True, False, True]
    assert notary.tree(2) is not None


def test_whoever_goes_after_the_settlement_has_the_result_that_was_settled() -> None:
    """However often they are found absent; only the next settlement knows of it."""
    round_ = settled()
    state = round_.state
    bodies = list(result_bodies(state))
    for _ in range(2):
        round_.do(cmd.RecordWalkAway(by=DEALER, at=AT, player="p1"))
    assert [result_body_of(state.copy(), f"p{place}", place) for place in range(3)] == bodies
    round_.do(
        cmd.CorrectBets(
            by=DEALER, at=AT, player="p2", slip={"small": 50}, second=SUPERVISOR, reason="on the film"
        )
    )
    again = list(result_bodies(state))
    assert again[1] != bodies[1]
    assert [result_body_of(state, f"p{place}", place) for place in range(3)] == again


def test_an_outcome_is_the_dice_or_why_there_are_none() -> None:
    """Results follow from it, and there are none without one."""
    state = settled().state
    assert (outcome_of(state), outcome_of(state, void=True)) == ("1-2-4", "void")
    early = opened().state
    assert outcome_of(early) == "ruled"
    with pytest.raises(InvariantBroken, match="without an outcome"):
        list(result_bodies(early))


def test_the_dice_follow_from_the_secret_the_bets_and_the_share() -> None:
    """They are published with the secret; without one there is nothing to publish."""
    round_ = opened()
    round_.do(cmd.CloseBetting(by=DEALER, at=AT))
    state, notary = round_.state, of(round_.state)
    root = bytes.fromhex(state.slip_root)
    assert notary.dice(state) == committed_dice(SECRET, notary.context, root)
    share = b"\x09" * 8
    with_share = committed_dice(SECRET, notary.context, root, share)
    assert notary.drawn(state, share) == drawn_digest(SECRET, with_share)
    notary.share = share
    assert notary.dice(state) == with_share
    assert notary.revealed() == Revealed(SECRET.hex(), share.hex())
    assert of(opened(committed=False).state).revealed() == Revealed()


def test_a_secret_that_is_not_the_one_committed_to_is_never_used(caplog: pytest.LogCaptureFixture) -> None:
    """Such a round can only be voided; and before its opening a round has no proofs at all."""
    house = notarising()
    committed_to, sealed = house.sealed("T1", 1, SECRET)
    assert committed_to == commitment(ORIGIN, "T1", 1, SECRET).hex()
    assert "07" * 32 not in repr(house)
    _, other = house.sealed("T1", 1, b"\x08" * 32)
    state = opened().state
    assert house.notary(state, OPENING, sealed).revealed().secret == SECRET.hex()
    assert caplog.messages == []
    assert house.notary(state, OPENING, other).revealed() == Revealed()
    assert "T1/1 was committed to by another house" in caplog.text
    with pytest.raises(InvariantBroken, match="before it is opened"):
        house.notary(Round.of("tai-sai-v6/2").state, OPENING, "")


async def test_a_large_round_is_hashed_before_it_is_closed_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In slices; a small one is left to its closing."""
    at_once, in_slices = opened(players=9), opened(players=9)
    closing = cmd.CloseBetting(by=DEALER, at=AT)
    await hash_apart(in_slices.state, closing)
    assert of(in_slices.state).tree(0) is None
    monkeypatch.setattr(made, "SLICE", 4)
    await hash_apart(in_slices.state, closing)
    prepared = of(in_slices.state).tree(0)
    assert prepared is not None
    for round_ in (at_once, in_slices):
        round_.do(closing)
    assert of(in_slices.state).tree(0) is prepared
    assert in_slices.state.slip_root == at_once.state.slip_root == prepared.root().hex()


async def turns_while(hashing: Coroutine[Any, Any, None]) -> int:
    """How often others had their turn until something was hashed."""
    task, turns = asyncio.ensure_future(hashing), 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    await task
    return turns


@pytest.mark.parametrize("ending", ["settled", "void", "corrected"])
async def test_others_have_their_turn_between_the_slices_of_every_tree(
    monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Forty slips by four: ten turns at least for each tree, whichever act needs it, and none left to it."""
    monkeypatch.setattr(made, "SLICE", 4)
    round_ = opened(committed=False, players=40)
    state = round_.state
    until_declared = settling()[:-1] if ending != "void" else settling()[:1]
    for command in until_declared:
        if isinstance(command, cmd.CloseBetting):
            assert await turns_while(hash_apart(state, command)) >= 10
        round_.do(command)
    manager = Actor("mia", Role.SHIFT_MANAGER)
    last: cmd.AnyCommand = settling()[-1]
    if ending == "void":
        last = cmd.MakeRuling(by=manager, at=AT, decision="void", second=DEALER, reason="a test")
    elif ending == "corrected":
        round_.do(last)
        slip = {"big": 150}
        last = cmd.CorrectBets(by=DEALER, at=AT, player="p7", slip=slip, second=SUPERVISOR, reason="seen")
    number = state.attempt + 1
    assert await turns_while(hash_apart(state, last)) >= 10
    prepared = of(state).tree(number)
    assert prepared is not None
    round_.do(last)
    assert of(state).tree(number) is prepared, "deciding took the tree that was made before"


async def test_an_act_that_is_refused_or_needs_no_tree_hashes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dealer who is too early makes nobody wait."""
    monkeypatch.setattr(made, "SLICE", 4)
    state = opened(committed=False, players=9).state
    for command in settling()[1:]:
        assert await turns_while(hash_apart(state, command)) <= 1
    assert of(state).tree(0) is None
    assert of(state).tree(1) is None


def test_to_look_at_what_could_be_done_makes_no_tree() -> None:
    """A console asks for each act whether it would be refused, after every slip."""
    state = opened(committed=False, players=9).state
    assert would_refuse(state, cmd.CloseBetting(by=DEALER, at=AT)) is None
    assert isinstance(would_refuse(state, cmd.SettleBets(by=DEALER, at=AT)), Refusal)
    assert of(state).tree(0) is None


def test_a_round_that_was_closed_without_a_tree_gets_none_later() -> None:
    """Its results would hang in the air."""
    plain = opened(committed=False)
    plain.state.notary = None
    (closed,) = plain.do(cmd.CloseBetting(by=DEALER, at=AT))
    later = opened(committed=False).state
    evolve(later, closed)
    assert of(later).results(later) == Proven()
