"""Tree files: they grow, are cut after a crash, and never give a wrong root."""

from itertools import pairwise
from pathlib import Path

import pytest

from ingest.seal import tree
from ingest.seal.tree import HASH_SIZE, ProofWrong
from ingest.seal.tree_files import TreeFiles

LEAVES = b"".join(tree.leaf_hash(str(n).encode()) for n in range(1_500))


def leaves(count: int, start: int = 0) -> bytes:
    return LEAVES[start * HASH_SIZE : count * HASH_SIZE]


def root(count: int) -> bytes:
    growing = tree.GrowingRoot()
    for at in range(0, count * HASH_SIZE, HASH_SIZE):
        growing.add(LEAVES[at : at + HASH_SIZE])
    return growing.root


@pytest.mark.parametrize("step", [1, 7, 255, 256, 257, 1_100])
def test_a_tree_that_grew_in_steps_has_the_root_of_its_leaves(tmp_path: Path, step: int) -> None:
    files = TreeFiles(tmp_path)
    sizes = [*range(0, 1_100, step), 1_100]

    for before, size in pairwise(sizes):
        files.append(leaves(size, before))

    assert files.size == 1_100
    assert files.root(1_100) == root(1_100)
    assert files.root(513) == root(513)
    assert files.leaf(700) == leaves(701, 700)


@pytest.mark.parametrize("kept", [0, 1, 255, 256, 600, 1_024, 1_100])
def test_what_a_crash_left_beyond_the_signed_size_is_cut(tmp_path: Path, kept: int) -> None:
    files = TreeFiles(tmp_path)
    files.append(leaves(1_100))

    assert files.resume(kept, root(kept))
    files.append(leaves(1_300, kept))

    assert files.root(1_300) == root(1_300)


@pytest.mark.parametrize("name", ["00.hashes", "08.hashes"])
@pytest.mark.parametrize("size", [0, 31, 32, 100])
def test_files_that_are_too_short_are_completed_or_refused(
    tmp_path: Path, name: str, size: int
) -> None:
    files = TreeFiles(tmp_path)
    files.append(leaves(1_100))
    with (tmp_path / name).open("r+b") as file:
        file.truncate(size)

    assert files.resume(1_100, root(1_100)) == (name == "08.hashes")


def test_a_missing_upper_file_is_made_again(tmp_path: Path) -> None:
    files = TreeFiles(tmp_path)
    files.append(leaves(1_100))
    (tmp_path / "08.hashes").unlink()

    assert files.resume(1_100, root(1_100))
    assert files.root(1_100) == root(1_100)


def test_a_changed_hash_at_the_edge_is_noticed(tmp_path: Path) -> None:
    files = TreeFiles(tmp_path)
    files.append(leaves(1_100))
    body = bytearray((tmp_path / "00.hashes").read_bytes())
    body[1_099 * HASH_SIZE] ^= 1
    (tmp_path / "00.hashes").write_bytes(body)

    assert not files.resume(1_100, root(1_100))


def test_a_leaf_that_is_not_there_has_no_hash(tmp_path: Path) -> None:
    with pytest.raises(ProofWrong, match="hashes 5 to 6 expected, 0 found"):
        TreeFiles(tmp_path).leaf(5)
