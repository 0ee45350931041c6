"""Verifies that a clip is unchanged: its files, its record, and the record's own hash.

It proves that no file was changed, lost or added since the record was written, and that the record
does not contradict itself. Somebody who can replace the whole clip can also replace its hash; only
a hash that was kept elsewhere and is given here reveals that.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from vision.clips.record import KIND, RECORD, SEAL, VERSION, digest, seal, still, text, when

MAX_RECORD_BYTES = 1 << 26  # bytes of a record
HASH = re.compile(r"[0-9a-f]{64}")
FILM = re.compile(r"film\.[a-z0-9]{1,8}")
PICTURE = re.compile(r"\.(jpg|png|webp|bmp)")

# The keys of each part of a record, with the type or pattern of the value; `?` marks an option.
SHAPES: dict[str, dict[str, Any]] = {
    "source": {"name": str, "sha256": HASH, "size?": int, "files?": int},
    "observation": {"first": int, "last": int, "span_us": object},
    "film": {"file": FILM, "made": str, "why": str, "first": int, "last": int},
    "frame": {"number": int, "sha256": HASH, "at": str, "at_us": object, "err_ms": int},
    "still": {"number": int, "bytes": re.compile("original|pixels"), "untouched": str,
              "annotated": str},
    "notice": {"kind": str, "number": int, "text": str},
    "file": {"sha256": HASH, "size": int},
}  # fmt: skip
WHOLE = {"kind": re.compile(KIND), "version": object, "source": dict, "observation": dict,
         "frames": list, "stills": list, "film": dict, "notices": list, "files": dict}  # fmt: skip
NAMES = {str: "a word", int: "a number from 0 on", dict: "an object", list: "a list"}


class ClipFault(NamedTuple):
    """One difference between a clip and its record."""

    file: str  # the file, and the place in it
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file}: {self.expected} expected, {self.found} found"


class ClipProof(NamedTuple):
    """The hash of the record as found, and all faults."""

    sha256: str
    faults: tuple[ClipFault, ...]


class BadRecord(ValueError):
    """The record is unreadable; `fault` says why."""

    def __init__(self, where: str, expected: str, found: str) -> None:
        self.fault = ClipFault(f"{RECORD} {where}".rstrip(), expected, found)
        super().__init__(str(self.fault))


def proved(folder: Path, sha256: str = "") -> ClipProof:
    """Verify a clip; `sha256` is the record's hash as kept elsewhere, if there is one."""
    path = folder / RECORD
    path.stat()  # raises FileNotFoundError for the caller to explain
    if not path.is_file():
        kind = "a folder, a device or a pipe"
        return ClipProof("", (ClipFault(RECORD, "an ordinary file", kind),))
    with path.open("rb") as file:
        content = file.read(MAX_RECORD_BYTES + 1)
    own = hashlib.sha256(content).hexdigest() if len(content) <= MAX_RECORD_BYTES else digest(path)
    faults = [*_sealed(folder, own, sha256)]
    try:
        record = _read(path, content)
    except BadRecord as error:
        return ClipProof(own, (*faults, error.fault))
    faults += [*_contradictions(record), *_files(folder, record["files"])]
    return ClipProof(own, tuple(faults))


def _sealed(folder: Path, own: str, kept: str) -> Iterator[ClipFault]:
    if kept and kept != own:
        yield ClipFault(RECORD, f"SHA-256 {kept}", own)
    path, expected = folder / SEAL, seal(own)
    if not path.is_file():
        yield ClipFault(SEAL, expected.decode().strip(), "no such file")
        return
    with path.open("rb") as file:
        found = file.read(len(expected) + 1)
    if found != expected:
        yield ClipFault(SEAL, expected.decode().strip(), _short(found.decode("utf-8", "replace")))


def _read(path: Path, content: bytes) -> dict[str, Any]:
    """Parse a record and check every type; BadRecord if it is none."""
    if len(content) > MAX_RECORD_BYTES:
        raise BadRecord("", f"at most {MAX_RECORD_BYTES:,} bytes", f"{path.stat().st_size:,} bytes")
    try:
        record = json.loads(content.decode())
        plain = text(record) == content
    except ValueError as error:
        raise BadRecord("", "the record of a clip", str(error)) from error
    except RecursionError as error:
        raise BadRecord("", "the record of a clip", "one nested too deeply") from error
    _check("", record, WHOLE)
    if type(record["version"]) is not int or record["version"] != VERSION:
        raise BadRecord("version", f"{VERSION}", _short(record["version"]))
    for part in ("source", "observation", "film"):
        _check(part, record[part], SHAPES[part])
    for part in ("frame", "still", "notice"):
        for place, said in enumerate(record[f"{part}s"]):
            _check(f"{part}s {place}", said, SHAPES[part])
    for name, said in record["files"].items():
        _check(f"files {_short(name)}", said, SHAPES["file"])
    if not record["frames"]:
        raise BadRecord("frames", "at least one frame", "none")
    if not plain:
        raise BadRecord("", "the bytes that vision clip writes", "others")
    found: dict[str, Any] = record
    return found


