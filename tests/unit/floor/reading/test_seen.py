"""What questions about a house are answered from."""

from taisai.floor.desks.copy import DeskCopy
from taisai.floor.desks.desk import Desk
from taisai.floor.reading.seen import SeenDesk


def test_a_desk_and_a_copy_of_it_can_be_looked_at_alike() -> None:
    """Whatever a question may use of a desk, both have."""
    wanted = {name for name in vars(SeenDesk) if not name.startswith("_")}
    made_at_start = {"kind", "why_away"}  # set for each desk when it is made
    for kind in (Desk, DeskCopy):
        assert wanted - made_at_start <= set(dir(kind)), kind
