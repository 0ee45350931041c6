"""docs/flags.md as data: which flags stand in which of its sections."""

import re
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/flags.md"
FROM_TABLES, NOTES, UNLESS = (
    "Found from the tables",
    "Notes",
    "Notes unless the table did otherwise",
)


def listed(*sections: str) -> Iterator[str]:
    """The codes in the first cell of each row of some sections."""
    section = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if line.startswith("| `") and section in sections:
            yield from re.findall(r"`([^`]+)`", line.split("|")[1])
