"""What many transfers add up to, account by account: all that a book needs to enter them at once."""

from collections.abc import Iterable, Mapping, Sequence

from taisai.ledger.transfers import Transfer

# By account: debits and credits, and how low and how high credits less debits ever were on the way.
Sums = Mapping[str, Sequence[int]]


def added_up(transfers: Iterable[Transfer]) -> Sums:
    """The sums of transfers that follow one another."""
    found: dict[str, list[int]] = {}
    for transfer in transfers:
        amount = transfer.amount_minor
        sums = found.get(transfer.debit)
        if sums is None:
            found[transfer.debit] = [amount, 0, -amount, 0]
        else:
            sums[0] += amount
            net = sums[1] - sums[0]
            if net < sums[2]:
                sums[2] = net
        sums = found.get(transfer.credit)
        if sums is None:
            found[transfer.credit] = [0, amount, 0, amount]
        else:
            sums[1] += amount
            net = sums[1] - sums[0]
            if net > sums[3]:
                sums[3] = net
    return found
