"""Training scenes out of real photos whose cards are labelled, but not their corners.

    python -m vision.training.photos LABELS.json OUT --models MODELS

The networks there are read the photos of the training side. A corner counts where what was read is
what the label says; a card without such a corner is left out of the loss, because nobody knows
where its corners are; anything read outside all labelled cards is no index. Only the training side
of the split is looked at: `trains` says which photos those are.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognise.indices import CornerIndex, IndexReader

SIDE = 960
SIZES = (448, 640, 960)
SURE = 0.3  # the least probability of a reading that agrees with the label
UNSURE = 0.5  # a visible share that trains neither "index" nor "no index"

# One deck each: the designs of all other sources stay unseen.
TRAINING_SOURCES = ("rf100-poker-cards", "teogop-real")


def trains(source: str, number: int) -> bool:
    """Whether a photo, by its number within its source, is on the training side."""
    return source in TRAINING_SOURCES and number % 5 != 0


def main() -> None:
    """Write the photos of the training side as scenes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("labels", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--models", type=Path, required=True)
    given = arguments.parse_args()
    cv2.setNumThreads(1)
    entries = [
        entry for entry in numbered(given.labels) if trains(entry["source"], entry["number"])
    ]
    reader = IndexReader(SIZES, given.models)
    given.out.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        given.out / "pictures.npy", "w+", np.uint8, (len(entries), SIDE, SIDE, 3)
    )
    labelled = counted = 0
    with (given.out / "truth.jsonl").open("w", encoding="utf-8") as lines:
        for number, entry in enumerate(entries):
            picture, scale = _square(given.labels.parent / entry["file"])
            pictures[number] = picture
            rows, missing = _rows(entry, reader.read(picture), scale)
            labelled, counted = (
                labelled + len(entry["cards"]),
                counted + len(entry["cards"]) - missing,
            )
            print(json.dumps(rows), file=lines)
    pictures.flush()
    print(f"{counted} of {labelled} labelled things have a corner that was read as labelled")


def numbered(labels: Path) -> list[dict[str, Any]]:
    """The entries of a label file, each with its number within its source."""
    entries: list[dict[str, Any]] = json.loads(labels.read_text(encoding="utf-8"))
    count: dict[str, int] = {}
    for entry in entries:
        entry["number"] = count[entry["source"]] = count.get(entry["source"], -1) + 1
    return entries


def _square(file: Path) -> tuple[NDArray[np.uint8], float]:
    found = cv2.imread(str(file))
    assert found is not None, f"{file} is no picture"
    high, wide = found.shape[:2]
    scale = SIDE / max(high, wide)
    smooth = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    found = cv2.resize(found, (round(wide * scale), round(high * scale)), interpolation=smooth)
    below, beside = SIDE - found.shape[0], SIDE - found.shape[1]
    framed = cv2.copyMakeBorder(found, 0, below, 0, beside, cv2.BORDER_REPLICATE)
    return np.asarray(framed, np.uint8), scale


def _rows(
    entry: dict[str, Any], marks: list[CornerIndex], scale: float
) -> tuple[list[list[Any]], int]:
    """Truth rows as vision.training.scenes writes them, and how many labels have none."""
    rows: list[list[Any]] = []
    missing = 0
    for card in entry["cards"]:
        if card["label"] == "BACK":
            continue
        box = np.array(card["bbox"]) * scale
        code = card["label"].replace("10", "T")
        mine = [mark for mark in marks if _inside(mark, box) and mark.code.startswith(code)]
        good = [mark for mark in mine if mark.sure >= SURE]
        rows.extend(_row(mark, box, card["kind"] == "card") for mark in good)
        read = [row[1:3] for row in rows]
        others = [mark for mark in marks if _inside(mark, box) and list(mark.centre) not in read]
        rows.extend([*_row(mark, box, whole=False)[:-1], UNSURE] for mark in others)
        if not good:
            missing += 1
            middle, half = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) / 2
            rows.append([code, *middle, 0, -float(np.hypot(*half)), 1, 0, 0, 0, UNSURE])
    return rows, missing


def _row(mark: CornerIndex, box: NDArray[np.float64], whole: bool) -> list[Any]:
    """The row of an index; without a box of its own card, the arrow is zero (unknown)."""
    way = (box[:2] + box[2:]) / 2 - mark.centre if whole else np.zeros(2)
    numbers = np.concatenate([mark.centre, mark.up, mark.right, way])
    return [mark.code, *(float(n) for n in numbers), 1.0]


def _inside(mark: CornerIndex, box: NDArray[np.float64]) -> bool:
    grow = np.maximum((box[2:] - box[:2]) * 0.06, 3)
    return bool((mark.centre >= box[:2] - grow).all() and (mark.centre <= box[2:] + grow).all())


if __name__ == "__main__":
    main()
