"""`python -m taisai.server.describe docs/reference` writes openapi.json and asyncapi.json."""

import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from taisai.errors import InputError
from taisai.server.app import create_app
from taisai.server.http.descriptions import asyncapi_bytes, openapi_bytes
from taisai.server.parts import Parts


def _closed() -> AbstractAsyncContextManager[Parts]:
    raise InputError("this application is described, not run")


def described() -> bytes:
    """The HTTP interface of an application that nobody runs."""
    return openapi_bytes(create_app(_closed))


def main(folder: Path) -> None:
    """Write both files."""
    (folder / "openapi.json").write_bytes(described())
    (folder / "asyncapi.json").write_bytes(asyncapi_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
