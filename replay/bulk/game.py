"""What a game tells the bulk lane; a module of `replay/bulk/games` offers one as GAME."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from replay.bulk.results import Results
from replay.bulk.usual import Order, Usual
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory


class BulkGame(ABC):
    """One game in bulk: the predicate of its usual rounds, and their results."""

    ORDER: ClassVar[Order]  # the kinds of a usual round in their order
    ONCE: ClassVar[Sequence[type[Any]]] = ()  # kinds it has once, beyond those of every game
    REPEATS: ClassVar[Sequence[type[Any]]] = ()  # kinds that only a repeated shake or spin has
    ANYWHERE: ClassVar[Sequence[type[Any]]] = ()  # kinds whose place the game looks at itself

    @abstractmethod
    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The result of each round; leaves those that are not usual in this game.

        `memory` is what the round before the first one of the frame left.
        """

    def set_aside(self, round: Round, terms: Terms) -> Iterable[str]:
        """The events of a repeated shake or spin, where it was repeated as it had to be.

        It is asked of rounds with an event of REPEATS, or with two of the first kind of ONCE.
        """
        del round, terms
        return ()

    def legal(self, terms: Terms, legal: Callable[[str], bool]) -> Callable[[str], bool]:
        """Whether the layout has a bet, by the posted readings."""
        del terms
        return legal

    def standing(self, bet: str, facts: frozenset[str]) -> tuple[str, ...]:
        """The clauses of a wager that do not come from its line of the paytable."""
        del bet, facts
        return ()

    def parts(self, bet: str) -> tuple[tuple[str, Fraction], ...]:
        """The positions that a bet is laid on, each with its share of the stake."""
        return ((bet, Fraction(1)),)

    def paid(self, usual: Usual, found: Results, terms: Terms) -> None:
        """Leave rounds that are settled as due and yet not in the usual way."""
        del usual, found, terms

    def left(self, usual: Usual, found: Results, round: int, known: Memory) -> Memory:
        """What a usual round leaves; `known` is what the last unusual one before it left."""
        del usual, found, round, known
        return {}

    def neutral(self, usual: Usual, round: int, memory: Memory) -> bool:
        """Whether a round may be usual after one that left this."""
        del usual, round, memory
        return True
