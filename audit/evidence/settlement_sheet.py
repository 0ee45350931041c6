"""The settlement sheet: what each wager was owed, what was seen to be given, and the difference."""

from collections.abc import Iterator
from typing import NamedTuple

from replay import payments, wagers
from replay.judge import Judgement
from replay.settle import Due
from replay.wagers import Wager
from schemas import events as e

OPEN = "open"  # the outcome of a wager whose chips stay where they lie


class SheetRow(NamedTuple):
    """One wager: owed and given are all that the player ends with, his stake included."""

    wager: Wager
    due: Due | None  # None where the round owes nothing yet
    seen: e.WagerSettled | None  # None where no settlement was seen

    @property
    def owed(self) -> int | None:
        """What the rules leave the player with; None where they do not say."""
        if self.due is None:
            return None
        return self._lying if self.due.outcome == OPEN else self.due.back

    @property
    def given(self) -> int | None:
        """What the player was seen to end with; None where nothing was seen."""
        if self.seen is None:
            return self._lying if self.due and self.due.outcome == OPEN else None
        given = self.seen.paid + self.seen.returned
        if self.due and self.due.outcome == OPEN:
            taken = self.seen.collected + self.seen.reserve_taken + self.seen.returned
            return given + max(0, self._lying - taken)
        return given

    @property
    def difference(self) -> int | None:
        """Given less owed: below zero where the player is short; None where nobody can say."""
        if self.owed is None or self.given is None:
            return None
        return self.given - self.owed

    @property
    def _lying(self) -> int:
        return self.wager.lying + self.wager.placed.reserve


def sheet(judged: Judgement) -> tuple[SheetRow, ...]:
    """Every wager of the round, those that were not settled as due first."""
    return tuple(sorted(_rows(judged), key=lambda row: not row.difference))


def short(rows: tuple[SheetRow, ...]) -> tuple[int, int]:
    """By how much players are short, and by how much the house is, over all wagers."""
    gaps = [row.difference or 0 for row in rows]
    return -sum(gap for gap in gaps if gap < 0), sum(gap for gap in gaps if gap > 0)


def _rows(judged: Judgement) -> Iterator[SheetRow]:
    dues = {due.wager_id: due for due in judged.dues}
    seen = payments.totals(judged.round.events)
    for wager in lying(judged):
        name = wager.wager_id
        yield SheetRow(wager, dues.get(name), seen.get(name))


def lying(judged: Judgement) -> tuple[Wager, ...]:
    """The wagers of a round, as the tables list them."""
    stands = tuple(stand.wager for stand in judged.ruled.stands)
    return stands or wagers.at_close(judged.round.events, judged.round.betting_end)
