"""What bets are due in columns: bet and result to a paytable line, then one division a column.

`settle.deciding` says which line decides, once for each bet and each set of facts; the answers are
kept in a table. The amounts of all wagers come from its columns by the formulas of `settle.pay`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from replay import settle
from replay.bulk.frame import Column
from replay.bulk.game import BulkGame
from replay.bulk.results import Facts, Verdict
from replay.rulebooks.edition import SOURCES, Edition, Odds
from replay.rulebooks.terms import Terms
from schemas import money

UNASKED = -1


class Priced(NamedTuple):
    """How a bet is settled by one result, in the words of a due."""

    shares: tuple[tuple[Fraction, ...], ...]  # of each part of the bet, what its line moves
    outcome: str
    odds: str
    clauses: tuple[str, ...]
    source: str


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
        self._rows: dict[Facts, int] = {}  # the table: a row for each result met so far,
        self._columns: dict[str, int] = {}  # a column for each bet,
        self._table = np.zeros((0, 0), np.int64)  # and the line of both
        self._codes: dict[Priced, int] = {}
        self._parts: dict[int, tuple[Column, Column]] = {}
        self._parts_of = 0  # how many lines these were made for

    def codes(
        self,
        key: Column,
        bet: Column,
        good: Column,
        verdicts: Sequence[Verdict],
        bets: Sequence[str],
    ) -> Column:
        """The line that decides each wager, as a code into `lines`; 0 where it is not good."""
        row = np.array([self._rows.setdefault(at.facts, len(self._rows)) for at in verdicts])
        column = np.array([self._columns.setdefault(at, len(self._columns)) for at in bets])
        self._widen()
        if not len(bets):
            return np.zeros(len(key), np.int64)
        rows, columns = row[key], column[bet]
        new = np.flatnonzero(good & (self._table[rows, columns] == UNASKED))
        facts, positions = tuple(self._rows), tuple(self._columns)
        for n, at in set(zip(rows[new].tolist(), columns[new].tolist(), strict=True)):
            self._table[n, at] = self._code(positions[at], facts[n])
        return np.where(good, self._table[rows, columns], 0)

    def _widen(self) -> None:
        """Make room in the table for results and bets that were never met before."""
        wide = (len(self._rows), len(self._columns))
        if wide != self._table.shape:
            table = np.full(wide, UNASKED)
            table[: self._table.shape[0], : self._table.shape[1]] = self._table
            self._table = table

    def amounts(self, line: Column, stake: Column, reserve: Column) -> Amounts:
        """What stakes are due by their lines (`settle.pay`, in columns)."""
        gross, paid, collected, taken = np.zeros((4, len(line)), np.int64)
        counts = np.array([len(priced.shares) for priced in self.lines], np.int64)
        for n in range(max(counts, default=0)):
            rows = np.flatnonzero(counts[line] > n)
            own, lies = line[rows], stake[rows]
            numerators, denominators = self._part(n)
            won, kept, lost, back, reserved = (
                money.quotient(lies * above[own], below[own], self.terms.rounding)
                for above, below in zip(numerators, denominators, strict=True)
            )
            for whole, amount in (
                (gross, won), (paid, kept), (collected, lost - back), (taken, reserved),
            ):  # fmt: skip
                whole[rows] += amount
        taken = np.minimum(taken, reserve)
        less = gross - paid
        return Amounts(gross, less, paid, collected, stake - collected, taken, reserve - taken)

    def _part(self, n: int) -> tuple[Column, Column]:
        """Numerators and denominators of the n-th part of all lines, a row a share."""
        if self._parts_of != len(self.lines):
            self._parts_of, self._parts = len(self.lines), {}
        if n not in self._parts:
            shares = [at.shares[n] if n < len(at.shares) else NOTHING for at in self.lines]
            fractions = [[(at.numerator, at.denominator) for at in row] for row in shares]
            above, below = np.moveaxis(np.array(fractions, np.int64), (2, 1), (0, 1))
            self._parts[n] = above, below
        return self._parts[n]

    def _code(self, bet: str, facts: Facts) -> int:
        priced = self._priced(bet, facts)
        code = self._codes.setdefault(priced, len(self.lines))
        if code == len(self.lines):
            self.lines.append(priced)
        return code

    def _priced(self, bet: str, facts: Facts) -> Priced:
        parts = [
            (share, settle.deciding(position, facts, self.edition, self.terms.paytable))
            for position, share in self.game.parts(bet)
        ]
        best = max((line.odds for _, line in parts), key=lambda odds: odds.pays)
        named = (clause for _, line in parts for clause in line.clauses)
        return Priced(
            tuple(_shares(part, line.odds) for part, line in parts),
            outcome=best.outcome or best.result,
            odds=str(best.pays) if best.result == "win" else "",
            clauses=tuple(dict.fromkeys((*self.game.standing(bet, facts), *named))),
            source=max((line.source for _, line in parts), key=SOURCES.index),
        )


def _shares(part: Fraction, odds: Odds) -> tuple[Fraction, ...]:
    """The shares of a stake that `settle._amounts` rounds: gross, paid, lost, back, reserve."""
    none = Fraction(0)
    if odds.result == "win":
        return (part * odds.pays, part * odds.pays * (1 - odds.commission), none, none, none)
    if odds.result == "push":
        return NOTHING
    return (none, none, part, part * (1 - odds.takes), part * odds.reserve)


NOTHING = (Fraction(0),) * 5
