"""Every view that a house keeps."""

from typing import Final

from taisai.floor.views.attempts import REFUSED_BETS
from taisai.floor.views.dice_rounds import DICE_ROUNDS
from taisai.floor.views.meters import METERS
from taisai.floor.views.owed import OWED
from taisai.floor.views.refused_acts import REFUSED_ACTS
from taisai.floor.views.rounds import PLAYS, ROUNDS, TICKETS
from taisai.floor.views.ticket_log import TICKET_LOG
from taisai.record.views import BALANCES, View

VIEWS: Final[tuple[View, ...]] = (
    BALANCES,
    ROUNDS,
    PLAYS,
    TICKETS,
    TICKET_LOG,
    METERS,
    OWED,
    DICE_ROUNDS,
    REFUSED_BETS,
    REFUSED_ACTS,
)
