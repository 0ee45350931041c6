"""The piece of film beside the stills: copied where the source allows, else coded anew.

A film is cut between its packets and an MJPEG is joined of the pictures' own bytes, so nothing is
lost. Where neither can be (PyAV is not installed, pictures of several kinds), the frames are coded
again, and the record says that and why.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2

from vision.decoder.errors import PictureRefused
from vision.decoder.image_headers import image_header
from vision.decoder.process import DecoderDied, DecoderLimits, DecoderProcess
from vision.decoder.pyav import av
from vision.sources.films import open_film_file
from vision.sources.folders import entries
from vision.sources.pictures import contents
from vision.sources.types import FILM_LIMITS, Frame, FrameOptions

MICROSECOND = Fraction(1, 1_000_000)
USUAL_STEP_US = 40_000  # between two frames


class ClipFilm:
    """A piece of film in the making: which frames it holds, and how it is made."""

    name = ""
    made = ""
    why = ""

    def __init__(self, path: Path, first: int, last: int) -> None:
        self._path, self.first, self.last = path, first, last

    def add(self, frame: Frame) -> None:
        """The next frame of it."""

    def finish(self) -> None:
        """No more frames."""

    def content(self) -> bytes:
        """The finished film."""
        return self._path.read_bytes()


@contextmanager
def film(source: Path, first: int, last: int, options: Mapping[str, Any]) -> Iterator[ClipFilm]:
    """The best piece that can be made of these frames; its draft is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="roundproof-clip-") as folder:
        draft = Path(folder) / "film"
        if source.is_dir():
            why = _not_joinable(source, first, last, options)
            yield ReencodedFilm(draft, first, last, why) if why else JoinedFilm(draft, first, last)
        else:
            yield _cut(source, draft, first, last, options)


def _cut(source: Path, draft: Path, first: int, last: int, options: Mapping[str, Any]) -> ClipFilm:
    """Packets of the film as they are, from the key frame before the first frame."""
    answer = _asked(source, draft, first, last, options)
    if "refused" in answer:
        _, expected, found, _ = answer["refused"]
        return ReencodedFilm(draft, first, last, f"{expected} expected, {found} found")
    piece = ClipFilm(draft, answer["first"], answer["last"])
    piece.name, piece.made = f"film{answer['suffix']}", "stream copy"
    return piece


def _asked(
    source: Path, draft: Path, first: int, last: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    handle = open_film_file(source, str(source))
    target = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640)
    reader = options.get("reader", "auto")
    request = {"do": "cut", "file": handle, "target": target, "first": first, "last": last}
    limits: DecoderLimits = options.get("limits", FILM_LIMITS)
    try:
        decoder = DecoderProcess(request | {"reader": reader}, limits, files=(handle, target))
    finally:
        os.close(handle)
        os.close(target)
    with decoder:
        try:
            while "alive" in (answer := decoder.receive()):
                continue
        except DecoderDied as died:
            return {"refused": [died.reason, "a piece that can be copied", died.found, ""]}
    return answer


class JoinedFilm(ClipFilm):
    """The pictures of a folder one after the other, in their own bytes and at their own times."""

    name, made = "film.mkv", "originals joined"

    def __init__(self, path: Path, first: int, last: int) -> None:
        super().__init__(path, first, last)
        self._container: Any = av.open(str(path), "w", format="matroska")
        self._container.flags |= av.container.Flags.bitexact.value
        self._stream: Any = None
        self._start_us = 0

    def add(self, frame: Frame) -> None:
        """Its bytes as a packet; Matroska keeps its time to the millisecond."""
        assert frame.original is not None
        if self._stream is None:
            self._stream = self._container.add_stream("mjpeg", rate=25)
            self._stream.height, self._stream.width = frame.image.shape[:2]
            self._stream.pix_fmt = "yuvj420p"
            self._start_us = frame.at_us
        packet = av.Packet(frame.original)
        packet.pts = packet.dts = frame.at_us - self._start_us
        packet.time_base, packet.stream, packet.is_keyframe = MICROSECOND, self._stream, True
        self._container.mux(packet)

    def finish(self) -> None:
        """Write the end of it."""
        self._container.close()


class ReencodedFilm(ClipFilm):
    """Frames coded anew as JPEG after JPEG: to look at, beside the untouched stills."""

    name, made = "film.avi", "re-encoded"

    def __init__(self, path: Path, first: int, last: int, why: str) -> None:
        super().__init__(path.with_suffix(".avi"), first, last)
        self.why = why
        self._writer: cv2.VideoWriter | None = None
        self._waiting: Frame | None = None  # the first frame, until the second tells the rate
        self._size = (0, 0)

    def add(self, frame: Frame) -> None:
        """Draw it in at the first frame's size; an AVI knows only one rate and one size."""
        if self._writer is None and self._waiting is None:
            self._waiting = frame
            return
        if self._waiting is not None:
            self._open(self._waiting, frame.at_us - self._waiting.at_us)
        self._write(frame)

    def finish(self) -> None:
        """Write the end of it."""
        if self._waiting is not None:
            self._open(self._waiting, USUAL_STEP_US)
        if self._writer is not None:
            self._writer.release()

    def _open(self, frame: Frame, step_us: int) -> None:
        height, width = frame.image.shape[:2]
        self._size, self._waiting = (width, height), None
        rate = min(max(1_000_000 / max(1, step_us), 1.0), 120.0)
        code = cv2.VideoWriter.fourcc(*"MJPG")
        self._writer = cv2.VideoWriter(
            str(self._path), cv2.CAP_OPENCV_MJPEG, code, rate, self._size
        )
        self._write(frame)

    def _write(self, frame: Frame) -> None:
        assert self._writer is not None
        image = frame.image
        if image.shape[1::-1] != self._size:
            self._writer.write(cv2.resize(image, self._size, interpolation=cv2.INTER_AREA))
        else:
            self._writer.write(image)


def _not_joinable(source: Path, first: int, last: int, options: Mapping[str, Any]) -> str:
    """Why the pictures of a folder cannot be joined as they are; nothing where they can."""
    if av is None or options.get("reader") == "cv2":
        return "PyAV, to copy packets expected, none installed found"
    kept = {key: options[key] for key in ("start_at_us",) if key in options}
    sizes = set()
    for entry in entries(source, FrameOptions(**kept)):
        if first <= entry.number <= last:
            try:
                header = image_header(contents(entry.path), "")
            except PictureRefused:
                continue  # it becomes no frame either
            sizes.add((header.kind, header.width, header.height))
    if {kind for kind, *_ in sizes} - {"JPEG"} or len(sizes) > 1:
        return f"JPEG pictures of one size expected, {sorted(sizes)} found"
    return ""
