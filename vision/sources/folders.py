"""Frames of a folder of pictures, in the order of its list or else of their names.

The list is `frames.jsonl`, one line a frame: {"file": "000017.jpg", "frame": 17, "at_us": …}.
Without it, sixteen digits in every name are microseconds and thirteen are milliseconds; otherwise
the pictures are spaced by the given rate.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from vision.decoder.errors import FramesRefused, PictureRefused
from vision.sources.pictures import Pictures, contents
from vision.sources.types import RECORDED_ERR_MS, USUAL_FPS, Frame, FrameOptions, Notice, OnNotice

LIST = "frames.jsonl"
LINE_BYTES = 4096
# Formats that cannot be read are listed too, so that they are reported and not ignored.
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff", ".jp2", ".avif"}
AS_MICROSECONDS = re.compile(r"(?<!\d)(\d{16})(?!\d)")
AS_MILLISECONDS = re.compile(r"(?<!\d)(\d{13})(?!\d)")


class PictureFile(NamedTuple):
    """A picture of the folder, its number and its time."""

    path: Path
    number: int
    at_us: int


class PendingPicture(NamedTuple):
    """A picture that the decoder is working on."""

    entry: PictureFile
    content: bytes


def folder(path: Path, options: FrameOptions, on_notice: OnNotice) -> Iterator[Frame]:
    """Yield the pictures one by one; a refused picture becomes a notice and is skipped."""
    given, pending = 0, None
    with Pictures(options.limits) as pictures:
        for entry in _asked(entries(path, options), options):
            frame = _finished(pictures, pending, options, on_notice)
            # The decoder works on this one while the caller looks at the one before.
            pending = _begun(pictures, entry, on_notice)
            if frame is not None:
                given += 1
                yield frame
        frame = _finished(pictures, pending, options, on_notice)
    if frame is not None:
        yield frame
    elif not given:
        step = "name a folder with pictures in JPEG, PNG, WebP or BMP"
        raise FramesRefused("no_frames", str(path), "pictures", "none that can be read", step)


def entries(path: Path, options: FrameOptions) -> Iterator[PictureFile]:
    """List the pictures of a folder in order."""
    if (path / LIST).is_file():
        return _listed(path)
    return _by_name(path, options)


def dated(path: Path) -> bool:
    """Whether a folder's list or file names give the times of its pictures."""
    if (path / LIST).is_file():
        return True
    stems = [file.stem for file in path.iterdir() if _is_picture(file)]
    patterns = (AS_MICROSECONDS, AS_MILLISECONDS)
    return any(all(pattern.search(stem) for stem in stems) for pattern in patterns)


def _asked(every: Iterator[PictureFile], options: FrameOptions) -> Iterator[PictureFile]:
    for entry in every:
        if options.last is not None and entry.number > options.last:
            return
        if options.until_us is not None and entry.at_us > options.until_us:
            return
        early = options.from_us is not None and entry.at_us < options.from_us
        if entry.number >= options.first and entry.number % options.every == 0 and not early:
            yield entry


def _begun(pictures: Pictures, entry: PictureFile, on_notice: OnNotice) -> PendingPicture | None:
    try:
        content = contents(entry.path)
        pictures.begin(content, str(entry.path))
    except PictureRefused as refused:
        _notify_refused(refused, entry, on_notice)
        return None
    return PendingPicture(entry, content)


def _finished(
    pictures: Pictures, pending: PendingPicture | None, options: FrameOptions, on_notice: OnNotice
) -> Frame | None:
    if pending is None:
        return None
    entry, content = pending
    try:
        image = pictures.finish(str(entry.path))
    except PictureRefused as refused:
        _notify_refused(refused, entry, on_notice)
        return None
    err_ms = RECORDED_ERR_MS if options.err_ms is None else options.err_ms
    digest = hashlib.sha256(content).hexdigest()
    return Frame(entry.number, entry.at_us, err_ms, image, digest, content)


def _notify_refused(refused: PictureRefused, entry: PictureFile, on_notice: OnNotice) -> None:
    kind = "missing" if refused.reason == "missing" else "damaged"
    on_notice(Notice(kind, entry.number, str(refused)))


def _by_name(path: Path, options: FrameOptions) -> Iterator[PictureFile]:
    pictures = sorted(
        (file for file in path.iterdir() if _is_picture(file)), key=lambda file: _key(file.name)
    )
    for pattern, unit_us in ((AS_MICROSECONDS, 1), (AS_MILLISECONDS, 1000)):
        found = [pattern.search(file.stem) for file in pictures]
        if pictures and all(found):
            times = [int(match[1]) * unit_us for match in found if match is not None]
            _check_times(path, times)
            break
    else:
        rate = options.fps or USUAL_FPS
        times = [options.start_at_us + round(i * 1_000_000 / rate) for i in range(len(pictures))]
    for number, (file, at_us) in enumerate(zip(pictures, times, strict=True)):
        yield PictureFile(file, number, at_us)


def _is_picture(file: Path) -> bool:
    return file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file()


def _key(name: str) -> list[tuple[int, str]]:
    """The sort key that puts `frame2` before `frame10`."""
    parts = re.split(r"(\d{1,30})", name)
    return [
        (int(part), part) if part.isdecimal() and part.isascii() else (-1, part) for part in parts
    ]


def _check_times(path: Path, times: list[int]) -> None:
    for before, after in pairwise(times):
        if after < before:
            step = "rename the pictures, or write their times into frames.jsonl"
            found = f"{after} after {before}"
            raise FramesRefused("times", str(path), "times in the order of names", found, step)


def _listed(path: Path) -> Iterator[PictureFile]:
    """Read the list line by line; frame numbers must rise and times must not go back."""
    number, at_us = -1, -(1 << 62)
    with (path / LIST).open("rb") as lines:
        for line_number, line in enumerate(iter(lambda: lines.readline(LINE_BYTES), b""), 1):
            where = f"{path / LIST} line {line_number}"
            entry = _line(path, line, where)
            if entry.number <= number or entry.at_us < at_us:
                found = f"frame {entry.number} at {entry.at_us} after {number} at {at_us}"
                raise _bad_line(where, "rising frames and times", found)
            number, at_us = entry.number, entry.at_us
            yield entry


def _line(path: Path, line: bytes, where: str) -> PictureFile:
    try:
        said = json.loads(line)
        name, number, at_us = said["file"], said["frame"], said["at_us"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        found = line[:80].decode("utf-8", "backslashreplace").strip()
        raise _bad_line(where, '{"file": …, "frame": …, "at_us": …}', found) from error
    plain = isinstance(name, str) and Path(name).name == name and "\0" not in name
    if not plain or type(number) is not int or type(at_us) is not int or number < 0:
        raise _bad_line(where, "the name of a file beside it and two numbers", f"{said}"[:80])
    return PictureFile(path / name, number, at_us)


def _bad_line(where: str, expected: str, found: str) -> FramesRefused:
    return FramesRefused("sidecar", where, expected, found, "write the list again")
