"""Every command of the command line with what may be wrong with its arguments."""

from dataclasses import dataclass
from typing import Final

from tests.unit.cli.bad_values import (
    Values,
    bet,
    bias,
    box,
    chance,
    dice,
    garbage,
    maximum,
    missing,
    no_folder,
    no_store,
    odds,
    pay_table,
    share,
    strategy,
    unwritable,
    whole,
    word,
)


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that works, by its arguments, and what may be wrong with each of them."""

    start: tuple[str, ...]
    good: tuple[tuple[str, str], ...]
    bad: dict[str, Values]


RISK: Final = ("risk", "--pay-table", "tai-sai-v6/2", "--bankroll", "100", "--target", "200")
FILED: Final = (*RISK, "--simulate", "30")
VERBS: Final = (
    Verb(("rules",), (), {"": garbage, "tai-sai-v6 --clause": garbage}),
    Verb(("odds",), (), {"": pay_table, "macau/1 --box": box, "macau/1 --format": word}),
    Verb(("compare", "macau/1"), (), {"": pay_table}),
    Verb(("settle", "macau/1"), (("--dice", "1,1,3"), ("--bet", "big=5")), {"--dice": dice, "--bet": bet}),
    Verb(
        ("prorata",),
        (("--maximum", "1000"), ("--minimum", "50"), ("--unit", "5"), ("", "300")),
        {"--maximum": whole, "--minimum": whole, "--unit": whole, "": whole},
    ),
    Verb(("layout", "macau/1"), (), {"--width": whole, "--dice": dice, "--svg": no_folder, "--format": word}),
    Verb(("check",), (("", "house.toml"),), {"": missing, "--floor": share}),
    Verb(
        ("play", "macau/1"),
        (),
        {"--bankroll": whole, "--chip": whole, "--maximum": whole, "--seed": whole, "--language": word},
    ),
    Verb(
        ("par", "macau/1"),
        (),
        {"--rounds": whole, "--seed": whole, "--floor": share, "--maximum": maximum, "--out": unwritable},
    ),
    Verb(("mix", "macau/1"), (("--bet", "big=5"),), {"--bet": bet, "--rounds": whole, "--pace": whole}),
    Verb(
        RISK,
        (),
        {
            "--stake": whole,
            "--bet": box,
            "--strategy": word,
            "--maximum": whole,
            "--rounds": whole,
            "--simulate": whole,
            "--seed": whole,
        },
    ),
    Verb(FILED, (), {"--strategy": strategy}),
    Verb(
        ("exposure", "macau/1"),
        (("--bet", "big=5"),),
        {
            "--bet": bet,
            "--bets": missing,
            "--bound": whole,
            "--unit": whole,
            "--level": chance,
            "--maximum": maximum,
        },
    ),
    Verb(
        ("fairness",),
        (),
        {"": missing, "--bias": bias, "rolls.csv --alpha": chance, "rolls.csv --seed": whole},
    ),
    Verb(("fairness", "--bias", "0.1"), (), {"--tables": whole, "--alpha": chance}),
    Verb(
        ("simulate", "macau/1"),
        (("--bet", "big=5"),),
        {
            "--bet": bet,
            "--rounds": whole,
            "--players": whole,
            "--seed": whole,
            "--strategy": word,
            "--bankroll": whole,
            "--threads": whole,
            "--engine": word,
            "--out": unwritable,
            "--plot": unwritable,
        },
    ),
    Verb(
        ("offer", "rebate", "macau/1"),
        (("--bet", "big=5"), ("--share", "10%")),
        {
            "--bet": bet,
            "--share": share,
            "--rounds": whole,
            "--threshold": whole,
            "--quit-win": whole,
            "--quit-loss": whole,
            "--bankroll": whole,
            "--report": unwritable,
        },
    ),
    Verb(
        ("offer", "match-play", "macau/1"),
        (("--coupon", "5"),),
        {"--coupon": whole, "--bet": box, "--stake": whole},
    ),
    Verb(("offer", "free-chip", "macau/1"), (("--face", "5"),), {"--face": whole, "--bet": box}),
    Verb(
        ("offer", "bonus", "macau/1"),
        (("--bet", "big=5"), ("--credit", "50"), ("--turnover", "100")),
        {"--bet": bet, "--credit": whole, "--turnover": whole},
    ),
    Verb(
        ("offer", "comps", "macau/1"),
        (("--bet", "big=5"), ("--share", "10%")),
        {"--bet": bet, "--share": share, "--pace": whole, "--minutes": whole},
    ),
    Verb(
        ("design", "bankroll", "macau/1"),
        (("--bet", "big=5"), ("--risk", "5%"), ("--rounds", "50")),
        {"--bet": bet, "--risk": share, "--rounds": whole, "--goal": whole, "--unit": whole},
    ),
    Verb(
        ("design", "stake", "macau/1"),
        (("--bankroll", "500"), ("--risk", "5%"), ("--rounds", "50")),
        {"--bet": box, "--risk": share, "--rounds": whole, "--bankroll": whole, "--unit": whole},
    ),
    Verb(
        ("design", "limits", "macau/1", "--rounds", "10"),
        (("--bound", "5000"),),
        {"--bound": whole, "--risk": share, "--unit": whole},
    ),
    Verb(
        ("design", "odds", "macau/1"),
        (("--edge", "3%"),),
        {"--bet": box, "--edge": share, "--step": odds, "--unit": whole},
    ),
    Verb(
        ("design", "pay-table", "macau/1"),
        (("--bet", "big=5"), ("--return", "96%")),
        {"--bet": bet, "--return": share, "--step": odds, "--unit": whole},
    ),
    Verb(
        ("loaded", "macau/1"),
        (),
        {"--faces": garbage, "--rolls": missing, "--turning --bet": bet, "--turning --report": unwritable},
    ),
    Verb(
        ("loaded", "macau/1", "--rolls", "rolls.csv"),
        (),
        {"--prior": odds, "--draws": whole, "--seed": whole},
    ),
    Verb(
        ("day", "macau/1", "--hours", "1", "--simulated", "2", "--days", "1"),
        (("--player", "big=5"),),
        {
            "--player": bet,
            "--pace": whole,
            "--minimum": whole,
            "--unit": whole,
            "--buy-in": whole,
            "--seed": whole,
            "--comps": share,
            "--maximum": maximum,
            "--report": unwritable,
        },
    ),
    Verb(("day",), (), {"--record": no_store}),
    Verb(
        ("layers",),
        (("", "lit.toml"),),
        {"": missing, "--number": whole, "--stake": whole, "--meter": whole, "--bet": bet},
    ),
    Verb(("audit", "verify"), (), {"": no_store}),
    Verb(
        ("audit", "significant", "no-such-file"),
        (),
        {"--win": whole, "--wager": whole, "--transaction": whole},
    ),
    Verb(("audit", "export", "no-such-file"), (), {"--out": unwritable}),
    Verb(("ledger", "balance"), (), {"": no_store}),
    Verb(("ledger", "statement", "no-such-file"), (), {"": garbage}),
    Verb(("ledger", "report", "no-such-file"), (), {"--by": word}),
    Verb(("replay", "no-such-file"), (), {"--round": garbage, "--language": word}),
    Verb(("rebuild",), (), {"": no_store}),
    Verb(("backup", "no-such-file"), (), {"--out": unwritable}),
    Verb(("restore", "no-such-file"), (), {"": no_store}),
    Verb(("serve",), (), {"--port": whole, "--config": missing}),
    Verb(("desk",), (), {"--ops-port": whole, "--config": missing}),
    Verb(("gateway",), (), {"--port": whole, "--config": missing}),
    Verb(("cluster", "start"), (), {"--port": whole}),
    Verb(("cluster", "status"), (), {"--folder": missing, "--format": word}),
    *(
        Verb(("cluster", deed), (("", "desk1"),), {"--folder": missing, "--seconds": garbage})
        for deed in ("kill", "stop", "hang", "partition")
    ),
    Verb(("demo",), (), {"--port": whole}),
    Verb(("doctor",), (), {"--format": word}),
    Verb(("staff", "list"), (), {"--format": word}),
    Verb(("incident", "staff"), (("", "enable"), ("", "ann")), {"--config": missing}),
    Verb(("incident", "restore"), (), {"--config": missing}),
    Verb(("archive", "make", "2026-10"), (), {"--config": missing}),
    Verb(("archive", "verify", "--key", "no-such-key"), (), {"": missing}),
    Verb(("keys", "list"), (), {"--config": missing}),
    Verb(("keys", "rotate"), (), {"--config": missing}),
    Verb(("receipt", "verify", "--key", "no-such-key"), (), {"": missing}),
    Verb(("witness", "w.example/1", "--house", "no-such-key"), (), {"--port": whole}),
    Verb(
        ("audit", "receive", "--to", "x", "--token", "x", "--certificate", "x", "--certificate-key", "x"),
        (),
        {"--port": whole},
    ),
)
