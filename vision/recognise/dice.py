"""Reads the upper faces of dice in a picture taken from above.

A die that stands on an edge has no upper face: it is reported as not flat, without guesses. A
slightly leaning die looks like a flat one near the edge of the view, and counts as flat.
"""

from collections.abc import Sequence

from vision.recognise.detections import DieSeen, Near
from vision.recognise.pieces import LEANING, PIPS, SYMBOLS, PieceCandidate, PieceReader
from vision.types import Image

__all__ = ["PIPS", "SYMBOLS", "DiceReader"]


class DiceReader:
    """Reads dice with given faces: pips, or the symbols of Fish Prawn Crab."""

    def __init__(self, faces: Sequence[str] = PIPS) -> None:
        self._pieces = PieceReader()
        self._faces = tuple(faces)

    def read(
        self, image: Image, whole: tuple[int, int] = (0, 0), near: Near | None = None
    ) -> list[DieSeen]:
        """Read every die from left to right; an unreadable one has no guesses."""
        found = self._pieces.read(image, "die", whole[0] * whole[1], near)
        return [self._seen(piece) for piece in found]

    def _seen(self, piece: PieceCandidate) -> DieSeen:
        flat = piece.share(LEANING) < 0.5
        return DieSeen(piece.guesses(self._faces) if flat else (), piece.quad(), flat)
