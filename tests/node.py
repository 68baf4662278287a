"""Node for tests: the machine's own, or the wheel's, as the build of the pages finds it."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def run_node(script: str, *arguments: str, folder: Path = ROOT, given: str = "") -> Any:
    """Run a script with Node; the pages' packages are installed first."""
    spec = importlib.util.spec_from_file_location("hatch_build_of_tests", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    building = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(building)
    building.install()
    path = os.pathsep.join(filter(None, [building._node_folder(), os.environ.get("PATH", "")]))
    node = shutil.which("node", path=path)
    assert node is not None
    return subprocess.run(
        [node, script, *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
