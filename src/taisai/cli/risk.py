"""`taisai risk`: the chance of ruin and of a target before it, exact, and simulated beside it."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taisai.cli.long_runs import within_time
from taisai.cli.numbers import count_option, money_option, seed_option
from taisai.cli.output import Exit, Format, FormatOption, err, show_rows
from taisai.errors import InputError, brief
from taisai.odds.cost import TooCostly
from taisai.rulebooks.catalogue import pay_table as find_pay_table

if TYPE_CHECKING:
    from taisai.odds.risk import Agreement, Risk
    from taisai.odds.sessions import Sample
    from taisai.rulebooks.model import Box

STRATEGY_HELP = (
    "flat, martingale, dalembert, paroli, fibonacci, labouchere, or with --simulate your own FILE.py:NAME."
)


def register(app: typer.Typer) -> None:
    app.command()(risk)


def risk(
    pay_table: Annotated[str, typer.Option("--pay-table", help="For example tai-sai-v6/2.")],
    bankroll: Annotated[int, money_option("What the player brings, in minor units.")],
    target: Annotated[
        int | None, money_option("The bankroll at which the player stops; without one, say --rounds.")
    ] = None,
    bet: Annotated[str | None, typer.Option(help="The box that is played: big if none is named.")] = None,
    stake: Annotated[int, money_option("The base stake, in minor units.")] = 1,
    strategy: Annotated[
        str,
        typer.Option(help=STRATEGY_HELP),
    ] = "flat",
    maximum: Annotated[int | None, money_option("The table's maximum on the box.")] = None,
    rounds: Annotated[int | None, count_option("Also say how it stands after so many rounds.")] = None,
    simulate: Annotated[int | None, count_option("Also play so many sessions at random.")] = None,
    seed: Annotated[int, seed_option("Seed of the simulation.")] = 1,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say how likely ruin is, how likely the target before it, and how long either takes.

    Examples: taisai risk --pay-table tai-sai-v6/2 --bet big --stake 1 --bankroll 100 --target 200;
    taisai risk --pay-table tai-sai-v6/2 --bet big --stake 1 --bankroll 100 --rounds 500
    """
    from taisai.odds.risk import risk_of_ruin

    table = find_pay_table(pay_table)
    question = {
        "pay_table": table.id,
        "strategy": strategy,
        "stake": stake,
        "bankroll": bankroll,
        "target": target,
        "maximum": maximum,
    }
    if ".py:" in strategy:
        if bet is not None:
            raise InputError(f"a strategy from a file chooses its own boxes: leave out --bet {bet}")
        if target is None:
            raise InputError(f"a strategy from a file plays to a target: add --target to use {strategy!r}")
        _simulate_file(strategy, question, simulate, rounds, seed, form)
        return
    question["bet"] = box = "big" if bet is None else bet
    if target is None:
        if simulate is not None:
            raise InputError("--simulate plays to a target: add --target, or leave out --simulate")
        _without_target(table.box(box), question, rounds, form)
        return
    found = risk_of_ruin(
        table.box(box),
        stake=stake,
        bankroll=bankroll,
        target=target,
        strategy=strategy,
        maximum=maximum,
    )
    agreement = None if simulate is None else found.simulate(simulate, seed=seed)
    within = {} if rounds is None else found.within(rounds)
    document = _document(question, found, agreement)
    if rounds is not None:
        document["within"] = {"rounds": rounds, **within}
    exact = {f"{key} within {rounds:,} rounds": _chance(at) for key, at in within.items()}
    show_rows(_rows(found, exact, agreement), form, title=_title(question), document=document)
    _end_interrupted(None if agreement is None else agreement.sample, simulate)
    if agreement is not None and not agreement.agrees:
        err().print("[bold red]exact and simulated figures do not agree[/]")
        raise typer.Exit(Exit.CHECK_FAILED)


def _title(question: dict[str, Any]) -> str:
    target = question["target"]
    return (
        f"{question['strategy']} on {question.get('bet', 'its own boxes')} of {question['pay_table']}: "
        f"{question['bankroll']:,} {'' if target is None else f'to {target:,} '}"
        f"with a stake of {question['stake']:,}"
    )


def _without_target(box: "Box", question: dict[str, Any], rounds: int | None, form: Format) -> None:
    """Ruin within so many rounds by whoever plays on whatever is won."""
    from taisai.odds.design.survival import ruin_within
    from taisai.odds.exact import box_odds
    from taisai.odds.sessions import check_maximum

    if rounds is None:
        raise InputError("expected --target, --rounds or both, got neither")
    if question["strategy"] != "flat":
        raise InputError(
            f"the strategy {brief(question['strategy'])} needs a --target: only flat goes without"
        )
    stake: int = question["stake"]
    check_maximum(question["maximum"], stake)
    nets = {net * stake: chance for net, chance in box_odds(box).distribution.items()}
    found = ruin_within(nets, bankroll=question["bankroll"], stake=stake, rounds=rounds)
    figures = {
        f"chance of ruin within {rounds:,} rounds": _chance(found.ruin.approx),
        "expected rounds": f"{found.rounds.approx:,.3f}",
        "expected final bankroll": f"{found.final.approx:,.3f}",
        "method": "walk in floats" if found.ruin.exact is None else "exact walk",
    }
    document = {
        "ruin_probability": found.ruin.as_json(),
        "expected_rounds": found.rounds.approx,
        "expected_final_bankroll": found.final.approx,
        "rounds": rounds,
        "error": found.error,
        **question,
    }
    rows = [{"figure": name, "value": value} for name, value in figures.items()]
    show_rows(rows, form, title=_title(question), document=document)


