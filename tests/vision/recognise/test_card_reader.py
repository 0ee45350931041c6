"""Cards read out of real photos that were never trained on."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.recognise.cards import CardReader
from vision.recognise.detections import CardSeen, centre

PHOTOS = Path(__file__).parents[1] / "photos" / "cards"
LABELS = {Path(row["file"]).stem: row for row in json.loads((PHOTOS / "labels.json").read_text())}


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def seen(reader: CardReader, name: str) -> list[CardSeen]:
    picture = cv2.imread(str(PHOTOS / f"{name}.jpg"))
    assert picture is not None
    return reader.read(np.asarray(picture, np.uint8))


@pytest.mark.parametrize(
    "name",
    [
        "edje_IMG_2611",
        "edje_cam_image36",
        "edje_cam_image50",
        "rf100_IMG_20220316_141426",
        "rf100_IMG_20220316_164016",
    ],
)
def test_every_card_of_a_photo_is_read_once(reader: CardReader, name: str) -> None:
    wanted = sorted(card["label"].replace("10", "T") for card in LABELS[name]["cards"])

    told = [card.guesses[0].seen for card in seen(reader, name) if card.guesses]

    ranks_alone = len(wanted[0]) == 1
    assert sorted(code[0] if ranks_alone else code for code in told) == wanted


def test_a_card_is_found_where_it_lies(reader: CardReader) -> None:
    name = "rf100_IMG_20220316_164016"
    boxes = {card["label"]: card["bbox"] for card in LABELS[name]["cards"]}

    for card in seen(reader, name):
        if card.guesses:
            x, y = centre(card.quad)
            left, top, right, bottom = boxes[card.guesses[0].seen]
            assert (left < x < right, top < y < bottom) == (True, True)


def test_nearly_all_of_fifty_fanned_cards_are_read(reader: CardReader) -> None:
    wanted = {card["label"].replace("10", "T") for card in LABELS["bidly_deal1"]["cards"]}

    told = {card.guesses[0].seen for card in seen(reader, "bidly_deal1") if card.guesses}

    assert told <= wanted
    assert len(told) >= 0.9 * len(wanted)


@pytest.mark.parametrize("tone", [0, 90, 255])
def test_an_empty_picture_has_no_card(reader: CardReader, tone: int) -> None:
    assert reader.read(np.full((300, 400, 3), tone, np.uint8)) == []


def test_dice_are_no_cards(reader: CardReader) -> None:
    photo = next((PHOTOS.parent / "dice").glob("*.jpg"))
    picture = cv2.imread(str(photo))
    assert picture is not None

    told = [card for card in reader.read(np.asarray(picture, np.uint8)) if card.guesses]

    assert told == []


def test_the_same_picture_gives_the_same_answer(reader: CardReader) -> None:
    first, again = (seen(reader, "edje_cam_image50") for _ in range(2))

    assert first == again
