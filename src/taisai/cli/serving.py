"""What `serve` and `demo` share: a play-money house, and a start that says where everything is."""

import json
import shlex
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from taisai.cli.output import Exit, err
from taisai.game.people import Role
from taisai.server.config import Config, load_config

if TYPE_CHECKING:
    from taisai.server.running import ServerEnding

# One login for each position.
EVERYONE: Final[dict[str, Role]] = {
    "admin": Role.ADMINISTRATOR,
    "dealer": Role.DEALER,
    "supervisor": Role.PIT_SUPERVISOR,
    "pit-manager": Role.PIT_MANAGER,
    "shift-manager": Role.SHIFT_MANAGER,
    "casino-manager": Role.CASINO_MANAGER,
    "cashier": Role.CASHIER,
    "auditor": Role.AUDITOR,
}
# Nobody changes the staff list alone: the first administrator needs somebody who agrees.
FIRST: Final = {"admin": Role.ADMINISTRATOR, "auditor": Role.AUDITOR}

PLAY_MONEY: Final[dict[str, Any]] = {
    "house": {
        "name": "Taisai (play money)",
        "names": {"zh-Hant": "骰寶館（遊戲幣）", "zh-Hans": "骰宝馆（游戏币）"},
        "play_money": True,
        "open_logins": True,
        "currency": "SGD",
    },
    "table": [
        {
            "name": "C1",
            "title": "Sic Bo terminals",
            "titles": {"zh-Hant": "骰寶終端機", "zh-Hans": "骰宝终端机"},
            "kind": "cluster",
            "pay_table": "sic-bo-etg-v8/1",
            "automatic": True,
            "betting_seconds": 20,
            "tumble_seconds": 2.5,
            "result_seconds": 6.0,
            "unit": 100,
            "minimum": 100,
            "maximum": 100_000,
        },
        {
            "name": "C2",
            "title": "Tai Sai terminals, open cover",
            "titles": {"zh-Hant": "骰寶終端機（無盅蓋）", "zh-Hans": "骰宝终端机（无盅盖）"},
            "kind": "cluster",
            "pay_table": "tai-sai-open-cover/1",
            "automatic": True,
            "betting_seconds": 25,
            "tumble_seconds": 2.5,
            "result_seconds": 6.0,
            "unit": 100,
            "minimum": 100,
            "maximum": 200_000,
        },
        {
            "name": "C3",
            "title": "Sic Bo, no clock",
            "titles": {"zh-Hant": "骰寶，不限時", "zh-Hans": "骰宝，不限时"},
            "kind": "cluster",
            "pay_table": "sic-bo-etg-v8/1",
            "automatic": True,
            "tumble_seconds": 2.0,
            "result_seconds": 3.0,
            "unit": 100,
            "minimum": 100,
            "maximum": 100_000,
        },
        {
            "name": "T1",
            "title": "Tai Sai, live",
            "titles": {"zh-Hant": "骰寶，真人賭枱", "zh-Hans": "骰宝，真人赌台"},
            "kind": "live",
            "pay_table": "tai-sai-v6/2",
            "unit": 500,
            "minimum": 500,
            "maximum": 500_000,
            "differential": {"big-small": 100_000, "odd-even": 100_000},
            "notice": "by-dealer",
        },
        {
            "name": "T2",
            "title": "Tai Sai v3, live",
            "titles": {"zh-Hant": "骰寶 v3，真人賭枱", "zh-Hans": "骰宝 v3，真人赌台"},
            "kind": "live",
            "pay_table": "tai-sai-v3/1",
            "betting_seconds": 60,
            "warn_seconds": 10,
            "unit": 500,
            "minimum": 500,
            "maximum": 200_000,
        },
    ],
}


def play_money_settings(overrides: Mapping[str, Mapping[str, Any]]) -> Config:
    """A house of a few tables in which nothing is worth anything."""
    return load_config(None, overrides=overrides, base=PLAY_MONEY)


def people_of(config: Config) -> Mapping[str, Role]:
    """Whom a first start makes."""
    return EVERYONE if config.house.play_money else FIRST