def _document(question: dict[str, Any], found: "Risk", agreement: "Agreement | None") -> dict[str, Any]:
    from taisai.odds.results.chance import say_exact

    document: dict[str, Any] = {
        "ruin_probability": found.ruin.as_json(),
        "target_probability": found.target.as_json(),
        "expected_rounds": found.rounds.approx,
        "expected_rounds_exact": say_exact(found.rounds.exact),
        "expected_staked": found.staked.approx,
        "expected_final_bankroll": found.mean_final,
        "method": found.method,
        "states": found.states,
        **question,
    }
    if agreement is not None:
        document["simulation"] = agreement.as_json()
    return document


def _rows(found: "Risk", within: dict[str, str], agreement: "Agreement | None") -> list[dict[str, Any]]:
    exact = {
        "chance of ruin": _chance(found.ruin.approx),
        "chance of the target": _chance(found.target.approx),
        "expected rounds": f"{found.rounds.approx:,.3f}",
        "expected sum of stakes": f"{found.staked.approx:,.3f}",
        "expected final bankroll": f"{found.mean_final:,.3f}",
    }
    exact |= within
    exact["method"] = f"{found.method}, {found.states:,} states"
    if agreement is None:
        return [{"figure": name, "value": value} for name, value in exact.items()]
    sample = agreement.sample
    simulated = {
        "chance of ruin": (_chance(sample.ruin), f"{agreement.ruin_z:+.2f}"),
        "chance of the target": (_chance(sample.target), ""),
        "expected rounds": (f"{sample.rounds_mean:,.3f}", f"{agreement.rounds_z:+.2f}"),
        "expected final bankroll": (f"{sample.final_mean:,.3f}", ""),
        "method": (f"{sample.sessions:,} sessions, seed {sample.seed}", agreement.verdict),
    }
    return [
        {
            "figure": name,
            "exact": value,
            "simulated": simulated.get(name, ("", ""))[0],
            "z": simulated.get(name, ("", ""))[1],
        }
        for name, value in exact.items()
    ]


def _chance(value: float) -> str:
    return f"{value:.10f}" if value > 1e-6 or value == 0 else f"{value:.6e}"


def _end_interrupted(sample: "Sample | None", sessions: int | None) -> None:
    """After Ctrl-C what is known has been shown; say how much that is, and end as interrupted."""
    if sample is not None and sample.interrupted:
        over = sample.ruined + sample.reached
        err().print(f"interrupted: {over:,} of {sessions:,} sessions had ended")
        raise typer.Exit(Exit.INTERRUPTED)


def _simulate_file(
    strategy: str,
    question: dict[str, Any],
    simulate: int | None,
    rounds: int | None,
    seed: int,
    form: Format,
) -> None:
    """A strategy of the player's own: a callable in a Python file, made anew for each session.

    --maximum cuts each of its bets, and --rounds ends each session.
    """
    from taisai.odds.sessions import STRATEGY_ROUNDS_MAX, simulate_strategy

    if simulate is None:
        raise InputError(f"a strategy from a file is simulated: add --simulate SESSIONS to use {strategy!r}")
    with within_time(f"the strategy {strategy}"):
        sample = simulate_strategy(
            find_pay_table(question["pay_table"]),
            load_strategy(strategy),
            stake=question["stake"],
            bankroll=question["bankroll"],
            target=question["target"],
            sessions=simulate,
            seed=seed,
            rounds_max=STRATEGY_ROUNDS_MAX if rounds is None else rounds,
            maximum=question["maximum"],
        )
    document = {
        "ruin_probability": {"exact": None, "float": sample.ruin},
        "target_probability": {"exact": None, "float": sample.target},
        "expected_rounds": sample.rounds_mean,
        "open": sample.open,
        "sessions": sample.sessions,
        "seed": sample.seed,
        "ruin_interval_95": list(sample.interval(sample.ruined)),
        "method": "simulation",
        "rounds": STRATEGY_ROUNDS_MAX if rounds is None else rounds,
        "interrupted": sample.interrupted,
        **question,
    }
    show_rows(_sample_rows(sample), form, title=_title(question), document=document)
    _end_interrupted(sample, simulate)


def _sample_rows(sample: "Sample") -> list[dict[str, Any]]:
    low, high = sample.interval(sample.ruined)
    return [
        {"figure": "chance of ruin", "value": f"{sample.ruin:.6f} ({low:.6f} to {high:.6f} at 95 %)"},
        {"figure": "chance of the target", "value": f"{sample.target:.6f}"},
        {"figure": "left or still playing", "value": f"{sample.open / sample.sessions:.6f}"},
        {"figure": "mean rounds", "value": f"{sample.rounds_mean:,.3f}"},
        {"figure": "mean final bankroll", "value": f"{sample.final_mean:,.3f}"},
        {"figure": "method", "value": f"{sample.sessions:,} sessions, seed {sample.seed}"},
    ]


def load_strategy(text: str) -> Callable[[], Any]:
    """The maker of a strategy from `FILE.py:NAME`."""
    path, _, name = text.rpartition(":")
    if not Path(path).is_file():
        raise InputError(f"no file {path!r} for the strategy {text!r}")
    try:
        found: Callable[[], Any] | None = runpy.run_path(path).get(name)
    except TooCostly:  # the deadline of `within_time`
        raise
    except (Exception, SystemExit) as error:  # the file is the player's own: it is said in one line
        raise InputError(f"{path} cannot be run: {type(error).__name__}: {brief(str(error))}") from None
    if not callable(found):
        raise InputError(f"{path} has no callable {name!r}")
    return found
