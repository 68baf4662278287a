"""Who sits at a terminal: a registered player, or the session itself."""

from taisai.floor.desks.decider import SYSTEM
from taisai.floor.door.acts import PlayersAct
from taisai.floor.players.messages import BeginPlay, RegisterPlayer
from taisai.floor.ports import Floor


async def seated_player(house: Floor, session: str) -> str:
    """The player at a terminal's session: a registered one, or else the session itself."""
    known = house.read.player(session)
    if known is not None:
        return known.name
    registered = RegisterPlayer(by=SYSTEM, at=house.now(), player=session)
    await house.do(PlayersAct(registered), SYSTEM, f"registered.{session}")
    began = BeginPlay(by=SYSTEM, at=house.now(), player=session, place=session)
    await house.do(PlayersAct(began), SYSTEM, f"began.{session}")
    return session
