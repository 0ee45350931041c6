"""Checks whether a camera still sees the felt as calibrated, by finding its print again.

A calibration keeps small patches of the printed felt. Cards, hands and chips cover some patches but
move none, so the others show whether the camera moved. Their share shows how much felt is in view.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.transform import Felt, Points
from vision.types import Image

SMALL_WIDTH_PX = 480  # pictures are shrunk to this width
ASPECT_TOLERANCE = 0.01  # of width to height; rounding a scaled picture changes less
PATCH_PX = 21  # side of a patch
SEARCH_PX = 16  # a patch is searched this far around its place first
CELLS_ACROSS_DOWN = (8, 6)  # a grid over the felt, each cell with a few patches
PATCHES_PER_CELL = 3
MIN_PATCHES = 12  # with fewer patches nothing can be checked
SEEN_CORRELATION = 0.6  # from this correlation on a patch is seen
AGREE_PX = 3.0  # patches that moved together agree within this
SURE_SHARE = 0.6  # of the felt; with less the match may be print that repeats elsewhere
DARK_GREY_STD = 2.0  # a picture whose grey values vary less shows nothing
WIDE_SEARCH_EVERY_US = 1_000_000  # a search of the whole picture is slow, so not more often
RESHAPED = "reshaped"  # the picture has another shape than the calibrated one: reported at once


class PlainFelt(ValueError):
    """The felt has too little print to recognise it again."""


class FeltPrint(NamedTuple):
    """Small patches of the felt's print, and where they are."""

    places: Points  # middles, in pixels of the small picture
    patches: NDArray[np.uint8]


NO_PRINT = FeltPrint(np.empty((0, 2)), np.empty((0, PATCH_PX, PATCH_PX), np.uint8))


class FeltView(NamedTuple):
    """What one picture shows of the view."""

    kind: str  # clear, moved, covered or reshaped
    visible_share: float  # of the felt, 0 to 1
    shift_mm: float = 0.0  # how far the felt appears to have moved, if known
    back: tuple[float, ...] = ()  # if it moved: an affine map from pixels now to calibrated pixels
    seen: tuple[bool, ...] = ()  # whether each patch is in view

    @property
    def sure(self) -> bool:
        """Whether points of this picture can be placed on the felt."""
        return self.kind == "clear" or (bool(self.back) and self.visible_share >= SURE_SHARE)


class ViewChange(NamedTuple):
    """The view stayed changed longer than the debounce time."""

    kind: str
    visible_share: float
    shift_mm: float


@dataclass(frozen=True, slots=True)
class ViewLimits:
    """The limits beyond which a view counts as disturbed."""

    shift_mm: float = 6.0
    visible_share: float = 0.4
    lasting_us: int = 2_000_000


def fits(image: Image, felt: Felt) -> bool:
    """Whether a picture has the aspect ratio of the calibrated one, whatever its size."""
    height, width = image.shape[:2]
    return bool(abs(width / height - felt.size[0] / felt.size[1]) <= ASPECT_TOLERANCE)


def felt_print(image: Image, felt: Felt) -> FeltPrint:
    """Take the print of an empty felt; PlainFelt if it has too little."""
    small = _small(image)
    mask = np.zeros(small.shape, np.uint8)
    outline = felt.outline() * (SMALL_WIDTH_PX / felt.size[0])
    cv2.fillConvexPoly(mask, outline.round().astype(np.int32), 255)
    edge = PATCH_PX // 2 + 1
    inner = np.zeros_like(mask)
    inner[edge:-edge, edge:-edge] = mask[edge:-edge, edge:-edge]
    found = cv2.goodFeaturesToTrack(small, 600, 0.02, 8, mask=inner)
    corners = np.empty((0, 2)) if found is None else found.reshape(-1, 2).astype(np.float64)
    places = _spread(corners.round(), outline)
    if len(places) < MIN_PATCHES:
        raise PlainFelt(f"{MIN_PATCHES} corners of print on the felt expected, {len(places)} found")
    return FeltPrint(places, np.stack([_patch(small, x, y) for x, y in places.astype(int)]))


