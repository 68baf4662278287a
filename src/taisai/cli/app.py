"""The `taisai` command. Each module of this room adds its own verbs; heavy imports wait until a verb runs."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from taisai.cli.long_runs import costs_told
from taisai.cli.output import Exit, one_line_errors

# The modules that bring verbs, in the order in which --help lists them.
_VERBS = (
    "rules",
    "odds",
    "settle",
    "prorata",
    "layout",
    "sign",
    "check",
    "play",
    "par",
    "mix",
    "risk",
    "exposure",
    "offer",
    "design",
    "loaded",
    "day",
    "layers",
    "fairness",
    "simulate",
    "audit",
    "ledger",
    "replay",
    "receipt",
    "witness",
    "record",
    "serve",
    "cluster_roles",
    "demo",
    "cluster",
    "doctor",
    "staff",
    "incident",
    "archive",
    "keys",
)


class _Command(TyperGroup):
    """The command with all its verbs. Whatever a verb raises, or Typer itself, is said here in one line."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override] # Typer's own context
        with one_line_errors(), costs_told():
            return super().invoke(ctx)

    def main(  # type: ignore[override]  # the options that Typer's own takes are passed on as they are
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **options: Any
    ) -> Any:
        """Run the command and end the process with its exit code, as Typer's own `main` does."""
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **options)
        with one_line_errors():
            code = super().main(args, standalone_mode=False, **options)
        sys.exit(code if isinstance(code, int) else Exit.OK)


app = typer.Typer(
    name="taisai",
    cls=_Command,
    help="Sic Bo / Tai Sai by the rulebook: rules, exact odds, settlement, play.",
    epilog="Exit codes: 0 done, 1 a check failed, 2 bad input, 3 a faulty rule file, 5 the store failed, "
    "6 taken over.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from taisai import __version__

        typer.echo(f"taisai {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


for _verb in _VERBS:
    import_module(f"taisai.cli.{_verb}").register(app)


def main() -> None:
    """The command's entry point."""
    app(prog_name="taisai")


if __name__ == "__main__":
    main()
