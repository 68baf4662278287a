"""How pages and their files travel: packed for whoever takes it; and what a wrong address leads to."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from taisai.errors import InputError
from taisai.server.config import load_config
from taisai.server.http import phone
from taisai.server.http.packing import accepted
from taisai.server.http.phone import phone_address
from taisai.server.shells import manifest
from tests.server.houses import CLUSTER, LIVE, serving, settings

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A browser's requests, with the bytes as they came."""
    async with serving(settings(tmp_path, CLUSTER, LIVE)) as house:
        visitor = await house.visitor()
        yield visitor.http


async def raw(client: httpx.AsyncClient, path: str, takes: str) -> tuple[httpx.Response, bytes]:
    async with client.stream("GET", path, headers={"Accept-Encoding": takes}) as answer:
        return answer, b"".join([part async for part in answer.aiter_raw()])


async def test_built_files_come_packed_as_a_browser_takes_them(client: httpx.AsyncClient) -> None:
    """Brotli before gzip, and plain for whoever takes neither; the names say that they never change."""
    script = f"/static/{manifest()['pages']['terminal']['script']}"
    plain_answer, plain = await raw(client, script, "identity")
    assert "content-encoding" not in plain_answer.headers
    for takes, encoding in (("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip")):
        answer, body = await raw(client, script, takes)
        assert answer.headers["content-encoding"] == encoding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "immutable" in answer.headers["cache-control"]
        assert len(body) < 0.4 * len(plain)
        if encoding == "gzip":
            assert gzip.decompress(body) == plain


async def test_public_answers_are_packed_and_private_ones_are_not(client: httpx.AsyncClient) -> None:
    """What anyone may read travels packed; what is one person's keeps its length to itself."""
    answer, body = await raw(client, "/api/v1/tables/C1", "gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-length"] == str(len(body))
    assert b'"C1"' in gzip.decompress(body)
    answer, body = await raw(client, "/api/v1/tables/C1", "identity")
    assert "content-encoding" not in answer.headers
    for private in ("/api/v1/staff", "/terminal", "/"):
        answer, _ = await raw(client, private, "gzip")
        assert "content-encoding" not in answer.headers, private


async def test_a_short_answer_is_not_packed(client: httpx.AsyncClient) -> None:
    """It would only grow."""
    answer, _ = await raw(client, "/api/v1/house", "gzip")
    assert "content-encoding" not in answer.headers


def test_an_encoding_that_weighs_nothing_is_not_taken() -> None:
    """`q=0` says no."""
    assert accepted("br;q=0, gzip;q=0.5, *") == {"gzip", "*"}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/nowhere", "page"),
        ("/nowhere/at/all", "page"),
        ("/display?table=X9", "table"),
        ("/console?table=X9", "table"),
        ("/terminal?table=X9", "table"),
        ("/terminal?table=T1", "not-a-terminal"),
    ],
)
async def test_a_wrong_address_gets_a_page_that_says_so(
    client: httpx.AsyncClient, path: str, why: str
) -> None:
    """With the status of its kind, under the same policy as every page."""
    answer = await client.get(path, headers=HTML)
    assert answer.status_code == 404
    assert 'data-page="lost"' in answer.text
    assert f'"lost":"{why}"' in answer.text
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/static/nowhere.js"])
async def test_programs_get_a_problem_however_they_ask(client: httpx.AsyncClient, path: str) -> None:
    """Under these addresses nobody is a reader."""
    answer = await client.get(path, headers=HTML)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_who_does_not_ask_for_a_page_gets_a_problem(client: httpx.AsyncClient) -> None:
    """As curl does."""
    answer = await client.get("/nowhere", headers={"Accept": "*/*"})
    assert answer.json()["code"] == "not_found"


async def test_a_terminal_without_a_table_is_at_one_that_has_terminals(tmp_path: Path) -> None:
    """Though a live table comes first in the settings."""
    async with serving(settings(tmp_path, LIVE, CLUSTER)) as house:
        page = (await (await house.visitor()).http.get("/terminal", headers=HTML)).text
    assert '"table":"C1"' in page


