"""The reader for what a layout says lies on its felt; its networks are loaded when it is made."""

from collections.abc import Sequence
from importlib import import_module

from vision.watch import Reader

READERS = {
    "cards": ("vision.cards", "CardReader"),
    "dice": ("vision.dice", "DiceReader"),
    "tokens": ("vision.tokens", "TokenReader"),
}


def reader(reads: str, faces: Sequence[str] = ()) -> Reader:
    """A reader of cards, dice or tokens; `faces` is what dice show where that is no pips."""
    module, name = READERS[reads]
    made: Reader = getattr(import_module(module), name)(*([tuple(faces)] if faces else []))
    return made
