"""How fast a camera's frame is read: milliseconds of one core for a 1080p frame, stage by stage.

python bench/vision_speed.py [FRAMES]     frames to read, by default 30
"""

import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from vision.recognise.cards import CardReader, indices_by_card
from vision.recognise.indices import IndexReader
from vision.synth import decks, light
from vision.synth.felts import felt
from vision.synth.scene import CardLay, CardScene, overhead, some_codes

WIDE, HIGH, MM = 1920, 1080, 1100.0
CARDS = 12


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 30
    cv2.setNumThreads(1)
    frames = [_frame(number) for number in range(4)]
    packed = [cv2.imencode(".jpg", frame)[1] for frame in frames]
    indices, reader = IndexReader(), CardReader()
    marks = [indices.read(frame) for frame in frames]
    places = [indices.places(frame) for frame in frames]
    stages: dict[str, Callable[[int], object]] = {
        "decode a JPEG": lambda n: cv2.imdecode(packed[n], cv2.IMREAD_COLOR),
        "find indices": lambda n: indices.places(frames[n]),
        "read indices": lambda n: indices.said(frames[n], places[n].copy()),
        "join into cards": lambda n: indices_by_card(marks[n]),
        "all but decoding": lambda n: reader.read(frames[n]),
    }
    print(f"{WIDE} x {HIGH}, {CARDS} cards, {len(marks[0])} indices, one core, median of {count}")
    for name, stage in stages.items():
        print(f"{name:<18}{_median(stage, len(frames), count):>8.1f} ms")
    whole = _median(stages["all but decoding"], len(frames), count)
    print(f"{1000 / whole:.1f} frames a second; the goal is 10")


def _median(stage: Callable[[int], object], frames: int, count: int) -> float:
    """Milliseconds of processor time, which a busy machine does not stretch much."""
    spent = []
    for number in range(count):
        begun = time.process_time()
        stage(number % frames)
        spent.append(time.process_time() - begun)
    return float(np.median(spent)) * 1000


def _frame(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A table from above: twelve cards in rows on a felt."""
    chance = np.random.default_rng(number)
    deck = decks.drawn(decks.Style(rank_height=0.13, suit_size=0.8, weight=600))
    scene = CardScene(felt(chance, WIDE, HIGH), overhead(WIDE, HIGH, MM))
    for place, code in enumerate(some_codes(chance, CARDS)):
        x, y = (place % 6 - 2.5) * 120, (place // 6 - 0.5) * 160
        scene.lay(CardLay(deck, code, x, y, float(chance.normal(0, 0.1))))
    return light.filmed(chance, scene.picture, gentle=True)


if __name__ == "__main__":
    main()
