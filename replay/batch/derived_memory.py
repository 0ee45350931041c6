"""Remembers the derived files that were found whole, so that the next replay need not hash them."""

import json
from collections.abc import Mapping
from pathlib import Path

from ingest.disk import Disk
from replay.tables import file_stamps, parquet

FILE = "derived/.whole.json"

Whole = dict[Path, str | None]  # a table-day's folder and its stamp; None where it is too new


def load(home: Path) -> Mapping[str, str]:
    """The stamps that are remembered; none where the file is missing or damaged."""
    try:
        stamps = json.loads((home / FILE).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def look(known: Mapping[str, str], folder: Path) -> tuple[str | None, list[parquet.DerivedCorrupt]]:
    """The stamp of a table-day's folder, and the files that are not as the replay wrote them.

    Where the stamp is known, nobody wrote to the files since they were found whole.
    """
    stamp = file_stamps.of_folder(folder)
    if stamp and known.get(_name(folder)) == stamp:
        return stamp, []
    return stamp, parquet.faults(folder)


def remember(home: Path, whole: Whole, *, alone: bool) -> None:
    """Write down the folders that are whole; `alone` forgets all others."""
    known = load(home)
    stamps = {} if alone else dict(known)
    stamps |= {_name(folder): stamp for folder, stamp in whole.items() if stamp}
    if stamps != known:
        Disk().create(home / FILE, json.dumps(stamps, sort_keys=True).encode())


def _name(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"
