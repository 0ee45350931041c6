"""Samples for the dice networks: rendered scenes, and real photos of the training side.

Photos are numbered as their labels list them. Every fifth one (its number divides by five) is for
testing and never learnt from; of the others one in eight only sets how sure the answers sound.
"""

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.synth.dice import dice_scene
from vision.synth.scenery import ScenePiece
from vision.synth.tokens import token_scene
from vision.types import Image

DICE_SCENES, TOKEN_SCENES, SIDE = 1700, 500, 320

# Corrected labels of the training side: photo and box to what it shows.
MENDED = {(197, 4): "5"}


class Sample(NamedTuple):
    """One picture and the pieces in it; `real` if a camera took it."""

    jpeg: bytes
    things: tuple[ScenePiece, ...]
    real: bool

    def image(self) -> Image:
        """Its pixels, BGR."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), 1), np.uint8)


def side(number: int) -> str:
    """The use of a photo: test, sure (calibration) or learn."""
    if number % 5 == 0:
        return "test"
    return "sure" if number % 10 == 1 else "learn"


def rendered(cache: Path) -> list[Sample]:
    """Rendered scenes in the order of their seeds; drawn once, then kept."""
    cache.mkdir(parents=True, exist_ok=True)
    samples = []
    for kind, count in (("dice", DICE_SCENES), ("tokens", TOKEN_SCENES)):
        for seed in range(count):
            picture, truth = cache / f"{kind}-{seed}.jpg", cache / f"{kind}-{seed}.json"
            if not truth.exists():
                draw = dice_scene if kind == "dice" else token_scene
                scene = draw(seed, SIDE, SIDE)
                cv2.imwrite(str(picture), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 97])
                truth.write_text(json.dumps(scene.things), encoding="utf-8")
            things = tuple(
                ScenePiece(*thing) for thing in json.loads(truth.read_text(encoding="utf-8"))
            )
            samples.append(Sample(picture.read_bytes(), things, real=False))
    return samples


def photographed(labels: Path, wanted: str) -> list[Sample]:
    """The real photos of dice of one side; `labels` lists photos that lie beside it."""
    samples = []
    for number, photo in enumerate(json.loads(labels.read_text(encoding="utf-8"))):
        if side(number) != wanted:
            continue
        things = tuple(
            _labelled(MENDED.get((number, place), die["label"]), die["bbox"])
            for place, die in enumerate(photo["dice"])
        )
        samples.append(Sample((labels.parent / photo["file"]).read_bytes(), things, real=True))
    return samples


def without_dice(labels: Path, wanted: str, most: int) -> list[Sample]:
    """Real photos of cards, in which there is no die and no token to find."""
    photos = json.loads(labels.read_text(encoding="utf-8"))
    chosen = [photo["file"] for number, photo in enumerate(photos) if side(number) == wanted]
    step = max(1, len(chosen) // most)
    return [
        Sample((labels.parent / file).read_bytes(), (), real=True) for file in chosen[::step][:most]
    ]


def _labelled(label: str, box: list[float]) -> ScenePiece:
    x0, y0, x1, y1 = box
    quad = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return ScenePiece("die", label, quad, (x0, y0, x1, y1), 1.0)
