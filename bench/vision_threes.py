"""How well threes are read whose top is flat: the same cards with the font's three and with one.

python bench/vision_threes.py [--scenes N] [--font FILE …] [--models FOLDER]

Each scene is drawn twice from one seed, once with the font's own three and once with a flat one,
in weights, sizes and tilts that change from scene to scene; fives lie beside them, for a flat three
that is told wrongly is mostly told as a five. Of a card that was not told it says whether the
finder had seen one of its indices (then the reader missed it) or none. With --font the threes are
those of a font whose three is flat, which nobody trained on.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator

from vision.recognise.cards import CardReader
from vision.recognise.detections import CardSeen, centre
from vision.recognise.indices import IndexReader
from vision.recognise.network import MODELS
from vision.synth import decks, felts, light
from vision.synth.scene import CardLay, CardScene, CardTruth, tilted
from vision.synth.threes import some_flat_three
from vision.types import Image, Reals

SIZE = 960
SEED = 2**32 + 33  # training never used it
CODES = ("3S", "3H", "3C", "3D", "5S", "5H")
ACROSS_MM, DOWN_MM = 115.0, 150.0  # from card to card: they lie apart
SHOWS, LEAST_PX = 0.95, 9.0  # an index that can be asked for


class Row(NamedTuple):
    """One card that was asked for: what it is, and what came of it."""

    kind: str
    outcome: str  # right, wrong, unread or unseen
    told: str = ""


def main() -> None:
    wish = argparse.ArgumentParser(description=__doc__)
    wish.add_argument("--scenes", type=int, default=60)
    wish.add_argument("--font", nargs="*", default=[], help="fonts whose three is flat")
    wish.add_argument("--models", type=Path, default=MODELS)
    given = wish.parse_args()
    cv2.setNumThreads(1)
    cards, indices = CardReader(models=given.models), IndexReader(models=given.models)
    rows = [
        row
        for kind, picture, truth in _pictures(given.scenes, given.font)
        for row in _asked(kind, truth, cards.read(picture), indices.places(picture))
    ]
    print(f"{'':<16}{'cards':>6}{'right':>7}{'wrong':>7}{'unread':>8}{'unseen':>8}{'missed':>9}")
    for kind in dict.fromkeys(row.kind for row in rows):
        mine = [row for row in rows if row.kind == kind]
        count = Counter(row.outcome for row in mine)
        taken = Counter(row.told for row in mine if row.outcome == "wrong")
        print(
            f"{kind:<16}{len(mine):>6}{count['right']:>7}{count['wrong']:>7}"
            f"{count['unread']:>8}{count['unseen']:>8}{1 - count['right'] / len(mine):>9.2%}"
            f"  {', '.join(f'{n} as {code}' for code, n in sorted(taken.items()))}"
        )
    print("unread: the finder saw an index of it; unseen: it saw none")


def _pictures(
    count: int, fonts: Sequence[str]
) -> Iterator[tuple[str, Image, tuple[CardTruth, ...]]]:
    """Scenes, each with the font's three and with a flat one."""
    for number in range(count):
        chance = np.random.default_rng((SEED, number))
        style = decks.some_style(chance)
        flat = replace(style, three=some_flat_three(chance))
        if fonts:
            flat = replace(style, font=fonts[number % len(fonts)])
        seed = int(chance.integers(2**32))
        for kind, each in (("font", style), ("flat", flat)):
            again = np.random.default_rng(seed)
            yield (kind, *_scene(again, decks.drawn(each)))


def _scene(chance: Generator, deck: decks.Deck) -> tuple[Image, tuple[CardTruth, ...]]:
    """Six cards apart from each other, seen from some height at some angle."""
    mm_wide = float(chance.uniform(380, 640))
    scene = CardScene(felts.ground(chance, SIZE, SIZE), tilted(chance, SIZE, SIZE, mm_wide, 45))
    for n, code in enumerate(CODES):
        x, y = (n % 3 - 1) * ACROSS_MM, (n // 3 - 0.5) * DOWN_MM
        scene.lay(CardLay(deck, code, x, y, float(chance.uniform(0, 2 * np.pi))))
    return light.filmed(chance, light.lit(chance, scene.picture)), scene.truth()


def _asked(
    kind: str, truth: Sequence[CardTruth], seen: Sequence[CardSeen], places: Reals
) -> Iterator[Row]:
    """What came of each card whose index shows and is large enough."""
    for card in truth:
        marks = [
            mark
            for mark in card.indices
            if mark.visible >= SHOWS and np.hypot(*mark.up) >= LEAST_PX
        ]
        if not marks:
            continue
        outline = np.array(card.quad, np.float32)
        told = {
            each.guesses[0].seen
            for each in seen
            if each.guesses and cv2.pointPolygonTest(outline, centre(each.quad), False) >= 0
        }
        name = f"{'three' if str(card.code)[0] == '3' else 'five'}, {kind}"
        wrong = sorted(told - {str(card.code)})
        if wrong:
            yield Row(name, "wrong", wrong[0])
        elif told:
            yield Row(name, "right")
        else:
            found = any(_found(mark.centre, mark.up, places) for mark in marks)
            yield Row(name, "unread" if found else "unseen")


def _found(middle: tuple[float, float], up: tuple[float, float], places: Reals) -> bool:
    apart = np.hypot(places[:, 1] - middle[0], places[:, 2] - middle[1])
    return bool((apart < 0.5 * np.hypot(*up)).any())


if __name__ == "__main__":
    main()
