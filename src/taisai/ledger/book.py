"""The book: balances as the transfers make them, with the invariants asserted at every transfer."""

from collections.abc import Iterable, Iterator, Sequence

from taisai.errors import InvariantBroken
from taisai.ledger.accounts import Guard, Side, account_kind, stakes
from taisai.ledger.sums import Sums, added_up
from taisai.ledger.transfers import AMOUNT_MINOR_MAX, Transfer, are_amounts, check_amount

# From so many transfers on it is quicker to add them up first.
_MANY = 16


class _Standing:
    """One account in a book: what was debited and credited, where it grows, and whether it is guarded."""

    __slots__ = ("credits", "debits", "grows_by_credit", "guarded")

    def __init__(self, account: str) -> None:
        kind = account_kind(account)
        self.debits = self.credits = 0
        self.grows_by_credit, self.guarded = kind.side is Side.CREDIT, kind.guard is Guard.OWNER

    @property
    def balance(self) -> int:
        balance = self.credits - self.debits
        return balance if self.grows_by_credit else -balance


class Book:
    """Debits and credits per account.

    A desk keeps a book of the accounts that it owns; an auditor keeps one of everything and may then also
    ask for `assert_whole`.
    """

    __slots__ = ("_accounts",)

    def __init__(self) -> None:
        self._accounts: dict[str, _Standing] = {}

    def open(self, account: str, *, debits_minor: int, credits_minor: int) -> None:
        """Take over an account as a projection of the journal has it."""
        standing = self._accounts[account] = _Standing(account)
        standing.debits, standing.credits = debits_minor, credits_minor
        self._assert_not_below_zero(account, standing)

    def balance(self, account: str) -> int:
        """The balance on the side where the account grows."""
        standing = self._accounts.get(account)
        if standing is None:
            account_kind(account)  # a name that is none is an error here too
            return 0
        balance = standing.credits - standing.debits
        return balance if standing.grows_by_credit else -balance

    def has(self, account: str) -> bool:
        """Whether an account was ever touched."""
        return account in self._accounts

    def totals(self, account: str) -> tuple[int, int]:
        """All debits and all credits of an account."""
        standing = self._accounts.get(account)
        return (standing.debits, standing.credits) if standing else (0, 0)

    def accounts(self) -> list[str]:
        """Every account that was ever touched, by name."""
        return sorted(self._accounts)

    def with_balance(self, prefix: str) -> dict[str, int]:
        """The accounts of one kind, such as `receivable:`, that are not at zero."""
        return {
            account: standing.balance
            for account, standing in self._accounts.items()
            if account.startswith(prefix) and standing.balance
        }

    def apply(self, transfers: Sequence[Transfer], sums: Sums | None = None) -> None:
        """Enter the transfers one after the other; if one breaks an invariant none of them is entered.

        `sums` is what they add up to, if somebody knows it. Many are entered by their sums, which say as well
        whether an account was below zero at any of them; which one it was is asked only then.
        """
        is_sum = sums is not None or len(transfers) >= _MANY
        if is_sum and are_amounts(transfers) and self._add(added_up(transfers) if sums is None else sums):
            return
        done: list[Transfer] = []
        try:
            for transfer in transfers:
                self.enter(transfer)
                done.append(transfer)
        except BaseException:
            for transfer in reversed(done):
                self._accounts[transfer.debit].debits -= transfer.amount_minor
                self._accounts[transfer.credit].credits -= transfer.amount_minor
            raise

    def enter(self, transfer: Transfer) -> None:
        """Enter one transfer; one that breaks an invariant is not entered."""
        amount, accounts = transfer.amount_minor, self._accounts
        debit, credit = transfer.debit, transfer.credit
        if type(amount) is not int or not 0 < amount <= AMOUNT_MINOR_MAX or debit == credit:
            check_amount(transfer)
        debited = accounts.get(debit) or self._standing(debit)
        credited = accounts.get(credit) or self._standing(credit)
        debited.debits += amount
        credited.credits += amount
        # A debit takes from what grows by credits, and a credit from what grows by debits: nothing else can
        # bring an account below zero that was not.
        if debited.credits < debited.debits and debited.guarded and debited.grows_by_credit:
            self._take_back(debit, debited, credited, amount)
        if credited.debits < credited.credits and credited.guarded and not credited.grows_by_credit:
            self._take_back(credit, debited, credited, amount)

    def _add(self, sums: Sums) -> bool:
        """Enter all of them, unless an account would have been below zero on the way."""
        accounts, found = self._accounts, []
        for account, (debits, credits, lowest, highest) in sums.items():
            standing = accounts.get(account) or self._standing(account)
            if standing.guarded:
                least = lowest if standing.grows_by_credit else -highest
                if standing.balance + least < 0:
                    return False
            found.append((standing, debits, credits))
        for standing, debits, credits in found:
            standing.debits += debits
            standing.credits += credits
        return True

    def _take_back(self, below_zero: str, debited: _Standing, credited: _Standing, amount: int) -> None:
        """A transfer would bring an account below zero: it is not entered."""
        balance = self.balance(below_zero)
        debited.debits -= amount
        credited.credits -= amount
        raise InvariantBroken(f"{below_zero} would be below zero: {balance}")

    def conclude(self, table: str, round_number: int) -> None:
        """A concluded round has no stakes left; its account is closed and forgotten."""
        account = stakes(table, round_number)
        if left := self.balance(account):
            raise InvariantBroken(f"{account} holds {left} after the round was concluded")
        self._accounts.pop(account, None)

    def forget_settled(self, transfers: Iterable[Transfer]) -> None:
        """Drop the stakes accounts that these transfers emptied: a long book holds no finished rounds.

        Stakes are never below zero, so that only a debit empties them.
        """
        for account in {transfer.debit for transfer in transfers}:
            if account.startswith("stakes:") and not self.balance(account):
                self._accounts.pop(account, None)

    def assert_sound(self) -> None:
        """Debits equal credits, and nothing that has an owner is below zero."""
        debits = sum(standing.debits for standing in self._accounts.values())
        credits = sum(standing.credits for standing in self._accounts.values())
        if debits != credits:
            raise InvariantBroken(f"debits are {debits} and credits are {credits}")
        for account in self.accounts():
            self._assert_not_below_zero(account, self._accounts[account])

    def assert_whole(self) -> None:
        """For a book that holds every transfer: also tickets and cash chips are not below zero."""
        self.assert_sound()
        for account in self.accounts():
            if account_kind(account).guard is Guard.WHOLE and self.balance(account) < 0:
                raise InvariantBroken(f"{account} is below zero: {self.balance(account)}")

    def _standing(self, account: str) -> _Standing:
        standing = self._accounts[account] = _Standing(account)
        return standing

    def _assert_not_below_zero(self, account: str, standing: _Standing) -> None:
        if standing.guarded and standing.balance < 0:
            raise InvariantBroken(f"{account} would be below zero: {standing.balance}")

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        """Account, debits, credits; by name."""
        return ((account, *self.totals(account)) for account in self.accounts())
