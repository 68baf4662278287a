"""The HTTP interface: one shape of errors, pages of results, headers, health, metrics, displays."""

import asyncio
import json
import logging
import re
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from taisai.client import Refused, Terminal, Unanswered, fresh_id, visitors
from taisai.errors import SettingsError
from taisai.floor.gaming_day import DayClock
from taisai.server import wire
from taisai.server.live import displays
from taisai.server.live.table_view import millis
from taisai.server.ops.logs import JsonLines, masked_text
from tests.server.houses import CLUSTER, Serving, dealt, serving, settings

PROBLEM = {"type", "title", "status", "detail", "code", "clause", "facts", "sentences"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/tables/none", 404, "not_found"),
        ("GET", "/api/v1/nothing", 404, "not_found"),
        ("GET", "/api/v1/rules/none", 404, "not_found"),
        ("GET", "/api/v1/felts/tai-sai-v6/99", 404, "not_found"),
        ("GET", "/api/v1/tables/T1/rounds?limit=0", 400, "input_invalid"),
        ("GET", "/api/v1/tables/T1/rounds?limit=x", 400, "input_invalid"),
        ("GET", "/api/v1/tables/T1/rounds?cursor=x", 400, "input_invalid"),
        ("GET", "/api/v1/tables/none/events", 404, "not_found"),
        ("POST", "/api/v1/demo/terminal", 400, "input_invalid"),
        ("DELETE", "/api/v1/tables", 405, "input_invalid"),
        ("GET", "/api/v1/me", 401, "session_ended"),
        ("GET", "/static/../config.py", 404, "not_found"),
        ("GET", "/static/nothing.js", 404, "not_found"),
    ],
)
async def test_every_error_is_a_problem_of_one_shape(
    house: Serving, method: str, path: str, status: int, code: str
) -> None:
    """RFC 9457 with code, clause, facts and words in three languages, and the headers of every answer."""
    visitor = await house.visitor()
    answer = await visitor.http.request(method, path, json={} if method == "POST" else None)
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert set(body) == PROBLEM
    assert set(body["sentences"]) == {"en", "zh-Hant", "zh-Hans"}
    assert "default-src 'self'" in answer.headers["content-security-policy"]


async def test_a_refusal_over_http_names_its_clause(house: Serving) -> None:
    """The same code, clause and words as at the console."""
    dealer = await house.person("dealer")
    await dealer.act("T1", "StartRound")
    with pytest.raises(Refused) as refused:
        await dealer.act("T1", "DeclareRoll", roll=[1, 2, 3])
    assert (refused.value.code, refused.value.clause) == ("betting_open", "3.8")


async def test_a_body_that_is_too_large_is_refused(house: Serving) -> None:
    """A quarter of a megabyte is enough for anything that is asked here."""
    visitor = await house.visitor()
    answer = await visitor.http.post("/api/v1/login", content=b'{"name":"' + b"x" * 300_000)
    assert answer.status_code == 413
    assert set(answer.json()) == PROBLEM


