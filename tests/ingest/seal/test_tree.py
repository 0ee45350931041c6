"""RFC 6962 trees: known roots, proofs of every size, and every wrong proof refused."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.seal import tree
from ingest.seal.tree import ProofWrong

# The eight leaves and roots of Certificate Transparency's own tests (merkle_tree_test).
KNOWN = (
    ("", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    ("00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
    ("10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    ("2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
    ("3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
    ("40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"),
    ("5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
    (
        "606162636465666768696a6b6c6d6e6f",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ),
)
LEAVES = [tree.leaf_hash(bytes([n])) for n in range(67)]
SIZES = st.integers(1, len(LEAVES))


def subtree(level: int, index: int) -> bytes:
    """A complete subtree over LEAVES."""
    hashes = b"".join(LEAVES[index << level : (index + 1) << level])
    for _ in range(level):
        hashes = tree.parents(hashes)
    return hashes


def test_the_known_roots() -> None:
    growing = tree.GrowingRoot()
    assert growing.root == tree.EMPTY_ROOT

    for record, root in KNOWN:
        growing.add(tree.leaf_hash(bytes.fromhex(record)))
        assert growing.root.hex() == root


def test_a_growing_root_is_the_root_of_the_tree() -> None:
    growing = tree.GrowingRoot()

    for size, leaf in enumerate(LEAVES, 1):
        growing.add(leaf)
        assert growing.root == tree.root(subtree, size)


def test_every_leaf_of_every_size_is_proven() -> None:
    for size in range(1, len(LEAVES) + 1):
        root = tree.root(subtree, size)
        for index in range(size):
            path = tree.inclusion_path(subtree, index, size)
            assert tree.root_of_inclusion(LEAVES[index], index, size, path) == root


def test_every_size_extends_every_smaller_one() -> None:
    for new in range(1, len(LEAVES) + 1):
        for old in range(new + 1):
            path = tree.consistency_path(subtree, old, new)
            tree.require_consistent(
                old, tree.root(subtree, old), new, tree.root(subtree, new), path
            )


@given(SIZES, st.data())
def test_a_span_is_proven_whole(size: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    path = tree.span_path(subtree, start, end, size)

    assert tree.root_of_span(LEAVES[start:end], start, size, path) == tree.root(subtree, size)


@given(SIZES, st.data())
def test_a_span_with_a_leaf_missing_is_refused(size: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    gone = data.draw(st.integers(start, end - 1))
    path = tree.span_path(subtree, start, end, size)
    leaves = LEAVES[start:gone] + LEAVES[gone + 1 : end]

    assert not leads_there(
        lambda: tree.root_of_span(leaves, start, size, path), tree.root(subtree, size)
    )


@given(SIZES, st.data())
def test_a_wrong_inclusion_is_refused(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    path = tree.inclusion_path(subtree, index, size)
    root = tree.root(subtree, size)
    other = data.draw(
        st.integers(0, size - 1).filter(lambda each: each != index) if size > 1 else st.just(size)
    )
    spoilt = data.draw(spoilt_paths(path))

    assert not leads_there(lambda: tree.root_of_inclusion(LEAVES[index], other, size, path), root)
    assert not leads_there(lambda: tree.root_of_inclusion(LEAVES[index], index, size, spoilt), root)
    assert not leads_there(lambda: tree.root_of_inclusion(bytes(32), index, size, path), root)


@given(st.integers(2, len(LEAVES)), st.data())
def test_a_wrong_consistency_is_refused(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new - 1))
    path = tree.consistency_path(subtree, old, new)
    old_root, new_root = tree.root(subtree, old), tree.root(subtree, new)
    spoilt = data.draw(spoilt_paths(path))

    with pytest.raises(ProofWrong):
        tree.require_consistent(old, old_root, new, new_root, spoilt)
    with pytest.raises(ProofWrong):
        tree.require_consistent(old, bytes(32), new, new_root, path)
    with pytest.raises(ProofWrong):
        tree.require_consistent(old, old_root, new, bytes(32), path)
    with pytest.raises(ProofWrong):
        tree.require_consistent(new, new_root, old, old_root, path)


def test_a_fork_has_no_proof() -> None:
    fork = [*LEAVES[:40], bytes(32), *LEAVES[41:]]
    root = tree.root(lambda level, index: _of(fork, level, index), 60)

    for path in (tree.consistency_path(subtree, 50, 60), []):
        with pytest.raises(ProofWrong):
            tree.require_consistent(50, tree.root(subtree, 50), 60, root, path)


def leads_there(found: Callable[[], bytes], root: bytes) -> bool:
    """Whether a proof leads to a root."""
    try:
        return found() == root
    except ProofWrong:
        return False


@st.composite
def spoilt_paths(draw: st.DrawFn, path: list[bytes]) -> list[bytes]:
    """A path with a hash more, a hash less, two swapped or one changed."""
    if not path:
        return [bytes(32)]
    at = draw(st.integers(0, len(path) - 1))
    changed = bytes([path[at][0] ^ 1]) + path[at][1:]
    other = path[at + 1 :] + path[at : at + 1] if at + 1 < len(path) else [changed]
    return draw(
        st.sampled_from(
            [
                path[:at] + path[at + 1 :],
                [*path[:at], bytes(32), *path[at:]],
                [*path[:at], changed, *path[at + 1 :]],
                path[:at] + other,
            ]
        )
    )


def _of(leaves: list[bytes], level: int, index: int) -> bytes:
    hashes = b"".join(leaves[index << level : (index + 1) << level])
    for _ in range(level):
        hashes = tree.parents(hashes)
    return hashes
