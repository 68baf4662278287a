"""What staff pages read over HTTP: the views of which `schema` makes their TypeScript."""

from typing import Any, Final

from taisai.floor.pit.takings import TakingsLine
from taisai.floor.staff.messages import StaffPolicy
from taisai.floor.table.messages import TableSettings
from taisai.floor.views.ticket_reports import TicketLiability
from taisai.server.http.account import Happened, NoticeView, PersonView, TotpOffer
from taisai.server.http.acts import ActDone, ActWaiting, ApprovalView
from taisai.server.http.admin import HealthView, InstallationView
from taisai.server.http.audit import AuditReport, SignificantPage
from taisai.server.http.audit_search import FoundPage, RefusedPage
from taisai.server.http.cage import DrawerCount, DrawerView, Redeemed, TicketStatusView
from taisai.server.http.dice import DiceRoundsView, DiceSetView
from taisai.server.http.owed import OwedDayView, OwedView
from taisai.server.http.pay import PayListView, RoundEffectView
from taisai.server.http.pit import IncidentView, MetersRow, PitDayView, PitTableView
from taisai.server.http.players import PlayerView, StandingView
from taisai.server.http.round_timeline import RoundTimeline
from taisai.server.http.staff import MemberView, OneTimePassword
from taisai.server.http.table_settings import TableRules
from taisai.server.http.tables import HouseView, RoundPage, RulesView, TableAndFelt
from taisai.server.http.terminals import EnrolmentCode, SeatView
from taisai.server.http.ticket_receipts import TicketReceipts
from taisai.server.http.tickets import TicketPage

VIEWS: Final[list[Any]] = [
    PersonView,
    NoticeView,
    TotpOffer,
    Happened,
    MemberView,
    OneTimePassword,
    StaffPolicy,
    InstallationView,
    HealthView,
    ActDone,
    ActWaiting,
    ApprovalView,
    RoundEffectView,
    PayListView,
    PitTableView,
    PitDayView,
    TakingsLine,
    IncidentView,
    TableSettings,
    TableRules,
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
    TicketReceipts,
    Redeemed,
    PlayerView,
    StandingView,
    AuditReport,
    SignificantPage,
    FoundPage,
    RefusedPage,
    TicketPage,
    TicketLiability,
    MetersRow,
    OwedView,
    OwedDayView,
    DiceSetView,
    DiceRoundsView,
]
