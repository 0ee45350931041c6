"""The stills of a round: pictures that `roundproof vision clip` kept of what a camera saw.

A clip lies at `clips/CAMERA/NAME` of the house, as the command made it. Its record says when each
still was taken and which hash its file has; a file with another hash is not shown.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit.cli.errors import Code, Stopped
from vision.clips.record import RECORD

FOLDER = "clips"
MEDIA = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png"}
MOST = 200  # stills of one round
BEFORE_US = 2_000_000  # a still this long before a round's first event belongs to it


class Still(NamedTuple):
    """One picture, and the camera's moment that it shows."""

    camera: str
    clip: str
    number: int
    at_us: int
    file: str
    sha256: str


def of_round(home: Path, cameras: Sequence[str], begun_us: int, over_us: int) -> list[Still]:
    """The stills of a round's cameras while it was played, by their time."""
    found = [
        still
        for camera in cameras
        for clip in _clips(home, camera)
        for still in _stills(camera, clip)
        if begun_us - BEFORE_US <= still.at_us <= over_us
    ]
    return sorted(found, key=lambda still: (still.at_us, still.camera))[:MOST]


def picture(home: Path, still: Still) -> tuple[bytes, str]:
    """The bytes of a still, and what kind of picture they are."""
    path = home / FOLDER / still.camera / still.clip / still.file
    body = path.read_bytes()
    if hashlib.sha256(body).hexdigest() != still.sha256:
        what = f"frame {still.number} of {still.camera}: its file is not the one that was kept"
        raise Stopped(what, "roundproof vision verify names what changed", Code.UNVERIFIED)
    return body, MEDIA[path.suffix.lower()]


def _clips(home: Path, camera: str) -> list[Path]:
    """The folders of a camera's clips; a camera whose name is no folder's name has none."""
    if not camera or Path(camera).name != camera:
        return []
    return sorted(path.parent for path in (home / FOLDER / camera).glob(f"*/{RECORD}"))


def _stills(camera: str, clip: Path) -> Iterator[Still]:
    try:
        record: dict[str, Any] = json.loads((clip / RECORD).read_bytes())
        times = {frame["number"]: int(frame["at_us"]) for frame in record["frames"]}
        for still in record["stills"]:
            name = str(still["untouched"])
            if Path(name).name == name and Path(name).suffix.lower() in MEDIA:
                hashed = record["files"][name]["sha256"]
                at_us = times[still["number"]]
                yield Still(camera, clip.name, still["number"], at_us, name, hashed)
    except (OSError, ValueError, KeyError, TypeError):
        return  # `vision verify` names what is wrong with a clip
