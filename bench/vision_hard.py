"""Twenty hard scenes, annotated with what was read: the pictures of docs/hard-scenes.md.

python bench/vision_hard.py [OUT]     by default docs/hard-scenes
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.clips.draw import annotate
from vision.recognise.cards import CardReader
from vision.synth import decks, spreads

HERE = Path(__file__).parent.parent
PHOTOS = HERE / "tests" / "vision" / "photos" / "cards"
CHOSEN = (
    "bidly_deal1", "bidly_deal3", "teogop_210649_38", "teogop_210929_43", "teogop_211158_53",
    "teogop_213552_68", "rf100_IMG_20220316_134858", "rf100_IMG_20220316_140335",
    "rf100_IMG_20220316_141426", "rf100_IMG_20220316_164016", "rf100_IMG_20220316_172450",
    "edje_IMG_2611", "edje_cam_image36", "edje_cam_image50",
)  # fmt: skip
SEEDS = (3, 8, 11, 19, 27, 31)
WIDE = 720


def main() -> None:
    out = Path(sys.argv[1]) if sys.argv[1:] else HERE / "docs" / "hard-scenes"
    out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    reader = CardReader()
    labels = {
        Path(entry["file"]).stem: entry
        for entry in json.loads((PHOTOS / "labels.json").read_text())
    }
    for number, name in enumerate(CHOSEN, 1):
        picture = cv2.imread(str(PHOTOS / f"{name}.jpg"))
        assert picture is not None
        wanted = sorted({card["label"].replace("10", "T") for card in labels[name]["cards"]})
        _show(out / f"{number:02}.jpg", name, np.asarray(picture, np.uint8), wanted, reader)
    for number, seed in enumerate(SEEDS, len(CHOSEN) + 1):
        chance = np.random.default_rng(seed)
        deck = decks.drawn(decks.some_style(chance))
        picture, truth = spreads.some_scene(chance, [deck], 640)
        shown = [card for card in truth if any(mark.visible > 0.9 for mark in card.indices)]
        wanted = sorted(card.code for card in shown if card.code)
        _show(out / f"{number:02}.jpg", f"drawn, seed {seed}", picture, wanted, reader)


def _show(
    file: Path,
    name: str,
    picture: NDArray[np.uint8],
    wanted: Sequence[str],
    reader: CardReader,
) -> None:
    """Write the annotated picture, and print what was missed, invented and told twice."""
    seen = reader.read(picture)
    told = [card.guesses[0].seen for card in seen if card.guesses]
    missed = sorted(code for code in set(wanted) if not any(card.startswith(code) for card in told))
    extra = sorted({card for card in told if not any(card.startswith(code) for code in wanted)})
    twice = sorted({card for card in told if told.count(card) > max(1, wanted.count(card))})
    scale = WIDE / max(picture.shape[:2])
    drawn = cv2.resize(
        annotate(picture, seen), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )
    cv2.imwrite(str(file), drawn, [cv2.IMWRITE_JPEG_QUALITY, 80])
    print(f"{file.stem} {name}: {len(told)} told; missed {missed}, extra {extra}, twice {twice}")


if __name__ == "__main__":
    main()
