"""The life of a set of dice: put in, inspected, played with, taken out."""

from dataclasses import dataclass
from datetime import datetime

from taisai.floor.pit import messages as msg
from taisai.floor.pit.state import PitList


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A set of dice as its entries tell it, the oldest first."""

    name: str
    table: str | None
    failed: bool
    entries: tuple[msg.DicePutIn | msg.DiceInspected | msg.DiceTakenOut, ...]

    @property
    def passed_at(self) -> datetime | None:
        """When it last passed an inspection: whatever it showed before that stands."""
        passed = [e.at for e in self.entries if isinstance(e, msg.DiceInspected) and e.passed]
        return passed[-1] if passed else None


def dice_sets(pit: PitList) -> list[DiceSet]:
    """Every set that the pit's log knows, the last one that something happened to first."""
    entries: dict[str, list[msg.DicePutIn | msg.DiceInspected | msg.DiceTakenOut]] = {}
    for entry in pit.dice_log:
        entries.setdefault(entry.dice_set, []).append(entry)
    found = [dice_set(pit, name) for name in entries]
    return sorted(found, key=lambda each: each.entries[-1].at, reverse=True)


def dice_set(pit: PitList, name: str) -> DiceSet:
    """One set; of one that nothing is known of there are no entries."""
    entries = tuple(entry for entry in pit.dice_log if entry.dice_set == name)
    return DiceSet(name, pit.dice_at.get(name), name in pit.failed_dice, entries)
