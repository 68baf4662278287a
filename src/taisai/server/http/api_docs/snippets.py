"""How each operation is asked for from a shell and from Python, and how a line is opened for messages."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

Schema = Mapping[str, Any]
DEMO: Final = "http://localhost:8400"
# What somebody sets once, before the first request.
BEGIN_CURL: Final = """\
HOUSE=http://localhost:8400
curl -s -c cookies $HOUSE/api/v1/login --json '{"name": "supervisor", "password": "…"}'
CSRF=…   # "csrf" of that answer"""
BEGIN_PYTHON: Final = """\
import httpx

web = httpx.Client(base_url="http://localhost:8400", timeout=30)
person = web.post("/api/v1/login", json={"name": "supervisor", "password": "…"}).json()
web.headers["X-CSRF-Token"] = person["csrf"]"""
LINES: Final[dict[str, str]] = {
    "terminal": """\
import asyncio
from taisai.client import Terminal, Visitor

async def play(house):
    async with Visitor(house) as visitor:
        key = await visitor.demo_terminal("C1")
    async with Terminal(house, key) as terminal:
        await terminal.cash_in(5000)
        slip = await terminal.stake({"big": 1000}, seconds=120)
        print(await terminal.result(slip.round, seconds=120))

asyncio.run(play("http://localhost:8400"))""",
    "console": """\
import asyncio, json
from websockets.asyncio.client import connect

async def follow(house, cookie):
    address = house.replace("http", "ws", 1) + "/ws/console"
    async with connect(address, additional_headers={"Cookie": cookie}) as line:
        await line.send(json.dumps({"type": "Hello", "table": "T1"}))
        async for message in line:
            print(json.loads(message)["type"])

asyncio.run(follow("http://localhost:8400", "taisai=…"))""",
    "display": """\
import httpx

with httpx.stream("GET", "http://localhost:8400/api/v1/tables/T1/events", timeout=None) as stream:
    for line in stream.iter_lines():
        print(line)""",
}


def address(path: str, operation: Schema) -> str:
    """A path with the examples of its parameters."""
    asked = {}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", quote(str(parameter["example"]), safe=""))
        elif parameter["in"] == "query" and (parameter.get("required") or parameter["name"] == "limit"):
            asked[parameter["name"]] = parameter["example"]
    return f"{path}?{urlencode(asked)}" if asked else path


def first_example(operation: Schema) -> Any:
    """What the body of a request looks like; nothing if it has none."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if "examples" in content:
            named = content["examples"]
            return named.get("StartRound", next(iter(named.values())))["value"]
        return content["example"]
    return None


def needs_key(operation: Schema) -> bool:
    """Whether a request is done once under a name that its sender gives it."""
    return any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ()))


def curl(path: str, method: str, operation: Schema, *, staff: bool) -> str:
    """The request for a shell."""
    asked, words = address(path, operation), ["curl -s"]
    words += ["-N"] if operation["operationId"] == "follow_table" else []
    if staff:
        words.append("-b cookies")
        words += ['-H "X-CSRF-Token: $CSRF"'] if method != "get" else []
    words += ['-H "Idempotency-Key: open-1"'] if needs_key(operation) else []
    body = first_example(operation)
    if method != ("get" if body is None else "post"):
        words.append(f"-X {method.upper()}")
    words.append(f'"$HOUSE{asked}"' if "?" in asked else f"$HOUSE{asked}")
    if body is not None:
        words.append("--json " + "'" + json.dumps(body, ensure_ascii=False).replace("'", "'\\''") + "'")
    return " ".join(words)


def python(path: str, method: str, operation: Schema) -> str:
    """The request for Python."""
    asked, body = address(path, operation), first_example(operation)
    more = [f"json={body!r}"] if body is not None else []
    more += ['headers={"Idempotency-Key": "open-1"}'] if needs_key(operation) else []
    media = next(iter(operation["responses"].get("200", {}).get("content", {})), "application/json")
    if media == "text/event-stream":
        return LINES["display"].partition("\n\n")[2].replace("httpx.stream", "web.stream").replace(DEMO, "")
    is_json = media == "application/json" and "204" not in operation["responses"]
    asks = f"answer = web.{method}({', '.join([json.dumps(asked), *more])})"
    return f"{asks}\nprint(answer.status_code, {'answer.json()' if is_json else 'answer.text'})"