async def test_results_come_in_pages_newest_first(house: Serving) -> None:
    """Every round once, whatever the size of the pages."""
    console = await house.console("T1")
    for number in range(1, 8):
        await console.act("StartRound")
        await dealt(console, [1, 1 + number % 6, 4])
    visitor = await house.visitor()
    whole = [row["round"] async for row in visitor.rounds("T1")]
    assert whole == list(range(7, 0, -1))
    cursor, seen = None, []
    while True:
        page = await visitor.get("/tables/T1/rounds", cursor=cursor, limit=3)
        seen += [row["round"] for row in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == whole
    board = await visitor.get("/tables/T1/roads")
    assert len(board["dice"]) == 7


async def test_a_display_follows_a_table_and_comes_back_where_it_left(house: Serving) -> None:
    """A snapshot first, then each change; with the last id only what was missed."""
    visitor, console = await house.visitor(), await house.console("T1")
    stream = visitor.follow("T1")
    first = await asyncio.wait_for(anext(stream), 5)
    assert isinstance(first, wire.Snapshot)
    assert first.session is None
    await console.act("StartRound")
    opened = await asyncio.wait_for(anext(stream), 5)
    assert isinstance(opened, wire.RoundChanged)
    assert opened.round.phase == "betting"
    await stream.aclose()
    await console.act("CloseBetting")
    again = visitor.follow("T1", last_seq=opened.seq)
    missed = await asyncio.wait_for(anext(again), 5)
    assert isinstance(missed, wire.RoundChanged)
    assert missed.round.phase == "closed"
    await again.aclose()


async def test_a_display_hears_that_the_line_is_whole_while_nothing_happens(
    house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named event, which a browser sees; without an id, since it is nothing to come back to."""
    monkeypatch.setattr(displays, "QUIET_SECONDS", 0.01)
    visitor = await house.visitor()
    heard = []
    async with visitor.http.stream("GET", "/api/v1/tables/T1/events") as answer:
        async for line in answer.aiter_lines():
            heard.append(line)
            if line.startswith("data: ") and "event: ping" in heard:
                break
    ping = heard[heard.index("event: ping") - 1 :]
    assert ping[0] == ""
    assert isinstance(
        msgspec.json.decode(ping[2].removeprefix("data: "), type=wire.FromServer), wire.StillHere
    )


async def test_a_follower_is_told_when_the_line_falls_silent(
    house: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News come without the signs of life between them; where both stop, nobody waits for ever."""
    monkeypatch.setattr(displays, "QUIET_SECONDS", 0.01)
    visitor, console = await house.visitor(), await house.console("T1")
    stream = visitor.follow("T1")
    assert isinstance(await asyncio.wait_for(anext(stream), 5), wire.Snapshot)
    await console.act("StartRound")
    assert isinstance(await asyncio.wait_for(anext(stream), 5), wire.RoundChanged)
    await stream.aclose()
    monkeypatch.setattr(displays, "QUIET_SECONDS", 600)
    monkeypatch.setattr(visitors, "_SILENT_SECONDS", 1.0)
    silent = visitor.follow("T1")
    await anext(silent)
    with pytest.raises(Unanswered, match="nothing was heard of T1"):
        await anext(silent)


async def test_the_server_says_that_it_is_alive_and_ready(house: Serving) -> None:
    """And when a desk has stopped, that it is not ready, while it is still alive."""
    visitor = await house.visitor()
    assert (await visitor.http.get("/livez")).status_code == 200
    assert (await visitor.http.get("/readyz")).json() == {"ready": True, "faults": [], "warnings": []}
    await house.parts.house.table("T1").stop()
    answer = await visitor.http.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["faults"] == ["the desk of T1 has stopped"]
    assert (await visitor.http.get("/livez")).status_code == 200


async def test_metrics_name_no_player_terminal_round_or_ticket(house: Serving) -> None:
    """Counts by table and code, and no more."""
    console = await house.console("C1")
    terminal = await house.terminal(credit=10_000)
    await console.act("StartRound")
    number = (await terminal.betting()).number
    await terminal.place(number, {"big": 100})
    await dealt(console, [1, 2, 3])
    ticket = await terminal.cash_out()
    text = (await (await house.visitor()).http.get("/metrics")).text
    assert 'taisai_slips_total{table="C1"}' in text
    assert "taisai_bet_ack_seconds_bucket" in text
    for secret in (terminal.key.terminal, ticket.number, "player=", "terminal=", "round="):
        assert secret not in text


def test_logs_hold_no_ticket_number_and_no_token() -> None:
    """Whatever a line says, the number keeps four digits and a token none."""
    record = logging.LogRecord(
        "x", logging.INFO, "", 0, "ticket %s by %s", ("0123 4567-8901234567", "a" * 43), None
    )
    line = json.loads(JsonLines().format(record))
    assert line["message"] == f"ticket {'•' * 14}4567 by [token]"
    assert masked_text("12345") == "12345"


async def test_the_front_door_is_the_index_page(house: Serving) -> None:
    """The page draws its list of addresses from the house's tables, which anyone may read."""
    visitor = await house.visitor()
    assert 'data-page="index"' in (await visitor.http.get("/")).text
    tables = (await visitor.http.get("/api/v1/tables")).json()
    assert {(table["name"], table["kind"]) for table in tables} >= {("C1", "cluster"), ("T1", "live")}
    assert all(table["play_money"] for table in tables)


async def test_a_house_says_which_chips_it_hands_out(tmp_path: Path) -> None:
    """Smallest first and each once; without a setting the pages count in the usual ones."""
    async with serving(settings(tmp_path, CLUSTER, house={"chips": [2_500, 500, 500]})) as house:
        assert (await (await house.visitor()).get("/house"))["chips"] == [500, 2_500]
    with pytest.raises(SettingsError, match=r"chips"):
        settings(tmp_path, CLUSTER, house={"chips": [500, 0]})


async def test_the_documentation_page_needs_no_network(house: Serving) -> None:
    """Its one script and style are the house's own; every operation and every problem is on it."""
    visitor = await house.visitor()
    answer = await visitor.http.get("/docs")
    text = answer.text
    assert all(found.startswith(("/", "#")) for found in re.findall(r"(?:src|href)='([^']*)'", text))
    assert re.findall(r"<script[^>]*>(?!</script>)|<style| style=| on[a-z]+=", text) == []
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    schema = (await visitor.http.get("/openapi.json")).json()
    assert all(path in text for path in schema["paths"])
    assert "id='problem-betting_closed'" in text


async def test_a_house_without_play_money_gives_no_terminal_away(tmp_path: Path) -> None:
    """There a supervisor makes a place, and the terminal enrols with a code, once."""
    async with serving(
        settings(tmp_path, CLUSTER, house={"play_money": False}, server={"secure_cookies": False})
    ) as house:
        visitor = await house.visitor()
        with pytest.raises(Refused) as refused:
            await visitor.demo_terminal("C1")
        assert refused.value.code == "not_here"
        supervisor = await house.person("supervisor")
        offered = await supervisor.post("/terminals", {"table": "C1", "label": "by the door"})
        key = await visitor.enrol(offered["code"])
        assert key.terminal == offered["terminal"]
        with pytest.raises(Refused):
            await visitor.enrol(offered["code"])
        async with Terminal(house.address, key) as terminal:
            with pytest.raises(Refused) as no_cash:
                await terminal.cash_in(100)
            assert no_cash.value.code == "not_here"


async def test_settings_change_under_dual_control_from_the_next_round_on(house: Serving) -> None:
    """The round in play keeps its limits; everyone is told when the new ones hold."""
    supervisor, manager = await house.person("supervisor"), await house.person("pit-manager")
    console = await house.console("T1")
    await console.act("StartRound")
    now = await supervisor.get("/tables/T1/settings")
    now["limits"]["default"] = {"minimum": 200, "maximum": 50_000}
    asked = await supervisor.post(
        "/tables/T1/settings", {"settings": now, "reason": "evening"}, key=fresh_id()
    )
    assert asked["status"] == "waiting"
    await manager.approve(asked["approval"])
    table = (await supervisor.get("/tables/T1"))["table"]
    assert table["limits"]["default"]["minimum"] == 100
    await dealt(console, [1, 2, 3])
    changed = await console.receive(wire.TableChanged)
    assert changed.table.limits.default.minimum == 200


async def test_limits_that_cannot_be_are_refused_when_they_are_asked_for(house: Serving) -> None:
    """A maximum below the minimum is not even put before a second person."""
    supervisor = await house.person("supervisor")
    now = await supervisor.get("/tables/T1/settings")
    now["limits"]["default"] = {"minimum": 500, "maximum": 100}
    with pytest.raises(Refused) as refused:
        await supervisor.post("/tables/T1/settings", {"settings": now, "reason": "x"}, key=fresh_id())
    assert refused.value.code == "limits_invalid"


async def test_the_pit_watches_exposure_and_hold(house: Serving) -> None:
    """What the house stands to lose on the bets on the felt, and what it won."""
    supervisor, console = await house.person("supervisor"), await house.console("T1")
    await console.act("BuyIn", player="ann", amount=10_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 1_000}, version=1)
    pit = {row["table"]["name"]: row for row in await supervisor.get("/pit")}
    assert (pit["T1"]["staked"], pit["T1"]["exposure"]["worst"]) == (1_000, -1_000)
    await dealt(console, [1, 2, 3])
    pit = {row["table"]["name"]: row for row in await supervisor.get("/pit")}
    assert (pit["T1"]["handle"], pit["T1"]["win"], pit["T1"]["rounds"]) == (1_000, 1_000, 1)
    assert pit["T1"]["fairness"]["rolls"] == 1


async def test_the_pits_day_from_opening_to_count(house: Serving) -> None:
    """Day, shift, dealer, dice, a fill and a float counted by two."""
    boss, manager = await house.person("shift-manager"), await house.person("pit-manager")
    supervisor = await house.person("supervisor")

    async def do(who: object, act: str, **fields: object) -> dict[str, object]:
        return await who.post("/pit/acts", {"act": act, "fields": fields}, key=fresh_id())

    await do(boss, "OpenDay", day="2026-05-04")
    await do(manager, "StartShift", shift="evening")
    await supervisor.post("/tables/T1/dealer", {"name": "dora"}, key=fresh_id())
    await do(supervisor, "PutInDice", table="T1", dice_set="D7")
    filled = await do(supervisor, "FillTable", table="T1", amount=500_000, slip="F1")
    assert filled["status"] == "waiting"
    await manager.approve(str(filled["approval"]))
    day = await supervisor.get("/pit/day")
    mine = next(table for table in day["tables"] if table["table"] == "T1")
    assert day["today"] == DayClock().day_of(house.hub.house.now()).isoformat()
    assert (day["day"], day["shift"], mine["dealer"], mine["dice_set"]) == (
        "2026-05-04",
        "evening",
        "dora",
        "D7",
    )
    await (await house.person("dealer")).act("T1", "StartRound")
    told = await supervisor.get("/tables/T1/rounds/1")
    assert told["events"][0]["facts"]["dice_set"] == "D7"


async def test_players_are_known_by_a_pseudonym_and_their_names_can_be_erased(house: Serving) -> None:
    """Registered, found, limited, excluded, forgotten."""
    dealer, boss = await house.person("dealer"), await house.person("shift-manager")
    player = (await dealer.post("/players", {"name": "Jane Doe"}))["player"]
    assert [row["player"] for row in await boss.get("/players", name="jane")] == [player]
    await dealer.post(f"/players/{player}/limits", {"wager_session": 500}, key=fresh_id())
    standing = (await dealer.get(f"/players/{player}"))["standing"]
    assert standing["limits"]["wager_session"] == 500
    console = await house.console("T1")
    await console.act("BuyIn", player=player, amount=10_000)
    await boss.post(f"/players/{player}/exclusion", {"own": False, "reason": "asked to"}, key=fresh_id())
    assert (await dealer.get(f"/players/{player}"))["standing"]["excluded"] is True
    await console.act("StartRound")
    for act, fields in (
        ("PlaceBets", {"slip": {"big": 100}, "version": 1}),
        ("BuyIn", {"amount": 10_000}),
        ("TakeSeat", {"seat": 1}),
    ):
        with pytest.raises(Refused) as refused:
            await console.act(act, player=player, **fields)
        assert refused.value.code == "player_excluded"
    await boss.http.delete(f"/api/v1/players/{player}/name")
    assert (await dealer.get(f"/players/{player}"))["name"] is None
    record = "".join([event.body.decode() async for event in house.parts.house.store.events("players")])
    assert "Jane" not in record


async def test_a_players_seat_brings_their_limits_to_the_terminal(house: Serving) -> None:
    """A registered player at a terminal is held to their own limits there."""
    dealer, console = await house.person("dealer"), await house.console("C1")
    player = (await dealer.post("/players", {"name": "Jo"}))["player"]
    await dealer.post(f"/players/{player}/limits", {"wager_session": 500}, key=fresh_id())
    terminal = await house.terminal(credit=10_000)
    await dealer.post(f"/players/{player}/seat", {"place": terminal.key.terminal}, key=fresh_id())
    await console.act("StartRound")
    number = (await terminal.betting()).number
    with pytest.raises(Refused) as refused:
        await terminal.place(number, {"big": 600})
    assert refused.value.code == "play_limit_reached"


async def test_a_cashier_sees_what_is_in_force_for_a_player(house: Serving) -> None:
    """Found by name, seated at a terminal that is played at, excluded since when and until when."""
    cashier, boss = await house.person("cashier"), await house.person("shift-manager")
    player = (await cashier.post("/players", {"name": "Kim Lee"}))["player"]
    assert [row["player"] for row in await cashier.get("/players", name="kim")] == [player]
    with pytest.raises(Refused) as refused:
        await cashier.post(f"/players/{player}/seat", {"place": "nowhere"}, key=fresh_id())
    assert refused.value.code == "session_unknown"
    terminal = (await house.terminal(credit=100)).key.terminal
    await cashier.post(f"/players/{player}/seat", {"place": terminal}, key=fresh_id())
    shown = await cashier.get(f"/players/{player}")
    assert (shown["places"], shown["exclusions"]) == ([terminal], [])
    until = house.parts.house.now() + timedelta(days=2)
    body = {"own": True, "until": until.isoformat(), "reason": "my wish"}
    await cashier.post(f"/players/{player}/exclusion", body, key=fresh_id())
    await boss.post(f"/players/{player}/exclusion", {"own": False}, key=fresh_id())
    own, by_house = (await cashier.get(f"/players/{player}"))["exclusions"]
    assert (own["own"], own["until"]) == (True, millis(until))
    assert own["since"] < own["until"]
    assert (by_house["own"], by_house["until"]) == (False, None)
    shorter = {**body, "until": (until - timedelta(hours=12)).isoformat()}
    with pytest.raises(Refused) as stands:
        await cashier.post(f"/players/{player}/exclusion", shorter, key=fresh_id())
    assert stands.value.code == "exclusion_stands"


async def test_an_auditor_verifies_and_exports_the_record_while_play_goes_on(house: Serving) -> None:
    """Everything is sound, recomputed, and leaves in a format that carries its own keys."""
    auditor, console = await house.person("auditor"), await house.console("T1")
    await console.act("BuyIn", player="ann", amount=10_000)
    await console.act("StartRound")
    await console.act("PlaceBets", player="ann", slip={"big": 1_000, "sum-9": 500}, version=1)
    await dealt(console, [2, 3, 4])
    report = await auditor.post("/audit/verify")
    assert report["sound"] is True
    assert (report["rounds"]["rounds"], report["rounds"]["bets"]) == (1, 2)
    answer = await auditor.http.get("/api/v1/audit/export")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert next(iter(house.parts.trust.keys.raw)) in json.dumps(lines[0])


@pytest.mark.slow
async def test_the_par_sheet_of_every_pay_table_is_a_page(house: Serving) -> None:
    """Exact odds for people to read, with nothing that runs."""
    auditor = await house.person("auditor")
    answer = await auditor.http.get("/api/v1/par/tai-sai-v6/2.html", timeout=60)
    assert answer.status_code == 200
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
