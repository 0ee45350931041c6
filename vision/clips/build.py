"""Builds a clip: the frames behind an observation as stills and as a piece of film.

    clip(source, folder, frames=(first, last), around=25, stills=8, look=None, zones=None,
         start_at_us=0, ...) -> Clip        by frame number, both ends included
    clip(source, folder, span_us=(from, until), ...)          by time, UTC microseconds

`look(frame)` returns the detections to draw into a frame; the other options are those of frames().
The folder holds `frame-000000017.jpg` untouched, in its original bytes or else as PNG;
`frame-000000017.seen.jpg` with the drawing; `film.*`; `clip.json` with the exact time and hash of
every frame; and the hash of `clip.json` in `clip.sha256`. The same source gives the same bytes
again; `verify.py` checks that a clip is unchanged.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from ingest.disk import Disk
from vision.clips.draw import annotate
from vision.clips.film import film
from vision.clips.record import KIND, RECORD, SEAL, VERSION, digest, seal, text, when
from vision.clips.record import still as still_of
from vision.decoder.errors import ClipRefused, FramesRefused, PictureRefused
from vision.decoder.image_headers import image_header
from vision.recognise.detections import Detection
from vision.sources.addresses import is_stream, shown_address
from vision.sources.folders import LIST, SUFFIXES
from vision.sources.frames import frames as frames_of
from vision.sources.types import Frame, Notice
from vision.types import Point

__all__ = ["Clip", "ClipRefused", "clip"]

FindDetections = Callable[[Frame], Iterable[Detection]]
Zones = Mapping[str, Sequence[Point]]


class Clip(NamedTuple):
    """A finished clip: its folder, its record, and the record's hash for the case file."""

    folder: Path
    record: dict[str, Any]
    sha256: str


def clip(
    source: str | Path,
    folder: Path,
    *,
    frames: tuple[int, int] | None = None,
    span_us: tuple[int, int] | None = None,
    around: int = 25,
    stills: int = 8,
    look: FindDetections | None = None,
    zones: Zones | None = None,
    **options: Any,
) -> Clip:
    """Write a clip of an observation into a folder of its own."""
    if is_stream(source):
        step = "record the stream, then cut the recording"
        raise ClipRefused("stream", shown_address(source), "a film or a folder", "a stream", step)
    _check_free(folder)
    path, notices = Path(source), list[Notice]()
    first, last = frames if frames is not None else _within(path, span_us, options)
    making = film(path, max(0, first - around), last + around, options)
    wanted = _spread(first, last, stills)
    Disk().make_folder(folder)
    writer = StillWriter(folder, look or (lambda _: ()), zones)
    frame_entries = []
    with making as piece:
        for frame in _all(path, piece.first, piece.last, options, notices):
            frame_entries.append(_frame_entry(frame))
            piece.add(frame)
            if frame.number in wanted:
                writer.keep(frame)
        if not any(first <= frame["number"] <= last for frame in frame_entries):
            raise _nothing(path, f"frames {first} to {last}")
        piece.finish()
        files = writer.files | {piece.name: writer.write(piece.name, piece.content())}
        record = {
            "kind": KIND,
            "version": VERSION,
            "source": _identity(path),
            "observation": {"first": first, "last": last, "span_us": span_us},
            "frames": frame_entries,
            "stills": writer.stills,
            "film": {"file": piece.name, "made": piece.made, "why": piece.why}
            | {"first": frame_entries[0]["number"], "last": frame_entries[-1]["number"]},
            "notices": [notice._asdict() for notice in notices],
            "files": files,
        }
    written = writer.write(RECORD, text(record))["sha256"]
    writer.write(SEAL, seal(written))
    return Clip(folder, record, written)


