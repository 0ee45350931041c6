"""What bets are due in columns: bet and result to a paytable line, then one division a column.

`settle.deciding` says which line decides, once for each bet and each set of facts; the answers are
kept in a table. The amounts of all wagers come from its columns by the formulas of `settle.pay`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from replay import settle
from replay.bulk.frame import Column
from replay.bulk.game import BulkGame
from replay.bulk.results import Facts, Verdict
from replay.rulebooks.edition import OTHERWISE, SOURCES, Edition, Line, Odds
from replay.rulebooks.terms import Terms
from schemas import money

NOTHING = Line("", OTHERWISE, Odds("push"), ())


class Priced(NamedTuple):
    """How a bet is settled by one result: a line of the paytable for each of its parts."""

    parts: tuple[tuple[Fraction, Line], ...]  # share of the stake and line
    clauses: tuple[str, ...]

    @property
    def _best(self) -> Odds:
        return max((line.odds for _, line in self.parts), key=lambda odds: odds.pays)

    @property
    def outcome(self) -> str:
        """The outcome of the wager: that of its best part."""
        return self._best.outcome or self._best.result

    @property
    def odds(self) -> str:
        """The odds to one; empty where nothing is paid."""
        return str(self._best.pays) if self._best.result == "win" else ""

    @property
    def source(self) -> str:
        """Where its odds come from: of its parts the least sure."""
        return max((line.source for _, line in self.parts), key=SOURCES.index)


class Amounts(NamedTuple):
    """What wagers are due, a column each."""

    gross_win: Column
    commission: Column
    paid: Column
    collected: Column
    returned: Column
    reserve_taken: Column
    reserve_returned: Column


class Prices:
    """The lines of one paytable as a table: result by bet, filled where somebody asks."""

    def __init__(self, edition: Edition, terms: Terms, game: BulkGame) -> None:
        self.edition, self.terms, self.game = edition, terms, game
        self.lines: list[Priced] = []
        self._known: dict[tuple[str, Facts], int] = {}
        self._codes: dict[Priced, int] = {}

    def codes(
        self,
        key: Column,
        bet: Column,
        good: Column,
        verdicts: Sequence[Verdict],
        bets: Sequence[str],
    ) -> Column:
        """The line that decides each wager, as a code into `lines`; 0 where it is not good."""
        pair = np.where(good, key * len(bets) + bet, -1)
        asked, place = np.unique(pair, return_inverse=True)
        known = [
            self._code(bets[n % len(bets)], verdicts[n // len(bets)].facts) if n >= 0 else 0
            for n in asked.tolist()
        ]
        return np.array(known, np.int64)[place]

    def amounts(self, line: Column, stake: Column, reserve: Column) -> Amounts:
        """What stakes are due by their lines (`settle.pay`, in columns)."""
        gross, paid, collected, taken = (np.zeros(len(line), np.int64) for _ in range(4))
        counts = np.array([len(priced.parts) for priced in self.lines], np.int64)
        for n in range(max(counts, default=0)):
            rows = np.flatnonzero(counts[line] > n)
            part = self._part(n, line[rows], stake[rows])
            for whole, amount in zip((gross, paid, collected, taken), part, strict=True):
                whole[rows] += amount
        taken = np.minimum(taken, reserve)
        kept = gross - paid
        return Amounts(gross, kept, paid, collected, stake - collected, taken, reserve - taken)

    def _part(self, n: int, line: Column, stake: Column) -> tuple[Column, ...]:
        """Gross, paid, collected and reserve of the n-th part of each wager (`settle._amounts`)."""
        none = (Fraction(0), NOTHING)
        parts = [priced.parts[n] if n < len(priced.parts) else none for priced in self.lines]

        def times(share: Callable[[Odds], Fraction], result: str) -> Column:
            of_stake = [
                part * share(at.odds) if at.odds.result == result else Fraction(0)
                for part, at in parts
            ]
            numerator = np.array([part.numerator for part in of_stake], np.int64)[line]
            denominator = np.array([part.denominator for part in of_stake], np.int64)[line]
            rounded: Column = money.quotient(stake * numerator, denominator, self.terms.rounding)
            return rounded

        gross = times(lambda odds: odds.pays, "win")
        paid = times(lambda odds: odds.pays * (1 - odds.commission), "win")
        lost = times(lambda _: Fraction(1), "lose")
        back = times(lambda odds: 1 - odds.takes, "lose")
        return gross, paid, lost - back, times(lambda odds: odds.reserve, "lose")

    def _code(self, bet: str, facts: Facts) -> int:
        known = self._known.get((bet, facts))
        if known is None:
            priced = self._priced(bet, facts)
            known = self._codes.setdefault(priced, len(self.lines))
            if known == len(self.lines):
                self.lines.append(priced)
            self._known[bet, facts] = known
        return known

    def _priced(self, bet: str, facts: Facts) -> Priced:
        parts = tuple(
            (share, settle.deciding(position, facts, self.edition, self.terms.paytable))
            for position, share in self.game.parts(bet)
        )
        own = self.game.standing(bet, facts)
        named = (clause for _, line in parts for clause in line.clauses)
        return Priced(parts, tuple(dict.fromkeys((*own, *named))))
