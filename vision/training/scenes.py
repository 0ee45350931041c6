"""Training scenes on disk: pictures as one raw array, the truth about their indices beside it.

    python -m vision.training.scenes ART OUT --count 3000 --seed 1 [--photos FOLDER] [--flat-threes]

ART is what vision.training.artwork drew. Half of the scenes use those decks, half use decks drawn
by our own code in styles and fonts chosen at random. With --flat-threes every deck is drawn, its
three has a flat top, and threes and fives are laid more often than other ranks.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.synth import decks
from vision.synth.scene import CardTruth
from vision.synth.spreads import some_scene
from vision.synth.threes import some_flat_three

SIZE = 512
FLAT_RANKS = "333333555A246789TJQK"  # the ranks to lay with flat threes
FLAT_EACH = 4  # scenes per deck; each deck has another three
# Never trained on: `bench/vision_accuracy.py` draws its held-out scenes with these.
HELD_OUT = ("gnome-plastic", "kde-svg-standard", "younestouati")
# No index in the corner, or suits in four colours, which casinos do not use.
UNFIT = (
    "gnome-anglo_modern_4_color",
    "gnome-neoclassical_4_color",
    "gnome-tango_nuevo",
    "kde-svg-oxygen",
    "kde-svg-oxygen-white",
    "rfpc-4color",
    "rfpc-4color-bf",
)


def main() -> None:
    """Draw scenes into a folder."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("art", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--count", type=int, default=3000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--photos", type=Path, help="pictures without cards, as grounds")
    arguments.add_argument("--flat-threes", action="store_true")
    given = arguments.parse_args()
    cv2.setNumThreads(1)
    chance = np.random.default_rng(given.seed)
    grounds = [_ground(file) for file in sorted(given.photos.iterdir())] if given.photos else []
    given.out.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        given.out / "pictures.npy", "w+", np.uint8, (given.count, SIZE, SIZE, 3)
    )
    draw = _flat_threes if given.flat_threes else _decks
    ranks = FLAT_RANKS if given.flat_threes else ""
    with (given.out / "truth.jsonl").open("w", encoding="utf-8") as lines:
        for number, some in enumerate(draw(chance, given.art, given.count)):
            picture, truth = some_scene(chance, some, SIZE, grounds, ranks)
            pictures[number] = picture
            print(json.dumps(row(truth)), file=lines)
    pictures.flush()


def row(truth: tuple[CardTruth, ...]) -> list[list[object]]:
    """The indices of a scene: code, six numbers of place, two of the arrow, visible share."""
    return [
        [mark.code, *mark.centre, *mark.up, *mark.right, *mark.to_card, mark.visible]
        for card in truth
        for mark in card.indices
    ]


def _decks(chance: Generator, art: Path, count: int) -> Iterator[list[decks.Deck]]:
    """Yield the decks of each scene; drawn decks change from time to time."""
    fit = [path for path in sorted(art.iterdir()) if path.name not in (*HELD_OUT, *UNFIT)]
    loaded = [decks.load(path) for path in fit]
    loaded += [decks.in_four_corners(deck) for deck in loaded[::2]]
    fonts = _fonts()
    drawn: list[decks.Deck] = []
    for number in range(count):
        if number % 40 == 0:
            lender = loaded[int(chance.integers(len(loaded)))] if chance.random() < 0.7 else None
            drawn = [*drawn[-11:], decks.drawn(decks.some_style(chance, fonts), courts=lender)]
        yield loaded if number % 2 else drawn


def _flat_threes(chance: Generator, art: Path, count: int) -> Iterator[list[decks.Deck]]:
    """Yield a drawn deck with a flat three for each scene; some borrow court cards."""
    fit = [path for path in sorted(art.iterdir()) if path.name not in (*HELD_OUT, *UNFIT)]
    lenders = [decks.load(path) for path in fit[::4]]
    fonts = _fonts()
    drawn: list[decks.Deck] = []
    for number in range(count):
        if number % FLAT_EACH == 0:
            style = replace(decks.some_style(chance, fonts), three=some_flat_three(chance))
            drawn = [decks.drawn(style, courts=lenders[int(chance.integers(len(lenders)))])]
        yield drawn


def _fonts() -> list[str]:
    files = sorted(Path("/usr/share/fonts").rglob("*.ttf"))
    return ["sans", "serif", *(str(file) for file in files)]


def _ground(file: Path) -> NDArray[np.uint8]:
    found = cv2.imread(str(file))
    assert found is not None, f"{file} is no picture"
    return np.asarray(found, np.uint8)


if __name__ == "__main__":
    main()
