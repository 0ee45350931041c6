"""Adds the finder's mistakes to training scenes, so that the reader learns "no index".

    python -m vision.training.doubts SCENES OUT --models MODELS [--first N]

The pictures stay where they are; OUT has a new truth beside a link to them. A row without a card
is a place that is no index. Only for drawn scenes: there the truth is whole.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.recognise.indices import IndexReader

SIZES = (400, 512, 700)
NEAR = 0.8  # in halves of its height: a place nearer to an index is that index


def main() -> None:
    """Write the truth of the scenes again, with the finder's mistakes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("scenes", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--models", type=Path, required=True)
    arguments.add_argument("--first", type=int, default=500)
    given = arguments.parse_args()
    cv2.setNumThreads(1)
    reader = IndexReader(SIZES, given.models)
    pictures = np.load(given.scenes / "pictures.npy", mmap_mode="r")
    lines = (given.scenes / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "pictures.npy").symlink_to((given.scenes / "pictures.npy").resolve())
    count = 0
    with (given.out / "truth.jsonl").open("w", encoding="utf-8") as out:
        for picture, line in zip(pictures[: given.first], lines[: given.first], strict=True):
            rows: list[list[Any]] = json.loads(line)
            truth = np.array([row[1:5] for row in rows], np.float64).reshape(-1, 4)
            for place in reader.places(np.ascontiguousarray(picture)):
                apart = np.hypot(*(truth[:, :2] - place[1:3]).T)
                if not (apart < NEAR * np.hypot(truth[:, 2], truth[:, 3])).any():
                    rows.append(["", *(float(n) for n in place[1:9]), 1.0])
                    count += 1
            print(json.dumps(rows), file=out)
    print(f"{count} doubts in {given.first} scenes")


if __name__ == "__main__":
    main()
