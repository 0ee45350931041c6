"""Houses that are done, a line of JSON each, so that a run that was ended goes on where it was.

A line counts only for the code that made it: rules, checks, door and mutants have one hash. A line
that was cut off by a kill counts for nothing, and its house is worked on again.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.mutants.tally import Job, Line, Tally

ROOT = Path(__file__).parents[2]
MADE_OF = ("schemas", "ingest", "replay", "audit", "tests/mutants")
KINDS = (".py", ".sql", ".toml", ".avsc")


class Kept:
    """A file of houses that are done."""

    def __init__(self, path: Path, code: str = "") -> None:
        self._path, self._code = path, code or code_hash()
        self.done = dict(self._read())

    def add(self, job: Job, tally: Tally) -> None:
        """Keep what became of a house."""
        self.done[job] = tally
        line = json.dumps(
            {
                "code": self._code,
                "game": job.code,
                "seed": job.seed,
                "first": job.numbers[0],
                "count": len(job.numbers),
                "counts": [[*key, count] for key, count in sorted(tally.counts.items())],
                "lines": tally.lines,
            }
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            cut_off = file.tell() and not self._path.read_bytes().endswith(b"\n")
            file.write((b"\n" if cut_off else b"") + line.encode() + b"\n")

    def _read(self) -> Iterator[tuple[Job, Tally]]:
        lines = self._path.read_bytes().splitlines() if self._path.is_file() else []
        for line in lines:
            try:
                said = json.loads(line)
            except ValueError:  # cut off by a kill
                continue
            if said["code"] == self._code:
                yield _job(said), _tally(said)


@cache
def code_hash() -> str:
    """The hash of everything that a verdict depends on."""
    made = hashlib.sha256()
    for room in MADE_OF:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in KINDS:
                made.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return made.hexdigest()[:16]


def _job(said: dict[str, Any]) -> Job:
    numbers = range(said["first"], said["first"] + said["count"])
    return Job(said["game"], said["seed"], tuple(numbers))


def _tally(said: dict[str, Any]) -> Tally:
    counts = Counter({(game, kind, verdict): n for game, kind, verdict, n in said["counts"]})
    lines = [
        Line(name, kind, verdict, tuple(why), tuple(did))
        for name, kind, verdict, why, did in said["lines"]
    ]
    return Tally(counts, lines)
