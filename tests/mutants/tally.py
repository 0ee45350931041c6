"""Counts of mutants by what became of them, and the lines that somebody should look at."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

KEPT = 10_000  # verdicts that are worth a line


class Job(NamedTuple):
    """Mutants that share a house."""

    code: str
    seed: str
    numbers: tuple[int, ...]


class Line(NamedTuple):
    """A verdict that somebody should look at, small enough to send home."""

    name: str
    kind: str  # mutation and way
    verdict: str
    why: tuple[str, ...]
    did: tuple[str, ...]


@dataclass
class Tally:
    """How many mutants of each mutation came to what, and the lines worth a look."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # game, kind, verdict
    lines: list[Line] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count another part in."""
        self.counts += other.counts
        self.lines += other.lines[: max(0, KEPT - len(self.lines))]
