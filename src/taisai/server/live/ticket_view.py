"""A ticket as it is printed: figures, words, and a code to scan."""

from io import BytesIO
from typing import Literal

import segno

from taisai.floor.plan import HousePlan
from taisai.floor.streams import CAGE
from taisai.floor.tickets import TicketIssued
from taisai.server import wire
from taisai.server.live.table_view import millis
from taisai.server.words.amounts import amount_in_words


def qr_svg(text: str) -> str:
    """A text as a QR code, an SVG without a size of its own."""
    out = BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, nl=False
    )
    return out.getvalue().decode()


def ticket_view(
    house: HousePlan, number: str, issued: TicketIssued, *, duplicate: bool = False
) -> wire.TicketView:
    """All that a ticket shows. Its number is in it: nobody but its holder gets this."""
    at_cage: Literal["reissue", "sale"] = "reissue" if issued.replaces else "sale"
    return wire.TicketView(
        number=number,
        kind=at_cage if issued.where == CAGE else "cash-out",
        amount=issued.amount,
        amount_words=amount_in_words(issued.amount, house.currency, house.currency_exponent),
        issued_at=millis(issued.at),
        expires_at=millis(issued.expires_at),
        site=house.name,
        issuer=issued.where,
        sequence=issued.sequence,
        qr_svg=qr_svg(number),
        play_money=house.play_money,
        duplicate=duplicate,
    )
