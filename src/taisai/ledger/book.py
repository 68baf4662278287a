"""The book: balances as the transfers make them, with the invariants asserted at every transfer."""

from collections.abc import Iterable, Iterator

from taisai.errors import InvariantBroken
from taisai.ledger.accounts import Guard, Side, account_kind, stakes
from taisai.ledger.transfers import Transfer, check_transfer


class Book:
    """Debits and credits per account.

    A desk keeps a book of the accounts that it owns; an auditor keeps one of everything and may then also
    ask for `assert_whole`.
    """

    __slots__ = ("_credits", "_debits")

    def __init__(self) -> None:
        self._debits: dict[str, int] = {}
        self._credits: dict[str, int] = {}

    def open(self, account: str, *, debits_minor: int, credits_minor: int) -> None:
        """Take over an account as a projection of the journal has it."""
        account_kind(account)
        self._debits[account] = debits_minor
        self._credits[account] = credits_minor
        self._assert_not_below_zero(account)

    def balance(self, account: str) -> int:
        """The balance on the side where the account grows."""
        kind = account_kind(account)
        balance = self._credits.get(account, 0) - self._debits.get(account, 0)
        return balance if kind.side is Side.CREDIT else -balance

    def totals(self, account: str) -> tuple[int, int]:
        """All debits and all credits of an account."""
        return self._debits.get(account, 0), self._credits.get(account, 0)

    def accounts(self) -> list[str]:
        """Every account that was ever touched, by name."""
        return sorted(self._debits.keys() | self._credits.keys())

    def apply(self, transfers: Iterable[Transfer]) -> None:
        """Enter the transfers one after the other; if one breaks an invariant none of them is entered."""
        done: list[Transfer] = []
        try:
            for transfer in transfers:
                self.enter(transfer)
                done.append(transfer)
        except BaseException:
            for transfer in reversed(done):
                self._enter(transfer.debit, transfer.credit, -transfer.amount_minor)
            raise

    def enter(self, transfer: Transfer) -> None:
        """Enter one transfer; one that breaks an invariant is not entered."""
        check_transfer(transfer)
        debit, credit, amount = transfer.debit, transfer.credit, transfer.amount_minor
        self._enter(debit, credit, amount)
        try:
            self._assert_not_below_zero(debit)
            self._assert_not_below_zero(credit)
        except InvariantBroken:
            self._enter(debit, credit, -amount)
            raise

    def conclude(self, table: str, round_number: int) -> None:
        """A concluded round has no stakes left; its account is closed and forgotten."""
        account = stakes(table, round_number)
        if left := self.balance(account):
            raise InvariantBroken(f"{account} holds {left} after the round was concluded")
        self._debits.pop(account, None)
        self._credits.pop(account, None)

    def forget_settled(self, transfers: Iterable[Transfer]) -> None:
        """Drop the stakes accounts that these transfers emptied: a long book holds no finished rounds."""
        for account in {name for transfer in transfers for name in (transfer.debit, transfer.credit)}:
            if account.startswith("stakes:") and not self.balance(account):
                self._debits.pop(account, None)
                self._credits.pop(account, None)

    def assert_sound(self) -> None:
        """Debits equal credits, and nothing that has an owner is below zero."""
        debits, credits = sum(self._debits.values()), sum(self._credits.values())
        if debits != credits:
            raise InvariantBroken(f"debits are {debits} and credits are {credits}")
        for account in self.accounts():
            self._assert_not_below_zero(account)

    def assert_whole(self) -> None:
        """For a book that holds every transfer: also tickets and cash chips are not below zero."""
        self.assert_sound()
        for account in self.accounts():
            if account_kind(account).guard is Guard.WHOLE and self.balance(account) < 0:
                raise InvariantBroken(f"{account} is below zero: {self.balance(account)}")

    def _enter(self, debit: str, credit: str, amount_minor: int) -> None:
        self._debits[debit] = self._debits.get(debit, 0) + amount_minor
        self._credits[credit] = self._credits.get(credit, 0) + amount_minor

    def _assert_not_below_zero(self, account: str) -> None:
        kind = account_kind(account)
        if kind.guard is not Guard.OWNER:
            return
        balance = self._credits.get(account, 0) - self._debits.get(account, 0)
        if balance and (balance < 0) is (kind.side is Side.CREDIT):
            raise InvariantBroken(f"{account} would be below zero: {self.balance(account)}")

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        """Account, debits, credits; by name."""
        return ((account, *self.totals(account)) for account in self.accounts())
