"""A client of the server: terminals, consoles and staff, from Python.

    async with Visitor("http://localhost:8400") as house:
        key = await house.demo_terminal("C1")
        async with Terminal(house.address, key) as terminal:
            await terminal.cash_in(100_00)
            round_ = await terminal.betting()
            slip = await terminal.place(round_.number, {"big": 10_00})

Every request has an id. One whose answer was lost is sent again under the same id and is done once.
"""

from taisai.client.links import Console, Terminal
from taisai.client.visitors import Refused, Staff, TerminalKey, Unanswered, Visitor, fresh_id

__all__ = ["Console", "Refused", "Staff", "Terminal", "TerminalKey", "Unanswered", "Visitor", "fresh_id"]
