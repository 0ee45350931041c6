"""Printed markers that a calibration finds by itself: ArUco 4x4, numbers 0 to 49."""

import cv2
import numpy as np

from vision.felt.transform import BadMarks, FeltMark
from vision.types import Image, Point

NUMBERS = range(50)
SIDE_PX, EDGE_PX, GAP_PX = 300, 60, 80  # a printed marker, its white edge, and between two


def found(image: Image) -> dict[int, Point]:
    """The middle of every marker in a picture, by its number."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(image)
    if not corners:
        return {}
    pairs = zip(np.asarray(numbers).ravel().tolist(), corners, strict=True)
    return {int(number): _middle(np.asarray(at, np.float64).reshape(4, 2)) for number, at in pairs}


def marks(image: Image, felt: dict[int, Point]) -> list[FeltMark]:
    """Pair the given markers with their pixels; BadMarks if one is not in the picture."""
    seen = found(image)
    missing = sorted(set(felt) - set(seen))
    if missing:
        there = ", ".join(map(str, sorted(seen))) or "none"
        raise BadMarks(f"marker {missing[0]} expected in the picture, {there} found")
    return [FeltMark(seen[number], at) for number, at in sorted(felt.items())]


def sheet(count: int) -> Image:
    """Draw the first `count` markers to print, two in a row, each with its number."""
    step = SIDE_PX + 2 * EDGE_PX + GAP_PX
    rows = (count + 1) // 2
    page = np.full((rows * step, 2 * step, 3), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in range(count):
        top, left = number // 2 * step + EDGE_PX, number % 2 * step + EDGE_PX
        marker = cv2.aruco.generateImageMarker(dictionary, number, SIDE_PX)
        page[top : top + SIDE_PX, left : left + SIDE_PX] = np.asarray(marker, np.uint8)[..., None]
        at = (left, top + SIDE_PX + EDGE_PX - 14)
        cv2.putText(page, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 0), 2)
    return page


def _middle(corners: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> Point:
    """Where the diagonals meet: the middle of the marker also in perspective."""
    a, b, c, d = (np.append(corner, 1.0) for corner in corners)
    x, y, w = np.cross(np.cross(a, c), np.cross(b, d)).tolist()
    return x / w, y / w
