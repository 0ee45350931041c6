"""The amount in action: minimum, maximum, differential (7.17 to 7.19.1), in exact fractions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from replay.rulebooks.terms import Terms
from replay.ruled import Stand
from replay.rulings.shared.remark import Remark
from replay.sentence import say
from replay.wagers import Wager

SIDES = ("player", "banker")  # 2.2.17: the differential lies between these two


class Limited(NamedTuple):
    """Wagers with the part of each that is in action."""

    stands: tuple[Stand, ...]
    remarks: tuple[Remark, ...] = ()
    readings: Mapping[str, str] = {}


def in_action(wagers: Sequence[Wager], terms: Terms, used: Iterable[str]) -> Limited:
    """What is settled of each wager: returned ones leave, then the maximum, then the differential.

    A limit counts all chips that one player has on one bet (D-11), so several wagers of a player
    on a bet share it by their size.
    """
    chips: Counter[tuple[str, str]] = Counter()
    for wager in wagers:
        chips[wager.player_id, wager.bet] += wager.stake
    on_file = frozenset(used)
    stands = [
        _limited(wager, chips[wager.player_id, wager.bet], terms, on_file) for wager in wagers
    ]
    limited = _differential(stands, terms)
    if limited.remarks and any("OVER_MAX" in stand.flags for stand in stands):
        name = "order_of_limits"
        return limited._replace(readings={name: terms.readings[name]})
    return limited


def used_up(stands: Iterable[Stand], tied: bool, terms: Terms) -> set[str]:
    """Players whose one time is used up now (7.17)."""
    below = [stand for stand in stands if "BELOW_MIN" in stand.flags and not stand.fate]
    stood_off = [at for at in below if tied and at.wager.bet in SIDES]
    counts = terms.readings["below_minimum_stand_off"] == "used_up"
    return {at.wager.player_id for at in below if counts or at not in stood_off}


def _limited(wager: Wager, chips: int, terms: Terms, used: frozenset[str]) -> Stand:
    limit, whole = terms.limit(wager.bet), Fraction(wager.stake)
    if limit is None:
        return Stand(wager, whole)
    if chips < limit.minimum:
        below = Stand(wager, whole, clauses=("TB:7.17",), flags=("BELOW_MIN",))
        if wager.player_id not in used:
            return below
        twice = ("BELOW_MIN", "BELOW_MIN_REPEAT")
        return below._replace(action=Fraction(0), fate="returned", flags=twice)
    if chips > limit.maximum:
        share = whole * limit.maximum / chips
        over = Stand(wager, share, clauses=("TB:7.18",), flags=("OVER_MAX",))
        return (
            over._replace(shares=f"{wager.player_id} {wager.bet}") if chips > wager.stake else over
        )
    return Stand(wager, whole)


def _differential(stands: Sequence[Stand], terms: Terms) -> Limited:
    totals = {side: sum((s.action for s in _on(side, stands)), Fraction(0)) for side in SIDES}
    ceilings = _ceilings(totals, terms, terms.readings["differential"])
    if not ceilings:
        return Limited(tuple(stands))
    ratios = {}
    for side, ceiling in ceilings.items():
        exempt = sum((s.action for s in _on(side, stands) if _below(s)), Fraction(0))
        if terms.readings["exempt_wagers"] == "counted_like_the_others":
            exempt = Fraction(0)
        rest = totals[side] - exempt
        ratios[side] = max(Fraction(0), ceiling - exempt) / rest if rest else Fraction(1)
    scaled = tuple(_scaled(stand, ratios) for stand in stands)
    return Limited(scaled, (_exceeded(totals, ratios, terms),))


def _ceilings(totals: Mapping[str, Fraction], terms: Terms, reading: str) -> dict[str, Fraction]:
    """What each side may come to at most, where it comes to more (issue differential)."""
    limit = terms.differential
    if limit is None:
        return {}
    if reading == "each_box_to_d":
        return {side: Fraction(limit) for side in SIDES if totals[side] > limit}
    lighter, heavier = sorted(SIDES, key=lambda side: totals[side])
    if totals[heavier] - totals[lighter] <= limit:
        return {}
    base = Fraction(0) if reading == "heavier_to_d" else totals[lighter]
    return {heavier: base + limit}


def _scaled(stand: Stand, ratios: Mapping[str, Fraction]) -> Stand:
    if stand.fate or stand.wager.bet not in ratios:
        return stand
    if _below(stand):
        exempt = (*stand.flags, "PRO_RATA_EXEMPT")
        return stand._replace(flags=exempt, clauses=(*stand.clauses, "TB:7.19.1"))
    return stand._replace(
        action=stand.action * ratios[stand.wager.bet],
        flags=(*stand.flags, "PRO_RATA"),
        clauses=(*stand.clauses, "TB:7.19"),
    )


def _exceeded(
    totals: Mapping[str, Fraction], ratios: Mapping[str, Fraction], terms: Terms
) -> Remark:
    cut = (say("TB.side_counts", side=side, ratio=str(ratio)) for side, ratio in ratios.items())
    text = say(
        "TB.differential_exceeded",
        player=str(totals["player"]),
        banker=str(totals["banker"]),
        differential=terms.differential,
        cut=tuple(cut),
    )
    return Remark("DIFFERENTIAL_EXCEEDED", "TB:7.19", text)


def _on(side: str, stands: Iterable[Stand]) -> list[Stand]:
    return [stand for stand in stands if stand.wager.bet == side and not stand.fate]


def _below(stand: Stand) -> bool:
    return "BELOW_MIN" in stand.flags
