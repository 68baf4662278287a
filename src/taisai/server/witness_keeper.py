"""The other end of a witness on another machine: it adds the tips that a house sends, and gives them back.

It keeps no secret and decides nothing: every line is signed by the house, and whoever compares looks at that.
It only ever adds, so that whoever has the token can neither cut nor change what was kept.
"""

import asyncio
import hmac
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException, NotAuthorizedException

from taisai.adapters.witnesses.file import FileWitness, read_lines
from taisai.adapters.witnesses.https import LINES
from taisai.errors import InputError

BODY_BYTES_MAX: Final = 256 * 1024


def create_keeper(path: Path, token: str) -> Litestar:
    """An application that keeps tips in a file, for who has the token."""
    witness, adding = FileWitness(path), asyncio.Lock()
    expected = f"Bearer {token}".encode()

    def check(request: "Request[Any, Any, Any]") -> None:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, expected):
            raise NotAuthorizedException("expected the token of this witness")

    @post("/", status_code=204, media_type=MediaType.TEXT)
    async def add_tips(request: "Request[Any, Any, Any]") -> None:
        """Add lines, each of them a tip; all of them or none."""
        check(request)
        raw = await request.body()
        try:
            if not read_lines(raw, "message"):
                raise InputError("expected at least one tip")
            async with adding:
                await asyncio.to_thread(witness.add, raw if raw.endswith(b"\n") else raw + b"\n")
        except InputError as error:
            raise HTTPException(str(error), status_code=400) from None

    @get("/", media_type=MediaType.TEXT)
    async def kept_tips(request: "Request[Any, Any, Any]") -> Response[bytes]:
        """Everything that was kept."""
        check(request)
        raw = await asyncio.to_thread(path.read_bytes) if path.exists() else b""
        return Response(raw, media_type=LINES)

    return Litestar(
        [add_tips, kept_tips], request_max_body_size=BODY_BYTES_MAX, openapi_config=None, logging_config=None
    )
