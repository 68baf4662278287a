"""What staff pages read over HTTP: the views of which `schema` makes their TypeScript."""

from typing import Any, Final

from taisai.floor.messages import TableSettings
from taisai.floor.ticket_reports import Liability
from taisai.server.inspecting import RoundTimeline
from taisai.server.routes_acts import ActDone, ActWaiting, ApprovalView
from taisai.server.routes_audit import AuditReport, SignificantPage
from taisai.server.routes_cage import DrawerCount, DrawerView, Redeemed, TicketStatusView
from taisai.server.routes_pit import MetersRow, PitDayView, PitTableView
from taisai.server.routes_players import PlayerView, StandingView
from taisai.server.routes_staff import PersonView, TotpOffer
from taisai.server.routes_tables import HouseView, RoundPage, RulesView, TableAndFelt
from taisai.server.routes_terminals import EnrolmentCode, SeatView
from taisai.server.routes_tickets import TicketPage

VIEWS: Final[list[Any]] = [
    PersonView,
    TotpOffer,
    ActDone,
    ActWaiting,
    ApprovalView,
    PitTableView,
    PitDayView,
    TableSettings,
    RoundTimeline,
    RoundPage,
    RulesView,
    HouseView,
    TableAndFelt,
    SeatView,
    EnrolmentCode,
    DrawerView,
    DrawerCount,
    TicketStatusView,
    Redeemed,
    PlayerView,
    StandingView,
    AuditReport,
    SignificantPage,
    TicketPage,
    Liability,
    MetersRow,
]
