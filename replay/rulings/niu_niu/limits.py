"""The amount in action of each bet of a box: limits, Even, Reserve (4.5.2, 4.5.3, 7.11)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from replay.games.niu_niu import RESERVE
from replay.rulebooks.terms import Terms
from replay.ruled import Stand
from replay.rulings.niu_niu.boxes import Box
from replay.wagers import Wager

NEEDS = {"even": "NN:4.5.3", "double": "NN:4.5.3.i", "super_niu": "NN:4.5.3.ii"}

ABOVE_EVEN = "NN:4.5.2.i"

# What a line flag rests on.
CLAUSES: Mapping[str, str] = {
    "BELOW_MIN": "NN:7.11",
    "OVER_MAX": "NN:7.11",
    "OVER_EVEN": ABOVE_EVEN,
}


def in_action(box: Box, terms: Terms) -> Mapping[str, Stand]:
    """What is settled of each wager of a box, in exact fractions; chips above it go back."""
    even = _even(box["even"], terms)
    stands = {"even": even}
    for bet in RESERVE:
        if bet in box:
            stands[bet] = _optional(box[bet], even, terms)
    return {stand.wager.wager_id: stand for stand in stands.values()}


def _even(wager: Wager, terms: Terms) -> Stand:
    flags = _limit_flags(wager, terms)
    flags += ("RESERVE_EXCESS",) if wager.placed.reserve else ()  # no other bet has use for it
    return Stand(wager, _up_to_maximum(wager, terms), clauses=_clauses(wager, flags), flags=flags)


def _optional(wager: Wager, even: Stand, terms: Terms) -> Stand:
    reserve, needed = wager.placed.reserve, RESERVE[wager.bet] * wager.stake
    flags = _limit_flags(wager, terms)
    flags += ("OVER_EVEN",) if wager.stake > even.wager.stake else ()
    flags += ("RESERVE_SHORT",) if reserve < needed else ()
    flags += ("RESERVE_EXCESS",) if reserve > needed else ()
    covered = Fraction(reserve, RESERVE[wager.bet])
    most = _up_to_maximum(wager, terms)
    action = min(most, even.action, covered)
    clauses = _clauses(wager, flags)
    if most > even.action:  # the comparison is with Even in action (issue above_even)
        clauses = tuple(dict.fromkeys((*clauses, ABOVE_EVEN)))
    if any(terms.readings[issue] == "bet_returned" for issue in _issues(flags, clauses)):
        return Stand(wager, Fraction(0), "returned", clauses, flags)
    return Stand(wager, action, "" if action else "returned", clauses, flags)


def _issues(flags: tuple[str, ...], clauses: tuple[str, ...]) -> Iterator[str]:
    """The rule issues that may give a bet back whole."""
    if ABOVE_EVEN in clauses:
        yield "above_even"
    if "RESERVE_SHORT" in flags:
        yield "short_reserve"


def _up_to_maximum(wager: Wager, terms: Terms) -> Fraction:
    limit = terms.limit(wager.bet)
    return Fraction(min(wager.stake, limit.maximum) if limit else wager.stake)


def _limit_flags(wager: Wager, terms: Terms) -> tuple[str, ...]:
    limit = terms.limit(wager.bet)
    if limit is None:
        return ()
    below, over = wager.stake < limit.minimum, wager.stake > limit.maximum
    return ("BELOW_MIN",) * below + ("OVER_MAX",) * over


def _clauses(wager: Wager, flags: tuple[str, ...]) -> tuple[str, ...]:
    found = (CLAUSES.get(flag) or NEEDS[wager.bet] for flag in flags)
    return tuple(dict.fromkeys(found))
