"""`taisai witness`: sign what other houses' logs are, so that none of them can show two."""

import time
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(witness)


def witness(
    name: Annotated[str, typer.Argument(help="The witness's name, such as witness.example/w1.")],
    house: Annotated[list[str], typer.Option("--house", help="A house's key, or a file; may be repeated.")],
    folder: Annotated[Path, typer.Option(help="Where it keeps its key and what it signed.")] = Path(
        "witness"
    ),
    host: Annotated[str, typer.Option(help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="At which port; 0 for a free one.")] = 8401,
) -> None:
    """Cosign checkpoints of houses' logs; a log that forks or goes back is refused.

    Example: taisai witness witness.example/w1 --house house.vkey
    """
    from taisai.adapters.signing.keys import generate_key, load_key
    from taisai.adapters.witnesses.service import WitnessBook, witness_server
    from taisai.cli.receipt import read_key_option
    from taisai.proof.notes import COSIGNATURE, note_key

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "witness.pem"
    signer = load_key(path) if path.exists() else generate_key(path)
    key = note_key(name, signer.public, COSIGNATURE)
    logs = {known.name: known for known in map(read_key_option, house)}
    book = WitnessBook(folder / "signed.db", key, signer, logs, lambda: int(time.time()))
    server = witness_server(book, host, port)
    typer.echo(f"{key}")
    typer.echo(f"listening at http://{host}:{server.server_address[1]}/")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
