"""What leaves the house and what stays: texts, caches, cookies, files, and the operations' own address."""

import re
import stat
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from taisai.client import Refused, fresh_id
from taisai.server.ops.logs import masked_text
from taisai.server.running import listen
from tests.server.houses import CLUSTER, Serving, serving, settings


async def test_no_name_and_no_reason_carries_a_control_character(house: Serving) -> None:
    """Of a login, which is on the record whatever it is, or of an act, which is refused in one line."""
    visitor, admin = await house.visitor(), await house.person("admin")
    await visitor.http.post("/api/v1/login", json={"name": "eve\x1b[2J\nroot", "password": "x"})
    bodies = [event.body async for event in house.parts.house.store.events("staff")]
    assert b"eve\\u001b" not in b"".join(bodies)
    assert "eve\ufffd[2j\ufffdroot".encode() in b"".join(bodies)
    dealer = await house.person("dealer")
    for asked in (
        admin.post("/staff/dealer", {"enabled": False, "reason": "left\r\nadmin: all is well"}),
        dealer.act("T1", "BuyIn", player="ann\u202egnp", amount=500),
        dealer.act("T1", "MakeRuling", decision="record", reason="a\x00b"),
    ):
        with pytest.raises(Refused) as refused:
            await asked
        assert refused.value.code == "input_invalid"
        assert "\n" not in refused.value.sentences["en"][0]


async def test_private_answers_are_kept_by_nobody(house: Serving) -> None:
    """No browser and no proxy keeps what a login opened, nor an error; what is everyone's may be kept."""
    dealer, visitor = await house.person("dealer"), await house.visitor()
    for path in ("/api/v1/me", "/api/v1/approvals", "/api/v1/pit/day"):
        assert (await dealer.http.get(path)).headers["cache-control"] == "no-store", path
    assert (await visitor.http.get("/api/v1/me")).headers["cache-control"] == "no-store"
    wrong = {"name": "dealer", "password": "x"}
    assert (await visitor.http.post("/api/v1/login", json=wrong)).headers["cache-control"] == "no-store"
    assert "cache-control" not in (await visitor.http.get("/api/v1/tables")).headers
    static = (await visitor.http.get("/")).text.partition('src="/static/')[2].partition('"')[0]
    kept = (await visitor.http.get(f"/static/{static}")).headers["cache-control"]
    assert "immutable" in kept


@pytest.mark.parametrize("play_money", [True, False])
async def test_a_cookie_is_ended_with_the_flags_it_was_set_with(tmp_path: Path, play_money: bool) -> None:
    """Else a browser keeps it: `__Host-` cookies without Secure are not even looked at."""
    async with serving(settings(tmp_path, CLUSTER, house={"play_money": play_money})) as house:
        visitor = await house.visitor()
        body = {"name": "dealer", "password": house.logins["dealer"]}
        answer = await visitor.http.post("/api/v1/login", json=body)
        (begun,) = (one for one in answer.headers.get_list("set-cookie") if "device" not in one)
        name, value = begun.partition(";")[0].split("=", 1)
        headers = {"X-CSRF-Token": answer.json()["csrf"], "Cookie": f"{name}={value}"}
        ended = (await visitor.http.post("/api/v1/logout", headers=headers)).headers["set-cookie"]

        def flags(cookie: str) -> set[str]:
            parts = {part.strip().casefold() for part in cookie.split(";")[1:]}
            return {part for part in parts if not part.startswith(("max-age", "expires"))}

        assert flags(ended) == flags(begun)
        assert ended.startswith(f"{name}=")
        assert "max-age=0" in ended.casefold()


async def test_the_files_of_the_record_are_their_owners_alone(tmp_path: Path) -> None:
    """The record, its log, its lock, the names and the keys; whatever the process's own mask is."""
    async with serving(settings(tmp_path, CLUSTER)) as house:
        await house.terminal(credit=500)
        others = {
            file.name: oct(stat.S_IMODE(file.stat().st_mode))
            for file in tmp_path.rglob("*")
            if file.is_file() and file.suffix != ".pub" and file.stat().st_mode & 0o077
        }
        assert others == {}
        assert {"house.db", "house.db-wal", "house.db-owner"} <= {file.name for file in tmp_path.iterdir()}


@pytest.mark.parametrize("between", ["", " ", "-", "  ", " - ", "%20", "\u2013", ".", "/"])
def test_a_tickets_number_is_masked_in_every_spelling(between: str) -> None:
    """Whatever stands between its digits, and quoted for an address too."""
    number = between.join("012345678901234567")
    for text in {number, quote(number, safe="%")}:
        masked = masked_text(f"GET /x/{text}?a=1")
        assert "0123456789" not in "".join(sign for sign in masked if sign.isdigit())
        assert "•" * 14 in masked


async def test_a_number_in_an_address_leads_nowhere(house: Serving) -> None:
    """Such addresses are gone: what a proxy logs is worth nothing."""
    cashier = await house.person("cashier")
    await cashier.post("/drawers", {"float": 1_000}, key=fresh_id())
    number = (await cashier.post("/tickets", {"amount": 500}, key=fresh_id()))["number"]
    answers = [
        await cashier.http.get(f"/api/v1/tickets/{number}"),
        await cashier.http.post(f"/api/v1/tickets/{number}/redeem", headers={"Idempotency-Key": "x"}),
    ]
    assert {answer.status_code for answer in answers} <= {404, 405}


async def test_operations_have_an_address_of_their_own(tmp_path: Path) -> None:
    """There and nowhere else, in no spelling, and nothing else is there."""
    spare = listen("127.0.0.1", 0)
    port = spare.getsockname()[1]
    spare.close()
    config = settings(tmp_path, CLUSTER, server={"ops_port": port})
    async with serving(config, people={}) as house, httpx.AsyncClient() as client:

        async def status(base: str, path: str) -> int:
            return (await client.get(base + path)).status_code

        beside = f"http://127.0.0.1:{port}"
        for path in ("/metrics", "/metrics/", "/readyz", "/readyz/"):
            assert (await status(house.address, path), await status(beside, path)) == (404, 200), path
        for path in ("/", "/api/v1/tables", "/api/v1/me"):
            assert await status(beside, path) == 404, path
        assert await status(house.address, "/livez") == await status(beside, "/livez") == 200


def test_the_proxy_passes_no_spelling_of_the_operations_on() -> None:
    """Neither with a slash more, nor in capitals."""
    proxy = (Path(__file__).parents[2] / "packaging" / "nginx.conf").read_text(encoding="utf-8")
    (pattern,) = re.findall(r"location ~\* (\S+) { deny all; }", proxy)
    for path in ("/metrics", "/metrics/", "//metrics", "/Metrics", "/readyz", "/readyz/", "/READYZ/x"):
        assert re.search(pattern, path, re.IGNORECASE), path
    assert not re.search(pattern, "/api/v1/metrics-of-mine", re.IGNORECASE)
