"""Writes drawn frames: a folder of pictures with their times, or one film."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, Protocol

import cv2

from vision.decoder.pyav import av
from vision.sources.folders import LIST
from vision.types import Image

QUALITY = 90  # of a picture
FILM = "film.mkv"
MILLISECOND = Fraction(1, 1000)


class NoEncoder(RuntimeError):
    """No encoder is installed to write a film."""


class FrameWriter(Protocol):
    """Writes frames one by one."""

    source: Path  # the argument for `vision watch`

    def add(self, at_us: int, image: Image) -> None:
        """Write one more frame."""
        ...


class _FolderWriter:
    def __init__(self, folder: Path, listed: IO[str]) -> None:
        self.source, self._listed, self._count = folder, listed, 0

    def add(self, at_us: int, image: Image) -> None:
        number, self._count = self._count, self._count + 1
        name = f"{number:06d}.jpg"
        fine, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert fine
        (self.source / name).write_bytes(coded.tobytes())
        line = {"file": name, "frame": number, "at_us": at_us}
        self._listed.write(json.dumps(line, separators=(",", ":")) + "\n")


class _FilmWriter:
    def __init__(self, path: Path, fps: float) -> None:
        self.source, self._fps = path, fps
        self._container: Any = av.open(str(path), "w", format="matroska")
        self._container.flags |= av.container.Flags.bitexact.value
        self._stream: Any = None
        self._start_us = 0

    def add(self, at_us: int, image: Image) -> None:
        if self._stream is None:
            self._begin(at_us, image)
        frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
        frame.pts, frame.time_base = (at_us - self._start_us) // 1000, MILLISECOND
        self._container.mux(self._stream.encode(frame))

    def end(self) -> None:
        """Write the frames that the encoder still holds."""
        if self._stream is not None:
            self._container.mux(self._stream.encode())
        self._container.close()

    def _begin(self, at_us: int, image: Image) -> None:
        self._start_us = at_us
        rate = Fraction(self._fps).limit_denominator(1001)
        # One thread and no look-ahead: the same frames give the same bytes.
        settings = {"crf": "20", "preset": "veryfast", "bf": "0", "g": "25"}
        self._stream = self._container.add_stream("libx264", rate=rate, options=settings)
        self._stream.height, self._stream.width = image.shape[:2]
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.thread_count = 1
        self._stream.codec_context.time_base = MILLISECOND


@contextmanager
def folder_reel(folder: Path) -> Iterator[FrameWriter]:
    """Pictures in JPEG beside the list of their times."""
    with (folder / LIST).open("w", encoding="utf-8") as listed:
        yield _FolderWriter(folder, listed)


@contextmanager
def film_reel(folder: Path, fps: float) -> Iterator[FrameWriter]:
    """One film in H.264 in which every frame has its own time."""
    if av is None:
        raise NoEncoder("a film in H.264 asked for, and PyAV is not installed")
    made = _FilmWriter(folder / FILM, fps)
    try:
        yield made
    finally:
        made.end()