class StillWriter:
    """Writes stills into a folder, and collects their record entries."""

    def __init__(self, folder: Path, look: FindDetections, zones: Zones | None) -> None:
        self._folder, self._look, self._zones = folder, look, zones
        self.stills: list[dict[str, Any]] = []
        self.files: dict[str, dict[str, Any]] = {}

    def keep(self, frame: Frame) -> None:
        """Write a frame untouched, and again with its detections drawn in."""
        stem = still_of(frame.number)
        content, suffix = _untouched(frame)
        caption = f"frame {frame.number}   {when(frame.at_us)} ± {frame.err_ms} ms"
        drawn = annotate(frame.image, self._look(frame), zones=self._zones, caption=caption)
        names = {"untouched": stem + suffix, "annotated": f"{stem}.seen.jpg"}
        self.files[names["untouched"]] = self.write(names["untouched"], content)
        self.files[names["annotated"]] = self.write(names["annotated"], _jpeg(drawn))
        origin = "original" if content is frame.original else "pixels"
        self.stills.append({"number": frame.number, "bytes": origin, **names})

    def write(self, name: str, content: bytes) -> dict[str, Any]:
        """Write a whole file; return its hash and size."""
        Disk().create(self._folder / name, content)
        return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def _untouched(frame: Frame) -> tuple[bytes, str]:
    """The frame's original bytes if they are a picture file, else its pixels as PNG."""
    if frame.original is not None:
        try:
            return frame.original, image_header(frame.original, "").suffix
        except PictureRefused:
            pass  # a packet of a film, which the clip's film holds
    done, content = cv2.imencode(".png", frame.image)
    assert done
    return content.tobytes(), ".png"


def _jpeg(image: Any) -> bytes:
    done, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return content.tobytes()


def _within(
    path: Path, span_us: tuple[int, int] | None, options: Mapping[str, Any]
) -> tuple[int, int]:
    """The numbers of the first and last frame within a time span."""
    assert span_us is not None, "frames or span_us"
    since, until = span_us
    row = frames_of(path, **options, from_us=since, until_us=until)
    numbers = [frame.number for frame in _until_torn(row)]
    if not numbers:
        raise _nothing(path, f"frames from {when(since)} to {when(until)}")
    return numbers[0], numbers[-1]


def _all(
    path: Path, first: int, last: int, options: Mapping[str, Any], notices: list[Notice]
) -> Iterator[Frame]:
    return _until_torn(frames_of(path, **options, first=first, last=last, on_notice=notices.append))


def _until_torn(row: Iterator[Frame]) -> Iterator[Frame]:
    """Yield frames up to where a film is damaged; raise only if there are none before."""
    try:
        yield from row
    except FramesRefused as refused:
        if not refused.given and refused.reason != "no_frames":
            raise


def _nothing(path: Path, expected: str) -> ClipRefused:
    step = "check the camera's times and its start (start_at_us)"
    return ClipRefused("not_found", str(path), expected, "none", step)


def _spread(first: int, last: int, count: int) -> set[int]:
    """At most `count` frame numbers, spaced evenly from first to last."""
    if last - first < count:
        return set(range(first, last + 1))
    return {first + round(n * (last - first) / max(1, count - 1)) for n in range(count)}


def _check_free(folder: Path) -> None:
    """Refuse a folder that holds other files than an earlier clip."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RECORD).is_file():
        found = "other files in it"
        raise ClipRefused("occupied", str(folder), "an empty folder", found, "name another")


def _identity(path: Path) -> dict[str, Any]:
    """Name and hash of the source; a folder's hash covers all its pictures."""
    if not path.is_dir():
        return {"name": path.name, "sha256": digest(path), "size": path.stat().st_size}
    kept = [f for f in path.iterdir() if f.suffix.lower() in SUFFIXES or f.name == LIST]
    lines = [f"{digest(file)}  {file.name}\n" for file in sorted(kept) if file.is_file()]
    joined = hashlib.sha256("".join(lines).encode()).hexdigest()
    return {"name": path.name, "sha256": joined, "files": len(lines)}


def _frame_entry(frame: Frame) -> dict[str, Any]:
    moment = {"at": when(frame.at_us), "at_us": frame.at_us, "err_ms": frame.err_ms}
    return {"number": frame.number, "sha256": frame.sha256, **moment}
