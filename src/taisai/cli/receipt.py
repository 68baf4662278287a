"""`taisai receipt`: is this bet what the house says that it was?"""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.output import Exit
from taisai.errors import InputError

if TYPE_CHECKING:
    from taisai.proof.notes import NoteKey


def register(app: typer.Typer) -> None:
    receipts = typer.Typer(help="Receipts: proofs of bets that players keep.", no_args_is_help=True)
    receipts.command("verify")(verify)
    app.add_typer(receipts, name="receipt")


def verify(
    file: Annotated[Path, typer.Argument(help="The receipt.")],
    key: Annotated[str, typer.Option("--key", help="The house's verifier key, or a file with it.")],
    witness: Annotated[
        list[str] | None, typer.Option("--witness", help="A witness's key, or a file; may be repeated.")
    ] = None,
    language: Annotated[str, typer.Option("--language", help="en, zh-Hant or zh-Hans.")] = "en",
) -> None:
    """Say in sentences what a receipt proves, or what does not fit.

    Example: taisai receipt verify receipt.json --key house.vkey
    """
    from taisai.adapters.signing.keys import verifies_raw
    from taisai.proof.checking import LANGUAGES, check_receipt
    from taisai.rulebooks.catalogue import pay_table_of_digest

    if language not in LANGUAGES:
        raise InputError(f"expected a language of {', '.join(LANGUAGES)}, got {language!r}")
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    verdict = check_receipt(
        raw,
        read_key_option(key),
        verifies_raw,
        now=int(time.time()),
        witnesses=[read_key_option(each) for each in witness or []],
        find_pay_table=pay_table_of_digest,
    )
    out = sys.stdout if verdict.code == 0 else sys.stderr
    for sentence in verdict.sentences(language):
        typer.echo(sentence, file=out)
    if verdict.code:
        raise typer.Exit(Exit.CHECK_FAILED if verdict.code == 1 else Exit.BAD_INPUT)


def read_key_option(text: str) -> "NoteKey":
    """A verifier key, given itself or in a file."""
    from taisai.proof.notes import read_key

    if "+" in text and not Path(text).exists():
        return read_key(text)
    try:
        return read_key(Path(text).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise InputError(f"expected a verifier key or a file with one, got {text!r}") from None
