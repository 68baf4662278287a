"""What the tests of the log share: a round that was played, entries by hand, and a log made of them."""

from taisai.adapters.clock import ManualClock
from taisai.floor.desks.desk import Desk
from taisai.floor.proofs.log_files import MemoryLog
from taisai.floor.proofs.log_state import EnterLog, KeepCheckpoint, KeepCosignatures, LogState, log_desk
from taisai.proof.entries import Closing, Entry, Opening, Result, read_entry, spelled
from taisai.proof.notes import LogCheckpoint, NoteLine, SignedNote, cosignature, signed
from taisai.proof.tiles import Edge, TileReader
from taisai.record.ports import Store
from tests.floor.houses import SmallHouse, bet, seat
from tests.record import START
from tests.unit.floor.proofs_house import LOG_KEY, LOG_SIGNER, ORIGIN
from tests.unit.house import SYSTEM
from tests.unit.proof.test_notes import WITNESS, WITNESS_KEY

DIGEST = "ab" * 32


def opening(number: int = 1, version: int = 2, table: str = "T1") -> Opening:
    return Opening(table, number, 1_000_000, DIGEST, DIGEST, "", version, DIGEST)


def closing(at: int, number: int = 1, version: int = 5) -> Closing:
    return Closing("T1", number, 2_000_000, at, 3, DIGEST, version, DIGEST)


def result(at: int | None, number: int = 1, version: int = 9, attempt: int = 1) -> Result:
    return Result(
        "T1", number, 3_000_000, at, attempt, None, [1, 2, 3], "3.8", "05", "06", 3, DIGEST, version, DIGEST
    )


def texts(*entries: Entry) -> list[str]:
    return [spelled(entry).decode() for entry in entries]


def checkpoint(*entries: Entry, origin: str = ORIGIN) -> SignedNote:
    """The house's checkpoint of a log with these entries."""
    edge = Edge()
    for entry in entries:
        edge.add(spelled(entry))
    return signed(LogCheckpoint(origin, edge.size, edge.root()), LOG_KEY, LOG_SIGNER.sign)


def cosigned(note: SignedNote) -> NoteLine:
    """The line of a witness under a checkpoint."""
    return cosignature(note.text, 1_767_225_600, WITNESS_KEY, WITNESS.sign)


async def log_of(store: Store, *acts: list[Entry] | SignedNote | KeepCosignatures) -> LogState:
    """Put entries, checkpoints and cosignatures on the log's stream, as the registrar's desk does."""
    desk = Desk(log_desk(), store, ManualClock(START))
    await desk.start()
    for place, what in enumerate(acts):
        command: object = what
        if isinstance(what, SignedNote):
            command = KeepCheckpoint(by=SYSTEM, at=START, note=str(what))
        elif isinstance(what, list):
            command = EnterLog(by=SYSTEM, at=START, entries=texts(*what))
        await desk.ask("log", f"{desk.state.edge.size}.{place}", command)
    state = desk.state
    await desk.stop()
    return state


def entries(log: MemoryLog) -> list[Entry]:
    """Everything that is in the log's files."""
    size = log.position().size
    reader = TileReader(size, log.read)
    return [read_entry(reader.entry(index)) for index in range(size)]


async def played(house: SmallHouse, seconds: float = 45) -> None:
    """An automatic round with one bet, of a house that is opened for it."""
    async with house.open() as open_house:
        one = await seat(open_house, "C1", "A", 100_000)
        await bet(open_house, "C1", one, {"small": 1_000})
        await house.pass_time(seconds)
