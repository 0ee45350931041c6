"""A log that an earlier version sealed still verifies, and so do proofs that Go verified.

`tests/golden/sealed_log` is a house of four tables without its private keys: sealed, its key
replaced, sealed again and cosigned by a witness. `tests/golden/proofs_for_go` holds the files of
one run of `make interop`. Nobody makes them anew: a later version writes others beside them.
"""

import base64
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from ingest.seal import checkpoint, note, tree
from ingest.seal.checkpoint import TreeHead
from tests.support.small_house import Roundproof, roundproof

GOLDEN = Path(__file__).parents[2] / "golden"
PROOFS = GOLDEN / "proofs_for_go"

__all__ = ["roundproof"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the sealed house."""
    return Path(shutil.copytree(GOLDEN / "sealed_log", tmp_path / "house"))


def test_a_log_of_the_first_version_is_as_sealed(home: Path, roundproof: Roundproof) -> None:
    first = (home / "keys" / "house.vkey").read_text().splitlines()[0]

    told = roundproof("--home", home, "log", "verify", "--key", first)

    assert told.code == 0
    assert "4 lanes are as sealed, up to checkpoint 4" in told.out
    assert "records compared                165" in told.out
    assert "signed by            hoiana.example/log+6187fcb1" in told.out
    assert "signed by            auditor.example/witness+e699f43c" in told.out


def test_an_event_of_it_that_is_changed_is_named(home: Path, roundproof: Roundproof) -> None:
    path = home / "log/events/T2/00000000.avro"
    body = bytearray(path.read_bytes())
    body[-40] ^= 1
    path.write_bytes(body)

    told = roundproof("--home", home, "log", "verify")

    assert told.code == 4
    assert "events/T2 record 63: it is not the record that was sealed; checkpoint 3" in told.err


def test_checkpoints_that_go_opened_are_signed() -> None:
    key = note.public_key(text("vkey").strip())

    for name in ("checkpoint", "older-checkpoint"):
        assert note.parse(text(name)).signers([key]) == [key]


def test_an_event_and_its_table_that_go_found_are_included() -> None:
    house, lane = checkpoint.parse(signed("checkpoint")), checkpoint.parse(text("lane-head"))

    for proven, name, record in (
        (house, "head.tlog-proof", text("lane-head").encode()),
        (lane, "event.lane-proof", (PROOFS / "event").read_bytes()),
    ):
        index, path = proof(name, header=1)
        found = tree.root_of_inclusion(tree.leaf_hash(record), index, proven.size, path)
        assert found == proven.root
        other = tree.root_of_inclusion(tree.leaf_hash(record + b"x"), index, proven.size, path)
        assert other != proven.root


def test_a_checkpoint_that_go_found_to_extend_the_older_one_does() -> None:
    old, new = heads()
    _, path = proof("consistency", header=0)

    tree.require_consistent(old.size, old.root, new.size, new.root, path)
    with pytest.raises(tree.ProofWrong):
        tree.require_consistent(old.size, new.root, new.size, new.root, path)


def test_a_signature_that_openssl_verified_verifies() -> None:
    key = load_pem_public_key((PROOFS / "key.pem").read_bytes())

    assert isinstance(key, Ed25519PublicKey)
    key.verify((PROOFS / "event.sig").read_bytes(), (PROOFS / "event").read_bytes())


def heads() -> tuple[TreeHead, TreeHead]:
    return checkpoint.parse(signed("older-checkpoint")), checkpoint.parse(signed("checkpoint"))


def signed(name: str) -> str:
    return note.parse(text(name)).text


def text(name: str) -> str:
    return (PROOFS / name).read_text("utf-8")


def proof(name: str, header: int) -> tuple[int, list[bytes]]:
    """The number in a proof and its hashes, as main.go reads them."""
    first, *lines = text(name).partition("\n\n")[0].split("\n")[header:]
    return int(first.split()[1]), [base64.b64decode(line) for line in lines]
