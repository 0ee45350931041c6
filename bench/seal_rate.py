"""How fast the log is sealed beside plain SHA-256 of the same bytes, and what proofs cost.

Goal: sealing at half the rate of plain SHA-256 or more. Both run over the same events in one run.
"""

import hashlib
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ingest.local.log import LocalLog
from ingest.seal import tree
from ingest.seal.tree_files import TreeFiles
from tests.support import houses

ROUNDS = 400
LEAVES = (10_000_000, 100_000_000)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        home = houses.simulated(Path(place) / "house", ROUNDS)
        log = LocalLog(home / "log")
        bodies = [r.body for t in log.partitions("events") for r in log.read("events", t)]
        plain = min(_timed(lambda: [hashlib.sha256(b).digest() for b in bodies]) for _ in range(5))
        sealed = min(_timed(lambda: _sealed(bodies, Path(place))) for _ in range(5))
    size = sum(map(len, bodies)) / len(bodies)
    print(f"events                  {len(bodies):>12,} of {size:.0f} bytes")
    print(f"plain SHA-256           {len(bodies) / plain:>12,.0f} events/s")
    print(f"leaves and nodes        {len(bodies) / sealed:>12,.0f} events/s")
    print(f"share of plain SHA-256  {plain / sealed:>12.0%}")
    for leaves in LEAVES:
        began = time.perf_counter()
        path = tree.inclusion_path(_simulated, leaves // 3, leaves)
        took = time.perf_counter() - began
        text = sum(45 for _ in path)
        print(
            f"proof at {leaves:>11,}   {len(path):>3} hashes, {text:,} bytes, {took * 1e6:,.0f} µs"
        )


def _sealed(bodies: list[bytes], place: Path) -> None:
    files = TreeFiles(Path(tempfile.mkdtemp(dir=place)))
    files.append(b"".join([tree.leaf_hash(body) for body in bodies]))
    files.root(len(bodies))


def _simulated(level: int, index: int) -> bytes:
    """A complete subtree as 256 stored hashes give it, of a tree too large to build here."""
    hashes = bytes(tree.HASH_SIZE << (level % 8))
    del index
    for _ in range(level % 8):
        hashes = tree.parents(hashes)
    return hashes


def _timed(work: object) -> float:
    began = time.perf_counter()
    assert callable(work)
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