def start(config: Config, *, robots: bool = False, logins: Path | None = None) -> None:
    """Serve until told to stop, or end with an exit code. `logins` is where passwords are written too."""
    from taisai.bootstrap import first_logins, note_money
    from taisai.roles import open_serving
    from taisai.server.app import create_app
    from taisai.server.live.hub import Hub
    from taisai.server.ops.logs import set_up_logs
    from taisai.server.robots import Robots
    from taisai.server.running import listen, listen_for_ops, run

    set_up_logs(config.server.log_level)
    opened = listen(config.server.host, config.server.port)
    port = opened.getsockname()[1]
    people = people_of(config)
    told: dict[str, str] = {}

    async def welcome(hub: Hub) -> None:
        parts = app.state.parts
        told.update(
            await first_logins(parts, config.staff_policy, people, must_change=not config.house.play_money)
        )
        await note_money(parts, config)
        if logins is not None:
            write_private(logins, json.dumps(told))
        say_addresses(config, port, told)

    async def play(hub: Hub) -> None:
        await Robots(hub, lively=True).run()

    app = create_app(partial(open_serving, config), first=[welcome], on_ready=[play] if robots else [])
    say_ending(run(app, config, opened, *listen_for_ops(config)))


def say_ending(ending: "ServerEnding") -> None:
    """End with the exit code of how a process ended, and say what somebody should know of it."""
    from taisai.server.running import ServerEnding

    match ending:
        case ServerEnding.NOT_STARTED:
            err().print("error: the server could not start")
            raise SystemExit(Exit.CHECK_FAILED)
        case ServerEnding.TAKEN_OVER:
            err().print("error: another process has taken the record; start this one again")
            raise SystemExit(Exit.TAKEN_OVER)
        case ServerEnding.STOPPED:
            pass


def say_addresses(config: Config, port: int, logins: Mapping[str, str]) -> None:
    """Where everything is, and the passwords that are told this once."""
    out = err()
    scheme = "https" if config.uses_tls else "http"
    here = ("127.0.0.1", "0.0.0.0", "::")  # noqa: S104 - compared with, not listened on
    host = "localhost" if config.server.host in here else config.server.host
    base = f"{scheme}://{host}:{port}"
    money = "PLAY MONEY: nothing here is worth anything" if config.house.play_money else "real money"
    out.print(f"\n{config.house.name} is open at {base} ({money})")
    for table in config.table:
        out.print(f"\n  {table.title or table.name}  [{table.pay_table}]", markup=False)
        if table.kind == "cluster":
            out.print(f"    terminal  {base}/terminal?table={table.name}")
        out.print(f"    console   {base}/console?table={table.name}")
        out.print(f"    display   {base}/display?table={table.name}")
    out.print(f"\n  pit       {base}/pit\n  cashier   {base}/cashier\n  audit     {base}/audit")
    out.print(f"  admin     {base}/admin\n  API       {base}/docs\n")
    _say_phone(config, port)
    say_logins(logins)
    if config.house.open_logins:
        anywhere = "anyone who reaches it" if config.house.open_logins_anywhere else "this computer"
        out.print(f"  open logins: from {anywhere} each position is one press on its page\n", markup=False)
    elif not logins:
        out.print("  logins were shown at the first start; `taisai staff reset NAME` makes a new password\n")


def say_logins(logins: Mapping[str, str]) -> None:
    """Passwords that are told this once."""
    if not logins:
        return
    out = err()
    out.print("  logins, shown this once:")
    for name, password in logins.items():
        out.print(f"    {name:<16}{password}", markup=False)
    out.print("")


def _say_phone(config: Config, port: int) -> None:
    """How a phone gets here, and what it needs to install the page."""
    from taisai.server.http.phone import phone_address

    address = phone_address(config, f"localhost:{port}", "https" if config.uses_tls else "http")
    out = err()
    if address:
        out.print(f"  on a phone in this network: {address} (the front page shows its code)", markup=False)
    else:
        command = shlex.join([*sys.argv, "--host", "0.0.0.0"])  # noqa: S104 - said, not listened on
        out.print(f"  for phones in this network, stop it and start it again: {command}", markup=False)
    if not config.uses_tls:
        out.print("  installing it on a phone needs HTTPS: server.certificate and server.certificate_key\n")


def write_private(path: Path, text: str) -> None:
    """A file that only its owner can read."""
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def data_folder(path: Path) -> dict[str, str]:
    """The settings that keep a house's record and keys in one folder."""
    return {"database": f"sqlite:///{path / 'house.db'}", "keys": str(path / "keys")}
