"""House style that no linter knows, held by a test."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = sorted(path for room in ("src", "tests", "bench", "examples") for path in (ROOT / room).rglob("*.py"))
LINES_MAX = 450
FLAT_MAX = 20

# Written so that this file does not find itself.
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|HA" r"CK)\b|\bNotImplemented" r"Error\b")
NOT_RUN = re.compile(r"pytest\.(?:sk" r"ip|importor" r"skip)|mark\.(?:sk" r"ip|x" r"fail)|time\.sl" r"eep")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_files_stay_small() -> None:
    """One subject a file: near 300 lines, and never above 450."""
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {name: length for name, length in lengths.items() if length > LINES_MAX} == {}


@pytest.mark.parametrize("room", ["floor", "server", "odds", "record", "adapters"])
def test_a_room_is_in_order(room: str) -> None:
    """What belongs together has a package of its own: few modules stand in the middle of a room."""
    flat = sorted(path.name for path in (ROOT / "src" / "taisai" / room).glob("*.py"))
    assert len(flat) <= FLAT_MAX, flat


# Messages are forms without behaviour; what reads and writes them is tested with those who do.
UNTESTED_ALONE = ("__init__.py", "messages.py")


def test_a_module_has_its_tests_by_its_name() -> None:
    """Whoever changes a module of the record, the floor or the live server knows where its tests are."""
    rooms = [ROOT / "src" / "taisai" / room for room in ("record", "floor", "server/live")]
    found = [
        path.relative_to(ROOT / "src" / "taisai") for room in rooms for path in sorted(room.rglob("*.py"))
    ]
    modules = [path for path in found if path.name not in UNTESTED_ALONE]
    tests = {path: ROOT / "tests" / "unit" / path.parent / f"test_{path.name}" for path in modules}
    assert len(tests) > 100
    assert [str(path) for path, test in tests.items() if not test.exists()] == []


def test_nothing_is_left_unfinished() -> None:
    """What is not done is not there."""
    assert [named(path) for path in CODE if UNFINISHED.search(path.read_text(encoding="utf-8"))] == []


def test_no_test_is_left_out_or_waits() -> None:
    """Every test runs, on every machine, and time is passed in."""
    tests = [path for path in CODE if path.is_relative_to(ROOT / "tests")]
    assert [named(path) for path in tests if NOT_RUN.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("room", ["money.py", "game", "ledger"])
def test_no_float_comes_near_money(room: str) -> None:
    """Money is whole numbers and odds are fractions: no float is written, made or named there."""
    start = ROOT / "src" / "taisai" / room
    for path in [start] if start.suffix else sorted(start.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_literal = isinstance(node, ast.Constant) and isinstance(node.value, float)
            is_made = (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"
            )
            assert not is_literal, f"{named(path)}:{node.lineno}"
            assert not is_made, f"{named(path)}:{node.lineno}"


def test_every_test_is_a_claim_with_a_sentence() -> None:
    """A test says what it proves, in its name and in one sentence."""
    bare = []
    for path in CODE:
        if path.name.startswith("test_"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                is_test = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
                    "test_"
                )
                if is_test and not ast.get_docstring(node):
                    bare.append(f"{named(path)}:{node.lineno} {node.name}")
    assert bare == []


def test_the_lock_has_hashes_and_no_addresses() -> None:
    """Every package that is installed is known by its hash, from whatever index it comes."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"https?:|--index|--find-links", lock)
    pinned = re.findall(
        r"^([A-Za-z0-9._-]+)==[^\n]*\\\n    --hash=sha256:[0-9a-f]{64}", lock, flags=re.MULTILINE
    )
    named_lines = re.findall(r"^[A-Za-z0-9]", lock, flags=re.MULTILINE)
    assert len(pinned) == len(named_lines) > 20


def test_every_dependency_is_in_the_lock() -> None:
    """What pyproject.toml asks for is what the lock installs."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").lower()
    declared = tomllib.loads(project)
    groups = [each for group in declared["dependency-groups"].values() for each in group]
    wanted = [*declared["project"]["dependencies"], *(each for each in groups if isinstance(each, str))]
    wanted += [each for extra in declared["project"]["optional-dependencies"].values() for each in extra]
    for requirement in wanted:
        name = re.split(r"[\[<>=~!]", requirement)[0].strip().lower()
        assert name == "taisai" or re.search(rf"^{re.escape(name)}==", lock, flags=re.MULTILINE), name


# Names that stand for one thing in several forms.
SAME_MEANING = {
    "Refused": "an act that was refused: raised by the library, told on the wire, raised by the client",
}


def test_a_public_class_name_has_one_meaning() -> None:
    """Whoever reads a name in one room knows what it is in all of them."""
    places: dict[str, list[str]] = {}
    for path in CODE:
        if path.is_relative_to(ROOT / "src"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(named(path))
    assert {name: at for name, at in places.items() if len(at) > 1 and name not in SAME_MEANING} == {}


BODY_LINES_MIN = 8


def test_no_function_is_written_twice() -> None:
    """The same eight lines or more under two names are one function that nobody has made yet."""
    bodies: dict[str, list[str]] = {}
    for path in CODE:
        if path.is_relative_to(ROOT / "src"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    body = node.body[1:] if ast.get_docstring(node) else node.body
                    if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 >= BODY_LINES_MIN:
                        told = "\n".join(map(ast.dump, body))
                        bodies.setdefault(told, []).append(f"{named(path)}:{node.name}")
    assert [at for at in bodies.values() if len(at) > 1] == []


UNEXPLAINED = re.compile(
    r"#\s*(?:no" r"qa(?::[ A-Z0-9,]+)?|type:\s*ig" r"nore(?:\[[\w, -]+\])?)\s*$", re.MULTILINE
)


def test_every_exception_from_a_check_has_its_reason() -> None:
    """What a linter or the type checker is told to pass over says why, in the same line."""
    bare = [
        f"{named(path)}:{text.count(chr(10), 0, found.start()) + 1}"
        for path in CODE
        for text in [path.read_text(encoding="utf-8")]
        for found in UNEXPLAINED.finditer(text)
    ]
    assert bare == []


def test_interfaces_read_no_desks_state() -> None:
    """They act by the door and look through the named questions of `floor/reading`: no desk is touched."""
    desks = ("staff", "cage", "pit", "players", "approvals", "tables", "table", "desks")
    found = []
    for path in CODE:
        if not path.is_relative_to(ROOT / "src" / "taisai" / "server"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_desk = isinstance(node, ast.Attribute) and node.attr in desks
            if is_desk and re.search(r"(^|\.)house$", ast.unparse(node.value)):
                found.append(f"{named(path)}:{node.lineno} {ast.unparse(node)}")
    assert found == []
