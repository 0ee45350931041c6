"""How fast the log is sealed beside plain SHA-256 of the same events, and what proofs cost.

Goal: sealing at half the rate of plain SHA-256 or more. Seconds are those of the processor, of the
same events in the same run. A tree has a leaf and a node for each event, so two hashes are computed
where plain SHA-256 computes one: hashing alone cannot pass half by much. The second pair is what a
house waits for: its log read from disk and each event hashed once, beside `log seal`, which
reads it, checks the chain, makes the tree and signs.
"""

import hashlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.grown_house import grown
from ingest.local.log import LocalLog
from ingest.seal import tree
from ingest.seal.tree_files import TreeFiles
from tests.support.sealed_houses import key_made, seal

COPIES, ROUNDS, TRIES = 4, 250, 7
LEAVES = (10_000_000, 100_000_000)


def main() -> None:
    """Print events a second, hashed and sealed, and the size of proofs."""
    with tempfile.TemporaryDirectory() as place:
        home = key_made(Path(place) / "house")
        grown(home, COPIES, ROUNDS)
        bodies = _read(home)
        plain = _best(lambda: [hashlib.sha256(body).digest() for body in bodies])
        made = _best(lambda: _tree(bodies, Path(place)))
        read = _best(lambda: [hashlib.sha256(body).digest() for body in _read(home)])
        sealed = min(_spent(lambda: seal(_unsealed(home))) for _ in range(TRIES))
    size = sum(map(len, bodies)) / len(bodies)
    print(f"{len(bodies):,} events of {size:.0f} bytes, events a second of the processor")
    for what, one, two in (("in memory", plain, made), ("from the log", read, sealed)):
        rates = f"SHA-256 {len(bodies) / one:>11,.0f}   sealed {len(bodies) / two:>11,.0f}"
        print(f"{what:<14}{rates}   share {one / two:.0%}")
    for leaves in LEAVES:
        began = time.perf_counter()
        path = tree.inclusion_path(_simulated, leaves // 3, leaves)
        took = time.perf_counter() - began
        text = sum(45 for _ in path)
        print(
            f"proof at {leaves:>11,}   {len(path):>3} hashes, {text:,} bytes, {took * 1e6:,.0f} µs"
        )


def _read(home: Path) -> list[bytes]:
    log = LocalLog(home / "log")
    return [
        record.body for table in log.partitions("events") for record in log.read("events", table)
    ]


def _unsealed(home: Path) -> Path:
    for folder in ("seal", "log/checkpoints"):
        shutil.rmtree(home / folder, ignore_errors=True)
    return home


def _tree(bodies: list[bytes], place: Path) -> None:
    files = TreeFiles(Path(tempfile.mkdtemp(dir=place)))
    files.append(tree.leaf_hashes(bodies))
    files.root(len(bodies))


def _best(work: Callable[[], object]) -> float:
    return min(_spent(work) for _ in range(TRIES))


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _simulated(level: int, index: int) -> bytes:
    """A complete subtree as 256 stored hashes give it, of a tree too large to build here."""
    hashes = bytes(tree.HASH_SIZE << (level % 8))
    del index
    for _ in range(level % 8):
        hashes = tree.parents(hashes)
    return hashes


if __name__ == "__main__":
    main()
