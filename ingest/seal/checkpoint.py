"""Heads of trees as text, in the form of a checkpoint's body (c2sp.org/tlog-checkpoint).

    hoiana.example/log/events/T12       origin: the house, and of a lane's tree also the lane
    118400                              size: how many leaves
    CsUYapGGPo4dkMgIAUqom/Xajj7…=       root, base64

The house signs the head of its own tree. The heads of the lanes' trees carry no signature: each
is a leaf of the house tree.
"""

import base64
import binascii
import re
from typing import NamedTuple

from ingest.log import Lane
from ingest.seal.tree import HASH_SIZE

MAX_SIZE = 2**63 - 1
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class HeadWrong(ValueError):
    """A text is no tree head."""


class TreeHead(NamedTuple):
    """How many leaves a tree has, and their root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The head as text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def lane_origin(house: str, lane: Lane) -> str:
    """The origin of a lane's tree."""
    return f"{house}/{lane[0]}/{lane[1]}"


def lane_of(house: str, origin: str) -> Lane:
    """The lane that an origin names; HeadWrong where it is none of this house."""
    stream, _, partition = origin.removeprefix(f"{house}/").partition("/")
    if lane_origin(house, (stream, partition)) != origin or not stream or not partition:
        raise HeadWrong(f"a lane of {house} expected, {origin!r} found")
    return stream, partition


def parse(text: str) -> TreeHead:
    """The head that a text says; lines after the third are a checkpoint's extensions."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise HeadWrong(f"origin, size and root in three lines expected, {text[:60]!r} found")
    if not _SIZE.fullmatch(lines[1]) or int(lines[1]) > MAX_SIZE:
        raise HeadWrong(f"a number of leaves expected, {lines[1][:40]!r} found")
    return TreeHead(lines[0], int(lines[1]), decode_hash(lines[2]))


def encode_hash(value: bytes) -> str:
    """A hash in base64."""
    return base64.b64encode(value).decode()


def decode_hash(line: str) -> bytes:
    """The hash in a line of base64; HeadWrong where it is none."""
    try:
        found = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != HASH_SIZE or encode_hash(found) != line:
        raise HeadWrong(f"a SHA-256 in base64 expected, {line[:60]!r} found")
    return found
