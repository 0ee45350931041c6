"""The amount in action: table limits and the multiples of the Ante (TH:7.10, 7.10.1)."""

from collections.abc import Iterator
from fractions import Fraction

from replay.rulebooks.terms import Terms
from replay.ruled import Stand
from replay.rulings.holdem_bonus.boxes import HoldemBox
from replay.wagers import Wager

# TH:4.11.2.ii to 4.11.4. How many Antes each later bet is.
MULTIPLES = {"flop": 2, "turn": 1, "river": 1}


def in_action(box: HoldemBox, terms: Terms) -> Iterator[Stand]:
    """What is settled of each wager of a box; the rest of a stake goes back."""
    ante = _within_limits(box.wagers["ante"], terms)
    placed = terms.readings["ante_above_maximum"] == "ante_as_placed"
    measure = Fraction(ante.wager.stake) if placed else ante.action
    for bet, wager in box.wagers.items():
        if bet in MULTIPLES:
            yield _against_ante(wager, MULTIPLES[bet] * measure)
        elif bet == "ante" and box.flop_missing:
            flags = (*ante.flags, "FLOP_MISSING")
            yield ante._replace(flags=flags, clauses=(*ante.clauses, "TH:7.10.1.ii"))
        else:
            yield _within_limits(wager, terms)


def _within_limits(wager: Wager, terms: Terms) -> Stand:
    limit, whole = terms.limit(wager.bet), Fraction(wager.stake)
    if limit and wager.stake < limit.minimum:
        return Stand(wager, whole, clauses=("TH:7.10",), flags=("BELOW_MIN",))
    if limit and wager.stake > limit.maximum:
        most = Fraction(limit.maximum)
        return Stand(wager, most, clauses=("TH:7.10",), flags=("OVER_MAX",))
    return Stand(wager, whole)


def _against_ante(wager: Wager, wanted: Fraction) -> Stand:
    if wager.stake > wanted:
        return Stand(wager, wanted, "", ("TH:7.10.1.i",), ("OVER_ANTE_MULTIPLE",))
    whole = Fraction(wager.stake)
    if wager.stake < wanted:
        return Stand(wager, whole, "", ("TH:7.10.1.ii",), ("UNDER_ANTE_MULTIPLE",))
    return Stand(wager, whole)
