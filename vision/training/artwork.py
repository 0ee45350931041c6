"""Card artwork out of packages: 52 upright faces a deck, as PNG files `<out>/<deck>/<card>.png`.

    python -m vision.training.artwork OUT [--npm NODE_MODULES]

The packages are Debian's gnome-cards-data, kdegames-card-data-kf5 and pokerth-data (librsvg2-bin
draws) and npm's svg-cards, cardsJS, react-free-playing-cards and
@younestouati/playing-cards-standard-deck. Nothing of them is kept in this tree; ARTWORK.md beside
this file names their licences. Decks whose court cards are not marked J, Q and K are left out.
"""

import argparse
import gzip
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from schemas.cards import DECK, Card

Face = NDArray[np.uint8]  # BGRA
HEIGHT = 460
NAMES = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
LONG = {"S": "spade", "H": "heart", "C": "club", "D": "diamond"}
GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")
POKERTH = Path("/usr/share/games/pokerth/gfx/cards/default")
GNOME_DECKS = (
    "anglo",
    "anglo_modern",
    "anglo_modern_4_color",
    "anglo_poker",
    "gnomangelo",
    "neoclassical",
    "neoclassical_4_color",
    "ornamental",
    "plastic",
    "simplistic",
    "tango",
    "tango_nuevo",
)
KDE_DECKS = (
    "svg-jolly-royal",
    "svg-nicu-white",
    "svg-oxygen",
    "svg-oxygen-white",
    "svg-standard",
    "svg-tigullio-international",
)


def main() -> None:
    """Draw every deck that is installed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--npm", type=Path)
    given = arguments.parse_args()
    for deck, faces in _decks(given.npm):
        folder = given.out / deck
        if folder.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for which, face in faces():
            cv2.imwrite(str(folder / f"{which}.png"), _trimmed(face))


def _decks(npm: Path | None) -> Iterator[tuple[str, Callable[[], Iterator[tuple[Card, Face]]]]]:
    for name in GNOME_DECKS:
        if (file := GNOME / f"{name}.svgz").exists():
            yield f"gnome-{name}", partial(_grid, file)
    for name in KDE_DECKS:
        for file in (KDE / name).glob("*.svgz"):
            yield f"kde-{name}", partial(_by_id, file)
    if POKERTH.exists():
        yield "pokerth", _pokerth
    if npm:
        yield (
            "svg-cards",
            lambda: _files(
                npm / "svg-cards/png/2x",
                lambda c: f"{LONG[c.suit]}_{NAMES.get(c.rank, c.rank)}.png",
            ),
        )
        yield "cardsjs", lambda: _files(npm / "cardsJS/dist/cards", _plain)
        for variant in ("2color", "2color-bf", "4color", "4color-bf"):
            folder = npm / "react-free-playing-cards/src/images" / variant
            yield f"rfpc-{variant}", partial(_files, folder, _tenned)
        yield (
            "younestouati",
            lambda: _files(npm / "@younestouati/playing-cards-standard-deck/cards", _numbered),
        )


def _plain(card: Card) -> str:
    return f"{card.rank.replace('T', '10')}{card.suit}.svg"


def _tenned(card: Card) -> str:
    return f"{card}.svg"


def _numbered(card: Card) -> str:
    number = "A23456789TJQK".index(card.rank) + 1
    return f"{number}{card.suit.lower()}.svg"


def _grid(file: Path) -> Iterator[tuple[Card, Face]]:
    """GNOME's decks: thirteen columns, and a row each of clubs, diamonds, hearts, spades."""
    sheet = _drawn(gzip.decompress(file.read_bytes()), "-h", str(HEIGHT * 5))
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13
    for card in DECK:
        row, column = "CDHS".index(card.suit), "A23456789TJQK".index(card.rank)
        rows = slice(round(row * height), round((row + 1) * height))
        yield card, sheet[rows, round(column * width) : round((column + 1) * width)]


def _by_id(file: Path) -> Iterator[tuple[Card, Face]]:
    """KDE's decks: an element a card, named `10_club`."""
    drawing = gzip.decompress(file.read_bytes())
    for card in DECK:
        name = f"{NAMES.get(card.rank, card.rank)}_{LONG[card.suit]}"
        yield card, _drawn(drawing, "-h", str(HEIGHT), "-a", "--export-id", name)


def _pokerth() -> Iterator[tuple[Card, Face]]:
    """PokerTH's deck: numbered, diamonds, hearts, spades, clubs, from two to ace."""
    for number in range(52):
        suit, rank = "DHSC"[number // 13], "23456789TJQKA"[number % 13]
        yield Card(rank, suit), _picture(POKERTH / f"{number}.png")


def _files(folder: Path, name: Callable[[Card], str]) -> Iterator[tuple[Card, Face]]:
    for card in DECK:
        file = folder / name(card)
        if file.suffix == ".svg":
            yield card, _drawn(file.read_bytes(), "-h", str(HEIGHT), "-a")
        else:
            yield card, _picture(file)


def _drawn(drawing: bytes, *options: str) -> Face:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.svg", Path(folder) / "out.png"
        source.write_bytes(drawing)
        command = ["rsvg-convert", "--unlimited", *options, str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        return _picture(target)


def _picture(file: Path) -> Face:
    found = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    assert found is not None, f"{file} is no picture"
    if found.shape[2] == 3:
        found = cv2.cvtColor(found, cv2.COLOR_BGR2BGRA)
    return np.asarray(found, np.uint8)


def _trimmed(face: Face) -> Face:
    """The card without the clear margin round it, as high as every other."""
    inked = np.argwhere(face[:, :, 3] > 128)
    (top, left), (bottom, right) = inked.min(0), inked.max(0)
    face = face[top : bottom + 1, left : right + 1]
    width = round(face.shape[1] * HEIGHT / face.shape[0])
    return np.asarray(cv2.resize(face, (width, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    main()
