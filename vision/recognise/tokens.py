"""Reads which side of each Xoc Dia token lies up in a picture taken from above."""

from vision.recognise.detections import Near, TokenSeen
from vision.recognise.pieces import SIDES, PieceReader
from vision.types import Image

__all__ = ["SIDES", "TokenReader"]


class TokenReader:
    """Reads round tokens, one side red and one white."""

    def __init__(self) -> None:
        self._pieces = PieceReader()

    def read(
        self, image: Image, whole: tuple[int, int] = (0, 0), near: Near | None = None
    ) -> list[TokenSeen]:
        """Read every token from left to right; an unreadable one has no guesses."""
        found = self._pieces.read(image, "token", whole[0] * whole[1], near)
        return [TokenSeen(piece.guesses(SIDES), piece.quad()) for piece in found]
