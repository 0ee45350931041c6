"""Cards in a picture: the corner indices of one card are grouped, and together say what it is.

A card carries its rank and suit as a small printed index in two or four corners. `indices.py` finds
every index, reads it, and estimates an arrow from the index to the middle of its card:

    ┌─────────┐      ┌─────────┐      ┌─┌─┌───────┐
    │9        │      │9       9│      │9│9│9      │     three cards of a fan: the arrows
    │ ↘       │      │ ↘     ↙ │      │ ↘ ↘ ↘     │     are parallel and end at three
    │    o    │      │    o    │      │ │ │  o    │     different middles, so the indices
    │       ↖ │      │         │      │ │ │       │     stay apart
    │        9│      │         │      │ │ │       │
    └─────────┘      └─────────┘      └─└─└───────┘
      facing           crossing

1. Drop an index that repeats a surer one at the same place (`_without_duplicates`).
2. Pair indices of the same code whose arrows face each other, cross ahead of them, or end at the
   same middle (`_disagreement`), and grow the pairs into groups, best agreement first, as long as
   one card can have such corners (`indices_by_card`).
3. Merge groups round one middle, and add a lone index to the card it lies on (`_merged`,
   `_with_lone_indices`).
4. Multiply the evidence of each group into guesses, and draw its outline (`_card`).
5. Report a lone, doubtful index inside another card as unread, drop an unread index at the far end
   of a card that was read, and report one card once (`cards_of`).

Lengths are relative, so the size of the picture does not matter: a constant in HALF_HEIGHTS counts
halves of an index's height, one in ARROWS counts lengths of the arrows concerned.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.cards import RANKS, SUITS
from schemas.events import Guess
from vision.recognise.detections import CardSeen, Near, centre
from vision.recognise.indices import FINDER_SIDES_PX, CornerIndex, IndexReader
from vision.recognise.network import MODELS
from vision.types import Image, Point, Quad

READ_PROBABILITY = 0.8  # a card below this is reported as unread
LONE_PROBABILITY = 0.95  # a lone index inside another card's outline is read only from here on
UNREAD_MIN_HEAT = 0.6  # the finder must be this sure of an index that nobody can read
EVIDENCE_SHARE = 0.6  # corners of one card share light, lens and deck: each further one counts less
SAME_CARD_OVERLAP = 0.3  # two outlines of one code that share more of the smaller are one card
PARALLEL_COSINE = 0.7  # from here on two indices stand the same way, or one upside down
MAX_GUESSES = 3
MAX_CORNERS = 4

SIDE_HALF_HEIGHTS = 8.5  # the largest distance of two indices along one side of a card
DIAGONAL_HALF_HEIGHTS = 15.0  # the largest distance of indices in opposite corners
DUPLICATE_HALF_HEIGHTS = 1.0  # the same code nearer than this is the same index found twice
INSET_HALF_HEIGHTS = 1.6  # from a card's corner to the middle of its index
OUTSIDE_HALF_HEIGHTS = 2.5  # a lone index may lie this far outside the outline of its card

MIN_DIFFERENCE_ARROWS = 0.5  # arrows of one card differ at least this much; those of a fan do not
SAME_MIDDLE_ARROWS = 0.85  # two arrows that end nearer than this mean the same middle
MAX_SPAN_ARROWS = 5.0  # corners of one card lie no farther apart; arrows are often too short
MAX_MISS_ARROWS = 0.4  # facing arrows miss the other index by at most this
MERGED_MIDDLE_ARROWS = 0.5  # two groups of one card have middles no farther apart
MIN_CROSSING_ARROWS = 0.45  # arrows of neighbouring corners cross no nearer than this
MAX_CROSSING_LOG_RATIO = 0.5  # and about equally far from both (a difference of logarithms)
FACING_COSINE = 0.85  # from here on two arrows point at each other
CROSSING_SINE = 0.35  # from here on two arrows cross and are not parallel


class CardReader:
    """Finds the cards of a picture and guesses what each is."""

    def __init__(self, sizes: Sequence[int] = FINDER_SIDES_PX, models: Path = MODELS) -> None:
        self._indices = IndexReader(sizes, models)

    def read(
        self, image: Image, whole: tuple[int, int] = (0, 0), _near: Near | None = None
    ) -> list[CardSeen]:
        """Read every card, the surest first; `whole` is the size of the picture around `image`.

        It reads all indices, near a zone or not: a card in a zone may have a corner far outside it.
        """
        indices = [
            index for index in self._indices.read(image, max(whole)) if _is_worth_keeping(index)
        ]
        cards = [_within(card, image) for card in cards_of(indices_by_card(indices))]
        return sorted(cards, key=_by_probability)


def _within(card: CardSeen, image: Image) -> CardSeen:
    """Cut a card's outline at the edges of the picture, so that its middle lies in the picture."""
    high, wide = image.shape[:2]
    first, second, third, fourth = (
        (min(max(x, 0.0), float(wide)), min(max(y, 0.0), float(high))) for x, y in card.quad
    )
    return card._replace(quad=(first, second, third, fourth))


