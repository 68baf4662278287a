"""What `taisai doctor` finds out about the machine and the installed package. It only looks."""

import base64
import hashlib
import json
import os
import platform
import re
import secrets
import sys
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from taisai.floor.health import Finding, failed, judge_python, ok, warning

# What each extra brings, and whether a house can be run without it.
EXTRAS: Final = {
    "store": ("the record, its keys and its audits", True),
    "server": ("the house with its pages and interface", True),
    "maths": ("PAR sheets, tests of fairness, risk", True),
    "fast": ("simulated paths at full speed", False),
    "rl": ("the game as an environment for learning agents", False),
}
_REQUIREMENT: Final = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?P<brackets>\[[^]]*\])?\s*(?:>=\s*(?P<least>[0-9.]+))?"
    r".*?;.*extra\s*==\s*['\"](?P<extra>[a-z]+)['\"]"
)


def look_at_machine() -> list[Finding]:
    """The interpreter, the platform, the package and its extras, the pages, the random source."""
    bits = 64 if sys.maxsize > 2**32 else 32
    version = (sys.version_info.major, sys.version_info.minor, sys.version_info.micro)
    found = judge_python(version, platform.python_implementation(), platform.system(), bits)
    requires = metadata.requires("taisai") or []
    return [*found, *extras(requires, installed), program_files(), pages(_static()), random_source()]


def installed(name: str) -> str | None:
    """The version of a distribution, if it is there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def extras(requires: list[str], version_of: Any) -> list[Finding]:
    """Each extra, with what is missing of it."""
    wanted: dict[str, list[tuple[str, str]]] = {extra: [] for extra in EXTRAS}
    for match in filter(None, map(_REQUIREMENT.match, requires)):
        if match["extra"] in wanted and match["name"] != "taisai":
            wanted[match["extra"]].append((match["name"], match["least"] or "0"))
    return [_extra(extra, parts, version_of) for extra, parts in wanted.items()]


def _extra(extra: str, parts: list[tuple[str, str]], version_of: Any) -> Finding:
    check = f"extra {extra}"
    gives, needed = EXTRAS[extra]
    missing = [name for name, _ in parts if version_of(name) is None]
    old = [
        f"{name} {version_of(name)}"
        for name, least in parts
        if name not in missing and _numbers(version_of(name)) < _numbers(least)
    ]
    if not missing and not old:
        return ok(check, f"{len(parts)} packages: {gives}")
    said = "; ".join(
        part
        for part in (
            f"not installed: {', '.join(missing)}" if missing else "",
            f"too old: {', '.join(old)}" if old else "",
        )
        if part
    )
    advice = f"pip install 'taisai[{extra}]', for {gives}"
    expected = ", ".join(f"{name}>={least}" for name, least in parts)
    if needed:
        return failed(check, said, expected=expected, advice=advice)
    return ok(check, f"{said} (optional: {gives})") if not old else warning(
        check, said, expected=expected, advice=advice
    )  # fmt: skip


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: enough to compare it with a least one."""
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3])


def program_files() -> Finding:
    """The package's files are those that were installed."""
    distribution = metadata.distribution("taisai")
    recorded = [file for file in distribution.files or [] if file.hash and file.parts[0] == "taisai"]
    if not recorded:
        return ok("program", f"taisai {distribution.version}, in place of a copy (editable)")
    return judge_files(
        distribution.version,
        {str(file): (Path(str(distribution.locate_file(file))), file.hash.value) for file in recorded},  # type: ignore[union-attr]  # only those with a hash
    )


def judge_files(version: str, recorded: dict[str, tuple[Path, str]]) -> Finding:
    """Files against the digests that the installer wrote down."""
    altered = [name for name, (path, digest) in recorded.items() if _digest(path) != digest]
    if not altered:
        return ok("program", f"taisai {version}, {len(recorded)} files as they were installed")
    said = f"altered or missing: {', '.join(altered[:3])}{' …' if len(altered) > 3 else ''}"
    advice = f"find out who changed them, then install taisai {version} again"
    return failed("program", said, expected=f"{len(recorded)} files as installed", advice=advice)


def _digest(path: Path) -> str:
    try:
        raw = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _static() -> Path:
    return Path(str(files("taisai.server") / "static"))


def pages(static: Path) -> Finding:
    """The pages are built, and all that their manifest names is there."""
    advice = "install the package again without TAISAI_SKIP_FRONTEND (in a clone: make pages)"
    try:
        manifest = json.loads((static / "manifest.json").read_text(encoding="utf-8"))
        built = manifest["pages"]
        named = {manifest["icon"]} | {
            name
            for page in built.values()
            for name in (page["script"], page["style"], *page["chunks"], *page["later"], *page["preload"])
        }
    except FileNotFoundError:
        return failed("pages", "not built", expected="a manifest and its files", advice=advice)
    except (OSError, ValueError, KeyError, TypeError) as error:
        said = f"the manifest cannot be read: {type(error).__name__}"
        return failed("pages", said, expected="a manifest and its files", advice=advice)
    missing = sorted(name for name in named if not (static / name).is_file())
    if missing:
        said = f"missing: {', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}"
        return failed("pages", said, expected=f"{len(named)} files", advice=advice)
    return ok("pages", f"{len(built)} pages, {len(named)} files")


def random_source() -> Finding:
    """The system's generator answers without waiting, and not always the same."""
    advice = "let the machine gather randomness first (on virtual machines: virtio-rng)"
    expected = "the operating system's generator, seeded"
    try:
        if hasattr(os, "getrandom"):
            os.getrandom(32, os.GRND_NONBLOCK)
        drawn = {secrets.token_bytes(32) for _ in range(4)}
    except OSError as error:
        said = f"it does not answer: {error.strerror or type(error).__name__}"
        return failed("random source", said, expected=expected, advice=advice)
    if len(drawn) < 4:
        return failed("random source", "it repeats itself", expected=expected, advice=advice)
    return ok("random source", "the operating system's generator")
