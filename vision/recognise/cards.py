"""Cards in a picture: the indices of one card are joined, and say together what it is."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.cards import RANKS, SUITS
from vision.recognise.detections import CardSeen, Guess, Near, centre
from vision.recognise.indices import SIZES, IndexReader, Mark
from vision.recognise.network import MODELS
from vision.types import Image, Point, Quad

LEAST = 0.8  # below this probability a card is there and unread
SURE_ALONE = 0.95  # a lone corner amid another card must be so sure
WARM_UNREAD = 0.6  # how sure the finder must be of an index that cannot be read
SHARED = (
    0.6  # two corners of one card share light, lens and deck: their evidence is not independent
)
SHARED_OUTLINE = 0.3  # two outlines of one reading that share more of the smaller are one card
PARALLEL = 0.7  # the cosine from which two indices stand the same way, or upside down to it
ALONG_A_SIDE = 8.5  # corners of one side, in halves of an index's height; two cards lie further
CORNER_TO_CORNER = 15.0  # opposite corners of one card
GUESSES = 3
CORNERS = 4
# In lengths of the way from a corner to the middle of its card:
OTHER_SIDE = 0.5  # corners of one card see its middle at least so differently
SAME_MIDDLE = 0.85  # and mean the same middle, give or take
ACROSS = 5.0  # and lie no farther from each other; the way is often told too short
ASIDE = 0.4  # opposite corners look past each other by so much at most
FACING = 0.85  # the cosine at which two ways are opposite
SLANT = 0.35  # the sine from which two ways can be said to cross
ONE_MIDDLE = 0.5  # the middles of two halves of one card lie no farther apart
AGAIN = 1.0  # the same index within so many halves of its height is found twice
INSET = 1.6  # from a card's corner to the middle of its index, in halves of the index's height
BEYOND = 2.5  # a lone corner may lie so far beyond an outline, in halves of its own height
SHORT = 0.45  # they cross no nearer than that
UNEVEN = 0.5  # and about as far from one corner as from the other (a difference of logarithms)


class CardReader:
    """Finds the cards of a picture and says what each may be."""

    def __init__(self, sizes: Sequence[int] = SIZES, models: Path = MODELS) -> None:
        self._indices = IndexReader(sizes, models)

    def read(
        self, image: Image, whole: tuple[int, int] = (0, 0), _near: Near | None = None
    ) -> list[CardSeen]:
        """Every card, the surest first; `whole` is the size of the picture this is a part of.

        All corners are read, near a zone or not: a card may lie in one with a corner far from it.
        """
        marks = [mark for mark in self._indices.read(image, max(whole)) if _worth(mark)]
        cards = [_within(card, image) for card in told(joined(marks))]
        return sorted(cards, key=_least_sure)


def _within(card: CardSeen, image: Image) -> CardSeen:
    """A card whose outline is cut at the picture's edges, so that its middle is one seen."""
    high, wide = image.shape[:2]
    first, second, third, fourth = (
        (min(max(x, 0.0), float(wide)), min(max(y, 0.0), float(high))) for x, y in card.quad
    )
    return card._replace(quad=(first, second, third, fourth))


def told(groups: Sequence[Sequence[Mark]]) -> list[CardSeen]:
    """A card for each group; a lone corner amid another card is there and unread.

    A card on top of another shows at least two of its corners: one alone is likelier a pip or a
    smudge of the card it lies on.
    """
    whole = [group for group in groups if len(group) > 1]
    cards = []
    for group in groups:
        card = _card(group)
        doubtful = len(group) == 1 and group[0].sure < SURE_ALONE
        amid = doubtful and any(_amid(group[0], other) for other in whole)
        cards.append(card._replace(guesses=()) if amid else card)
    read = [group for group, card in zip(groups, cards, strict=True) if card.guesses]
    kept = [
        (group, card)
        for group, card in zip(groups, cards, strict=True)
        if card.guesses or not any(_far_end(group[0], other) for other in read)
    ]
    return _one_each(kept)