def cards_of(groups: Sequence[Sequence[CornerIndex]]) -> list[CardSeen]:
    """Make a card of each group; a lone index inside another card stays unread.

    A card on top of another shows at least two of its corners. A single index there is more likely
    a pip or a smudge of the card below.
    """
    whole = [group for group in groups if len(group) > 1]
    cards = []
    for group in groups:
        card = _card(group)
        doubtful = len(group) == 1 and group[0].sure < LONE_PROBABILITY
        amid = doubtful and any(_inside_outline(group[0], other) for other in whole)
        cards.append(card._replace(guesses=()) if amid else card)
    read = [group for group, card in zip(groups, cards, strict=True) if card.guesses]
    kept = [
        (group, card)
        for group, card in zip(groups, cards, strict=True)
        if card.guesses or not any(_is_far_end(group[0], other) for other in read)
    ]
    return _without_repeats(kept)


def _without_repeats(found: Sequence[tuple[Sequence[CornerIndex], CardSeen]]) -> list[CardSeen]:
    """Keep each card once: the same code over a shared outline is the same card.

    Without this, a covered card that shows two corners of one side is reported twice. Two equal
    cards of several decks that overlap this far count as one until somebody moves them apart.
    """
    kept: list[tuple[Sequence[CornerIndex], CardSeen]] = []
    for group, card in sorted(found, key=lambda pair: (-len(pair[0]), _by_probability(pair[1]))):
        same = next((n for n, other in enumerate(kept) if _same_card((group, card), other)), None)
        if same is None:
            kept.append((group, card))
        else:
            indices, other = kept[same]
            both = other._replace(corners=(*other.corners, *card.corners))
            kept[same] = ((*indices, *group), both)
    return [card for _, card in kept]


def _same_card(
    one: tuple[Sequence[CornerIndex], CardSeen], other: tuple[Sequence[CornerIndex], CardSeen]
) -> bool:
    """Whether two groups of the same code belong to one card."""
    codes = [card.guesses[0].seen if card.guesses else "" for _, card in (one, other)]
    if not codes[0] or codes[0] != codes[1]:
        return False
    if _overlap(one[1].quad, other[1].quad) > SAME_CARD_OVERLAP:
        return True
    # The outline of a lone index is an estimate; its distance to the other indices is measured.
    lone = min(len(one[0]), len(other[0])) == 1
    return lone and all(_corners_of_one(mine, theirs) for mine in one[0] for theirs in other[0])


def _corners_of_one(one: CornerIndex, other: CornerIndex) -> bool:
    """Whether two indices lie near enough for one card, along a side or diagonally."""
    high = max(_length(one.up), _length(other.up))
    turned = float(one.up @ other.up) / max(_length(one.up) * _length(other.up), 1e-6)
    if abs(turned) < PARALLEL_COSINE:
        return False
    reach = SIDE_HALF_HEIGHTS if turned > 0 else DIAGONAL_HALF_HEIGHTS
    return _length(one.centre - other.centre) <= reach * high


