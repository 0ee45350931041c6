"""The screen: results on stdout, everything else on stderr, and progress.

Text from outside (a note, an id, a device's name, a dead letter) may hold what moves a cursor,
turns a line around or ends it. Here, and nowhere else, such characters are made visible before they
reach a terminal, and a character that the stream cannot hold is spelled out and ends no command.
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

EVERY_S = 5.0

# Unicode's control, format, surrogate and line-breaking characters, but for the line feed.
_HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f]"
)

_FOREIGN = re.compile(f"{_HIDDEN.pattern}|[^\x00-\x7f]")  # with what a plain stream cannot hold


class Advance(Protocol):
    """Tells the progress that some more is done."""

    def __call__(self, count: int = 1) -> None:
        """So many more are done."""
        ...


def be_ready() -> None:
    """Let no character end a command, whatever the streams can hold."""
    _let_go.clear()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class ReaderLeft(Exception):
    """Whoever read our output has seen enough, and the command has nothing else to do."""


def write(text: str) -> bool:
    """A part of the result, and whether somebody reads it.

    A command goes on with its work where its reader left, and ends with its own exit code.
    """
    return _written(sys.stdout, text)


def flush() -> None:
    """Hand over what was said so far."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            let_go(stream)


def must_be_read() -> None:
    """Hand over what was said so far; ReaderLeft where nobody reads it any more."""
    flush()
    if not is_read():
        raise ReaderLeft


def is_read() -> bool:
    """Whether somebody may still read the result."""
    if sys.stdout in _let_go:
        return False
    try:
        handle = sys.stdout.fileno()
    except (OSError, ValueError):  # no file at all: a test's own stream
        return True
    watched = select.poll()
    watched.register(handle, 0)
    return not any(seen & select.POLLERR for _, seen in watched.poll(0))


def let_go(stream: TextIO) -> None:
    """Drop what a stream still holds and all that follows: it can be written nowhere."""
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
    """A text of one line: what would not be seen in it is spelled out, line breaks too."""
    return _shown(text).replace("\n", "\\n")


def visible_in(document: Any) -> Any:
    """A document whose every text is of one line."""
    if isinstance(document, str):
        return visible(document)
    if isinstance(document, dict):
        return {visible_in(key): visible_in(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [visible_in(value) for value in document]
    return document


def encodable(word: str) -> str:
    """A word of the command line that UTF-8 can hold; half a character is spelled out."""
    return word.encode("utf-8", "backslashreplace").decode("utf-8")


def say(text: str = "") -> None:
    """A line of the result; only line breaks of our own come this far."""
    write(_shown(text) + "\n")


def hint(text: str) -> None:
    """A line beside the result: what to know, what to do next."""
    _written(sys.stderr, _shown(text) + "\n")


def log_line(text: str) -> None:
    """A line of the log, whose every text was made visible before it was coloured."""
    _written(sys.stderr, text + "\n")


def say_json(value: Any) -> None:
    """The result as one JSON document with sorted keys."""
    write(json_text(value, indent=2) + "\n")


def say_json_line(value: Any) -> None:
    """One result of several as a line of JSON."""
    write(json_text(value) + "\n")


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON that every stream can hold; what would not be seen is escaped in its way."""
    try:
        text = json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except ValueError:  # a double of SQL may be no number, and JSON has no word for it
        return json_text(_finite(value), indent)
    return escaped(text)


def escaped(document: str) -> str:
    """A text that is JSON, as every stream can hold it."""
    unicode = "utf" in (sys.stdout.encoding or "").lower()
    return (_HIDDEN if unicode else _FOREIGN).sub(
        lambda found: json.dumps(found[0])[1:-1], document
    )


def _finite(value: Any) -> Any:
    """A document with null where a number is none or endless."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def styled() -> bool:
    """Whether colour and bold are wanted: not with NO_COLOR, nor on a dumb terminal."""
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
        if now - said >= EVERY_S:
            said = now
            of = f" of {total:,}" if total is not None else ""
            hint(f"{what}: {done:,}{of} {unit}, {done / (now - begun):,.0f}/s")

    yield advance