def _one_each(found: Sequence[tuple[Sequence[Mark], CardSeen]]) -> list[CardSeen]:
    """The cards, each once: the same reading over a shared outline is the same card.

    A covered card that shows two corners of one side is else told twice. Two equal cards of
    several decks that lie on each other so far are told as one until they are moved apart.
    """
    kept: list[tuple[Sequence[Mark], CardSeen]] = []
    for group, card in sorted(found, key=lambda pair: (-len(pair[0]), _least_sure(pair[1]))):
        same = next((n for n, other in enumerate(kept) if _one_card((group, card), other)), None)
        if same is None:
            kept.append((group, card))
        else:
            marks, other = kept[same]
            both = other._replace(corners=(*other.corners, *card.corners))
            kept[same] = ((*marks, *group), both)
    return [card for _, card in kept]


def _one_card(one: tuple[Sequence[Mark], CardSeen], other: tuple[Sequence[Mark], CardSeen]) -> bool:
    """Whether two readings of the same code are two looks at one card."""
    codes = [card.guesses[0].seen if card.guesses else "" for _, card in (one, other)]
    if not codes[0] or codes[0] != codes[1]:
        return False
    if _shared(one[1].quad, other[1].quad) > SHARED_OUTLINE:
        return True
    # The outline of a lone corner is a guess; how far it lies from the other corners is not.
    lone = min(len(one[0]), len(other[0])) == 1
    return lone and all(_corners_of_one(mine, theirs) for mine in one[0] for theirs in other[0])


def _corners_of_one(one: Mark, other: Mark) -> bool:
    """Whether two corners lie no farther apart than those of one card, on one side or across."""
    high = max(_long(one.up), _long(other.up))
    turned = float(one.up @ other.up) / max(_long(one.up) * _long(other.up), 1e-6)
    if abs(turned) < PARALLEL:
        return False
    reach = ALONG_A_SIDE if turned > 0 else CORNER_TO_CORNER
    return _long(one.centre - other.centre) <= reach * high


def _shared(one: Quad, other: Quad) -> float:
    """The area that two outlines share, as a part of the smaller one."""
    first, second = (cv2.convexHull(np.array(quad, np.float32)) for quad in (one, other))
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    both, _ = cv2.intersectConvexConvex(first, second)
    return float(both) / smaller if smaller > 0 else 0.0


def _least_sure(card: CardSeen) -> float:
    return -card.guesses[0].probability if card.guesses else 0.0


def _far_end(mark: Mark, card: Sequence[Mark]) -> bool:
    """Whether an unread corner is the far end of a card that was read by another corner."""
    x, y = centre(_outline(card))
    length = sum(_long(each.way) for each in card) / len(card)
    off = math.hypot(mark.centre[0] + mark.way[0] - x, mark.centre[1] + mark.way[1] - y)
    near = min(_long(mark.centre - each.centre) for each in card)
    return off < SAME_MIDDLE * length < near


def joined(marks: Sequence[Mark]) -> list[list[Mark]]:
    """The marks, those of one card together."""
    marks = _once(marks)
    pairs = sorted(
        (apart, one, other)
        for one in range(len(marks))
        for other in range(one)
        if (apart := _apart(marks[one], marks[other])) is not None
    )
    group = list(range(len(marks)))
    for _, one, other in pairs:
        both = [marks[n] for n, at in enumerate(group) if at in {group[one], group[other]}]
        if group[one] != group[other] and _on_one_card(both):
            group = [group[one] if at == group[other] else at for at in group]
    groups = [
        [marks[n] for n, at in enumerate(group) if at == which] for which in dict.fromkeys(group)
    ]
    return _gathered(_merged(groups))


