"""The reader for what a layout says lies on its felt; its networks are loaded when it is made."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from vision.felt import Felt
from vision.regions import ZoneReader
from vision.watch import Reader
from vision.zones import Layout

READERS = {
    "cards": ("vision.cards", "CardReader"),
    "dice": ("vision.dice", "DiceReader"),
    "tokens": ("vision.tokens", "TokenReader"),
}


def reader(reads: str, faces: Sequence[str] = ()) -> Reader:
    """A reader of cards, dice or tokens; `faces` is what dice show where that is no pips."""
    made: Reader = _made(reads, faces)
    return made


def both(layout: Layout, felt: Felt) -> tuple[Reader, Reader]:
    """A reader of whole pictures for a layout, and one that reads its zones alone."""
    made = _made(layout.reads, layout.faces)
    return made, ZoneReader(made, layout, felt)


def _made(reads: str, faces: Sequence[str]) -> Any:
    module, name = READERS[reads]
    return getattr(import_module(module), name)(*([tuple(faces)] if faces else []))
