"""A line to PostgreSQL that can go dead at the worst moment: after a commit was sent, before its answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from taisai.cli.trial.lines import Cable, laid_to_file, reach_file

SOCKET = ".s.PGSQL.5432"
# What only a commit holds: the answers to commands.
_COMMIT = b'{"type":"'


class DeafLine(Cable):
    """`deaf` swallows the server's answer to the next commit, and all is cut then."""

    deaf = False
    _unheard: object = None  # the connection whose commit nobody hears of

    def heard(self, way: str, data: bytes, connection: object) -> bool:
        if way == "there":
            if self.deaf and _COMMIT in data:
                self._unheard = connection
            return True
        if self._unheard is connection:
            # The server has done what it was asked, and nobody will ever hear of it.
            self.deaf, self._unheard = False, None
            self.cut()
            return False
        return True


@asynccontextmanager
async def line_to(url: str, folder: Path) -> AsyncIterator[tuple[str, DeafLine]]:
    """The address of such a line, and the line."""
    server = Path(parse_qs(urlsplit(url).query)["host"][0])
    line = DeafLine(reach_file(server / SOCKET))
    async with laid_to_file(line, folder / SOCKET):
        yield url.replace(str(server), str(folder)), line