def _overlap(one: Quad, other: Quad) -> float:
    """The area that two outlines share, as a share of the smaller one."""
    first, second = (cv2.convexHull(np.array(quad, np.float32)) for quad in (one, other))
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    both, _ = cv2.intersectConvexConvex(first, second)
    return float(both) / smaller if smaller > 0 else 0.0


def _by_probability(card: CardSeen) -> float:
    return -card.guesses[0].probability if card.guesses else 0.0


def _is_far_end(index: CornerIndex, card: Sequence[CornerIndex]) -> bool:
    """Whether an unread index is the far end of a card that another index identifies."""
    x, y = centre(_outline(card))
    arrow_length = sum(_length(each.arrow) for each in card) / len(card)
    off = math.hypot(index.centre[0] + index.arrow[0] - x, index.centre[1] + index.arrow[1] - y)
    near = min(_length(index.centre - each.centre) for each in card)
    return off < SAME_MIDDLE_ARROWS * arrow_length < near


def indices_by_card(indices: Sequence[CornerIndex]) -> list[list[CornerIndex]]:
    """Group indices by the card they are printed on."""
    indices = _without_duplicates(indices)
    pairs = sorted(
        (apart, one, other)
        for one in range(len(indices))
        for other in range(one)
        if (apart := _disagreement(indices[one], indices[other])) is not None
    )
    group = list(range(len(indices)))
    for _, one, other in pairs:
        both = [indices[n] for n, at in enumerate(group) if at in {group[one], group[other]}]
        if group[one] != group[other] and _on_one_card(both):
            group = [group[one] if at == group[other] else at for at in group]
    groups = [
        [indices[n] for n, at in enumerate(group) if at == which] for which in dict.fromkeys(group)
    ]
    return _with_lone_indices(_merged(groups))


def _without_duplicates(indices: Sequence[CornerIndex]) -> list[CornerIndex]:
    """Drop every index that repeats a surer one at the same place."""
    kept: list[CornerIndex] = []
    for index in sorted(indices, key=lambda index: -index.sure):
        near = DUPLICATE_HALF_HEIGHTS * _length(index.up)
        if all(m.code != index.code or _length(m.centre - index.centre) > near for m in kept):
            kept.append(index)
    return kept


def _merged(groups: Sequence[list[CornerIndex]]) -> list[list[CornerIndex]]:
    """Merge groups of the same code that lie round the same middle."""
    kept: list[list[CornerIndex]] = []
    for group in sorted(groups, key=len, reverse=True):
        same = next((other for other in kept if _share_middle(group, other)), None)
        if same is None:
            kept.append(list(group))
        else:
            same.extend(group)
    return kept


def _share_middle(group: Sequence[CornerIndex], other: Sequence[CornerIndex]) -> bool:
    if min(len(group), len(other)) < 2 or group[0].code != other[0].code:
        return False
    (x0, y0), (x1, y1) = centre(_outline(group)), centre(_outline(other))
    both = [*group, *other]
    arrow_length = sum(_length(index.arrow) for index in both) / len(both)
    near = math.hypot(x0 - x1, y0 - y1) < MERGED_MIDDLE_ARROWS * arrow_length
    return near and _on_one_card(both)


def _inside_outline(index: CornerIndex, card: Sequence[CornerIndex]) -> bool:
    """Whether an index lies inside the outline of a card of another code."""
    outline = np.array(_outline(card), np.float32)
    at = (float(index.centre[0]), float(index.centre[1]))
    return card[0].code != index.code and cv2.pointPolygonTest(outline, at, True) > 0


def _with_lone_indices(groups: Sequence[list[CornerIndex]]) -> list[list[CornerIndex]]:
    """Add each lone index to the card it lies on, where two or more indices show that card."""
    whole = [list(group) for group in groups if len(group) > 1]
    alone = []
    for index in (group[0] for group in groups if len(group) == 1):
        fits = (card for card in whole if _belongs_to(index, card))
        if (card := next(fits, None)) is not None:
            card.append(index)
        else:
            alone.append([index])
    return [*whole, *alone]


