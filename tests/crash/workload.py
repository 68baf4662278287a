"""What a table does in a short life, as batches: the same ones in every crash."""

from taisai.ledger import Transfer, credit, house, stakes
from taisai.record.journal import Batch, NewEvent, StreamEvents
from tests.record import START_AT, answer, buy_in, on

BODY = b'{"filler":"' + b"x" * 300 + b'"}'


def bet(number: int) -> Batch:
    """A slip: event, transfers, answer."""
    at = START_AT + number
    return Batch(
        (StreamEvents("table:T1", number - 1, (NewEvent("BetsPlaced", at, BODY),)),),
        (
            buy_in(f"p{number % 5}", 500, f"b{number}.1"),
            Transfer(f"b{number}.2", credit(f"p{number % 5}"), stakes("T1", 1), 300, "stake", at, "T1/1"),
        ),
        (answer(f"c{number}"),),
    )


def refusal(number: int) -> Batch:
    """An answer and nothing else."""
    return Batch(answers=(answer(f"r{number}", b'{"refused":"betting_closed"}'),))


def settle(number: int, players: int) -> Batch:
    """Many transfers and two streams at once."""
    at = START_AT + number
    lost = Transfer(f"s{number}.0", stakes("T1", 1), house("T1"), 100, "stake_lost", at, "T1/1")
    won = [
        Transfer(f"s{number}.{n}", house("T1"), credit(f"w{n}"), 700 + n, "winnings", at, "T1/1")
        for n in range(1, players)
    ]
    return Batch(
        (
            StreamEvents("table:T1", number - 1, (NewEvent("PayoutsMade", at, BODY),)),
            on(f"ticket:t{number}", 0, at=at),
        ),
        (lost, *won),
        (answer(f"c{number}"),),
    )


def life(first: int = 1, length: int = 12) -> list[list[Batch]]:
    """Groups as they would wait together, the stream starting after `first` - 1 events."""
    groups: list[list[Batch]] = []
    number = first
    while number < first + length:
        kind = number % 4
        if kind == 1:
            groups.append([bet(number)])
            number += 1
        elif kind == 2:
            groups.append([bet(number), refusal(number), bet(number + 1)])
            number += 2
        else:
            groups.append([settle(number, 12)])
            number += 1
    return groups


def commands(groups: list[list[Batch]]) -> list[tuple[str, Batch]]:
    return [(batch.answers[0].id, batch) for group in groups for batch in group]
