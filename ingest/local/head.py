"""The head of a partition: a file beside its segments with the record count and the last hash.

The chain protects an event only once the next one follows, and a dead letter never. The head closes
that gap: readers and writers notice a flipped bit in the last record, and a log that was cut short.
The file has two slots of the same form, written in turn after the records are on disk:

    record count, 20 digits | SHA-256 of the last record, hex | CRC-32 of both, hex

A crash therefore leaves a head that is older than its records, never newer, and a torn slot leaves
the other one whole.
"""

import hashlib
import zlib
from pathlib import Path
from typing import NamedTuple

from ingest.log import HeadMissing, LogCorrupt, LogCut

FILE = ".head"
SHOWN = 16  # hexadecimal digits of a hash that a message shows
SIZE = 95  # bytes of a slot
SLOTS = 2
NOTHING = "0" * 64  # where there is no record yet


class PartitionHead(NamedTuple):
    """The end of a partition when the head was written, and the slot that holds it."""

    end: int  # the offset after the last record
    sha256: str  # of the last record's bytes
    slot: int = 0

    @property
    def next_slot(self) -> int:
        """The slot to write next."""
        return (self.slot + 1) % SLOTS

    def require_last_record(self, where: Path, offset: int, body: bytes) -> None:
        """Raise LogCorrupt if this is the record that the head names and its hash differs."""
        if offset != self.end - 1:
            return
        found = hashlib.sha256(body).hexdigest()
        if found != self.sha256:
            how = f"SHA-256 {self.sha256[:SHOWN]}… expected, {found[:SHOWN]}… found"
            raise LogCorrupt(f"{where} offset {offset}: {how}")


def require_end(folder: Path, known: PartitionHead | None, end: int) -> None:
    """Raise HeadMissing where records have no head, LogCut where the head counts more of them."""
    if known is None and end:
        raise HeadMissing(
            f"{folder / FILE}: a head beside the records expected, no whole one found"
        )
    if known is not None and known.end > end:
        raise LogCut(f"{folder}: {known.end:,} records expected, {end:,} found")


def after(end: int, sha256: str) -> bytes:
    """The bytes of one slot; their length is always SIZE."""
    said = f"{end:020d} {sha256}".encode()
    return said + b" %08x\n" % zlib.crc32(said)


def both(end: int, sha256: str) -> bytes:
    """A head file with the same slot twice."""
    return after(end, sha256) * SLOTS


def load(folder: Path) -> PartitionHead | None:
    """The newest whole slot of a partition's head; None where there is none."""
    try:
        body = (folder / FILE).read_bytes()
    except FileNotFoundError:
        return None
    found = (_slot(body[SIZE * slot : SIZE * (slot + 1)], slot) for slot in range(SLOTS))
    return max((each for each in found if each), default=None)


def _slot(body: bytes, slot: int) -> PartitionHead | None:
    said, _, check = body.rpartition(b" ")
    if check != b"%08x\n" % zlib.crc32(said):
        return None
    end, sha256 = said.decode("ascii").split()
    return PartitionHead(int(end), sha256, slot)
