"""The screen: results on stdout, everything else on stderr, and progress."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

EVERY_S = 5.0


class Advance(Protocol):
    """Tells the progress that some more is done."""

    def __call__(self, count: int = 1) -> None:
        """So many more are done."""
        ...


def say(text: str = "") -> None:
    """A line of the result."""
    sys.stdout.write(text + "\n")


def hint(text: str) -> None:
    """A line beside the result: what to know, what to do next."""
    sys.stderr.write(text + "\n")


def say_json(value: Any) -> None:
    """The result as one JSON document with sorted keys."""
    say(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False))


@contextmanager
def progress(what: str, total: int | None, unit: str) -> Iterator[Advance]:
    """A bar with rate and time left on a terminal; elsewhere a plain line every five seconds."""
    shown = _bar if sys.stderr.isatty() else _lines
    with shown(what, total, unit) as advance:
        yield advance


@contextmanager
def _bar(what: str, total: int | None, unit: str) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]} {task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    begun, done = time.monotonic(), 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total, unit=unit, rate="")

        def advance(count: int = 1) -> None:
            nonlocal done
            done += count
            rate = f"{done / max(time.monotonic() - begun, 1e-9):,.0f}/s"
            bars.update(task, advance=count, rate=rate)

        yield advance


@contextmanager
def _lines(what: str, total: int | None, unit: str) -> Iterator[Advance]:
    begun = said = time.monotonic()
    done = 0

    def advance(count: int = 1) -> None:
        nonlocal done, said
        done += count
        now = time.monotonic()
        if now - said >= EVERY_S:
            said = now
            of = f" of {total:,}" if total is not None else ""
            hint(f"{what}: {done:,}{of} {unit}, {done / (now - begun):,.0f}/s")

    yield advance


def columns(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Rows under their head, each column as wide as it needs; numbers stand to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    right = [all(isinstance(row[n], int) for row in rows) and bool(rows) for n in range(len(head))]
    lines = []
    for line in (list(head), *cells):
        words = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(words).rstrip())
    return lines


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
