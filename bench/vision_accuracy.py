"""How well cards are read: real photos nobody trained on, and drawn decks nobody trained on.

python bench/vision_accuracy.py [--photos FOLDER] [--scenes N] [--art FOLDER] [--out FOLDER]

FOLDER of photos holds labels.json (as tests/vision/photos/cards, the default, has it). Of a folder
with all photos only the test side is read. ART is what vision.training.artwork draws; without it
the held-out decks are those of our own code, in styles from a seed that training never used.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.cards import DECK
from vision.recognise.cards import CardReader
from vision.recognise.detections import CardSeen, centre
from vision.synth import decks, spreads
from vision.training.photos import numbered, trains
from vision.training.scenes import HELD_OUT, SIZE
from vision.types import Point

PHOTOS = Path(__file__).parent.parent / "tests" / "vision" / "photos" / "cards"
CONFIDENT = 0.99
FANNED = ("bidly-deals", "teogop-real")  # labelled by corner: fanned and half-covered cards


class Label(NamedTuple):
    """One labelled card; `code` may be a rank alone."""

    code: str
    box: tuple[float, float, float, float]


@dataclass(slots=True)
class Tally:
    """What was read right, wrong and not at all."""

    photos: int = 0
    cards: int = 0
    right: int = 0
    told: int = 0
    located: int = 0
    unread: int = 0
    rank_right: int = 0
    suit_right: int = 0
    suited: int = 0
    sureness: list[tuple[float, bool]] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)

    def add(self, labels: Sequence[Label], seen: Sequence[CardSeen], *, by_corner: bool) -> None:
        """One photo."""
        self.photos += 1
        told = [card for card in seen if card.guesses]
        pairs = _by_code(labels, told) if by_corner else _by_place(labels, told)
        wanted = {label.code for label in labels} if by_corner else labels
        self.cards += len(wanted)
        self.told += len(told)
        unread = [card for card in seen if not card.guesses]
        self.unread += len(_by_place(labels, unread)) if not by_corner else 0
        for card in told:
            label = pairs.get(id(card))
            right = label is not None and _same(label.code, card.guesses[0].seen)
            self.right += right
            self.sureness.append((card.guesses[0].probability, right))
            if label is not None:
                self._compare(label.code, card.guesses[0].seen)

    def _compare(self, wanted: str, read: str) -> None:
        self.located += 1
        self.rank_right += wanted[0] == read[0]
        if len(wanted) == 2:
            self.suited += 1
            self.suit_right += wanted[1] == read[1]
            self.pairs.append((wanted, read))

    def __str__(self) -> str:
        wrong = sum(not right for sure, right in self.sureness if sure >= CONFIDENT)
        confident = sum(sure >= CONFIDENT for sure, _ in self.sureness)
        return (
            f"{self.photos:>6} {self.cards:>6} "
            f"{_share(self.right, self.cards)} {_share(self.right, self.told)} "
            f"{_share(self.rank_right, self.located)} {_share(self.suit_right, self.suited)} "
            f"{_share(self.unread, self.cards)} {error(self.sureness):>7.2%} "
            f"{wrong:>5} of {confident}"
        )


HEAD = (
    f"{'':<22}{'photos':>6} {'cards':>6} {'recall':>7} {'precis':>7} {'rank':>7} {'suit':>7} "
    f"{'unread':>7} {'calib':>7} confident wrong"
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--photos", type=Path, default=PHOTOS)
    arguments.add_argument("--scenes", type=int, default=60)
    arguments.add_argument("--art", type=Path)
    arguments.add_argument("--out", type=Path, help="where the confusion matrices go")
    given = arguments.parse_args()
    cv2.setNumThreads(1)
    reader = CardReader()
    tallies = photos(reader, given.photos) | {
        "drawn decks": scenes(reader, given.scenes, given.art)
    }
    print(HEAD)
    for name, tally in tallies.items():
        print(f"{name:<22}{tally}")
    pairs = [
        pair
        for name, tally in tallies.items()
        if name in {"all photos", "drawn decks"}
        for pair in tally.pairs
    ]
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(given.out / "confusion.png"), confusion(pairs))
        print(f"what was taken for what: {given.out / 'confusion.png'}")


def photos(reader: CardReader, folder: Path) -> dict[str, Tally]:
    """A tally for each source, then those of whole cards, of fanned ones, and of all."""
    found: dict[str, Tally] = {}
    for entry in _tested(folder):
        picture = cv2.imread(str(folder / entry["file"]))
        assert picture is not None, f"{entry['file']} is no picture"
        seen = reader.read(np.asarray(picture, np.uint8))
        labels = [
            Label(card["label"].replace("10", "T"), tuple(card["bbox"]))
            for card in entry["cards"]
            if card["label"] != "BACK"
        ]
        by_corner = any(card.get("kind") == "index" for card in entry["cards"])
        kind = "fanned, by corner" if entry["source"] in FANNED else "whole cards"
        for name in (entry["source"], kind, "all photos"):
            found.setdefault(name, Tally()).add(labels, seen, by_corner=by_corner)
    return {name: found[name] for name in sorted(found, key=lambda name: (" " in name, name))}


def _tested(folder: Path) -> list[dict[str, Any]]:
    """The entries of the test side."""
    entries = (
        numbered(folder / "labels.json")
        if folder != PHOTOS
        else json.loads((folder / "labels.json").read_text())
    )
    return [entry for entry in entries if not trains(entry["source"], entry["number"])]


def scenes(reader: CardReader, count: int, art: Path | None) -> Tally:
    """Scenes with decks never trained on; only cards whose index shows are asked for."""
    chance = np.random.default_rng(2**32 + 7)
    if art:
        some = [decks.load(art / name) for name in HELD_OUT]
    else:
        some = [decks.drawn(decks.some_style(chance)) for _ in range(6)]
    tally = Tally()
    for _ in range(count):
        picture, truth = spreads.some_scene(chance, some, SIZE)
        labels: list[Label] = []
        hidden: list[Label] = []
        for card in truth:
            shows = any(mark.visible >= 0.95 and np.hypot(*mark.up) >= 9 for mark in card.indices)
            (labels if shows else hidden).append(Label(card.code or "", _box(card.quad)))
        seen = [card for card in reader.read(picture) if not _of_hidden(card, hidden, labels)]
        tally.add(labels, seen, by_corner=False)
    return tally


def _of_hidden(card: CardSeen, hidden: Sequence[Label], labels: Sequence[Label]) -> bool:
    """Whether it is rightly read of a card that was too small or covered to be asked for."""
    code = card.guesses[0].seen if card.guesses else ""
    middle = centre(card.quad)
    if any(_same(label.code, code) and _inside(middle, label.box) for label in labels):
        return False
    return any((label.code == code or not code) and _inside(middle, label.box) for label in hidden)


def error(sureness: Iterable[tuple[float, bool]]) -> float:
    """The calibration error: how far sureness and truth are apart, over ten bands."""
    given = np.array([(sure, right) for sure, right in sureness], np.float64).reshape(-1, 2)
    bands = np.clip((given[:, 0] * 10).astype(int), 0, 9)
    total = 0.0
    for band in range(10):
        part = given[bands == band]
        if len(part):
            total += abs(part[:, 0].mean() - part[:, 1].mean()) * len(part)
    return float(total / max(1, len(given)))


def confusion(pairs: Sequence[tuple[str, str]]) -> NDArray[np.uint8]:
    """Card against card as a picture: a row what it was, a column what was read."""
    order = [str(card) for card in DECK]
    counts = np.zeros((52, 52), int)
    for wanted, read in pairs:
        counts[order.index(wanted), order.index(read)] += 1
    cell, edge = 17, 40
    picture = np.full((52 * cell + edge, 52 * cell + edge, 3), 255, np.uint8)
    font = cv2.FontFace("sans")
    for row in range(52):
        cv2.putText(picture, order[row], (8, edge + row * cell + 13), (0, 0, 0), font, 12, 400)
        cv2.putText(picture, order[row], (edge + row * cell, 26), (0, 0, 0), font, 10, 400)
        for column in range(52):
            if counts[row, column]:
                share = counts[row, column] / counts[row].sum()
                tone = (
                    (255 - 200 * share, 255 - 120 * share, 255 - 230 * share)
                    if row == column
                    else (60, 60, 230)
                )
                top, left = edge + row * cell, edge + column * cell
                cv2.rectangle(picture, (left, top), (left + cell - 1, top + cell - 1), tone, -1)
                text = str(counts[row, column])
                cv2.putText(picture, text, (left + 1, top + 12), (0, 0, 0), font, 9, 400)
    return picture


def _by_place(labels: Sequence[Label], seen: Sequence[CardSeen]) -> dict[int, Label]:
    """Which label each card read belongs to: its middle or a corner read lies in the box.

    Boxes go round what shows of a card, so the middle of one that is half covered may be outside.
    """
    near = []
    for number, label in enumerate(labels):
        for card in seen:
            middle = centre(card.quad)
            if any(_inside(point, label.box) for point in (middle, *card.corners)):
                wrong = not card.guesses or not _same(label.code, card.guesses[0].seen)
                away = np.hypot(*(np.array(middle) - _middle(label.box)))
                near.append((wrong, float(away), number, id(card)))
    taken: dict[int, Label] = {}
    used: set[int] = set()
    for _, _, number, card_id in sorted(near):
        if number not in used and card_id not in taken:
            used.add(number)
            taken[card_id] = labels[number]
    return taken


def _by_code(labels: Sequence[Label], seen: Sequence[CardSeen]) -> dict[int, Label]:
    """In a photo labelled by corner each card counts once, wherever it lies."""
    left = {label.code: label for label in labels}
    return {
        id(card): left.pop(card.guesses[0].seen) for card in seen if card.guesses[0].seen in left
    }


def _same(wanted: str, read: str) -> bool:
    return read.startswith(wanted)


def _inside(point: Point, box: tuple[float, float, float, float]) -> bool:
    wide, high = (box[2] - box[0]) / 10, (box[3] - box[1]) / 10
    return box[0] - wide <= point[0] <= box[2] + wide and box[1] - high <= point[1] <= box[3] + high


def _middle(box: tuple[float, float, float, float]) -> NDArray[np.float64]:
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])


def _box(quad: Sequence[Point]) -> tuple[float, float, float, float]:
    across, down = zip(*quad, strict=True)
    return min(across), min(down), max(across), max(down)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:>7.2%}" if whole else f"{'-':>7}"


if __name__ == "__main__":
    main()
