"""The ports: every adapter has all that its port asks for, under the same names."""

import inspect
from typing import Any

import pytest

from taisai.adapters.clock import ManualClock, SeededEntropy, SystemClock, SystemEntropy
from taisai.adapters.memory import MemorySnapshot, MemoryStore
from taisai.adapters.people.names import SqliteNames
from taisai.adapters.postgres.names import PostgresNames
from taisai.adapters.postgres.store import PostgresStore
from taisai.adapters.signing.keys import PublicKeys, SigningKey
from taisai.adapters.signing.modules import ModuleSigner
from taisai.adapters.sqlite.store import SqliteStore
from taisai.adapters.witnesses.file import FileWitness
from taisai.errors import StoreConflict, StoreUnavailable
from taisai.record import ports
from taisai.record.ports import BackDated, CommandAltered, CommandRepeated, StreamMoved, TransferRepeated
from tests.record import answer

ADAPTERS: list[tuple[type, type]] = [
    (ports.Store, MemoryStore),
    (ports.Store, SqliteStore),
    (ports.Store, PostgresStore),
    (ports.RecordSnapshot, MemorySnapshot),
    (ports.Clock, SystemClock),
    (ports.Clock, ManualClock),
    (ports.Entropy, SystemEntropy),
    (ports.Entropy, SeededEntropy),
    (ports.Signer, SigningKey),
    (ports.Signer, ModuleSigner),
    (ports.KeyRing, PublicKeys),
    (ports.Witness, FileWitness),
    (ports.NamesStore, SqliteNames),
    (ports.NamesStore, PostgresNames),
]


def asked(port: type) -> dict[str, Any]:
    """What a port asks for, with what it takes over from others."""
    members: dict[str, Any] = {}
    for base in port.__mro__:
        if base.__module__ == ports.__name__:
            members |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    return members


@pytest.mark.parametrize(("port", "adapter"), ADAPTERS, ids=lambda each: each.__name__)
def test_an_adapter_has_what_its_port_asks_for(port: type, adapter: type) -> None:
    """Every method with the same parameters, in their order and of their kind."""
    members = asked(port)
    assert members
    for name, wanted in members.items():
        found = getattr(adapter, name, None)
        if isinstance(wanted, property):
            assert isinstance(found, property), name
            continue
        assert callable(found), name
        expected = [(each.name, each.kind) for each in inspect.signature(wanted).parameters.values()]
        assert [(each.name, each.kind) for each in inspect.signature(found).parameters.values()] == expected


def test_a_conflict_carries_what_is_needed_to_decide_again() -> None:
    """And says so in one line."""
    moved = StreamMoved("table:T1", expected=3, found=5)
    assert (moved.stream, moved.expected, moved.found) == ("table:T1", 3, 5)
    said = {
        str(moved): "table:T1 stands at version 5, not at 3",
        str(BackDated("cage", at=1, last=2)): "cage: an event at 1 cannot follow one at 2",
        str(CommandRepeated(answer("c"))): "command c of t1 was answered before",
        str(CommandAltered("t1", "c")): "command c of t1 came before with other content",
        str(TransferRepeated("x")): "transfer x is already in the books",
    }
    assert list(said) == list(said.values())
    assert CommandRepeated(answer("c", b"yes")).answer.answer == b"yes"


def test_only_what_may_pass_is_worth_another_try() -> None:
    """A store that is away comes back; an altered record and one that somebody else writes do not."""
    worth = {kind: kind("x").passing for kind in (StoreUnavailable, ports.FateUnknown)}
    assert worth == {StoreUnavailable: True, ports.FateUnknown: True}
    assert not ports.RecordCorrupt("x").passing
    assert not ports.RecordInUse("x").passing
    assert not issubclass(StreamMoved, StoreUnavailable)
    assert issubclass(StreamMoved, StoreConflict)
