"""What a round asks of whoever keeps its proofs. The rules know that a proof exists, not how it is made."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from taisai.game.state import RoundState


class Proven(NamedTuple):
    """A tree over a round's slips or results: how many leaves it has, and its root in hex."""

    leaves: int = 0
    root: str = ""


class Revealed(NamedTuple):
    """What the dice of a round came from, in hex: the house's secret, and the share of a second party."""

    secret: str = ""
    share: str = ""


class Notary(Protocol):
    """Makes the trees of one round, and knows the secret of its dice."""

    def slips(self, state: "RoundState") -> Proven:
        """The tree over the slips as they are now."""
        ...

    def results(self, state: "RoundState", *, void_clauses: tuple[str, ...] = ()) -> Proven:
        """The tree over what each slip brings now; with clauses, over what a void gives back."""
        ...

    def revealed(self) -> Revealed:
        """What is published with the result."""
        ...


def proven_slips(state: "RoundState") -> Proven:
    """The tree of slips, where somebody keeps one."""
    return state.notary.slips(state) if state.notary else Proven()


def proven_results(state: "RoundState", *, void_clauses: tuple[str, ...] = ()) -> Proven:
    """The tree of results, where somebody keeps one."""
    return state.notary.results(state, void_clauses=void_clauses) if state.notary else Proven()


def revealed(state: "RoundState") -> Revealed:
    """What the dice came from, if it was committed to: known since it was published, or published now."""
    if state.secret:
        return Revealed(state.secret, state.share)
    return state.notary.revealed() if state.notary else Revealed()