class ViewCheck:
    """Checks picture after picture, and reports when the view changes."""

    def __init__(
        self, felt: Felt, known: FeltPrint | None, bounds: ViewLimits | None = None
    ) -> None:
        self._felt, self._bounds = felt, bounds or ViewLimits()
        self._known = known or NO_PRINT
        self._scale = felt.size[0] / SMALL_WIDTH_PX
        self._searched_us: int | None = None
        self._turn: Points | None = None  # the last known movement of the camera
        self._state, self._other, self._since_us = "clear", "clear", 0
        middles = (self._known.places + 0.5) * self._scale
        self.places_mm = felt.to_felt(middles)  # of the patches, to find covered zones

    @property
    def state(self) -> str:
        """The view as last reported: clear, moved, covered or reshaped."""
        return self._state

    def look(self, image: Image, at_us: int) -> FeltView:
        """Compare a picture with the calibrated print; one of another shape is `reshaped`."""
        if not fits(image, self._felt):
            return FeltView(RESHAPED, 0.0)
        if self._known is NO_PRINT:
            return FeltView("clear", 1.0)
        small = _small(image)
        if float(small.std()) < DARK_GREY_STD:
            return FeltView("covered", 0.0, seen=(False,) * len(self._known.places))
        best: tuple[Points, NDArray[np.bool_], Points] | None = None
        for around, reach in self._ways(at_us):
            at, alike = _searched(small, self._known, around, reach)
            together, turn = _together(self._known.places, at, alike >= SEEN_CORRELATION)
            if turn is None or together.sum() < self._least:
                continue
            if best is None or together.sum() > best[1].sum():
                best = at, together, turn
            if self._share(together) >= SURE_SHARE:
                break
        if best is not None:
            self._turn = best[2]
            return self._view_of(*best)
        share = self._share(alike >= SEEN_CORRELATION) if turn is None else self._share(together)
        return FeltView("covered", min(share, self._bounds.visible_share), seen=_flags(together))

    def news(self, view: FeltView, at_us: int) -> ViewChange | None:
        """The change to report once a new view has lasted; None while nothing is new."""
        if view.kind == self._state:
            self._other = self._state
            return None
        if view.kind != self._other:
            self._other, self._since_us = view.kind, at_us
        lasted = at_us - self._since_us >= self._bounds.lasting_us
        if not lasted and view.kind != RESHAPED:
            return None
        self._state = view.kind
        return ViewChange(view.kind, view.visible_share, view.shift_mm)

    @property
    def _least(self) -> int:
        return max(5, len(self._known.places) // 8)

    def _ways(self, at_us: int) -> Iterator[tuple[Points, int]]:
        """Where to search: where the camera was last, where it was calibrated, everywhere."""
        places = self._known.places
        if self._turn is not None:
            yield places @ self._turn[:, :2].T + self._turn[:, 2], SEARCH_PX
        yield places, SEARCH_PX
        if self._searched_us is None or not 0 <= at_us - self._searched_us < WIDE_SEARCH_EVERY_US:
            self._searched_us = at_us
            yield places, SMALL_WIDTH_PX

    def _view_of(self, at: Points, together: NDArray[np.bool_], turn: Points) -> FeltView:
        before = self._felt.to_felt((self._known.places[together] + 0.5) * self._scale)
        now = self._felt.to_felt((at[together] + 0.5) * self._scale)
        shift = float(np.sqrt(np.mean(np.sum((now - before) ** 2, axis=1))))
        share, seen = self._share(together), _flags(together)
        if shift > self._bounds.shift_mm:
            return FeltView("moved", share, shift, _full(turn, self._scale), seen)
        kind = "covered" if share < self._bounds.visible_share else "clear"
        return FeltView(kind, share, shift, seen=seen)

    def _share(self, seen: NDArray[np.bool_]) -> float:
        """The share of the felt in view: the mean over its cells of the patches seen."""
        cells = _cells(self._known.places, self._felt.outline() / self._scale)
        return float(np.mean([seen[cells == cell].mean() for cell in np.unique(cells)]))


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    to = (SMALL_WIDTH_PX, max(1, round(height * SMALL_WIDTH_PX / width)))
    shrunk = cv2.resize(image, to, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY) if shrunk.ndim == 3 else shrunk
    return np.asarray(grey, np.uint8)


def _spread(corners: Points, outline: Points) -> Points:
    """Keep a few corners of each cell; they come sorted, the best first."""
    if not len(corners):
        return corners
    cells = _cells(corners, outline)
    first = [np.flatnonzero(cells == cell)[:PATCHES_PER_CELL] for cell in np.unique(cells)]
    return corners[np.sort(np.concatenate(first))]


def _cells(places: Points, outline: Points) -> NDArray[np.int64]:
    low, high = outline.min(axis=0), outline.max(axis=0)
    share = np.clip((places - low) / np.maximum(high - low, 1), 0, 0.999)
    across, down = (share * np.array(CELLS_ACROSS_DOWN)).astype(np.int64).T
    return np.asarray(down * CELLS_ACROSS_DOWN[0] + across, np.int64)


def _patch(small: Image, x: int, y: int) -> Image:
    half = PATCH_PX // 2
    return small[y - half : y + half + 1, x - half : x + half + 1]


def _searched(
    small: Image, known: FeltPrint, around: Points, reach: int
) -> tuple[Points, NDArray[np.float64]]:
    """Find each patch within `reach` pixels of its place: the best position and correlation."""
    half = PATCH_PX // 2
    at, alike = known.places.copy(), np.zeros(len(known.places))
    for n, (x, y) in enumerate(around.round().astype(int)):
        left, top = max(0, x - half - reach), max(0, y - half - reach)
        right, low = max(0, x + half + reach + 1), max(0, y + half + reach + 1)
        window = small[top:low, left:right]
        if min(window.shape) < PATCH_PX:
            continue
        compared = cv2.matchTemplate(window, known.patches[n], cv2.TM_CCOEFF_NORMED)
        found = np.asarray(compared, np.float32)
        _, best, _, (column, row) = cv2.minMaxLoc(found)
        across = column + _peak(found[row, max(0, column - 1) : column + 2], column)
        down = row + _peak(found[max(0, row - 1) : row + 2, column], row)
        at[n], alike[n] = (left + across + half, top + down + half), best
    return at, np.nan_to_num(alike)


def _peak(three: NDArray[np.float32], place: int) -> float:
    """Sub-pixel offset of the peak of a parabola through three values."""
    if len(three) < 3 or place == 0:
        return 0.0
    before, top, after = (float(value) for value in three)
    curve = before - 2 * top + after
    return float(np.clip((before - after) / (2 * curve), -0.5, 0.5)) if curve < 0 else 0.0


def _together(
    places: Points, at: Points, seen: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], Points | None]:
    """The patches that moved together, and the movement; None if there is none."""
    together = np.zeros(len(places), np.bool_)
    if seen.sum() < 3:
        return together, None
    cv2.setRNGSeed(1)
    turn, inside = cv2.estimateAffinePartial2D(
        places[seen], at[seen], ransacReprojThreshold=AGREE_PX
    )
    if turn is None or not 0.5 < float(np.hypot(turn[0, 0], turn[0, 1])) < 2:
        return together, None
    together[np.flatnonzero(seen)[inside.ravel().astype(bool)]] = True
    return together, np.asarray(turn, np.float64)


def _full(turn: Points, scale: float) -> tuple[float, ...]:
    """The inverse movement, in pixels of the full picture."""
    back = np.asarray(cv2.invertAffineTransform(turn), np.float64)
    back[:, 2] *= scale
    return tuple(back.ravel().tolist())


def _flags(seen: NDArray[np.bool_]) -> tuple[bool, ...]:
    return tuple(bool(each) for each in seen)
