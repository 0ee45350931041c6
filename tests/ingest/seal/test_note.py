"""Signed notes and tree heads: what others wrote is read, and every change is noticed."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ingest.seal import checkpoint, note
from ingest.seal.checkpoint import HeadWrong, TreeHead
from ingest.seal.note import COSIGNS, SIGNS, NoteWrong, PublicKey

# From the tests of golang.org/x/mod/sumdb/note.
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNED = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXg\
KvqfqdngotpRZb6KE6RyyBwJnAM=
"""
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
RAW = PRIVATE.public_key().public_bytes_raw()
HOUSE = PublicKey("hoiana.example/log", SIGNS, RAW)
WITNESS = PublicKey("auditor.example/witness", COSIGNS, RAW)
HEAD = TreeHead("hoiana.example/log", 3055, bytes(range(32)))


def test_a_note_of_the_go_checksum_database_verifies() -> None:
    key = note.public_key(VKEY)

    assert key.vkey == VKEY
    assert note.parse(SIGNED).signers([key]) == [key]


def test_a_note_is_read_as_it_was_written() -> None:
    said = note.SignedNote(HEAD.text, (note.sign(HEAD.text, HOUSE, PRIVATE),))

    assert note.parse(str(said)) == said
    assert note.parse(SIGNED).text.endswith("problem is.\n")
    assert str(note.parse(SIGNED)) == SIGNED


def test_every_changed_character_is_refused() -> None:
    said = str(note.SignedNote(HEAD.text, (note.sign(HEAD.text, HOUSE, PRIVATE),)))

    for at, letter in enumerate(said):
        spoilt = said[:at] + ("x" if letter != "x" else "y") + said[at + 1 :]
        assert not signed_by_house(spoilt), spoilt


def test_a_signature_of_another_key_is_ignored_and_counts_for_nothing() -> None:
    other = note.SignedNote(HEAD.text, (note.sign(HEAD.text, HOUSE, PRIVATE),))

    assert other.signers([note.public_key(VKEY)]) == []


def test_a_cosignature_carries_its_time() -> None:
    line = note.cosign(HEAD.text, WITNESS, PRIVATE, 1_679_315_147)
    said = note.SignedNote(HEAD.text, (line,))

    assert said.signers([WITNESS]) == [WITNESS]
    assert note.cosigned_at(line.signature) == 1_679_315_147
    later = line._replace(signature=bytes(7) + b"\1" + line.signature[8:])
    with pytest.raises(NoteWrong, match="does not fit"):
        said._replace(signatures=(later,)).signers([WITNESS])


def test_a_newer_line_of_a_key_replaces_the_older() -> None:
    first, second = (note.cosign(HEAD.text, WITNESS, PRIVATE, at) for at in (1, 2))
    said = note.SignedNote(HEAD.text, (note.sign(HEAD.text, HOUSE, PRIVATE), first))

    assert said.with_signatures([second]).signatures == (said.signatures[0], second)


@pytest.mark.parametrize(
    "vkey",
    [
        "",
        "PeterNeumann",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+AhpC2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+!!",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_what_is_no_key_is_refused(vkey: str) -> None:
    with pytest.raises(NoteWrong):
        note.public_key(vkey)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "text\n",
        "text\n\n",
        "text\n\n— a",
        "text\n\n- a AAAA\n",
        "a\t\n\n— a AAAAAAA=\n",
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteWrong):
        note.parse(text)


def test_a_head_is_read_as_it_was_written() -> None:
    assert checkpoint.parse(HEAD.text) == HEAD
    assert checkpoint.parse(HEAD.text + "extension\n") == HEAD


@pytest.mark.parametrize(
    "text",
    [
        "",
        "origin\n1\n",
        "origin\n01\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "origin\n-1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "origin\n9223372036854775808\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "origin\n1\nAAAA\n",
        "origin\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=\n",
        "\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
    ],
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(HeadWrong):
        checkpoint.parse(text)


def test_a_lane_is_found_in_its_origin() -> None:
    origin = checkpoint.lane_origin("hoiana.example/log", ("events", "T1"))

    assert checkpoint.lane_of("hoiana.example/log", origin) == ("events", "T1")
    for other in ("hoiana.example", "hoiana.example/log/events", "other/events/T1"):
        with pytest.raises(HeadWrong):
            checkpoint.lane_of("hoiana.example/log", other)


def signed_by_house(said: str) -> bool:
    """Whether a note is whole and signed by the house's key."""
    try:
        return bool(note.parse(said).signers([HOUSE]))
    except NoteWrong:
        return False
