"""Who sits at a terminal."""

from tests.floor.houses import SmallHouse, cluster, seat


async def test_a_session_is_registered_once_and_known_from_then_on() -> None:
    """Whoever asks again, by whichever way, finds the same player."""
    async with SmallHouse(cluster()).open() as house:
        session = await seat(house, "C1", "C1-1", 10_000)
        assert house.read.player(session) is None
        assert await house.seated_player(session) == session
        known = house.read.player(session)
        assert known is not None
        assert (known.name, known.places) == (session, (session,))
        version = house.players.version
        assert await house.seated_player(session) == session
        assert house.players.version == version