def _belongs_to(index: CornerIndex, card: Sequence[CornerIndex]) -> bool:
    """Whether an index has a card's code, lies on it, and is not yet one of its indices."""
    if card[0].code != index.code or len(card) == MAX_CORNERS:
        return False
    outline = np.array(_outline(card), np.float32)
    depth = cv2.pointPolygonTest(outline, (float(index.centre[0]), float(index.centre[1])), True)
    near = min(_length(index.centre - other.centre) for other in card)
    return bool(depth > -OUTSIDE_HALF_HEIGHTS * _length(index.up) and near > 2 * _length(index.up))


def _disagreement(one: CornerIndex, other: CornerIndex) -> float | None:
    """How far two indices disagree about the middle of their card; None if they are of two cards.

    Two indices of one card have the same code, point at its middle from different sides, and agree
    where it is. Indices of a fan point from the same side.
    """
    if one.code != other.code:
        return None
    arrow_length = (_length(one.arrow) + _length(other.arrow)) / 2
    if arrow_length <= 0 or _length(one.arrow - other.arrow) < MIN_DIFFERENCE_ARROWS * arrow_length:
        return None
    for difference in (_facing(one, other, arrow_length), _crossing(one, other)):
        if difference is not None:
            return difference
    off = _length(one.centre + one.arrow - other.centre - other.arrow) / arrow_length
    return off if off < SAME_MIDDLE_ARROWS else None


def _facing(one: CornerIndex, other: CornerIndex, arrow_length: float) -> float | None:
    """How far the arrows of two opposite corners miss each other; None if they do not face.

    On cards with a small index the arrow is too short, but its direction is good.
    """
    between = other.centre - one.centre
    span = max(_length(between), 1e-6)
    opposite = one.arrow @ other.arrow < -FACING_COSINE * _length(one.arrow) * _length(other.arrow)
    if not opposite or span > MAX_SPAN_ARROWS * arrow_length:
        return None
    if one.arrow @ between < 0 or other.arrow @ between > 0:
        return None
    crosses = abs(_cross(one.arrow, between)), abs(_cross(other.arrow, between))
    miss = max(crosses) / span / arrow_length
    return miss if miss < MAX_MISS_ARROWS else None


def _crossing(one: CornerIndex, other: CornerIndex) -> float | None:
    """How unevenly the arrows of two neighbouring corners cross; None if they do not cross."""
    turn = _cross(one.arrow, other.arrow)
    if abs(turn) < CROSSING_SINE * _length(one.arrow) * _length(other.arrow):
        return None
    between = other.centre - one.centre
    mine, theirs = _cross(between, other.arrow) / turn, _cross(between, one.arrow) / turn
    if not all(MIN_CROSSING_ARROWS < part < MAX_SPAN_ARROWS / 2 for part in (mine, theirs)):
        return None
    uneven = abs(math.log(mine / theirs))
    return uneven if uneven < MAX_CROSSING_LOG_RATIO else None


def _on_one_card(indices: Sequence[CornerIndex]) -> bool:
    """Whether one card can have this many corners at these distances."""
    arrow_length = sum(_length(index.arrow) for index in indices) / len(indices)
    first, last = _farthest_pair(indices)
    span = _length(first.centre - last.centre)
    return len(indices) <= MAX_CORNERS and span <= MAX_SPAN_ARROWS * arrow_length


