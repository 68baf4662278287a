"""The server that `processes` starts and kills."""

import json
import sys
from functools import partial
from pathlib import Path

from taisai.bootstrap import first_logins, open_parts
from taisai.cli.serving import EVERYONE
from taisai.floor.table.dealing import Timer
from taisai.server.app import create_app
from taisai.server.live.hub import Hub
from taisai.server.ops.logs import set_up_logs
from taisai.server.running import listen, run
from tests.server.houses import CHEAP, settings


def main(folder: Path, timer: Timer | None = None) -> None:
    wanted = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    sections = wanted["sections"]
    server = {"port": wanted["port"], "log_level": "error", **sections.pop("server", {})}
    config = settings(folder, *wanted["tables"], server=server, **sections)
    set_up_logs("error")

    async def write_logins(hub: Hub) -> None:
        told = await first_logins(app.state.parts, config.staff_policy, EVERYONE, must_change=False)
        if told:
            part = folder / "logins.part"
            part.write_text(json.dumps(told), encoding="utf-8")
            part.rename(folder / "logins.json")

    app = create_app(partial(open_parts, config, timer, hasher=CHEAP), first=[write_logins])
    run(app, config, listen("127.0.0.1", wanted["port"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
