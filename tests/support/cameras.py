"""A camera for tests: frames of a drawn felt, and a reader that knows what was put there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from tests.support import felts
from tests.support.frame_tables import START_US, STEP_US, guesses
from vision.felt import view_check
from vision.felt.calibration import Calibration
from vision.recognise.detections import CardSeen, DieSeen, TokenSeen
from vision.sources.types import Frame
from vision.types import Image, Point, Quad

FELT = felts.calibrated()
EMPTY = felts.picture(felts.cloth())
CALIBRATION = Calibration(FELT, view_check.felt_print(EMPTY, FELT))


class Known:
    """Reads each frame as it was written down."""

    def __init__(self, frames: Mapping[int, Sequence[CardSeen | DieSeen | TokenSeen]]) -> None:
        self._frames, self.read_so_far = frames, 0

    def read(self, image: Image) -> Sequence[CardSeen | DieSeen | TokenSeen]:
        number = int.from_bytes(image[0, :4, 0].tobytes(), "big")
        self.read_so_far += 1
        return self._frames.get(number, ())


def film(count: int, first: int = 0, image: Image = EMPTY) -> Iterator[Frame]:
    """Frames ten times a second; each has its number in its first pixels."""
    for n in range(first, first + count):
        own = image.copy()
        own[0, :4, 0] = np.frombuffer(n.to_bytes(4, "big"), np.uint8)
        yield Frame(n, START_US + n * STEP_US, 40, own, f"{n:064x}", None)


def card(seen: str, at: Point, angle: float = 0.0) -> CardSeen:
    """A card at a point of the felt, read well; an empty word is a card that cannot be read."""
    return CardSeen(guesses(seen), quad(at, (63, 88), angle))


def quad(at: Point, size: tuple[float, float], angle: float = 0.0) -> Quad:
    """The outline of a thing on the felt, in the picture."""
    corners = FELT.to_picture(np.asarray(cv2.boxPoints((at, size, angle)), np.float64)).tolist()
    a, b, c, d = ((x, y) for x, y in corners)
    return a, b, c, d


def script(
    parts: Iterable[tuple[int, Sequence[CardSeen | DieSeen | TokenSeen]]],
) -> dict[int, Sequence[CardSeen | DieSeen | TokenSeen]]:
    """What lies there, each for so many frames."""
    found: dict[int, Sequence[CardSeen | DieSeen | TokenSeen]] = {}
    for count, seen in parts:
        found |= dict.fromkeys(range(len(found), len(found) + count), seen)
    return found
