"""The rolls of a record, for the tests of fairness."""

from pathlib import Path

from taisai.adapters.memory import MemoryDisk
from taisai.adapters.signing.keys import generate_key
from taisai.adapters.stores import open_store
from taisai.dice import Roll
from taisai.floor.opening import table_desk
from taisai.floor.table.messages import InRound, OpenTable, StartRound, TableSettings
from taisai.floor.views.rolls import recorded_rolls
from taisai.game import commands as cmd
from taisai.game.limits import Limit, Limits
from taisai.game.people import Actor, Role
from taisai.record.ports import Store
from tests.record import START, Place
from tests.unit.command import process

DEALER, SUPERVISOR = Actor("Mei", Role.DEALER), Actor("Sun", Role.PIT_SUPERVISOR)
MANAGER = Actor("Low", Role.SHIFT_MANAGER)


async def record_three_rounds(store: Store) -> None:
    """One round as declared, one corrected, one void after its result."""
    desk = table_desk("T1", store, Place(MemoryDisk()).clock)
    await desk.start()
    asked = 0

    async def ask(command: object) -> None:
        nonlocal asked
        asked += 1
        await desk.ask("t", str(asked), command)

    limits = Limits(unit=1, default=Limit(1))
    await ask(
        OpenTable(by=SUPERVISOR, at=START, settings=TableSettings(pay_table="tai-sai-v6/2", limits=limits))
    )
    correct = cmd.CorrectResult(by=DEALER, at=START, second=SUPERVISOR, reason="misread", roll=Roll(6, 6, 5))
    void = cmd.MakeRuling(by=MANAGER, at=START, second=SUPERVISOR, reason="so ruled", decision="void")
    for roll, after in ((Roll(1, 2, 3), None), (Roll(6, 6, 6), correct), (Roll(4, 4, 4), void)):
        await ask(StartRound(by=DEALER, at=START))
        for command in (
            cmd.CloseBetting(by=DEALER, at=START),
            cmd.CoverTumbler(by=DEALER, at=START),
            cmd.ActivateTumbler(by=DEALER, at=START, tumbles=3),
            cmd.ExposeDice(by=DEALER, at=START),
            cmd.DeclareRoll(by=DEALER, at=START, roll=roll),
            cmd.SettleBets(by=DEALER, at=START),
            cmd.ConcludeRound(by=DEALER, at=START),
        ):
            await ask(InRound(by=DEALER, at=START, command=command))
        if after:
            await ask(InRound(by=DEALER, at=START, command=after))
    await desk.stop()


async def test_rolls_are_those_after_corrections_and_without_voids(tmp_path: Path) -> None:
    """A corrected result counts as corrected, and a void round shows no dice."""
    path = tmp_path / "record.db"
    signer = generate_key(tmp_path / "record.db.key")
    store = await open_store(str(path), writer="w", signer=signer, clock=Place(MemoryDisk()).clock)
    await record_three_rounds(store)
    assert await recorded_rolls(store) == [Roll(1, 2, 3), Roll(6, 6, 5)]
    assert await recorded_rolls(store, "T2") == []
    await store.close()
    said = process(["taisai", "fairness", str(path), "--table", "T1", "--format", "json"])
    assert said.returncode == 0
    assert '"rolls": 2' in said.stdout
    assert process(["taisai", "fairness", str(path), "--table", "T2"]).returncode == 2
