"""Makes the reader for what a layout has on its felt, and loads its networks."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from vision.camera.watch import PictureReader
from vision.felt.layout import Layout
from vision.felt.transform import Felt
from vision.recognise.regions import ZoneReader

READERS = {
    "cards": ("vision.recognise.cards", "CardReader"),
    "dice": ("vision.recognise.dice", "DiceReader"),
    "tokens": ("vision.recognise.tokens", "TokenReader"),
}


def reader(reads: str, faces: Sequence[str] = ()) -> PictureReader:
    """A reader of cards, dice or tokens; `faces` names the faces of dice without pips."""
    made: PictureReader = _made(reads, faces)
    return made


def both(layout: Layout, felt: Felt) -> tuple[PictureReader, PictureReader]:
    """A reader of whole pictures for a layout, and one of its zones only."""
    made = _made(layout.reads, layout.faces)
    return made, ZoneReader(made, layout, felt)


def _made(reads: str, faces: Sequence[str]) -> Any:
    module, name = READERS[reads]
    return getattr(import_module(module), name)(*([tuple(faces)] if faces else []))
