"""The log as its desk keeps it: the tree's edge, where rounds are, and checkpoints with their witnesses."""

from typing import Any

from taisai.floor.proofs import log_state as log
from taisai.proof.entries import Tips, spelled
from taisai.proof.merkle import Tree, leaf_hash
from taisai.proof.notes import cosigners
from tests.record import START
from tests.unit.floor.proofs.played import checkpoint, closing, cosigned, opening, result, texts
from tests.unit.house import SYSTEM, Run
from tests.unit.proof.test_notes import WITNESS_KEY, verifies_raw

BY: dict[str, Any] = {"by": SYSTEM, "at": START}
ENTRIES = (opening(), closing(0), Tips([("main", 3, "ab", "cd")]), result(1), opening(2, version=12))


def entered() -> Run:
    run = Run(log.LogState(), log.AnyLogEvent, log.LogState)
    run.do(log.EnterLog(**BY, entries=texts(*ENTRIES[:2])))
    run.do(log.EnterLog(**BY, entries=texts(*ENTRIES[2:])))
    return run


def test_entries_grow_the_tree_and_say_where_each_round_is() -> None:
    """Its root is that of all entries; the last event of each table that the log has is known."""
    state = entered().state
    tree = Tree.of(leaf_hash(spelled(entry)) for entry in ENTRIES)
    assert (state.edge.size, state.edge.root()) == (5, tree.root())
    assert state.rounds == {
        ("T1", 1): log.RoundPlaces(0, closing=1, result=3, attempt=1, secret="05", share="06"),
        ("T1", 2): log.RoundPlaces(4),
    }
    assert state.versions == {"T1": 12}


def test_a_round_that_was_let_go_is_taken_up_with_what_its_entry_names() -> None:
    """A result of a round of long ago keeps no version back."""
    state = log.LogState(versions={"T1": 40})
    state.evolve(log.LogEntered(**BY, entries=texts(closing(17, number=3), result(18, number=4))))
    assert (state.rounds["T1", 3].opening, state.rounds["T1", 3].closing) == (17, 0)
    assert (state.rounds["T1", 4].opening, state.rounds["T1", 4].closing) == (-1, 18)
    assert state.versions == {"T1": 40}


def test_cosignatures_join_the_checkpoint_of_their_size() -> None:
    """Those of a checkpoint that is not kept are passed over."""
    run, note = entered(), checkpoint(*ENTRIES)
    assert (run.state.checkpoint, run.state.signed_size) == (None, 0)
    run.do(log.KeepCheckpoint(**BY, note=str(note)))
    assert (run.state.checkpoint, run.state.signed_size) == (note, 5)
    lines = [str(cosigned(note))]
    for size in (4, 5):
        run.do(log.KeepCosignatures(**BY, size=size, lines=lines))
    assert list(run.state.checkpoints) == [5]
    witnesses = cosigners(run.state.checkpoint, [WITNESS_KEY], verifies_raw)
    assert witnesses is not None
    assert [witness.name for witness in witnesses] == [WITNESS_KEY.name]


def test_only_the_last_rounds_and_checkpoints_are_at_hand() -> None:
    """The oldest go first."""
    state = log.LogState()
    many = log._ROUNDS_KEPT + 2
    state.evolve(log.LogEntered(**BY, entries=texts(*(opening(at) for at in range(1, many + 1)))))
    assert len(state.rounds) == log._ROUNDS_KEPT
    assert next(iter(state.rounds)) == ("T1", 3)
    assert state.edge.size == many


def test_what_a_desk_remembers_is_the_whole_state() -> None:
    """A log that is taken up from it goes on to the same root."""
    run = entered()
    run.do(log.KeepCheckpoint(**BY, note=str(checkpoint(*ENTRIES))))
    memory = log.log_desk().memory
    assert memory is not None
    again = memory.load(memory.save(run.state))
    assert memory.mark(again) == 5
    more = log.LogEntered(**BY, entries=texts(closing(4, number=2, version=15)))
    replayed = run.replayed()
    for state in (run.state, replayed, again):
        state.evolve(more)
        assert state.edge.root() == run.state.edge.root()
        assert (state.rounds, state.versions) == (run.state.rounds, run.state.versions)
        assert state.checkpoints == run.state.checkpoints
