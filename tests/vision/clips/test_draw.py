"""What was seen is drawn so that it can be read, by the colour-blind too."""

import math

import cv2
import numpy as np
import pytest

from schemas.events import Guess
from vision.clips.draw import LabelBox, LabelPen, annotate, label, percent
from vision.recognise.detections import CardSeen, DieSeen, TokenSeen
from vision.types import Image, Quad

CARD: Quad = ((100.0, 100.0), (180.0, 100.0), (180.0, 220.0), (100.0, 220.0))
BEST, NEXT = Guess("TH", 0.9731), Guess("9H", 0.02)


def felt() -> Image:
    return np.full((480, 640, 3), (40, 100, 30), np.uint8)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (CardSeen((BEST, NEXT), CARD), "T♥ 97.3 %"),
        (CardSeen((Guess("4S", 0.61),), CARD), "4♠ 61 % ?"),
        (CardSeen((), CARD), "?"),
        (DieSeen((Guess("3", 1.0),), CARD), "3 100 %"),
        (DieSeen((Guess("3", 0.96),), CARD, flat=False), "3 96 % leaning"),
        (DieSeen((), CARD), "?"),
        (TokenSeen((Guess("R", 0.99),), CARD), "red 99 %"),
    ],
)
def test_a_label_says_what_was_read_and_how_surely(
    thing: CardSeen | DieSeen | TokenSeen, text: str
) -> None:
    assert label(thing) == text


def test_nearly_certain_is_not_called_certain() -> None:
    assert percent(0.99999) == "99.9 %"


def test_the_picture_itself_stays_untouched() -> None:
    image = felt()

    drawn = annotate(image, [CardSeen((BEST,), CARD)], zones={"player": CARD}, caption="frame 7")

    assert np.array_equal(image, felt())
    assert drawn.shape == image.shape
    assert not np.array_equal(drawn, image)


def test_what_could_not_be_read_has_a_broken_outline() -> None:
    def edge(guesses: tuple[Guess, ...]) -> int:
        drawn = annotate(felt(), [CardSeen(guesses, CARD)])
        return int((drawn[110:210, 100] == felt()[0, 0]).all(axis=1).sum())

    assert edge((BEST,)) == 0
    assert edge(()) > 10


def test_without_anything_seen_nothing_is_drawn() -> None:
    assert np.array_equal(annotate(felt(), []), felt())


def test_labels_stand_apart_and_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes: list[LabelBox] = []
    write = LabelPen._write

    def noting(pen: LabelPen, text: str, box: LabelBox) -> None:
        boxes.append(box)
        write(pen, text, box)

    monkeypatch.setattr(LabelPen, "_write", noting)
    hand = [CardSeen((BEST,), _moved(CARD, 15 * n, 3 * n)) for n in range(6)]
    edges = [CardSeen((BEST,), _moved(CARD, x, y)) for x in (-120, 540) for y in (-150, 400)]

    annotate(felt(), hand + edges)

    assert len(boxes) == 10
    assert not any(a.meets(b) for n, a in enumerate(boxes) for b in boxes[:n])
    assert all(min(box) >= 0 and box.right <= 640 and box.bottom <= 480 for box in boxes)


@pytest.mark.parametrize("size", [(1, 1), (20, 4000), (1080, 1920)])
def test_any_picture_and_any_outline_can_be_drawn(size: tuple[int, int]) -> None:
    image = np.zeros((*size, 3), np.uint8)
    far: Quad = ((-1e9, 5.0), (1e9, -1e9), (math.nan, 7.0), (math.inf, 1e9))

    drawn = annotate(image, [CardSeen((BEST,), far), CardSeen((), far)], zones={"z": far[:3]})

    assert drawn.shape == image.shape


def test_the_same_is_drawn_the_same() -> None:
    thing = [CardSeen((BEST, NEXT), CARD)]

    once, twice = (cv2.imencode(".png", annotate(felt(), thing))[1] for _ in range(2))

    assert np.array_equal(once, twice)


def _moved(quad: Quad, x: float, y: float) -> Quad:
    a, b, c, d = ((px + x, py + y) for px, py in quad)
    return a, b, c, d
