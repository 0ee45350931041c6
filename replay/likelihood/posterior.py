"""Computes how likely each card was dealt, from three readings and the cards left in the shoe.

One card leaves the shoe, which the shoe reads, and one lies on the table, which camera and dealer
read. They are the same card, of the decks or foreign, unless it was switched on the way. All
figures are exact fractions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite, lcm
from typing import NamedTuple

from replay.likelihood import witness_errors
from replay.likelihood.witness_errors import CARDS, Counts
from replay.witnesses import CODES
from schemas.money import apportioned

PPM = 1_000_000
ALL, OTHERS = len(CARDS), len(CARDS) - 1
OF_STRANGERS = ("invented", "repeated", "foreign")


class Statement(NamedTuple):
    """What one device says of a place: cards with millionths; the rest may be any other card."""

    witness: str  # shoe, camera or dealer
    device_id: str
    said: tuple[tuple[str, int], ...]


class Composition(NamedTuple):
    """The decks in play, and the copies of each card that were seen elsewhere."""

    decks: int  # 0 where nobody says
    gone: Mapping[str, int]

    def weights(self) -> dict[str, int]:
        """How likely each card comes next, one beside the other.

        Where all copies of a card are gone, one of them may have been another card, misread.
        """
        if not self.decks:
            return dict.fromkeys(CARDS, 1)
        misread, unit = witness_errors.figures("shoe").wrong.as_integer_ratio()
        found = {}
        for code in CARDS:
            gone = self.gone.get(code, 0)
            left = self.decks - gone
            found[code] = left * unit if left > 0 else gone * misread
        return found


class Posterior(NamedTuple):
    """How likely each explanation is, and each card as the one that was dealt; both sum to one."""

    misread: Fraction  # a witness erred, or everybody is right
    switched: Fraction
    foreign: Fraction
    cards: Mapping[str, Fraction]
    same: str = ""  # the likeliest card where the one dealt is the one that lies there


def weighed(said: Iterable[Statement], left: Composition, counts: Counts) -> Posterior:
    """The posterior of a place where a card left the shoe."""
    shoe, table = _likelihoods(said, counts)
    honest, switched, foreign = _happens("switched", "foreign")
    weights = left.weights()
    whole, whole_table = sum(weights.values()), sum(table.values())
    same, other, outside = {}, {}, {}
    for code, weight in weights.items():
        dealt, laid = weight * shoe[code], table[code]
        same[code] = honest * dealt * laid * ALL * OTHERS
        other[code] = switched * dealt * (whole_table - laid) * ALL
        outside[code] = foreign * whole * shoe[code] * laid * OTHERS
    return _shared(same, other, outside)


def stranger(
    said: Iterable[Statement],
    left: Composition,
    counts: Counts,
    around: Sequence[str],
    *,
    counted_on: bool,
) -> Posterior:
    """The posterior of a card that the shoe never gave; `around` are the cards of the round.

    Where the shoe counted on from the card before to the card after it, it gave none between,
    unless it did not even count it. Elsewhere it may have missed the card.
    """
    _, table = _likelihoods(said, counts)
    missed = "unnoticed" if counted_on else "missed"
    _, unread, invented, repeated, foreign = _happens(missed, *OF_STRANGERS)
    weights, there = left.weights(), Counter(around)
    whole, all_there = sum(weights.values()), max(1, len(around))
    same, outside = {}, {}
    for code, weight in weights.items():
        passed = unread * weight * ALL * all_there
        nothing = (invented * all_there + repeated * there[code] * ALL) * whole
        same[code] = (passed + nothing) * table[code]
        outside[code] = foreign * whole * all_there * table[code]
    return _shared(same, dict.fromkeys(CARDS, 0), outside)


def millionths(probability: float) -> int:
    """A camera's probability as it comes in, to the nearest millionth; halves go up.

    A float is a fraction in itself, so that no machine rounds it otherwise.
    """
    if not isfinite(probability):
        return 0
    return min(PPM, max(0, (2 * Fraction(probability) * PPM + 1) // 2))


def parts(shares: Sequence[Fraction]) -> tuple[int, ...]:
    """Shares of one as millionths that add up: what is over goes to the largest remainders."""
    return apportioned(PPM, shares)


def percent(ppm: int) -> str:
    """Millionths as people read them; what is not quite nothing or all is not told as such."""
    if 0 < ppm < 100:
        return "< 0.01 %"
    if PPM - 100 < ppm < PPM:
        return "> 99.99 %"
    return f"{ppm // 10_000}.{ppm % 10_000 // 100:02d} %"


def _likelihoods(
    said: Iterable[Statement], counts: Counts
) -> tuple[dict[str, int], dict[str, int]]:
    """Of each card that may have left the shoe, and of each that may lie on the table."""
    shoe, table = (dict.fromkeys(CARDS, 1) for _ in range(2))
    for one in said:
        read = shoe if one.witness == "shoe" else table
        for code, likelihood in _likelihood(one, counts).items():
            read[code] *= likelihood
    return shoe, table


def _likelihood(one: Statement, counts: Counts) -> dict[str, int]:
    """How likely each card makes the statement; what it leaves open is shared by the others."""
    device = witness_errors.shown(one.witness, one.device_id, counts)
    named: dict[str, int] = {}
    for code, ppm in one.said:
        if code in CODES:
            named[code] = named.get(code, 0) + ppm
    open_ppm, unnamed = max(0, PPM - sum(named.values())), len(CARDS) - len(named)
    found = {}
    for dealt in CARDS:
        chances = [(ppm, device.part(code, dealt)) for code, ppm in named.items()]
        rest = device.whole - sum(part for _, part in chances)
        said_so = sum(ppm * part for ppm, part in chances)
        found[dealt] = said_so * max(1, unnamed) + open_ppm * rest
    return found


def _happens(*names: str) -> list[int]:
    """How often nothing of this and each of it happens, one beside the other."""
    chances = [witness_errors.happens(name) for name in names]
    whole = lcm(*(chance.denominator for chance in chances))
    return [int(chance * whole) for chance in (1 - sum(chances), *chances)]


def _shared(
    same: Mapping[str, int], other: Mapping[str, int], outside: Mapping[str, int]
) -> Posterior:
    misread, switched, foreign = (sum(part.values()) for part in (same, other, outside))
    whole = misread + switched + foreign
    cards = {code: Fraction(same[code] + other[code] + outside[code], whole) for code in CARDS}
    likeliest = max(CARDS, key=lambda code: same[code])
    return Posterior(
        Fraction(misread, whole),
        Fraction(switched, whole),
        Fraction(foreign, whole),
        cards,
        likeliest,
    )
