"""The screen: results on stdout, everything else on stderr, and progress.

Text from outside (a note, an id, a device's name, a dead letter) may hold characters that move the
cursor, reverse a line or end it. This module alone makes such characters visible before they reach
a terminal, and spells out characters that the stream cannot encode instead of failing.
"""

import io
import json
import math
import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

PROGRESS_EVERY_S = 5.0

# Unicode's control, format, surrogate and line-breaking characters, but for the line feed.
_HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f]"
)

_FOREIGN = re.compile(f"{_HIDDEN.pattern}|[^\x00-\x7f]")  # and what an ASCII stream cannot encode


class Advance(Protocol):
    """Moves a progress display forward."""

    def __call__(self, count: int = 1) -> None:
        """Count this many more as done."""
        ...


def be_ready() -> None:
    """Set up the streams so that no character makes a command fail."""
    _let_go.clear()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class ReaderLeft(Exception):
    """The reader closed our output (as `head` does), and the command has nothing else to do."""


def write(text: str) -> bool:
    """Write a part of the result; return whether somebody still reads it.

    When the reader leaves, a command finishes its work and ends with its own exit code.
    """
    return _written(sys.stdout, text)


def flush() -> None:
    """Flush both streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            let_go(stream)


def must_be_read() -> None:
    """Flush both streams; raise ReaderLeft if nobody reads the result any more."""
    flush()
    if not is_read():
        raise ReaderLeft


def is_read() -> bool:
    """Whether somebody may still read the result."""
    if sys.stdout in _let_go:
        return False
    try:
        handle = sys.stdout.fileno()
    except (OSError, ValueError):  # not a file: a test's own stream
        return True
    watched = select.poll()
    watched.register(handle, 0)
    return not any(seen & select.POLLERR for _, seen in watched.poll(0))


def let_go(stream: TextIO) -> None:
    """Drop what a stream still buffers and everything after it: nobody can read it."""
    _let_go.append(stream)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _written(stream: TextIO, text: str) -> bool:
    try:
        stream.write(text)
    except BrokenPipeError:
        let_go(stream)
    return stream not in _let_go


_let_go: list[TextIO] = []  # streams whose reader left


def visible(text: str) -> str:
    """A text on one line, with invisible characters and line breaks spelled out."""
    return _shown(text).replace("\n", "\\n")


def visible_in(document: Any) -> Any:
    """A document with every text in it made visible."""
    if isinstance(document, str):
        return visible(document)
    if isinstance(document, dict):
        return {visible_in(key): visible_in(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [visible_in(value) for value in document]
    return document


def encodable(word: str) -> str:
    """An argument that UTF-8 can encode; half a character is spelled out."""
    return word.encode("utf-8", "backslashreplace").decode("utf-8")


def say(text: str = "") -> None:
    """Print a line of the result; line breaks from outside are spelled out before."""
    write(_shown(text) + "\n")


def say_line(text: str) -> None:
    """Print one line of the result that holds text from outside, such as a file's name."""
    say(visible(text))


def hint(text: str) -> None:
    """Print one line to stderr, beside the result: a remark or a next step."""
    _written(sys.stderr, visible(text) + "\n")


def log_line(text: str) -> None:
    """Print a log line; its texts were made visible before the renderer coloured them."""
    _written(sys.stderr, text + "\n")


def say_json(value: Any) -> None:
    """Print the result as one JSON document with sorted keys."""
    write(json_text(value, indent=2) + "\n")


def say_json_line(value: Any) -> None:
    """Print one of several results as a line of JSON."""
    write(json_text(value) + "\n")


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON that every stream can encode, with invisible characters escaped."""
    try:
        text = json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except ValueError:  # SQL has nan and inf; JSON has not
        return json_text(_finite(value), indent)
    return escaped(text)


def escaped(document: str) -> str:
    """JSON text with the characters escaped that are invisible or that stdout cannot encode."""
    unicode = "utf" in (sys.stdout.encoding or "").lower()
    return (_HIDDEN if unicode else _FOREIGN).sub(
        lambda found: json.dumps(found[0])[1:-1], document
    )


def _finite(value: Any) -> Any:
    """A document with null in place of nan and inf."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def styled() -> bool:
    """Whether to use colour and bold: not with NO_COLOR, nor on a dumb terminal."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _shown(text: str) -> str:
    return _HIDDEN.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return {9: "\\t", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@contextmanager
def progress(what: str, total: int | None, unit: str) -> Iterator[Advance]:
    """Show a bar with rate and time left on a terminal, elsewhere a line every five seconds."""
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
    console = Console(stderr=True) if styled() else Console(stderr=True, color_system=None)
    with Progress(*columns, console=console, transient=True) as bars:
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
        if now - said >= PROGRESS_EVERY_S:
            said = now
            of = f" of {total:,}" if total is not None else ""
            hint(f"{what}: {done:,}{of} {unit}, {done / (now - begun):,.0f}/s")

    yield advance