def _once(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without those that are a surer one found again beside itself."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.sure):
        near = AGAIN * _long(mark.up)
        if all(m.code != mark.code or _long(m.centre - mark.centre) > near for m in kept):
            kept.append(mark)
    return kept


def _merged(groups: Sequence[list[Mark]]) -> list[list[Mark]]:
    """The groups, those that read the same and lie round the same middle as one."""
    kept: list[list[Mark]] = []
    for group in sorted(groups, key=len, reverse=True):
        same = next((other for other in kept if _round_one_middle(group, other)), None)
        if same is None:
            kept.append(list(group))
        else:
            same.extend(group)
    return kept


def _round_one_middle(group: Sequence[Mark], other: Sequence[Mark]) -> bool:
    if min(len(group), len(other)) < 2 or group[0].code != other[0].code:
        return False
    (x0, y0), (x1, y1) = centre(_outline(group)), centre(_outline(other))
    length = sum(_long(mark.way) for mark in (*group, *other)) / (len(group) + len(other))
    return math.hypot(x0 - x1, y0 - y1) < ONE_MIDDLE * length and _on_one_card([*group, *other])


def _amid(mark: Mark, card: Sequence[Mark]) -> bool:
    """Whether a corner lies within the outline of another card."""
    outline = np.array(_outline(card), np.float32)
    at = (float(mark.centre[0]), float(mark.centre[1]))
    return card[0].code != mark.code and cv2.pointPolygonTest(outline, at, True) > 0


def _gathered(groups: Sequence[list[Mark]]) -> list[list[Mark]]:
    """The groups, with single corners that lie on a card told by two or more put to it."""
    whole = [list(group) for group in groups if len(group) > 1]
    alone = []
    for mark in (group[0] for group in groups if len(group) == 1):
        fits = (card for card in whole if _lies_on(mark, card))
        if (card := next(fits, None)) is not None:
            card.append(mark)
        else:
            alone.append([mark])
    return [*whole, *alone]


def _lies_on(mark: Mark, card: Sequence[Mark]) -> bool:
    """Whether a corner reads as a card, lies within its outline, and is none of its corners yet."""
    if card[0].code != mark.code or len(card) == CORNERS:
        return False
    outline = np.array(_outline(card), np.float32)
    depth = cv2.pointPolygonTest(outline, (float(mark.centre[0]), float(mark.centre[1])), True)
    near = min(_long(mark.centre - other.centre) for other in card)
    return bool(depth > -BEYOND * _long(mark.up) and near > 2 * _long(mark.up))


def _apart(one: Mark, other: Mark) -> float | None:
    """How far two marks differ about the middle of their card; None where it is not one card.

    Two corners of one card read the same, look at its middle from different sides, and agree where
    that is. Two cards of a fan look from the same side.
    """
    if one.code != other.code:
        return None
    length = (_long(one.way) + _long(other.way)) / 2
    if length <= 0 or _long(one.way - other.way) < OTHER_SIDE * length:
        return None
    for told in (_facing(one, other, length), _crossing(one, other)):
        if told is not None:
            return told
    off = _long(one.centre + one.way - other.centre - other.way) / length
    return off if off < SAME_MIDDLE else None


def _facing(one: Mark, other: Mark, length: float) -> float | None:
    """How far two opposite corners miss each other; None where they do not look at each other.

    On cards with a small index the way to the middle is told too short, but its direction is good.
    """
    between = other.centre - one.centre
    span = max(_long(between), 1e-6)
    opposite = one.way @ other.way < -FACING * _long(one.way) * _long(other.way)
    if not opposite or span > ACROSS * length:
        return None
    if one.way @ between < 0 or other.way @ between > 0:
        return None
    aside = max(abs(_cross(one.way, between)), abs(_cross(other.way, between))) / span / length
    return aside if aside < ASIDE else None


def _crossing(one: Mark, other: Mark) -> float | None:
    """How unevenly the ways of two neighbouring corners cross ahead of them; None where not."""
    turn = _cross(one.way, other.way)
    if abs(turn) < SLANT * _long(one.way) * _long(other.way):
        return None
    between = other.centre - one.centre
    mine, theirs = _cross(between, other.way) / turn, _cross(between, one.way) / turn
    if not all(SHORT < part < ACROSS / 2 for part in (mine, theirs)):
        return None
    uneven = abs(math.log(mine / theirs))
    return uneven if uneven < UNEVEN else None


def _on_one_card(marks: Sequence[Mark]) -> bool:
    """Whether so many corners, so far from each other, can be those of one card."""
    length = sum(_long(mark.way) for mark in marks) / len(marks)
    first, last = _ends(marks)
    return len(marks) <= CORNERS and _long(first.centre - last.centre) <= ACROSS * length


def _card(marks: Sequence[Mark]) -> CardSeen:
    """What the marks of one card say together."""
    chances = _together(marks)
    order = np.argsort(-chances, axis=None, kind="stable")[:GUESSES]
    guesses = tuple(
        Guess(RANKS[n // len(SUITS)] + SUITS[n % len(SUITS)], round(float(chances.flat[n]), 4))
        for n in order
    )
    if guesses[0].probability < LEAST:
        guesses = ()
    return CardSeen(
        tuple(guess for guess in guesses if guess.probability >= 0.0005),
        _outline(marks),
        tuple(_point(mark.centre) for mark in marks),
    )


def _together(marks: Sequence[Mark]) -> NDArray[np.float64]:
    """The chances of the 52 cards and, unsaid, of none, by all corners."""
    if len(marks) == 1:
        return marks[0].chances.astype(np.float64)
    stacked = np.stack([mark.chances for mark in marks]).astype(np.float64)
    nothing = 1 - stacked.sum((1, 2))
    share = (1 + SHARED * (len(marks) - 1)) / len(marks)
    logs = np.log(np.maximum(stacked, 1e-9)).sum(0) * share
    none = np.log(np.maximum(nothing, 1e-9)).sum() * share
    top = max(float(logs.max()), float(none))
    powers = np.exp(logs - top)
    return np.asarray(powers / (powers.sum() + np.exp(none - top)), np.float64)


def _outline(marks: Sequence[Mark]) -> Quad:
    """The card's corners, as the marks tell them."""
    if len(marks) > 2:
        return _around(marks)
    lead = marks[0]
    middle = np.mean([mark.centre + mark.way for mark in marks], axis=0)
    if len(marks) > 1:
        middle = (
            np.mean([mark.centre for mark in _ends(marks)], axis=0) if _opposite(marks) else middle
        )
    up, right = lead.up / max(_long(lead.up), 1e-6), lead.right / max(_long(lead.right), 1e-6)
    basis = np.stack([up, right], 1)
    if abs(float(np.linalg.det(basis))) < 0.2:
        basis = np.stack([up, np.array([-up[1], up[0]])], 1)
    along, across = np.linalg.solve(basis, middle - lead.centre)
    high = (abs(float(along)) + 1.3 * _long(lead.up)) * basis[:, 0]
    wide = (abs(float(across)) + 1.5 * _long(lead.right)) * basis[:, 1]
    corners = [
        middle + high - wide,
        middle + high + wide,
        middle - high + wide,
        middle - high - wide,
    ]
    first, second, third, fourth = (_point(corner) for corner in corners)
    return first, second, third, fourth


def _around(marks: Sequence[Mark]) -> Quad:
    """The corners of a card of which three indices or four are known, a little beyond them."""
    first, last = _ends(marks)
    middle = (first.centre + last.centre) * np.float32(0.5)
    third = max(
        (mark for mark in marks if mark is not first and mark is not last),
        key=lambda mark: abs(_cross(mark.centre - middle, last.centre - first.centre)),
    )
    fourth = next(
        (m.centre for m in marks if _across(m, third, middle)), middle + middle - third.centre
    )
    inset = INSET * _long(first.up)
    one, two, three, four = (
        at + (at - middle) * np.float32(inset / max(_long(at - middle), 1e-6))
        for at in (first.centre, third.centre, last.centre, fourth)
    )
    return _point(one), _point(two), _point(three), _point(four)


def _across(mark: Mark, other: Mark, middle: NDArray[np.float32]) -> bool:
    """Whether a mark lies beyond the middle from another, about as far."""
    off = mark.centre + other.centre - 2 * middle
    return _long(off) < 0.5 * _long(other.centre - middle)


def _point(at: NDArray[np.floating[Any]]) -> Point:
    return float(at[0]), float(at[1])


def _opposite(marks: Sequence[Mark]) -> bool:
    first, last = _ends(marks)
    return float(first.way @ last.way) < -0.5 * _long(first.way) * _long(last.way)


def _ends(marks: Sequence[Mark]) -> tuple[Mark, Mark]:
    """The two marks that are farthest from each other."""
    pairs = [(one, other) for n, one in enumerate(marks) for other in marks[:n]]
    return max(pairs, key=lambda pair: _long(pair[0].centre - pair[1].centre))


def _worth(mark: Mark) -> bool:
    return mark.sure >= LEAST or mark.heat >= WARM_UNREAD


def _cross(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _long(vector: NDArray[np.float32]) -> float:
    return float(np.hypot(vector[0], vector[1]))
