"""The witness: it signs what extends what it signed before, and nothing else."""

import random
import shutil
import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import pytest

from audit.house import seal as house_seal
from ingest.local.log import LocalLog
from ingest.seal import checkpoint, keys, note, proof
from ingest.seal.ask_witness import WitnessAway, WitnessRefused, cosignatures, over_http
from ingest.seal.house import SealBroken
from ingest.seal.note import COSIGNS, NoteWrong
from ingest.seal.witness import MAX_REQUEST, SIZE_TYPE, Witness, WitnessAnswer
from tests.support.sealed_houses import (
    NOW,
    ORIGIN,
    event_bytes,
    grown,
    key_made,
    seal,
    sealed_in_steps,
)
from tests.support.tampering import ACTS, chained_anew

SECONDS = 1_772_350_000
NAME = "auditor.example/witness"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A house that was sealed three times."""
    return sealed_in_steps(tmp_path / "house", "T1", [10, 20, 30])


@pytest.fixture
def witness(tmp_path: Path, home: Path) -> Witness:
    """A witness of the house."""
    key = keys.create(tmp_path / "witness" / "keys", keys.WITNESS, NAME)
    keys.trust(home / "keys", key.public)
    return Witness(tmp_path / "witness" / "witness", key, keys.public_keys(home / "keys"))


def asked(home: Path, old: int, at: int | None = None) -> bytes:
    """What the house sends for a checkpoint."""
    made = house_seal.proofs(home, at)
    return proof.request(house_seal.sealed(home), old, made.note).encode()


def ask(witness: Witness) -> Callable[[str], WitnessAnswer]:
    """The way to a witness without a network."""
    return lambda body: witness.add_checkpoint(body.encode(), SECONDS)


def test_a_log_that_grows_is_cosigned(home: Path, witness: Witness) -> None:
    for old, at in ((0, 1), (1, 2), (2, 3), (3, 3)):
        answer = witness.add_checkpoint(asked(home, old, at), SECONDS)

        assert answer.status == HTTPStatus.OK
        (line,) = note.signatures(answer.text)
        assert (line.name, note.cosigned_at(line.signature)) == (NAME, SECONDS)
    kept = witness.latest(ORIGIN)
    assert kept is not None
    assert checkpoint.parse(kept.text).size == 3


def test_the_house_keeps_the_signature_in_its_note(home: Path, witness: Witness) -> None:
    said = house_seal.cosign_now(home, ask(witness), NOW)
    again = house_seal.cosign_now(home, ask(witness), NOW)

    known = [*keys.public_keys(home / "keys"), *keys.trusted(home / "keys", COSIGNS)]
    assert note.parse(said).signers(known) == known
    assert again == said
    assert house_seal.proofs(home, 3).note == said
    grown(home, "T1", 1)
    assert seal(home).damaged == {}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda body: body[:0], HTTPStatus.BAD_REQUEST),
        (lambda body: b"\xff" + body, HTTPStatus.BAD_REQUEST),
        (lambda body: body.replace(b"old 1\n", b"old 01\n"), HTTPStatus.BAD_REQUEST),
        (lambda body: body.replace(b"old 1\n", b"old -1\n"), HTTPStatus.BAD_REQUEST),
        (lambda body: body.replace(b"old 1\n", b"old 99\n"), HTTPStatus.BAD_REQUEST),
        (lambda body: body + b"x" * MAX_REQUEST, HTTPStatus.BAD_REQUEST),
        (lambda body: body.replace(b"old 1\n", b"old 1\n" + b"A" * 43 + b"=\n", 1), 422),
        (lambda body: body.replace(b"hoiana", b"malana"), HTTPStatus.NOT_FOUND),
        (lambda body: body.replace(b"log\n2\n", b"log\n3\n"), HTTPStatus.FORBIDDEN),
    ],
)
def test_a_wrong_request_is_refused(
    home: Path, witness: Witness, change: Callable[[bytes], bytes], status: int
) -> None:
    witness.add_checkpoint(asked(home, 0, 1), SECONDS)
    before = witness.latest(ORIGIN)

    assert witness.add_checkpoint(change(asked(home, 1, 2)), SECONDS).status == status
    assert witness.latest(ORIGIN) == before


def test_who_begins_elsewhere_is_told_the_size(home: Path, witness: Witness) -> None:
    witness.add_checkpoint(asked(home, 0, 2), SECONDS)

    answer = witness.add_checkpoint(asked(home, 1, 3), SECONDS)

    assert answer == (HTTPStatus.CONFLICT, "2\n", SIZE_TYPE)


def test_an_older_checkpoint_is_not_signed_again(home: Path, witness: Witness) -> None:
    witness.add_checkpoint(asked(home, 0, 3), SECONDS)

    answer = witness.add_checkpoint(asked(home, 0, 2), SECONDS)

    assert (answer.status, answer.text) == (HTTPStatus.CONFLICT, "3\n")


@pytest.mark.parametrize("at", range(20))
def test_a_history_forged_with_the_real_key_is_refused_and_kept(
    home: Path, witness: Witness, tmp_path: Path, at: int
) -> None:
    house_seal.cosign_now(home, ask(witness), NOW)
    forged = tmp_path / "forged"
    shutil.copytree(home / "keys", forged / "keys")
    changed = chained_anew(ACTS["edit"](event_bytes(home, "T1"), at, random.Random(at)))
    for end in (10, 20, 30) if at % 2 else (10, 20, 25, 30):
        before = len(event_bytes(forged, "T1")) if (forged / "log").exists() else 0
        with LocalLog(forged / "log", ("events",)) as log:
            log.append("events", "T1", changed[before:end])
        seal(forged)

    with pytest.raises(SealBroken, match="a witness refuses it as a fork"):
        house_seal.cosign_now(forged, ask(witness), NOW)

    (kept,) = (tmp_path / "witness" / "witness" / "forks").iterdir()
    assert note.parse(kept.read_text("utf-8")).signers(keys.public_keys(home / "keys"))


def test_a_log_that_was_rolled_back_is_told(home: Path, witness: Witness, tmp_path: Path) -> None:
    older = Path(shutil.copytree(home, tmp_path / "older"))
    grown(home, "T1", 5)
    seal(home)
    house_seal.cosign_now(home, ask(witness), NOW)

    with pytest.raises(SealBroken, match="rolled back: a witness cosigned 4 heads, the log has 3"):
        house_seal.cosign_now(older, ask(witness), NOW)


def test_a_stranger_is_refused(tmp_path: Path, witness: Witness) -> None:
    stranger = sealed_in_steps(tmp_path / "stranger", "T1", [5])

    with pytest.raises(WitnessRefused, match="no signature of a known key"):
        cosignatures(house_seal.sealed(stranger), [], ask(witness))


def test_the_signature_of_an_unknown_witness_is_not_kept(home: Path, witness: Witness) -> None:
    (home / "keys" / "witnesses.vkey").unlink()

    with pytest.raises(NoteWrong, match=f"signed by {NAME}, whom the house does not know"):
        house_seal.cosign_now(home, ask(witness), NOW)


def test_nothing_sealed_is_nothing_to_sign(tmp_path: Path, witness: Witness) -> None:
    with pytest.raises(proof.NotSealed):
        house_seal.cosign_now(key_made(tmp_path / "new"), ask(witness), NOW)


def test_two_requests_at_once_cannot_roll_it_back(home: Path, witness: Witness) -> None:
    witness.add_checkpoint(asked(home, 0, 1), SECONDS)
    bodies = [asked(home, 1, 2), asked(home, 1, 3)]
    answers: list[HTTPStatus] = []

    def send(body: bytes) -> None:
        answers.append(witness.add_checkpoint(body, SECONDS).status)

    threads = [threading.Thread(target=send, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answers) == [HTTPStatus.OK, HTTPStatus.CONFLICT]


def test_a_signature_that_comes_late_is_dropped(home: Path, witness: Witness) -> None:
    def slow(body: str) -> WitnessAnswer:
        answer = witness.add_checkpoint(body.encode(), SECONDS)
        grown(home, "T1", 1)
        seal(home)
        return answer

    said = house_seal.cosign_now(home, slow, NOW)

    assert checkpoint.parse(note.parse(said).text).size == 4
    assert len(note.parse(said).signatures) == 1
    assert [head.size for head in house_seal.sealed(home).heads(("events", "T1"))] == [
        10,
        20,
        30,
        31,
    ]


@pytest.mark.parametrize("url", ["", "witness", "ftp://witness", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(NoteWrong, match=r"an http\(s\) address expected"):
        over_http(url)


def test_a_witness_that_is_away_is_told() -> None:
    with pytest.raises(WitnessAway, match="127"):
        over_http("http://127.0.0.1:9", timeout_s=2)("old 0\n\n")
