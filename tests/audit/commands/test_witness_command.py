"""House and witness on two sides of HTTP, and by files carried between them."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli.errors import Code
from tests.support.sealed_houses import grown, seal, sealed_in_steps
from tests.support.small_house import Roundproof

NAME = "auditor.example/witness"


@pytest.fixture
def pair(roundproof: Roundproof, tmp_path: Path) -> tuple[Path, Path]:
    """A sealed house and a witness that know each other's keys."""
    house, witness = sealed_in_steps(tmp_path / "house", "T1", [10, 20]), tmp_path / "witness"
    made = roundproof("--home", witness, "keys", "new", NAME, "--for", "witness")
    assert roundproof("--home", house, "keys", "trust", made.out.strip()).code == Code.OK
    key = roundproof("--home", house, "keys", "show").out.strip()
    assert roundproof("--home", witness, "keys", "trust", key).code == Code.OK
    return house, witness


@pytest.fixture
def served(pair: tuple[Path, Path]) -> Iterator[str]:
    """The address of the witness, which runs as a process of its own."""
    words = ["--home", str(pair[1]), "witness", "serve", "--port", "0", "--json"]
    line = [sys.executable, "-m", "audit.cli.main", *words]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = "".join(iter(process.stdout.readline, "}\n")) + "}"
    yield f"http://127.0.0.1:{json.loads(told)['port']}"
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(30) == 0
    process.stdout.close()


def test_a_checkpoint_is_cosigned_over_http(
    roundproof: Roundproof, pair: tuple[Path, Path], served: str
) -> None:
    house, _ = pair

    first = roundproof("--home", house, "log", "cosign", "--witness", served)
    grown(house, "T1", 3)
    seal(house)
    second = roundproof("--home", house, "log", "cosign", "--witness", served)

    assert (first.code, second.code) == (Code.OK, Code.OK)
    assert first.out.startswith("hoiana.example/log\n2\n")
    assert second.out.startswith("hoiana.example/log\n3\n")
    assert f"— {NAME} " in second.out
    assert NAME in roundproof("--home", house, "log", "verify").out
    assert roundproof("--home", house, "log", "show").out == second.out


def test_a_checkpoint_is_cosigned_by_hand(
    roundproof: Roundproof, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    house, witness = pair
    request, answer = tmp_path / "request.txt", tmp_path / "answer.txt"

    roundproof("--home", house, "log", "cosign", "--write", request)
    said = roundproof("--home", witness, "witness", "cosign", request)
    answer.write_text(said.out, "utf-8")
    done = roundproof("--home", house, "log", "cosign", "--read", answer)

    assert (said.code, done.code) == (Code.OK, Code.OK)
    assert said.out.startswith(f"— {NAME} ")
    assert said.out in done.out
    grown(house, "T1", 3)
    seal(house)
    roundproof("--home", house, "log", "cosign", "--write", request)
    early = roundproof("--home", witness, "witness", "cosign", request)
    assert early.code == Code.USAGE
    assert "next: as the house, roundproof log cosign --write FILE --old 2" in early.err
    roundproof("--home", house, "log", "cosign", "--write", request, "--old", "2")
    assert roundproof("--home", witness, "witness", "cosign", request).code == Code.OK


def test_a_second_history_is_refused(
    roundproof: Roundproof, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    house, witness = pair
    request = tmp_path / "request.txt"
    roundproof("--home", house, "log", "cosign", "--write", request)
    assert roundproof("--home", witness, "witness", "cosign", request).code == Code.OK
    for folder in ("log", "seal"):
        shutil.rmtree(house / folder)
    for _ in range(3):
        grown(house, "T2", 10)
        seal(house)
    roundproof("--home", house, "log", "cosign", "--write", request, "--old", "2")

    told = roundproof("--home", witness, "witness", "cosign", request)

    assert told.code == Code.UNVERIFIED
    assert "next: sign nothing more of this house" in told.err


def test_a_rotated_key_is_trusted_by_its_note_alone(
    roundproof: Roundproof, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    house, witness = pair
    rotation, request = tmp_path / "rotation.note", tmp_path / "request.txt"
    rotation.write_text(roundproof("--home", house, "keys", "rotate", "--yes").out, "utf-8")
    grown(house, "T1", 1)
    seal(house)
    roundproof("--home", house, "log", "cosign", "--write", request)

    assert roundproof("--home", witness, "witness", "cosign", request).code == Code.NOT_ALLOWED
    assert roundproof("--home", witness, "keys", "trust", "--rotation", rotation).code == Code.OK
    assert roundproof("--home", witness, "witness", "cosign", request).code == Code.OK
    stranger = roundproof("--home", tmp_path / "x", "keys", "trust", "--rotation", rotation)
    assert stranger.code == Code.NOT_ALLOWED


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["log", "cosign"], Code.USAGE, "one of --witness, --write and --read expected"),
        (["log", "cosign", "--witness", "ftp://x"], Code.USAGE, "an http(s) address expected"),
        (["log", "cosign", "--witness", "http://127.0.0.1:9"], Code.UNREACHABLE, "witness http"),
        (["log", "cosign", "--write", "/dev/null", "--old", "9"], Code.USAGE, "at most 2 expected"),
        (["witness", "serve"], Code.NOT_FOUND, "a signing key expected"),
        (["keys", "trust"], Code.USAGE, "either a public key or --rotation FILE expected"),
    ],
)
def test_wrong_use_is_told(
    roundproof: Roundproof, pair: tuple[Path, Path], words: list[str], code: Code, said: str
) -> None:
    told = roundproof("--home", pair[0], *words)

    assert (told.code, told.out) == (code, "")
    assert said in told.err
    assert "\nnext: " in told.err
