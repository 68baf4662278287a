"""The people of an evening."""

from typing import TYPE_CHECKING

from tests.evenings.people.base import Person
from tests.evenings.people.dealer import Dealer
from tests.evenings.people.others import Auditor, Cashier
from tests.evenings.people.pit import Pit
from tests.evenings.people.staff_list import Administrator
from tests.evenings.people.terminal import Terminal

if TYPE_CHECKING:
    from tests.evenings.world import World

KINDS: dict[str, type[Person]] = {
    "terminal": Terminal,
    "dealer": Dealer,
    "pit": Pit,
    "cashier": Cashier,
    "auditor": Auditor,
    "administrator": Administrator,
}


def everyone(world: "World") -> list[Person]:
    """Everybody whom the plan names."""
    return [KINDS[plan.kind](world, plan) for plan in world.plan.people]
