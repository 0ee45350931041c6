"""Makes the film of a clip: copied from the source where possible, else encoded again.

A film is cut between its packets, and the pictures of a folder are joined in their own bytes, so
nothing is lost. If neither works (PyAV is not installed, or the pictures differ in format or size),
the frames are encoded again, and the record says so and why.
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
    """The film of a clip while it is made: its frames, its file name, and how it is made."""

    name = ""
    made = ""
    why = ""

    def __init__(self, path: Path, first: int, last: int) -> None:
        self._path, self.first, self.last = path, first, last

    def add(self, frame: Frame) -> None:
        """Add the next frame."""

    def finish(self) -> None:
        """Finish the file after the last frame."""

    def content(self) -> bytes:
        """The finished film."""
        return self._path.read_bytes()


@contextmanager
def film(source: Path, first: int, last: int, options: Mapping[str, Any]) -> Iterator[ClipFilm]:
    """Make the best film of these frames in a temporary folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="roundproof-clip-") as folder:
        draft = Path(folder) / "film"
        if source.is_dir():
            why = _not_joinable(source, first, last, options)
            yield ReencodedFilm(draft, first, last, why) if why else JoinedFilm(draft, first, last)
        else:
            yield _cut(source, draft, first, last, options)


def _cut(source: Path, draft: Path, first: int, last: int, options: Mapping[str, Any]) -> ClipFilm:
    """Copy packets of the film, from the key frame before the first frame."""
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
    """The pictures of a folder in sequence, in their own bytes and at their own times."""

    name, made = "film.mkv", "originals joined"

    def __init__(self, path: Path, first: int, last: int) -> None:
        super().__init__(path, first, last)
        self._container: Any = av.open(str(path), "w", format="matroska")
        self._container.flags |= av.container.Flags.bitexact.value
        self._stream: Any = None
        self._start_us = 0

    def add(self, frame: Frame) -> None:
        """Add the picture's bytes as a packet; Matroska keeps the time to the millisecond."""
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
        """Close the file."""
        self._container.close()


class ReencodedFilm(ClipFilm):
    """Frames encoded again as Motion JPEG: for viewing, beside the untouched stills."""

    name, made = "film.avi", "re-encoded"

    def __init__(self, path: Path, first: int, last: int, why: str) -> None:
        super().__init__(path.with_suffix(".avi"), first, last)
        self.why = why
        self._writer: cv2.VideoWriter | None = None
        self._waiting: Frame | None = None  # the first frame, until the second gives the rate
        self._size = (0, 0)

    def add(self, frame: Frame) -> None:
        """Add a frame at the first frame's size; an AVI has one rate and one size."""
        if self._writer is None and self._waiting is None:
            self._waiting = frame
            return
        if self._waiting is not None:
            self._open(self._waiting, frame.at_us - self._waiting.at_us)
        self._write(frame)

    def finish(self) -> None:
        """Close the file."""
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
    """Why the pictures of a folder cannot be joined as they are; empty if they can."""
    if av is None or options.get("reader") == "cv2":
        return "PyAV, to copy packets expected, none installed found"
    kept = {key: options[key] for key in ("start_at_us",) if key in options}
    sizes = set()
    for entry in entries(source, FrameOptions(**kept)):
        if first <= entry.number <= last:
            try:
                header = image_header(contents(entry.path), "")
            except PictureRefused:
                continue  # frames() skips it too
            sizes.add((header.kind, header.width, header.height))
    if {kind for kind, *_ in sizes} - {"JPEG"} or len(sizes) > 1:
        return f"JPEG pictures of one size expected, {sorted(sizes)} found"
    return ""
