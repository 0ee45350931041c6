"""The format of a clip's record, for the code that writes it and the code that verifies it."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RECORD = "clip.json"
SEAL = "clip.sha256"  # the record's own hash, as sha256sum writes it
KIND = "roundproof clip"
VERSION = 1


def text(record: dict[str, Any]) -> bytes:
    """The canonical bytes of a record."""
    return (json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def seal(sha256: str) -> bytes:
    """The content of `clip.sha256`, which `sha256sum -c` reads."""
    return f"{sha256}  {RECORD}\n".encode()


def still(number: int) -> str:
    """The stem of a still's file names."""
    return f"frame-{number:09d}"


def when(at_us: int) -> str:
    """A time in RFC 3339, to the microsecond."""
    seconds, rest = divmod(at_us, 1_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:06d}Z"


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
