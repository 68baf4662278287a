"""What the door answers to an act."""

from datetime import datetime

import msgspec

from taisai.floor.cage import CageAnswer
from taisai.floor.desks.decider import Done
from taisai.floor.table.messages import Accepted
from taisai.game.refusals import Refusal


class Waiting(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """An act that takes two people, until the second agrees."""

    approval: str
    expires_at: datetime


Answer = Accepted | Done | CageAnswer | Waiting | Refusal
