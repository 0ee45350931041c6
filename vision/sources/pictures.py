"""Decodes untrusted pictures, from a file or bytes, within limits; refuses what is unsafe.

`picture(PATH_OR_BYTES)` decodes one, blue-green-red, eight bits, upright. `with Pictures() as
pictures:` keeps the decoder process for many (`pictures.read(...)`). Grey and 16-bit pictures
become three channels of eight bits. Print colours (CMYK), transparent pixels and animations are
refused, because their look depends on the program that shows them.
"""

import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from vision.decoder.errors import PictureRefused
from vision.decoder.image_headers import MAX_BYTES, TAKE_AGAIN, image_header
from vision.decoder.process import DecoderDied, DecoderLimits, DecoderProcess
from vision.types import Image

__all__ = ["PictureRefused", "Pictures", "contents", "picture"]

# On a busy machine five seconds of computing may take twenty.
PICTURE_LIMITS = DecoderLimits(memory_mib=512, cpu_s=5, wall_s=20.0)
SCALE_DOWN = "scale it down, or look into what made it"


def picture(source: Path | bytes, where: str = "", limits: DecoderLimits = PICTURE_LIMITS) -> Image:
    """Decode one picture; `where` names bytes in a refusal."""
    with Pictures(limits) as pictures:
        return pictures.read(source, where)


class Pictures:
    """Decodes picture after picture; the process starts with the first, and again after a crash."""

    def __init__(self, limits: DecoderLimits = PICTURE_LIMITS) -> None:
        self._limits = limits
        self._decoder: DecoderProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def read(self, source: Path | bytes, where: str = "") -> Image:
        """Decode a picture, or raise PictureRefused."""
        content = source if isinstance(source, bytes) else contents(source)
        where = where or ("picture" if isinstance(source, bytes) else str(source))
        self.begin(content, where)
        return self.finish(where)

    def begin(self, content: bytes, where: str) -> None:
        """Start decoding a picture while the caller does something else."""
        image_header(content, where)
        if self._decoder is None:
            self._decoder = DecoderProcess({"do": "pictures"}, self._limits)
        self._decoder.put(0, content)
        self._decoder.send({"slot": 0, "size": len(content)})

    def finish(self, where: str) -> Image:
        """Wait for the pixels of the picture that `begin` started."""
        assert self._decoder is not None
        try:
            answer = self._decoder.receive()
        except DecoderDied as died:
            self._decoder = None
            raise _gave_up(died, where, self._limits) from died
        if "refused" in answer:
            raise _refused(answer["refused"], where)
        return self._decoder.image(answer["slot"], answer["width"], answer["height"])

    def close(self) -> None:
        """End the process, if it runs."""
        if self._decoder is not None:
            self._decoder.close()
            self._decoder = None


def contents(path: Path) -> bytes:
    """Read a picture file; only an ordinary file, and one byte more than allowed at most."""
    where = str(path)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        raise PictureRefused("missing", where, "a file", found, "check its name") from error
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise PictureRefused("missing", where, "a file", kind, "name a picture")
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _refused(words: list[Any], where: str) -> PictureRefused:
    reason, expected, found, next_step = words
    return PictureRefused(reason, where, expected, found, next_step)


def _gave_up(died: DecoderDied, where: str, limits: DecoderLimits) -> PictureRefused:
    expected = f"decoding within {limits.cpu_s} s and {limits.memory_mib} MiB"
    step = SCALE_DOWN if died.reason == "time" else TAKE_AGAIN
    return PictureRefused(died.reason, where, expected, died.found, step)
