"""Many messages in one body or file: JSON lines, a JSON array or an Avro container.

Each becomes an arrival: a reading, or the bytes that were refused with the reason. A bad message
never stops the rest.
"""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO, NamedTuple

from ingest import avro_container
from ingest.parse import framing
from ingest.parse import reading as parse_reading
from ingest.parse.reading import MAX_MESSAGE
from schemas import shape
from schemas.events import Reading
from schemas.shape import Refused

WINDOW = 4 * MAX_MESSAGE
_NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # bytes that no JSON contains


class Unread(NamedTuple):
    """Refused bytes: why, their position in the source, and how many they are."""

    why: Refused
    position: int
    size: int
    body: bytes  # at most MAX_MESSAGE of them


Arrival = Reading | Unread


def batch(body: bytes) -> Iterator[Arrival]:
    """The arrivals of one request; its first bytes decide the format."""
    start = body.lstrip()[:1]
    if body.startswith(avro_container.MAGIC):
        return container(BytesIO(body))
    if body.startswith(framing.MARKER):
        return iter((_one(parse_reading.single_object, body, 0),))
    if start == b"[":
        return array(body)
    if not start or _binary(body):
        return iter((_one(parse_reading.json_reading, body, 0),))
    return lines(BytesIO(body))


def lines(stream: BinaryIO) -> Iterator[Arrival]:
    """One reading a line; blank lines are skipped."""
    position = 0
    while line := stream.readline(MAX_MESSAGE + 2):
        size = len(line)
        if size > MAX_MESSAGE and not line.endswith(b"\n"):
            size += _rest_of_line(stream)
            yield _unread(_too_large(size), position, line, size)
        elif not line.isspace():
            yield _one(parse_reading.json_reading, line, position)
        position += size


def array(body: bytes) -> Iterator[Arrival]:
    """The elements of a JSON array, each parsed on its own."""
    try:
        text = parse_reading.json_text(body)
    except Refused as why:
        yield _unread(why, 0, body)
        return
    at = parse_reading.skip_blank(text, 1)
    position = len(body) - len(body.lstrip()) + at
    more = text[at:] != "]"
    while more:
        start = at
        try:
            value, at = parse_reading.parsed(text, start)
            at = parse_reading.skip_blank(text, at)
            more = _goes_on(text, at)
        except Refused as why:  # nobody knows where the next element starts
            yield _unread(why, position, text[start:].encode("utf-8", "replace"))
            return
        yield _element(value, position, text[start:at])
        at = parse_reading.skip_blank(text, at + 1)
        position += len(text[start:at].encode())


def container(stream: BinaryIO) -> Iterator[Arrival]:
    """The readings of an Avro container; its schema must be one of ours."""
    window = _Window(stream)
    try:
        head = avro_container.read_header(window.data, MAX_MESSAGE)
        written_with = _accepted(head)
    except (avro_container.ContainerBroken, Refused) as error:
        yield window.all_unread(_why(error))
        return
    window.at = head.end
    while window.fill():
        try:
            block = next(avro_container.blocks(window.data, window.at, head.sync, MAX_MESSAGE))
        except avro_container.ContainerBroken as error:
            yield window.skip_past(head.sync, _why(error))
            continue
        body = window.data[block.start : block.stop]
        yield from _block(body, block.records, written_with, window.base + block.start)
        window.at = block.end


def _block(body: bytes, records: int, written_with: str, position: int) -> Iterator[Arrival]:
    stream = BytesIO(body)
    start = 0
    for _ in range(records):
        try:
            raw = parse_reading.avro_raw(stream, written_with)
        except Refused as why:  # nobody knows where it ends: refuse the rest
            yield _unread(why, position + start, body[start:])
            return
        start, begun = stream.tell(), start
        try:
            yield parse_reading.avro_checked(raw, written_with)
        except Refused as why:
            yield _unread(why, position + begun, body[begun:start])
    if start < len(body):
        trailing = Refused("trailing_bytes", "block", f"{start} bytes", str(len(body)))
        yield _unread(trailing, position + start, body[start:])


class _Window:
    """The part of a stream in memory, always long enough for the longest block."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.data, self.base, self.at = stream.read(WINDOW), 0, 0

    def fill(self) -> bool:
        """Read more if little is left; whether any bytes remain."""
        if len(self.data) - self.at < 2 * MAX_MESSAGE:
            more = self._stream.read(WINDOW)
            if more:
                self.base += self.at
                self.data, self.at = self.data[self.at :] + more, 0
        return self.at < len(self.data)

    def skip_past(self, sync: bytes, why: Refused) -> Unread:
        """Refuse everything up to the next sync marker, or to the end if there is none."""
        position, first = self.base + self.at, self.data[self.at : self.at + MAX_MESSAGE]
        found = self.data.find(sync, self.at)
        while found < 0 and len(self.data) - self.at >= len(sync):
            self.at = len(self.data) - len(sync) + 1  # a marker may start in these last bytes
            self.fill()
            found = self.data.find(sync, self.at)
        self.at = len(self.data) if found < 0 else found + len(sync)
        size = self.base + self.at - position
        return Unread(why, position, size, first[:size])

    def all_unread(self, why: Refused) -> Unread:
        """Refuse the whole stream as one."""
        first, size = self.data[:MAX_MESSAGE], len(self.data)
        while more := self._stream.read(WINDOW):
            size += len(more)
        return Unread(why, 0, size, first)


def _binary(body: bytes) -> bool:
    """Whether a body is binary, so that its newline bytes separate nothing."""
    return _no_text(body) and not any(map(_is_object, body.splitlines()))


def _no_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return True
    return _NO_TEXT.search(body) is not None


def _is_object(line: bytes) -> bool:
    """Whether a line is any JSON object."""
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _one(read: Callable[[bytes], Reading], message: bytes, position: int) -> Arrival:
    try:
        return read(message)
    except Refused as why:
        return _unread(why, position, message)


def _element(value: object, position: int, source: str) -> Arrival:
    try:
        return parse_reading.from_device(shape.reading(value))
    except Refused as why:
        return _unread(why, position, source.encode())


def _goes_on(text: str, at: int) -> bool:
    """Whether another element follows; Refused where neither a comma nor ] comes next."""
    after = text[at : at + 20]
    if after[:1] != "," and after != "]":
        raise Refused("not_json", "batch", "a comma or ] after an element", repr(after))
    return after[0] == ","


def _accepted(head: avro_container.ContainerHeader) -> str:
    if head.codec != "null":
        raise Refused("unknown_codec", "header", "codec null", repr(head.codec[:60]))
    return parse_reading.writer(head.schema)


def _why(error: avro_container.ContainerBroken | Refused) -> Refused:
    if isinstance(error, Refused):
        return error
    return Refused(error.code, f"byte {error.at}", error.expected, error.found)


def _unread(why: Refused, position: int, body: bytes, size: int | None = None) -> Unread:
    return Unread(why, position, len(body) if size is None else size, body[:MAX_MESSAGE])


def _too_large(size: int) -> Refused:
    return Refused("too_large", "line", f"at most {MAX_MESSAGE} bytes", str(size))


def _rest_of_line(stream: BinaryIO) -> int:
    size = 0
    while piece := stream.readline(WINDOW):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size
