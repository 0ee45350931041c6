"""How well dice and tokens are read: photos that nothing was learnt from, and scenes held out.

python bench/vision_dice.py [--photos DIR] [--empty LABELS] [--scenes N]

DIR holds `dice_labels.json` and the photos it names; of them only those of the test side count.
Without it the ten photos that come with the tests are read. LABELS lists photos without dice.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from schemas.events import Guess
from vision.recognise.detections import DieSeen, TokenSeen, centre
from vision.recognise.dice import PIPS, SYMBOLS, DiceReader
from vision.recognise.tokens import TokenReader
from vision.synth.dice import dice_scene
from vision.synth.tokens import token_scene
from vision.training.dice_data import side
from vision.types import Image

Box = tuple[float, float, float, float]
Seen = DieSeen | TokenSeen

TEN_PHOTOS = Path(__file__).parent.parent / "tests" / "vision" / "photos" / "dice"
HELD_OUT = 1_000_000  # seeds from here on were never drawn for learning
SURE = 0.99


class Case(NamedTuple):
    """A picture, what lies in it, and what may be found or not."""

    name: str
    image: Image
    truth: Sequence[tuple[str, Box]]  # an empty name: it leans, so nothing should be read
    spare: Sequence[Box] = ()


class Tally(NamedTuple):
    """One line for each thing that was there or was seen."""

    pairs: list[tuple[str, str, float]]  # truth, best guess (empty: unknown), its probability
    missed: int
    extra: int
    pictures: int
    seconds: float
    wrong: list[str]


def main() -> None:
    wish = _wish()
    cv2.setNumThreads(1)
    dice, tokens = DiceReader(), TokenReader()
    tell("real photos of the test side", tally(photos(wish.photos), dice.read))
    if wish.empty:
        tell("photos without dice: dice", tally(empty(wish.empty), dice.read))
        tell("photos without dice: tokens", tally(empty(wish.empty), tokens.read))
    scenes = range(HELD_OUT, HELD_OUT + wish.scenes)
    tell("scenes held out: pips", tally(drawn(scenes, PIPS), dice.read))
    tell("scenes held out: symbols", tally(drawn(scenes, SYMBOLS), DiceReader(SYMBOLS).read))
    tell("scenes held out: tokens", tally(thrown(scenes), tokens.read))


def photos(folder: Path) -> Iterator[Case]:
    """Labelled photos, those of the test side."""
    labels = json.loads((folder / "dice_labels.json").read_text(encoding="utf-8"))
    for number, photo in enumerate(labels):
        if side(photo.get("number", number)) == "test":
            image = cv2.imread(str(folder / photo["file"]))
            truth = [(die["label"], tuple(die["bbox"])) for die in photo["dice"]]
            yield Case(photo["file"], np.asarray(image, np.uint8), truth)


def empty(labels: Path) -> Iterator[Case]:
    """Photos of other things, those of the test side."""
    for number, photo in enumerate(json.loads(labels.read_text(encoding="utf-8"))):
        if side(number) == "test":
            image = cv2.imread(str(labels.parent / photo["file"]))
            yield Case(photo["file"], np.asarray(image, np.uint8), [])


def drawn(seeds: range, faces: Sequence[str]) -> Iterator[Case]:
    """Rendered dice."""
    for seed in seeds:
        scene = dice_scene(seed, symbols=faces is SYMBOLS)
        asked = [(thing.shows, thing.box) for thing in scene.things if thing.asked]
        spare = [thing.box for thing in scene.things if not thing.asked]
        yield Case(str(seed), scene.image, asked, spare)


def thrown(seeds: range) -> Iterator[Case]:
    """Rendered tokens."""
    for seed in seeds:
        scene = token_scene(seed)
        asked = [(thing.shows, thing.box) for thing in scene.things if thing.asked]
        spare = [thing.box for thing in scene.things if not thing.asked]
        yield Case(str(seed), scene.image, asked, spare)


def tally(cases: Iterator[Case], read: Callable[[Image], Sequence[Seen]]) -> Tally:
    """Each truth with what was read at its place."""
    pairs: list[tuple[str, str, float]] = []
    wrong: list[str] = []
    missed = extra = pictures = 0
    seconds = 0.0
    for case in cases:
        begun = time.process_time()
        left: list[Seen] = list(read(case.image))
        seconds += time.process_time() - begun
        pictures += 1
        for name, box in case.truth:
            near = [seen for seen in left if _inside(centre(seen.quad), box)]
            if not near:
                missed += 1
                wrong.append(f"{case.name} {name or 'leaning'} at {_at(box)}: not found")
                continue
            seen = min(near, key=lambda seen: _away(centre(seen.quad), box))
            left.remove(seen)
            best = seen.guesses[0] if seen.guesses else Guess("", 0.0)
            guess, share = best.seen, best.probability
            pairs.append((name, guess, share))
            if guess != name:
                told = f"{guess} {share:.3f}" if guess else "unknown"
                wrong.append(f"{case.name} {name or 'leaning'} at {_at(box)}: {told}")
        for seen in left:
            if not any(_inside(centre(seen.quad), box) for box in case.spare):
                extra += 1
                told = " ".join(f"{g.seen} {g.probability:.3f}" for g in seen.guesses[:1])
                wrong.append(f"{case.name} nothing at {_at_point(centre(seen.quad))}: {told}")
    return Tally(pairs, missed, extra, pictures, seconds, wrong)


def tell(name: str, tally: Tally) -> None:
    """Figures of one set, and each thing that was not read right."""
    faces = [pair for pair in tally.pairs if pair[0]]
    told = [pair for pair in faces if pair[1]]
    right = sum(truth == guess for truth, guess, _ in told)
    there = len(tally.pairs) + tally.missed
    print(f"\n{name}: {tally.pictures} pictures, {there} things")
    print(f"  {tally.seconds / max(1, tally.pictures) * 1000:.0f} ms a picture on one core")
    print(f"  found {_share(len(tally.pairs), there)}, nothing there {tally.extra} times")
    if told:
        leaning = [pair for pair in tally.pairs if not pair[0]]
        sure = sum(t != g and share >= SURE for t, g, share in told)
        print(f"  faces right {_share(right, len(told))} of those told, ", end="")
        print(f"unknown {_share(len(faces) - len(told), len(faces))}, wrong and sure {sure}")
        print(f"  calibration error {calibration_error(told):.2%}")
        if leaning:
            untold = sum(not guess for _, guess, _ in leaning)
            print(f"  leaning, and no face told {_share(untold, len(leaning))}")
        mixed = Counter((t, g) for t, g, _ in told if t != g)
        print(
            f"  mixed up: {', '.join(f'{t} as {g} {n}x' for (t, g), n in mixed.items()) or 'none'}"
        )
    for line in tally.wrong[:12]:
        print(f"    {line}")


def calibration_error(told: Sequence[tuple[str, str, float]], bins: int = 10) -> float:
    """How far probabilities and shares of right answers lie apart, in bins of equal width."""
    shares = np.array([share for _, _, share in told])
    right = np.array([truth == guess for truth, guess, _ in told])
    which = np.minimum((shares * bins).astype(int), bins - 1)
    gaps = [
        (which == b).mean() * abs(shares[which == b].mean() - right[which == b].mean())
        for b in set(which.tolist())
    ]
    return float(sum(gaps))


def _share(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.2%} ({part} of {whole})"


def _inside(point: tuple[float, float], box: Box) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _away(point: tuple[float, float], box: Box) -> float:
    return float(np.hypot(point[0] - (box[0] + box[2]) / 2, point[1] - (box[1] + box[3]) / 2))


def _at(box: Box) -> str:
    return _at_point(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))


def _at_point(point: tuple[float, float]) -> str:
    return f"{point[0]:.0f},{point[1]:.0f}"


def _wish() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=Path, default=TEN_PHOTOS)
    parser.add_argument("--empty", type=Path)
    parser.add_argument("--scenes", type=int, default=60)
    return parser.parse_args()


if __name__ == "__main__":
    main()
