"""What is learnt from and what is not, and that truth moves with the picture."""

import json
from pathlib import Path

import cv2
import numpy as np

from vision.recognise.pieces import CLASSES, CROP_PX, KINDS, STRIDE_PX
from vision.synth.dice import dice_scene
from vision.synth.scenery import PieceScene, ScenePiece
from vision.synth.tokens import token_scene
from vision.training.dice_batches import WINDOW, Pool, crops, windows
from vision.training.dice_data import Sample, photographed, side

PHOTOS = Path(__file__).parent.parent / "photos" / "dice"


def test_every_fifth_photo_is_never_learnt_from() -> None:
    sides = [side(number) for number in range(200)]

    assert sides.count("test") == 40
    assert sides.count("sure") == 20
    assert all((name == "test") == (number % 5 == 0) for number, name in enumerate(sides))


def test_photos_of_the_tests_are_of_the_test_side() -> None:
    labels = json.loads((PHOTOS / "dice_labels.json").read_text(encoding="utf-8"))

    assert {side(photo["number"]) for photo in labels} == {"test"}


def test_labels_become_things() -> None:
    first, *_ = photographed(PHOTOS / "dice_labels.json", "test")

    assert first.real
    assert all(thing.kind == "die" and thing.shows in "123456" for thing in first.things)


def _sample(scene: PieceScene) -> Sample:
    return Sample(cv2.imencode(".png", scene.image)[1].tobytes(), scene.things, real=False)


def test_crops_come_with_their_class() -> None:
    dice = dice_scene(0, 240, 240, faces=[*"123456", ""], symbols=False, side=24)
    tokens = token_scene(0, 240, 240, sides="RW", radius=15)
    pool = Pool([_sample(dice), _sample(tokens)])

    views, answers = crops(np.random.default_rng(0), pool, 12, real=0)

    assert views.shape == (12, 3, CROP_PX, CROP_PX)
    assert 0 <= views.min() <= views.max() <= 1
    assert all(0 <= answer < len(CLASSES) for answer in answers)


def test_a_window_marks_the_middle_of_a_die() -> None:
    image = np.full((WINDOW, WINDOW, 3), 60, np.uint8)
    box = (100.0, 100.0, 140.0, 140.0)
    image[100:140, 100:140] = 250
    quad = ((100.0, 100.0), (140.0, 100.0), (140.0, 140.0), (100.0, 140.0))
    sample = _sample(PieceScene(image, (ScenePiece("die", "1", quad, box, 1.0),)))
    rng = np.random.default_rng(5)
    marked = 0

    for _ in range(20):
        images, maps, counts = windows(rng, Pool([sample]), 1)
        assert maps.shape[1] == len(KINDS) + 3
        for row, column in zip(*np.nonzero(maps[0, 0] == 1), strict=True):
            right, down, size = maps[0, len(KINDS) :, row, column]
            x, y = (column + 0.5 + right) * STRIDE_PX, (row + 0.5 + down) * STRIDE_PX
            half = 16 * np.exp(size)
            inner = images[0, 0, int(y - half / 2) : int(y + half / 2), int(x)]
            outer = images[0, 0, :, :]
            assert counts[0, row, column] == 1
            assert abs(float(np.median(inner)) - float(np.median(outer))) > 0.05
            marked += 1
    assert marked > 5