def _card(indices: Sequence[CornerIndex]) -> CardSeen:
    """The card that a group of indices shows."""
    chances = _combined_chances(indices)
    order = np.argsort(-chances, axis=None, kind="stable")[:MAX_GUESSES]
    guesses = tuple(
        Guess(RANKS[n // len(SUITS)] + SUITS[n % len(SUITS)], round(float(chances.flat[n]), 4))
        for n in order
    )
    if guesses[0].probability < READ_PROBABILITY:
        guesses = ()
    return CardSeen(
        tuple(guess for guess in guesses if guess.probability >= 0.0005),
        _outline(indices),
        tuple(_point(index.centre) for index in indices),
    )


def _combined_chances(indices: Sequence[CornerIndex]) -> NDArray[np.float64]:
    """The chances of the 52 cards by all indices; what is missing to one is "no card"."""
    if len(indices) == 1:
        return indices[0].chances.astype(np.float64)
    stacked = np.stack([index.chances for index in indices]).astype(np.float64)
    nothing = 1 - stacked.sum((1, 2))
    share = (1 + EVIDENCE_SHARE * (len(indices) - 1)) / len(indices)
    logs = np.log(np.maximum(stacked, 1e-9)).sum(0) * share
    none = np.log(np.maximum(nothing, 1e-9)).sum() * share
    top = max(float(logs.max()), float(none))
    powers = np.exp(logs - top)
    return np.asarray(powers / (powers.sum() + np.exp(none - top)), np.float64)


def _outline(indices: Sequence[CornerIndex]) -> Quad:
    """The card's corners, estimated from its indices."""
    if len(indices) > 2:
        return _outline_of_three(indices)
    lead = indices[0]
    middle = np.mean([index.centre + index.arrow for index in indices], axis=0)
    if len(indices) > 1 and _opposite(indices):
        middle = np.mean([index.centre for index in _farthest_pair(indices)], axis=0)
    up, right = lead.up / max(_length(lead.up), 1e-6), lead.right / max(_length(lead.right), 1e-6)
    basis = np.stack([up, right], 1)
    if abs(float(np.linalg.det(basis))) < 0.2:
        basis = np.stack([up, np.array([-up[1], up[0]])], 1)
    along, across = np.linalg.solve(basis, middle - lead.centre)
    high = (abs(float(along)) + 1.3 * _length(lead.up)) * basis[:, 0]
    wide = (abs(float(across)) + 1.5 * _length(lead.right)) * basis[:, 1]
    corners = [
        middle + high - wide,
        middle + high + wide,
        middle - high + wide,
        middle - high - wide,
    ]
    first, second, third, fourth = (_point(corner) for corner in corners)
    return first, second, third, fourth


def _outline_of_three(indices: Sequence[CornerIndex]) -> Quad:
    """The corners of a card with three or four known indices, a little outside them."""
    first, last = _farthest_pair(indices)
    middle = (first.centre + last.centre) * np.float32(0.5)
    third = max(
        (index for index in indices if index is not first and index is not last),
        key=lambda index: abs(_cross(index.centre - middle, last.centre - first.centre)),
    )
    fourth = next(
        (m.centre for m in indices if _is_opposite(m, third, middle)),
        middle + middle - third.centre,
    )
    inset = INSET_HALF_HEIGHTS * _length(first.up)
    one, two, three, four = (
        at + (at - middle) * np.float32(inset / max(_length(at - middle), 1e-6))
        for at in (first.centre, third.centre, last.centre, fourth)
    )
    return _point(one), _point(two), _point(three), _point(four)


def _is_opposite(index: CornerIndex, other: CornerIndex, middle: NDArray[np.float32]) -> bool:
    """Whether two indices lie opposite each other, about equally far from the middle."""
    off = index.centre + other.centre - 2 * middle
    return _length(off) < 0.5 * _length(other.centre - middle)


def _point(at: NDArray[np.floating[Any]]) -> Point:
    return float(at[0]), float(at[1])


def _opposite(indices: Sequence[CornerIndex]) -> bool:
    first, last = _farthest_pair(indices)
    return float(first.arrow @ last.arrow) < -0.5 * _length(first.arrow) * _length(last.arrow)


def _farthest_pair(indices: Sequence[CornerIndex]) -> tuple[CornerIndex, CornerIndex]:
    """The two indices that are farthest from each other."""
    pairs = [(one, other) for n, one in enumerate(indices) for other in indices[:n]]
    return max(pairs, key=lambda pair: _length(pair[0].centre - pair[1].centre))


def _is_worth_keeping(index: CornerIndex) -> bool:
    return index.sure >= READ_PROBABILITY or index.heat >= UNREAD_MIN_HEAT


def _cross(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _length(vector: NDArray[np.float32]) -> float:
    return float(np.hypot(vector[0], vector[1]))
