"""Proofs of a sealed house, as a stranger checks them: from the text alone."""

from itertools import pairwise
from pathlib import Path

import pytest

from audit.house import seal as house_seal
from ingest.seal import checkpoint, keys, note, proof, tree
from ingest.seal.house import SealBroken
from ingest.seal.proof import NotSealed
from tests.support.sealed_houses import event_bytes, grown, seal, sealed_in_steps

SIZES = (3, 40, 300, 700)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house whose table T1 was sealed four times."""
    return sealed_in_steps(tmp_path_factory.mktemp("sealed"), "T1", SIZES)


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_an_event_leads_to_the_signed_checkpoint(home: Path, at: int) -> None:
    proofs, bodies = house_seal.proofs(home, at), event_bytes(home, "T1")

    for seq in (0, 1, 2):
        header, index, path, head = read(proofs.inclusion("T1", seq).text)
        assert (header, index) == ("roundproof.lane-proof@v1", f"index {seq}")
        leaf = tree.leaf_hash(bodies[seq])
        size = checkpoint.parse(head).size
        assert size == SIZES[at - 1]
        root = tree.root_of_inclusion(leaf, seq, size, path)
        assert root == checkpoint.parse(head).root
        assert_signed(home, proofs.lane_head("T1").text, head)


def test_a_span_is_complete(home: Path) -> None:
    proofs, bodies = house_seal.proofs(home), event_bytes(home, "T1")

    _, span, path, head = read(proofs.span("T1", 290, 311).text)

    assert span == "span 290 311"
    leaves = [tree.leaf_hash(body) for body in bodies[290:311]]
    assert tree.root_of_span(leaves, 290, 700, path) == checkpoint.parse(head).root
    assert_signed(home, proofs.lane_head("T1").text, head)


def test_todays_checkpoint_extends_yesterdays(home: Path) -> None:
    old, new = house_seal.proofs(home, 2), house_seal.proofs(home)

    first, path, said = split_request(new.consistency(old.head.size))

    assert first == "old 2"
    assert checkpoint.parse(note.parse(said).text) == new.head
    tree.require_consistent(old.head.size, old.head.root, new.head.size, new.head.root, path)


def test_a_checkpoint_knows_the_one_before(home: Path) -> None:
    made = [house_seal.proofs(home, at) for at in (1, 2, 3, 4)]

    assert made[0].before() is None
    for older, newer in pairwise(made):
        before = newer.before()
        assert before is not None
        assert before.note == older.note


def test_the_same_checkpoint_gives_the_same_proofs_after_more_was_sealed(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [20, 50])
    before = [house_seal.proofs(tmp_path).span("T1", 4, 9).text, house_seal.proofs(tmp_path).note]
    grown(tmp_path, "T1", 100)
    seal(tmp_path)

    after = house_seal.proofs(tmp_path, 2)

    assert [after.span("T1", 4, 9).text, after.note] == before
    assert house_seal.proofs(tmp_path).span("T1", 4, 9).text != before[0]


def test_the_first_checkpoint_that_covers_an_event_is_found(home: Path) -> None:
    sealed = house_seal.sealed(home)

    found = [proof.covering(sealed, "T1", end) for end in (1, 3, 4, 40, 41, 300, 301, 700)]

    assert found == [1, 1, 2, 2, 3, 3, 4, 4]
    with pytest.raises(NotSealed, match="no checkpoint covers record 700 yet"):
        proof.covering(sealed, "T1", 701)


def test_what_is_not_sealed_has_no_proof(home: Path, tmp_path: Path) -> None:
    proofs = house_seal.proofs(home, 2)

    with pytest.raises(NotSealed, match="41 sealed records expected, 40 found"):
        proofs.inclusion("T1", 40)
    with pytest.raises(NotSealed, match="none found"):
        proofs.inclusion("T9", 0)
    with pytest.raises(NotSealed, match="nothing was sealed yet"):
        house_seal.proofs(tmp_path)
    with pytest.raises(NotSealed, match="none with that number"):
        house_seal.proofs(home, 77)


def test_damaged_tree_files_give_no_proof(tmp_path: Path) -> None:
    sealed_in_steps(tmp_path, "T1", [600])
    path = tmp_path / "seal" / "events" / "T1" / "00.hashes"
    body = bytearray(path.read_bytes())
    body[32 * 40] ^= 1
    path.write_bytes(body)

    with pytest.raises(SealBroken, match="hashes that lead to the signed root expected"):
        house_seal.proofs(tmp_path).inclusion("T1", 41)


def read(text: str) -> tuple[str, str, list[bytes], str]:
    """The parts of a lane proof."""
    lines, _, head = text.partition("\n\n")
    header, what, *path = lines.split("\n")
    return header, what, [checkpoint.decode_hash(line) for line in path], head


def split_request(text: str) -> tuple[str, list[bytes], str]:
    """The parts of a witness's request."""
    lines, _, said = text.partition("\n\n")
    first, *path = lines.split("\n")
    return first, [checkpoint.decode_hash(line) for line in path], said


def assert_signed(home: Path, head_proof: str, head: str) -> None:
    """A head must be a leaf of a checkpoint that the house signed."""
    lines, _, said = head_proof.partition("\n\n")
    header, index, *path = lines.split("\n")
    signed = note.parse(said)
    house = checkpoint.parse(signed.text)
    found = tree.root_of_inclusion(
        tree.leaf_hash(head.encode()),
        int(index.removeprefix("index ")),
        house.size,
        [checkpoint.decode_hash(line) for line in path],
    )
    assert header == "c2sp.org/tlog-proof@v1"
    assert found == house.root
    assert signed.signers(keys.public_keys(home / "keys"))
