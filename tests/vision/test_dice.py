"""Dice in real photos that nothing was learnt from, and what must not be taken for a die."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice import SYMBOLS, DiceReader
from vision.seen import DieSeen, centre
from vision.synth.dice import dice_scene
from vision.synth.scenery import ground, spoiled

PHOTOS = Path(__file__).parent / "photos" / "dice"
LABELS = json.loads((PHOTOS / "dice_labels.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def _at(seen: list[DieSeen], box: list[float]) -> list[DieSeen]:
    """The dice whose middle lies in a box."""
    middles = [(die, *centre(die.quad)) for die in seen]
    return [die for die, x, y in middles if box[0] < x < box[2] and box[1] < y < box[3]]


@pytest.mark.parametrize("photo", LABELS, ids=[photo["file"] for photo in LABELS])
def test_every_die_of_a_photo_is_read(
    reader: DiceReader, photo: dict[str, list[dict[str, object]]]
) -> None:
    image = np.asarray(cv2.imread(str(PHOTOS / str(photo["file"]))), np.uint8)

    seen = reader.read(image)

    assert len(seen) == len(photo["dice"])
    for die in photo["dice"]:
        (found,) = _at(seen, die["bbox"])  # type: ignore[arg-type]  # four numbers
        assert found.flat
        assert found.guesses[0].seen == die["label"]


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_table_holds_no_dice(reader: DiceReader, seed: int) -> None:
    rng = np.random.default_rng(seed)

    assert reader.read(spoiled(rng, ground(rng, 320, 320))) == []


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (40, 40), (1080, 1920)])
def test_any_size_of_picture_is_read(reader: DiceReader, shape: tuple[int, int]) -> None:
    assert reader.read(np.full((*shape, 3), 90, np.uint8)) == []


def test_large_dice_are_found_as_well(reader: DiceReader) -> None:
    photo = LABELS[7]
    image = cv2.imread(str(PHOTOS / photo["file"]))
    box = [round(v) for v in photo["dice"][0]["bbox"]]
    close: NDArray[np.uint8] = np.asarray(image, np.uint8)[
        max(0, box[1] - 20) : box[3] + 20, max(0, box[0] - 20) : box[2] + 20
    ]
    close = np.asarray(cv2.resize(close, (640, 640), interpolation=cv2.INTER_CUBIC), np.uint8)

    faces = [die.guesses[0].seen for die in reader.read(close) if die.guesses]

    assert photo["dice"][0]["label"] in faces


def test_a_die_on_its_edge_has_no_face(reader: DiceReader) -> None:
    scene = dice_scene(1_000_004, 320, 320, faces=["", ""], symbols=False, side=45)

    seen = reader.read(scene.image)

    assert seen
    assert all(not die.guesses for die in seen)


def test_symbols_are_read_where_they_are_played() -> None:
    scene = dice_scene(1_000_001, 320, 320, faces=["fish", "crab", "tiger"], symbols=True, side=45)

    faces = [die.guesses[0].seen for die in DiceReader(SYMBOLS).read(scene.image) if die.guesses]

    assert sorted(faces) == ["crab", "fish", "tiger"]
