"""Settings: one file, the environment, and what no house may do."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from taisai.bootstrap import make_tumbler
from taisai.errors import InputError, SettingsError
from taisai.server.cluster_settings import ClusterConfig
from taisai.server.config import Config, TableConfig, load_config
from taisai.server.rulebooks_until import RulebookConfig

TABLE = """
[[table]]
name = "T1"
kind = "live"
pay_table = "tai-sai-v6/2"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_sets_what_it_names_and_leaves_the_rest(tmp_path: Path) -> None:
    """What is not said has its default."""
    path = written(tmp_path, '[house]\nname = "Lisboa"\n[server]\nport = 9000\n' + TABLE)
    config = load_config(path, {})
    assert (config.house.name, config.server.port, config.house.currency) == ("Lisboa", 9000, "SGD")
    assert config.plan().tables[0].settings.pay_table == "tai-sai-v6/2"


def test_the_environment_goes_before_the_file_and_the_command_line_before_both(tmp_path: Path) -> None:
    """The nearest word counts."""
    path = written(tmp_path, "[server]\nport = 9000\n" + TABLE)
    environment = {"TAISAI_SERVER_PORT": "9001", "TAISAI_HOUSE_PLAY_MONEY": "true", "PATH": "x"}
    assert load_config(path, environment).server.port == 9001
    assert load_config(path, environment).house.play_money is True
    assert load_config(path, environment, {"server": {"port": 9002, "host": None}}).server.port == 9002


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[server]\nprot = 1\n", r"line 2: server.prot: unknown key, did you mean 'port'\?"),
        ("[hosue]\nname = 'x'\n", r"line 1: hosue: unknown key, did you mean 'house'\?"),
        ("[house]\nxyzzy = 1\n", r"line 2: house.xyzzy: unknown key$"),
        ("[server]\nport = 'many'\n", r"line 2: server.port: expected a whole number, got 'many'"),
        (
            "[[table]]\nname='A'\nkind='live'\npay_table='tai-sai-v6/2'\ncolor='red'\n",
            r"line 5: table\[0\].color",
        ),
        (
            "[[table]]\nname='A'\nkind='live'\npay_table='tai-sai-v6/2'\nboxes={big={minimun=1}}\n",
            r"table\[0\].boxes.*minimun: unknown key, did you mean 'minimum'\?",
        ),
        ("[[table]]\nname='A'\nkind='round'\npay_table='tai-sai-v6/2'\n", r"line 3: table\[0\].kind"),
        ("[server\n", r"house.toml: "),
        ("[staff]\nfailures = 3\n", r"line 2: staff.failures: unknown key"),
    ],
)
def test_what_is_not_a_setting_is_refused_with_its_key_and_line(
    tmp_path: Path, text: str, expected: str
) -> None:
    """A misspelled setting never goes unnoticed."""
    with pytest.raises(InputError, match=expected):
        load_config(written(tmp_path, text + ("" if "table" in text else TABLE)), {})


def test_every_fault_of_the_settings_is_told_at_once(tmp_path: Path) -> None:
    """Each with its line, in the order of the file, as in a rule file."""
    text = (
        "[server]\nport = 'many'\nprot = 1\n"
        "[[table]]\nname = 'A'\nkind = 'round'\nunit = 1.5\n"
        "[table.boxes.big]\nminimun = 5\n"
    )
    with pytest.raises(SettingsError) as told:
        load_config(written(tmp_path, text), {"TAISAI_HUOSE_NAME": "x"})
    assert [(fault.line, fault.key) for fault in told.value.faults] == [
        (None, "TAISAI_HUOSE_NAME"),
        (2, "server.port"),
        (3, "server.prot"),
        (4, "table[0].pay_table"),
        (6, "table[0].kind"),
        (7, "table[0].unit"),
        (8, "table[0].boxes.big.minimum"),
        (9, "table[0].boxes.big.minimun"),
    ]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("[table.groups.sungle]\nminimum = 100\n", r"line 6: table\[0\].groups.sungle: no such group"),
        ("[table.boxes.bigg]\nminimum = 100\n", r"line 6: table\[0\].boxes.bigg: no such box"),
        ("minimum = 100\nmaximum = 50\n", "maximum 50 is below the minimum 100"),
    ],
)
def test_limits_that_no_table_can_have_are_refused_with_their_line(
    tmp_path: Path, more: str, said: str
) -> None:
    """Before a table, a key or a record is made."""
    with pytest.raises(InputError, match=said):
        load_config(written(tmp_path, TABLE + more), {})
    assert [path.name for path in tmp_path.iterdir()] == ["house.toml"]


