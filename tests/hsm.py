"""SoftHSM for the contract of signers: the machine's own, else Debian's packages, unpacked and not installed.

`python -m tests.hsm` (or `make hsm`) brings it and runs the suite on it; the suite on files runs always.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PIN = "4711"
MODULE_VARIABLE = "SOFTHSM2_MODULE"
TOOL_VARIABLE = "SOFTHSM2_UTIL"
_PACKAGES = ("softhsm2", "libsofthsm2")
_UNPACKED = Path("build/softhsm")


def _module_in(root: Path) -> Path | None:
    return next(iter(sorted(root.glob("usr/lib/**/libsofthsm2.so"))), None)


def bring() -> tuple[Path, Path]:
    """The module and its tool."""
    installed, tool = _module_in(Path("/")), shutil.which("softhsm2-util")
    if installed is not None and tool is not None:
        return installed, Path(tool)
    if _module_in(_UNPACKED) is None:
        _UNPACKED.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *_PACKAGES], cwd=_UNPACKED, check=True)
        for package in sorted(_UNPACKED.glob("*.deb")):
            subprocess.run(["dpkg", "-x", package.name, "."], cwd=_UNPACKED, check=True)
    module = _module_in(_UNPACKED)
    if module is None:
        sys.exit("no SoftHSM: Debian's packages softhsm2 and libsofthsm2 hold no libsofthsm2.so")
    return module.resolve(), (_UNPACKED / "usr/bin/softhsm2-util").resolve()


def make_token(folder: Path) -> str:
    """A fresh token in a folder; returns its address. The module reads where it is from the environment."""
    module, tool = os.environ[MODULE_VARIABLE], os.environ[TOOL_VARIABLE]
    (folder / "tokens").mkdir()
    settings = folder / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {folder / 'tokens'}\n", encoding="ascii")
    os.environ["SOFTHSM2_CONF"] = str(settings)
    label = folder.name
    made = ["--init-token", "--free", "--label", label, "--so-pin", PIN, "--pin", PIN]
    subprocess.run([tool, "--module", module, *made], check=True, capture_output=True)
    pin = folder / "pin"
    pin.touch(mode=0o600)
    pin.write_text(PIN, encoding="ascii")
    return f"pkcs11:token={label}?module-path={module}&pin-source=file:{pin}"


def main() -> None:
    module, tool = bring()
    found = {MODULE_VARIABLE: str(module), TOOL_VARIABLE: str(tool)}
    suite = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/contract/test_signers.py"]
    sys.exit(subprocess.run(suite, env={**os.environ, **found}, check=False).returncode)


if __name__ == "__main__":
    main()
