"""Avro object containers: header, blocks and sync markers, read without decoding a record.

https://avro.apache.org/docs/1.12.0/specification/#object-container-files
"""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

MAGIC = b"Obj\x01"
SYNC_SIZE = 16
MAX_META = 64  # entries of a header's metadata; we write two


class ContainerBroken(ValueError):
    """The bytes are no container from here on: a reason code, the byte, expected and found."""

    def __init__(self, code: str, at: int, expected: str, found: str) -> None:
        super().__init__(f"byte {at}: {expected} expected, {found} found")
        self.code, self.at, self.expected, self.found = code, at, expected, found


class ContainerTorn(ContainerBroken):
    """The bytes end in the middle of a header or block."""


class ContainerHeader(NamedTuple):
    """What a container says about itself."""

    schema: bytes  # the writer's schema as JSON text, not parsed
    codec: str
    sync: bytes
    end: int  # the byte after the header


class ContainerBlock(NamedTuple):
    """A run of records: how many, where their bytes lie, where the next block starts."""

    at: int
    records: int
    start: int
    stop: int
    end: int


def header(schema: bytes, sync: bytes) -> bytes:
    """The header of a container whose records have this schema, given as JSON text."""
    meta = {b"avro.codec": b"null", b"avro.schema": schema}
    entries = [_zigzag(len(part)) + part for entry in meta.items() for part in entry]
    return MAGIC + _zigzag(len(meta)) + b"".join(entries) + _zigzag(0) + sync


def sync_marker(*words: str) -> bytes:
    """A sync marker derived from words, so that the same records always make the same file."""
    return hashlib.sha256("/".join(("roundproof", *words)).encode()).digest()[:SYNC_SIZE]


def frame(body: bytes, sync: bytes) -> bytes:
    """A block of one record."""
    return b"\x02" + _zigzag(len(body)) + body + sync


def read_header(data: bytes, limit: int) -> ContainerHeader:
    """The header at the start of some bytes, which must not be longer than the limit."""
    if data[:4] != MAGIC:
        raise _cut_or("not_avro", data, 0, 4, "an Avro container")
    meta: dict[bytes, bytes] = {}
    count, at = _long(data, 4)
    while count:
        if count < 0:  # a block of a map may carry its size in bytes
            count = -count
            _, at = _long(data, at)
        if len(meta) + count > MAX_META:
            raise ContainerBroken(
                "too_large", at, f"at most {MAX_META} metadata entries", str(count)
            )
        for _ in range(count):
            key, at = _sized(data, at, limit)
            meta[key], at = _sized(data, at, limit)
        count, at = _long(data, at)
    end = at + SYNC_SIZE
    if end > len(data):
        raise ContainerTorn("truncated", at, "a sync marker", "the end")
    if b"avro.schema" not in meta:
        raise ContainerBroken("not_avro", 4, "a schema in the header", "none")
    codec = meta.get(b"avro.codec", b"null").decode("utf-8", "replace")
    return ContainerHeader(meta[b"avro.schema"], codec, data[at:end], end)


def blocks(data: bytes, at: int, sync: bytes, limit: int) -> Iterator[ContainerBlock]:
    """The blocks from a byte on.

    ContainerTorn where the bytes end inside a block, ContainerBroken where one is wrong.
    """
    end = len(data)
    while at < end:
        block = read_block(data, at, limit)
        if data[block.stop : block.end] != sync:
            raise ContainerBroken("bad_sync", block.stop, f"marker {sync.hex()[:8]}", "other bytes")
        yield block
        at = block.end


def read_block(data: bytes, at: int, limit: int) -> ContainerBlock:
    """The block at a byte, its marker not yet compared."""
    count, start = _long(data, at)
    size, start = _long(data, start)
    if count < 0:
        raise ContainerBroken("bad_block", at, "a count of records", str(count))
    if size < 0 or size > limit:
        raise ContainerBroken("too_large", at, f"a block of at most {limit} bytes", str(size))
    if count > size:  # none of our records is empty, so a block never holds more than its bytes
        raise ContainerBroken(
            "bad_block", at, f"at most {size} records in {size} bytes", str(count)
        )
    stop = start + size
    if stop + SYNC_SIZE > len(data):
        raise ContainerTorn("truncated", at, f"{stop + SYNC_SIZE - at} bytes", str(len(data) - at))
    return ContainerBlock(at, count, start, stop, stop + SYNC_SIZE)


def _sized(data: bytes, at: int, limit: int) -> tuple[bytes, int]:
    size, start = _long(data, at)
    if not 0 <= size <= limit:
        raise ContainerBroken("too_large", at, f"0 to {limit} bytes", str(size))
    if start + size > len(data):
        raise ContainerTorn("truncated", at, f"{size} bytes", str(len(data) - start))
    return data[start : start + size], start + size


def _long(data: bytes, at: int) -> tuple[int, int]:
    """A zigzag number and the byte after it."""
    if at + 1 < len(data):  # most numbers have one byte or two
        first, second = data[at], data[at + 1]
        if first < 0x80:
            return (first >> 1) ^ -(first & 1), at + 1
        if second < 0x80:
            value = first & 0x7F | second << 7
            return (value >> 1) ^ -(value & 1), at + 2
    value = shift = 0
    start = at
    while True:
        if at >= len(data):
            raise ContainerTorn("truncated", start, "a number", "the end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (value >> 1) ^ -(value & 1), at
        shift += 7
        if shift > 63:
            raise ContainerBroken(
                "bad_block", start, "a number of at most ten bytes", "a longer one"
            )


def _zigzag(value: int) -> bytes:
    value <<= 1
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _cut_or(code: str, data: bytes, at: int, size: int, expected: str) -> ContainerBroken:
    if MAGIC.startswith(data[at : at + size]):
        return ContainerTorn("truncated", at, expected, "the end")
    return ContainerBroken(code, at, expected, repr(data[at : at + size]))