def test_an_unknown_setting_in_the_environment_is_refused() -> None:
    """TAISAI_ is ours; what we do not know there is a mistake."""
    with pytest.raises(
        InputError,
        match=r"TAISAI_SERVER_PROT: unknown setting in the environment, did you mean TAISAI_SERVER_PORT\?",
    ):
        load_config(None, {"TAISAI_SERVER_PROT": "1"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[dice]\nsource = 'seeded'\n" + TABLE, "a seeded generator is for play money alone"),
        (TABLE + "automatic = true\nbetting_seconds = 20\n", "a simulated tumbler is for play money alone"),
        (
            "[house]\nplay_money = true\n" + TABLE + "automatic = true\n",
            "an automatic live table closes by itself",
        ),
        (
            "[house]\nplay_money = true\n"
            + TABLE
            + "automatic = true\nbetting_seconds = 20\nnotice = 'by-dealer'\n",
            "an automatic table has no dealer who could notice",
        ),
        ("", "at least one"),
        (TABLE + TABLE, "T1 is already a table"),
        (TABLE.replace("tai-sai-v6/2", "tai-sai-v9/1"), "unknown rulebook"),
        (TABLE.replace("tai-sai-v6/2", "sic-bo-etg-v8/1"), "played at terminals"),
        (TABLE.replace("T1", "table one"), "expected letters, digits"),
        ("[server]\ncertificate = 'x.pem'\n" + TABLE, "belongs together"),
        ("[server]\nport = 70000\n" + TABLE, "0 to 65535"),
    ],
)
def test_what_no_house_may_do_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    """Before anything is opened."""
    with pytest.raises(InputError, match=expected):
        load_config(written(tmp_path, text), {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[rulebook.tai-sai-v5]\nuntil = 2027-01-01T08:00:00\n", "unknown rulebook 'tai-sai-v5'"),
        ("[rulebook.tai-sai-v6]\nuntil = 2023-10-06T08:00:00\n", "until: expected after 2023-10-06 08:00"),
        ("[rulebook.tai-sai-v6]\nuntil = 'soon'\n", "until: expected a date and time, got 'soon'"),
        ("[rulebook.tai-sai-v6]\n", "until: missing: expected a date and time"),
    ],
)
def test_an_end_that_no_rulebook_can_have_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    """A rulebook that there is, and a time after its beginning."""
    with pytest.raises(SettingsError, match=expected):
        load_config(written(tmp_path, text + TABLE), {})


def test_an_end_without_a_zone_is_singapores(tmp_path: Path) -> None:
    """As on the front pages."""
    text = "[rulebook.tai-sai-v4]\nuntil = 2027-01-01T08:00:00\n"
    ends = load_config(written(tmp_path, text + TABLE), {}).plan().rulebooks_until
    assert ends == {"tai-sai-v4": datetime(2027, 1, 1, 0, 0, tzinfo=UTC)}


def test_a_seeded_generator_cannot_be_loaded_where_money_is_real() -> None:
    """Not even by a program that gets around the settings' own check."""
    config = load_config(
        None,
        {},
        base={
            "dice": {"source": "seeded"},
            "house": {"play_money": True},
            "table": [{"name": "T1", "kind": "live", "pay_table": "tai-sai-v6/2"}],
        },
    )
    assert "seed" in make_tumbler(config).source
    real = Config(dice=config.dice, table=config.table)
    with pytest.raises(InputError, match="play money alone"):
        make_tumbler(real)


def test_a_missing_file_is_said_in_one_line(tmp_path: Path) -> None:
    """The name and what is wrong."""
    with pytest.raises(InputError, match="No such file"):
        load_config(tmp_path / "none.toml", {})


def documented() -> dict[str, list[tuple[str, str]]]:
    """Keys and defaults by section, as docs/reference/settings.md has them in its tables."""
    found: dict[str, list[tuple[str, str]]] = {}
    section = ""
    for line in Path("docs/reference/settings.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.strip("# `[]").removesuffix(".ID")
        elif line.startswith("| `"):
            keys, default, _ = (cell.strip() for cell in line.split("|")[1:-1])
            names = [name.strip("` ") for name in keys.split(",")]
            values = (
                [value.strip("` ") for value in default.split(",")]
                if len(names) > 1
                else [default.strip("`")]
            )
            found.setdefault(section, []).extend(
                zip(names, values if any(values) else [""] * len(names), strict=True)
            )
    return found


def fields(section: str) -> dict[str, Any]:
    """Keys and defaults of a section as the code has them."""
    named = {"table": TableConfig, "rulebook": RulebookConfig, "cluster": ClusterConfig}
    kind = named.get(section) or type(getattr(Config(), section))
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("section", Config.__struct_fields__)
def test_the_settings_that_are_documented_are_those_that_there_are(section: str) -> None:
    """docs/reference/settings.md has each key of each section, and no other."""
    assert sorted(name for name, _ in documented()[section]) == sorted(fields(section))


@pytest.mark.parametrize("section", Config.__struct_fields__)
def test_the_defaults_that_are_documented_are_those_that_hold(section: str) -> None:
    """Where a default is a plain value the page says the same one."""
    known = fields(section)
    for name, said in documented()[section]:
        default = known[name]
        if said == "by itself" or default is msgspec.NODEFAULT or name == "title":
            continue  # chosen from other settings, or must be given
        if default in (None, "", ()):
            assert said in ("", "none"), name
        elif isinstance(default, bool):
            assert said == str(default).lower(), name
        elif isinstance(default, int | float):
            assert float(said) == default, name
        else:
            assert said == default, name


def test_the_houses_own_day_is_that_of_its_players_limits(tmp_path: Path) -> None:
    """A day that begins at four in Macau, for the pit and for what a player may lose in it."""
    text = '[house]\nday_starts_at = "04:00"\ntime_zone = "Asia/Macau"\n' + TABLE
    day = load_config(written(tmp_path, text), {}).plan().players.day
    assert day.day_of(datetime(2026, 5, 4, 19, 59, tzinfo=UTC)) == date(2026, 5, 4)
    assert day.day_of(datetime(2026, 5, 4, 20, 0, tzinfo=UTC)) == date(2026, 5, 5)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [('day_starts_at = "6 o\'clock"', "such as 06:00"), ('time_zone = "Mars/Tharsis"', "time zone")],
)
def test_what_is_no_time_of_day_or_zone_is_refused(tmp_path: Path, wrong: str, said: str) -> None:
    """With what was expected, before the house starts."""
    with pytest.raises(InputError, match=said):
        load_config(written(tmp_path, f"[house]\n{wrong}\n" + TABLE), {})
