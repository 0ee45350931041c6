"""Felts drawn for tests: cloth with printed lines and words, cards, chips and hands upon it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt import transform as felts
from vision.felt.transform import Felt, FeltMark
from vision.types import Image, Point

SIZE = (1280, 720)
FELT = (1200, 700)  # millimetres
TRUE = np.array([[0.92, 0.06, 60.0], [-0.03, 0.88, 50.0], [0.00002, 0.00008, 1.0]])
CORNERS: list[Point] = [(0, 0), (1200, 0), (1200, 700), (0, 700)]


def calibrated() -> Felt:
    """The felt as the drawn camera has it."""
    return felts.fit([FeltMark(seen(at), at) for at in CORNERS], SIZE)


def seen(at: Point, shake: NDArray[np.float64] | None = None) -> Point:
    """Where a point of the felt is in the picture; `shake` moves the camera."""
    x, y, w = (shake if shake is not None else np.eye(3)) @ TRUE @ np.array([*at, 1.0])
    return float(x / w), float(y / w)


def cloth() -> Image:
    """A felt from above, a pixel a millimetre: boxes, lines, circles and words."""
    rng = np.random.default_rng(5)
    image = np.full((FELT[1], FELT[0], 3), (60, 110, 40), np.uint8)
    weave = rng.normal(0, 6, image.shape[:2])[..., None]
    image = np.clip(image + weave, 0, 255).astype(np.uint8)
    ink = (210, 225, 230)
    for n in range(7):
        left = 40 + n * 162
        cv2.rectangle(image, (left, 500), (left + 130, 660), ink, 4)
        cv2.circle(image, (left + 65, 580), 40, ink, 3)
        cv2.putText(image, str(n + 1), (left + 50, 595), cv2.FONT_HERSHEY_SIMPLEX, 1.4, ink, 4)
    for left, word in ((60, "PLAYER"), (660, "BANKER")):
        cv2.rectangle(image, (left, 60), (left + 460, 330), ink, 5)
        cv2.putText(image, word, (left + 70, 390), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 6)
    cv2.line(image, (20, 440), (1180, 440), (40, 200, 220), 6)
    cv2.putText(image, "TIE PAYS 8 TO 1", (330, 480), cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 3)
    return image


def card(image: Image, at: Point, angle: float = 0.0, colour: int = 245) -> None:
    """A plain card on the felt."""
    box = cv2.boxPoints((at, (63, 88), angle)).round().astype(np.int32)
    cv2.fillConvexPoly(image, box, (colour, colour, colour))
    cv2.polylines(image, [box], True, (90, 90, 90), 2)


def hand(image: Image, at: Point, reach: int = 160) -> None:
    """A hand and its arm that come in from below."""
    x, y = round(at[0]), round(at[1])
    cv2.ellipse(image, (x, y), (reach // 2, reach), 0, 0, 360, (120, 150, 205), -1)
    cv2.rectangle(image, (x - 50, y), (x + 50, FELT[1]), (60, 50, 50), -1)


def picture(
    image: Image, shake: NDArray[np.float64] | None = None, light: float = 1.0, noise: float = 3.0
) -> Image:
    """What the camera sees of it."""
    turned = (shake if shake is not None else np.eye(3)) @ TRUE
    background = (35, 30, 28)
    out = cv2.warpPerspective(image, turned, SIZE, borderValue=background)
    grain = np.random.default_rng(9).normal(0, noise, out.shape)
    return np.asarray(np.clip(out * light + grain, 0, 255), np.uint8)


def moved(dx: float = 0.0, dy: float = 0.0, turn: float = 0.0) -> NDArray[np.float64]:
    """A camera that was moved by so many pixels and turned by so many degrees."""
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    matrix[:2, 2] += (dx, dy)
    return matrix
