"""The head of a partition: how many records it has and the hash of the last, beside its segments.

The chain covers an event only when the next one comes, and a dead letter never. So the last
record is remembered here: a bit that flips in it is seen by whoever reads it or appends after it,
and so is a log that was cut. The file has two slots, written in turn after the records are on the
disk: a crash leaves a head that is older than its records, never one that is ahead of them, and a
slot that it tears leaves the other one whole.
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
    """The end of a partition as it was last written, and the slot that says so."""

    end: int  # the offset after the last record
    sha256: str  # of the last record's bytes
    slot: int = 0

    @property
    def next_slot(self) -> int:
        """The slot that the next head goes to."""
        return (self.slot + 1) % SLOTS

    def require_last_record(self, where: Path, offset: int, body: bytes) -> None:
        """The record that was the last one is still that one; LogCorrupt where it is not."""
        if offset != self.end - 1:
            return
        found = hashlib.sha256(body).hexdigest()
        if found != self.sha256:
            how = f"SHA-256 {self.sha256[:SHOWN]}… expected, {found[:SHOWN]}… found"
            raise LogCorrupt(f"{where} offset {offset}: {how}")


def require_end(folder: Path, known: PartitionHead | None, end: int) -> None:
    """A partition with so many records has a head, and had no more of them when it was written."""
    if known is None and end:
        raise HeadMissing(f"{folder / FILE}: the head beside its records expected, no whole one")
    if known is not None and known.end > end:
        raise LogCut(f"{folder}: {known.end:,} records expected, {end:,} found")


def after(end: int, sha256: str) -> bytes:
    """The bytes of the head of a partition with so many records; always as many."""
    said = f"{end:020d} {sha256}".encode()
    return said + b" %08x\n" % zlib.crc32(said)


def both(end: int, sha256: str) -> bytes:
    """A head file that says the same in either slot."""
    return after(end, sha256) * SLOTS


def load(folder: Path) -> PartitionHead | None:
    """The newest head of a partition that is whole, where there is one."""
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