def _check(where: str, said: Any, shape: dict[str, Any]) -> None:
    """Check that each key has a value of its type, and that there is no other key."""
    if not isinstance(said, dict):
        raise BadRecord(where, "an object", f"a value of kind {type(said).__name__}")
    needed = {key for key in shape if not key.endswith("?")}
    if not needed <= set(said):
        raise BadRecord(where, f"a key {min(needed - set(said))}", ", ".join(said) or "nothing")
    known = {key.rstrip("?"): kind for key, kind in shape.items()}
    for key, value in said.items():
        if key not in known:
            raise BadRecord(where, "no other key", _short(key))
        if not _is(value, known[key]):
            expected = NAMES.get(known[key]) or f"a word such as {known[key].pattern}"
            raise BadRecord(f"{where} {key}".strip(), expected, _short(value))


def _is(value: Any, kind: Any) -> bool:
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    if kind is int:
        return type(value) is int and value >= 0
    return isinstance(value, kind)


def _contradictions(record: dict[str, Any]) -> Iterator[ClipFault]:
    """Yield the places where parts of the record contradict each other."""
    yield from _times(record["frames"])
    frames = {frame["number"]: frame for frame in record["frames"]}
    for said in record["stills"]:
        yield from _still(said, frames, record["files"])
    ends = record["frames"][0]["number"], record["frames"][-1]["number"]
    film, asked = record["film"], record["observation"]
    if (film["first"], film["last"]) != ends:
        found = f"{film['first']} to {film['last']}"
        yield ClipFault(f"{RECORD} film", f"frames {ends[0]} to {ends[1]}", found)
    if not any(asked["first"] <= number <= asked["last"] for number in frames):
        found = f"none from {asked['first']} to {asked['last']}"
        yield ClipFault(f"{RECORD} observation", "frames of it", found)
    if not _is_span(asked["span_us"]):
        yield ClipFault(f"{RECORD} observation span_us", "two times", _short(asked["span_us"]))
    named = {film["file"]} | {still[key] for still in record["stills"]
                              for key in ("untouched", "annotated")}  # fmt: skip
    for name in sorted(named ^ set(record["files"])):
        where = "files" if name in named else "stills and film"
        yield ClipFault(f"{RECORD} {where}", f"an entry of {_short(name)}", "none")


def _times(frames: list[dict[str, Any]]) -> Iterator[ClipFault]:
    for frame in frames:
        text_of = _when(frame["at_us"])
        if frame["at"] != text_of:
            where = f"{RECORD} frame {frame['number']}: at"
            yield ClipFault(
                where, f"{text_of} as at_us {_short(frame['at_us'])} says", _short(frame["at"])
            )
    for one, two in pairwise(frames):
        where = f"{RECORD} frame {two['number']}"
        if two["number"] <= one["number"]:
            yield ClipFault(where, f"a number above {one['number']}", f"{two['number']}")
        if type(one["at_us"]) is type(two["at_us"]) is int and two["at_us"] < one["at_us"]:
            yield ClipFault(where, f"a time of {_when(one['at_us'])} or later", _when(two["at_us"]))


def _still(
    said: dict[str, Any], frames: dict[int, dict[str, Any]], files: dict[str, dict[str, Any]]
) -> Iterator[ClipFault]:
    where, stem = f"{RECORD} still {said['number']}", still(said["number"])
    own, suffix = said["untouched"][: len(stem)], said["untouched"][len(stem) :]
    if said["number"] not in frames:
        yield ClipFault(where, "a frame of that number", "none")
    if own != stem or not PICTURE.fullmatch(suffix) or said["annotated"] != f"{stem}.seen.jpg":
        found = f"{_short(said['untouched'])} and {_short(said['annotated'])}"
        yield ClipFault(where, f"files that begin with {stem}", found)
    elif said["bytes"] == "original" and said["number"] in frames and said["untouched"] in files:
        frame, file = frames[said["number"]]["sha256"], files[said["untouched"]]["sha256"]
        if frame != file:
            yield ClipFault(where, f"the hash of frame {said['number']}, {frame}", file)


def _is_span(said: Any) -> bool:
    if said is None:
        return True
    pair = isinstance(said, list) and len(said) == 2 and all(type(at) is int for at in said)
    return pair and said[0] <= said[1]


def _when(at_us: Any) -> str:
    try:
        return when(at_us) if type(at_us) is int else "a whole number of microseconds"
    except (ValueError, OverflowError, OSError):
        return "a time of this calendar"


def _files(folder: Path, files: dict[str, dict[str, Any]]) -> Iterator[ClipFault]:
    """Yield files that are missing, changed, or not in the record."""
    there = {path.name for path in folder.iterdir()}
    for name, said in sorted(files.items()):
        path = folder / name
        if name not in there or not path.is_file():
            yield ClipFault(_short(name), f"SHA-256 {said['sha256']}", "no such file")
        elif path.stat().st_size != said["size"]:
            found = f"{path.stat().st_size:,} bytes"
            yield ClipFault(name, f"SHA-256 {said['sha256']} in {said['size']:,} bytes", found)
        elif (found := digest(path)) != said["sha256"]:
            yield ClipFault(name, f"SHA-256 {said['sha256']}", found)
    for name in sorted(there - set(files) - {RECORD, SEAL}):
        yield ClipFault(name, "no file beyond the record's", "one")


def _short(value: Any) -> str:
    text_of = value if isinstance(value, str) else repr(value)
    plain = text_of.encode("utf-8", "backslashreplace").decode()
    shown = "".join(letter if letter.isprintable() else "?" for letter in plain[:80])
    return shown.strip() or "nothing"