async def test_a_phone_can_install_the_pages(client: httpx.AsyncClient) -> None:
    """The manifest names the house, and icons that are there in the sizes that are asked for."""
    answer = await client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["display"], told["start_url"]) == ("Test house", "standalone", "/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    for icon in told["icons"]:
        picture = (await client.get(icon["src"])).content
        size = int(icon["sizes"].partition("x")[0])
        assert picture.startswith(b"\x89PNG")
        assert int.from_bytes(picture[16:20]) == int.from_bytes(picture[20:24]) == size


def listening(host: str) -> Any:
    table = {"name": "C1", "kind": "cluster", "pay_table": "sic-bo-etg-v8/1"}
    base = {"server": {"host": host}, "house": {"play_money": True}, "table": [table]}
    return load_config(None, {}, base=base)


@pytest.mark.parametrize(
    ("listens", "asked", "found"),
    [
        ("0.0.0.0", "192.168.1.5:8400", "http://192.168.1.5:8400/"),
        ("127.0.0.1", "sicbo.example", "http://sicbo.example/"),
        ("127.0.0.1", "localhost:8400", ""),
        ("127.0.0.1", "[::1]:8400", ""),
        ("10.0.0.7", "127.0.0.1:8400", "http://10.0.0.7:8400/"),
        ("0.0.0.0", "localhost:8400", "http://10.9.8.7:8400/"),
        ("::", "127.0.0.1", "http://10.9.8.7/"),
    ],
)
def test_a_phone_is_shown_an_address_that_it_can_reach(
    monkeypatch: pytest.MonkeyPatch, listens: str, asked: str, found: str
) -> None:
    """The one by which the visitor came, else the machine's own; none where nobody else gets in."""
    monkeypatch.setattr(phone, "_own_address", lambda: "10.9.8.7")
    assert phone_address(listening(listens), asked, "http") == found


async def test_the_front_page_brings_the_code_for_a_phone(tmp_path: Path) -> None:
    """Only where there is an address to show."""
    config = settings(tmp_path, CLUSTER, server={"allowed_hosts": ["house.example"]})
    async with serving(config) as house:
        http = (await house.visitor()).http
        told = (await http.get("/", headers={**HTML, "Host": "house.example"})).text
        alone = (await http.get("/", headers=HTML)).text
    assert '"phone":"http://house.example/"' in told
    assert '"phone_qr":"\\u003csvg' in told
    assert '"phone":""' in alone


async def test_a_live_picture_is_allowed_from_its_own_origin_and_on_its_own_pages(tmp_path: Path) -> None:
    """The policy of a table's terminal and display names that origin; no other page's does."""
    video = "https://studio.example:8443/whep/t1"
    async with serving(settings(tmp_path, {**CLUSTER, "video": video}, LIVE)) as house:
        http = (await house.visitor()).http
        policies = {
            path: (await http.get(path, headers=HTML)).headers["content-security-policy"]
            for path in (
                "/terminal?table=C1",
                "/display?table=C1",
                "/display?table=T1",
                "/console?table=C1",
                "/",
            )
        }
        assert (await http.get("/api/v1/tables/C1")).json()["table"]["video"] == video
    for path, policy in policies.items():
        allowed = (
            "connect-src 'self' https://studio.example:8443; media-src 'self' https://studio.example:8443"
        )
        assert policy.endswith(allowed) == (path in ("/terminal?table=C1", "/display?table=C1")), path


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"video": "studio/whep"}, r"table\[0\].video: expected an http or https address, got 'studio/whep'"),
        ({"titles": {"fr": "Table"}}, r"table\[0\].titles: expected en, zh-Hant, zh-Hans, got 'fr'"),
    ],
)
def test_what_pages_cannot_show_is_refused(tmp_path: Path, more: dict[str, Any], fault: str) -> None:
    """With what was expected and what came."""
    with pytest.raises(InputError, match=fault):
        settings(tmp_path, {**CLUSTER, **more})


async def test_a_table_and_a_house_have_names_in_the_readers_language(tmp_path: Path) -> None:
    """The pages get all of them and choose."""
    table = {**CLUSTER, "title": "Sic Bo", "titles": {"zh-Hans": "骰宝"}}
    said = {"names": {"zh-Hans": "测试馆"}, "help_line": "Call us.", "help_lines": {"zh-Hans": "请来电。"}}
    async with serving(settings(tmp_path, table, house=said)) as house:
        http = (await house.visitor()).http
        titles = (await http.get("/api/v1/tables/C1")).json()["table"]["titles"]
        page = (await http.get("/", headers=HTML)).text
    assert titles == {"en": "Sic Bo", "zh-Hans": "骰宝"}
    assert '"house_names":{"en":"Test house","zh-Hans":"测试馆"}' in page
    assert '"help_line":{"en":"Call us.","zh-Hans":"请来电。"}' in page
