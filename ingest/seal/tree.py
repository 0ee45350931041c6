r"""RFC 6962 Merkle trees: roots and proofs, and how a verifier checks them.

    leaf  = SHA-256(00 | record)            node = SHA-256(01 | left | right)

    size 5:             root                A tree of n leaves splits at the largest power of two
                      /      \               below n. The left part never changes again, so a log
                 n(0,4)       leaf 4        that grows keeps every complete subtree.
                /      \
           n(0,2)      n(2,4)

Three proofs, each a list of hashes. *Inclusion*: one leaf belongs to the root. *Span*: these are
all leaves from a to b of the root. *Consistency*: the root of today's tree extends yesterday's.
Provers ask for complete subtrees by level and index, wherever they are kept. The checks below share
no code with the provers; they follow RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence

HASH_SIZE = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()

# The hash of the complete subtree that covers leaves index * 2**level to (index + 1) * 2**level.
Subtree = Callable[[int, int], bytes]


class ProofWrong(ValueError):
    """A proof does not fit what it should prove."""


def leaf_hash(record: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\0" + record).digest()


def leaf_hashes(records: Iterable[bytes]) -> bytes:
    """The hashes of many leaves, side by side."""
    sha256 = hashlib.sha256
    return b"".join([sha256(b"\0" + record).digest() for record in records])


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node with two children."""
    return hashlib.sha256(b"\1" + left + right).digest()


def parents(hashes: bytes) -> bytes:
    """The nodes above an even number of hashes that lie side by side."""
    sha256, size = hashlib.sha256, 2 * HASH_SIZE
    pairs = struct.unpack(f"{size}s" * (len(hashes) // size), hashes)
    return b"".join([sha256(b"\1" + pair).digest() for pair in pairs])


def root(subtree: Subtree, size: int) -> bytes:
    """The root of a tree's first `size` leaves."""
    return _root(subtree, 0, size) if size else EMPTY_ROOT


def inclusion_path(subtree: Subtree, index: int, size: int) -> list[bytes]:
    """The hashes that lead from a leaf to the root, the leaf's sibling first."""
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_root(subtree, middle, end))
            end = middle
        else:
            path.append(_root(subtree, start, middle))
            start = middle
    return path[::-1]


def consistency_path(subtree: Subtree, old: int, new: int) -> list[bytes]:
    """The hashes that prove that a tree of `new` leaves begins with the tree of `old` leaves."""
    if old in (0, new):
        return []
    path: list[bytes] = []
    start, end = 0, new
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_root(subtree, middle, end))
            end = middle
        else:
            path.append(_root(subtree, start, middle))
            start = middle
    if start:  # otherwise the old tree is one complete subtree, and the verifier knows its root
        path.append(_root(subtree, start, end))
    return path[::-1]


def span_path(subtree: Subtree, start: int, end: int, size: int) -> list[bytes]:
    """The hashes of all subtrees outside a span of leaves, from left to right."""

    def outside(low: int, high: int) -> Iterator[bytes]:
        if high <= start or low >= end:
            yield _root(subtree, low, high)
        elif low < start or high > end:
            middle = low + _split(high - low)
            yield from outside(low, middle)
            yield from outside(middle, high)

    return list(outside(0, size))


def root_of_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf and its inclusion path lead to (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise ProofWrong(f"a leaf below {size} expected, {index} found")
    node, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            raise ProofWrong(f"fewer than {len(path)} hashes expected")
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    if last:
        raise ProofWrong(f"more than {len(path)} hashes expected")
    return found


def root_of_span(leaves: Sequence[bytes], start: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that all leaves of a span and the hashes around it lead to."""
    end, around = start + len(leaves), iter(path)
    if not 0 <= start < end <= size:
        raise ProofWrong(f"a span below {size} expected, {start} to {end} found")

    def rebuilt(low: int, high: int) -> bytes:
        if high <= start or low >= end:
            found = next(around, b"")
            if len(found) != HASH_SIZE:
                raise ProofWrong(f"more than {len(path)} hashes expected")
            return found
        if high - low == 1:
            return leaves[low - start]
        middle = low + _split(high - low)
        return node_hash(rebuilt(low, middle), rebuilt(middle, high))

    found = rebuilt(0, size)
    if next(around, None) is not None:
        raise ProofWrong(f"fewer than {len(path)} hashes expected")
    return found


def require_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> None:
    """Raise ProofWrong unless the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if old > new:
        raise ProofWrong(f"at least {old} leaves expected, {new} found")
    if old in (0, new):
        known = EMPTY_ROOT if old == 0 else new_root
        if path or old_root != known:
            raise ProofWrong("the same root and no hashes expected, others found")
        return
    node, last, hashes = old - 1, new - 1, list(path)
    while node & 1:
        node, last = node >> 1, last >> 1
    if node:
        if not hashes:
            raise ProofWrong("a hash expected, none found")
        old_found = new_found = hashes.pop(0)
    else:
        old_found = new_found = old_root
    for sibling in hashes:
        if last == 0:
            raise ProofWrong(f"fewer than {len(path)} hashes expected")
        if node & 1 or node == last:
            old_found, new_found = node_hash(sibling, old_found), node_hash(sibling, new_found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            new_found = node_hash(new_found, sibling)
        node, last = node >> 1, last >> 1
    if last or (old_found, new_found) != (old_root, new_root):
        raise ProofWrong(f"the tree of {new} leaves does not begin with the tree of {old} leaves")


class GrowingRoot:
    """The root of a tree whose leaves come one by one; it keeps one hash for each level."""

    def __init__(self) -> None:
        self.size = 0
        self._complete: list[bytes] = []  # complete subtrees, the largest first

    def add(self, leaf: bytes) -> None:
        """Add the next leaf."""
        self._complete.append(leaf)
        self.size += 1
        joined = self.size
        while not joined & 1:
            right = self._complete.pop()
            self._complete.append(node_hash(self._complete.pop(), right))
            joined >>= 1

    @property
    def root(self) -> bytes:
        """The root of the leaves so far."""
        if not self._complete:
            return EMPTY_ROOT
        found = self._complete[-1]
        for left in reversed(self._complete[:-1]):
            found = node_hash(left, found)
        return found


def _root(subtree: Subtree, start: int, end: int) -> bytes:
    """The root of the leaves from `start` to `end`, a part that `_split` made."""
    size = end - start
    if not size & (size - 1):
        return subtree(size.bit_length() - 1, start // size)
    middle = start + _split(size)
    return node_hash(_root(subtree, start, middle), _root(subtree, middle, end))


def _split(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << ((size - 1).bit_length() - 1)
