"""What README and docs show is what happens: every Python block and every command is run."""

import re
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.docs.blocks import ROOT, Block, blocks, pages
from tests.docs.running import DocsError, commands, compare, run_console, run_python

PAGES = pages()
LANGUAGES = {
    "python",
    "console",
    "text",
    "toml",
    "json",
    "csv",
    "sql",
    "svg",
    "mermaid",
    "http",
    "yaml",
    "ini",
    "nginx",
}
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


# Pages that play whole rounds of a running house, at its pace.
AT_LEISURE = {ROOT / "docs" / "guides" / "integrator.md"}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] if page in AT_LEISURE else []) for page in PAGES],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_block_of_a_page_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks run in order in an empty folder; files that the page shows by name are there."""
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    for block in found:
        if block.title and block.language != "python":
            named = tmp_path / block.title
            named.parent.mkdir(parents=True, exist_ok=True)
            named.write_text(block.text, encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    try:
        for block in found:
            if block.language == "python":
                run_python(block, namespace)
            elif block.language == "console":
                run_console(block, tmp_path)
    finally:
        # A page that failed in the middle has not tidied up.
        for left in namespace.values():
            if isinstance(left, httpx.Client):
                left.close()
            elif isinstance(left, subprocess.Popen) and left.poll() is None:
                left.kill()
                left.communicate()


@every_page
def test_a_page_has_no_block_that_escapes_the_test(page: Path) -> None:
    """Commands stand in console blocks and code in python blocks, so that none goes unrun."""
    assert {block.language for block in blocks(page)} <= LANGUAGES


@every_page
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Relative links name files that there are, and headings that they have."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{target} is not there"
        if heading:
            assert heading in headings(file), f"{target}: no such heading"


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as sites make them."""
    lines = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", line.lower()).strip()) for line in lines}


def test_the_index_names_every_folder_and_page_of_the_top() -> None:
    """docs/README.md is the door to all of docs/."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for entry in sorted((ROOT / "docs").iterdir()):
        if entry.name != "README.md" and (entry.is_dir() or entry.suffix == ".md"):
            assert f"({entry.name}" in index or f"({entry.name}/" in index, (
                f"docs/README.md does not name {entry.name}"
            )


def test_the_site_has_every_page() -> None:
    """The navigation names each page once, and none that is not there."""
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r"^ +- (\S+\.md)$", site, flags=re.MULTILINE)
    there = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert sorted(named) == sorted(there)


# --- the harness itself --------------------------------------------------------------------------------


def block_of(language: str, text: str, shown: str | None = None) -> Block:
    return Block(ROOT / "README.md", 1, language, None, text, shown)


def test_blocks_are_read_with_language_title_and_shown_output(tmp_path: Path) -> None:
    """Only a text block right after a block is its output."""
    page = tmp_path / "page.md"
    page.write_text(
        '```toml title="a.toml"\nx = 1\n```\n\n'
        "```python\nprint(1)\n```\n\n```text\n1\n```\n"
        "- item\n  ```python\n  print(2)\n  ```\n\nprose\n\n```text\nother\n```\n",
        encoding="utf-8",
    )
    found = [(block.language, block.title, block.text, block.shown) for block in blocks(page)]
    assert found == [
        ("toml", "a.toml", "x = 1\n", None),
        ("python", None, "print(1)\n", "1\n"),
        ("text", None, "1\n", None),
        ("python", None, "print(2)\n", None),
        ("text", None, "other\n", None),
    ]


def test_a_wrong_output_is_noticed() -> None:
    """Python, doctest and console: each fails when it prints something else."""
    with pytest.raises(DocsError, match=r"-1\n\+2"):
        run_python(block_of("python", "print(2)\n", "1\n"), {})
    with pytest.raises(DocsError, match="Expected"):
        run_python(block_of("python", ">>> 1 + 1\n3\n"), {})
    with pytest.raises(DocsError, match="taisai 9"):
        run_console(block_of("console", "$ taisai --version\ntaisai 9\n"), Path.cwd())


def test_blocks_share_their_names_and_may_await() -> None:
    """A later block sees what an earlier one made."""
    namespace: dict[str, Any] = {}
    run_python(block_of("python", "import asyncio\nx = 2\nawait asyncio.sleep(0)\n"), namespace)
    run_python(block_of("python", ">>> x\n2\n>>> y = x + 1\n"), namespace)
    run_python(block_of("python", "print(y)\n", "3\n"), namespace)


def test_dots_stand_for_any_lines() -> None:
    """Long output may be cut, at the start, in the middle and at the end."""
    block = block_of("console", "")
    compare(block, "a\n...\nd\n", "a\nb\nc\nd\n")
    compare(block, "...\n", "a\nb\n")
    compare(block, "a\n...\n", "a\n")
    for wrong in ("a\n...\nc\n", "b\n...\n", "a\n", "...\ne\n"):
        with pytest.raises(DocsError):
            compare(block, wrong, "a\nb\nc\nd\n")


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("make no-such-target", "no target 'no-such-target'"),
        ("make test", None),
        ("pip install taisai[maths]", None),
        ("pip install taisai[magic]", "no such extra"),
        ("pip install flask", "expected taisai"),
        ("python -m bench", None),
        ("python -m no_such_module", "no module"),
        ("rm -rf /", "pages run taisai"),
        ("curl -s http://localhost:8400/api/v1/house", None),
        ("curl -s $HOUSE/api/v1/casino", "no GET /api/v1/casino"),
        ("curl -s $HOUSE/api/v1/house --json {}", "no POST /api/v1/house"),
        ("curl -s -X DELETE $HOUSE/api/v1/staff/mei/password", None),
        ("sudo install -m 644 packaging/taisai.toml /etc/taisai/", None),
        ("sudo install -m 644 packaging/none.toml /etc/taisai/", "there is no packaging/none.toml"),
        ("sudo -u taisai /opt/taisai/bin/taisai doctor --config x.toml", None),
        ("sudo -u taisai /opt/taisai/bin/taisai doctor --cofnig x.toml", "no option --cofnig"),
        ("sudo -u taisai /opt/taisai/bin/taisai audit verify house.db --witness w.jsonl", None),
        ("sudo rm x", "do not show 'rm'"),
    ],
)
def test_other_commands_are_checked_to_exist(command: str, complaint: str | None) -> None:
    """What is not run is at least looked up, and nothing else may be shown."""
    block = block_of("console", f"$ {command}\n")
    if complaint is None:
        run_console(block, Path.cwd())
    else:
        with pytest.raises(DocsError, match=complaint):
            run_console(block, Path.cwd())


def test_a_command_may_go_on_in_the_next_line() -> None:
    """As in a shell: a backslash at the end."""
    assert commands(block_of("console", "$ taisai a \\\n>   --b\nout\n$ taisai c\n")) == [
        ("taisai a --b", "out\n"),
        ("taisai c", ""),
    ]
