"""`roundproof log` and `roundproof keys`, as people run them."""

import json
import random
import shutil
from pathlib import Path

import pytest

from audit.cli.errors import Code
from audit.house import seal as house_seal
from ingest.local.log import LocalLog
from tests.support import houses
from tests.support.sealed_houses import event_bytes, grown, key_made, seal, sealed_in_steps
from tests.support.small_house import Roundproof
from tests.support.tampering import ACTS, chained_anew


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A house with an archive, sealed twice at T1."""
    home = sealed_in_steps(tmp_path / "house", "T1", [40, 90])
    return houses.archived(home)


def test_a_house_is_sealed_and_verified(roundproof: Roundproof, tmp_path: Path) -> None:
    home = houses.simulated(tmp_path, rounds=4)

    assert roundproof("--home", home, "log", "seal").code == Code.NOT_FOUND
    made = roundproof("--home", home, "keys", "new", "hoiana.example/log")
    assert made.out.startswith("hoiana.example/log+")
    assert roundproof("--home", home, "log", "verify").code == Code.NOT_FOUND
    assert "checkpoint 3 of hoiana.example/log" in roundproof("--home", home, "log", "seal").out
    told = roundproof("--home", home, "log", "verify")

    assert told.code == Code.OK
    assert told.out.startswith("3 lanes are as sealed, up to checkpoint 3\n")
    assert f"signed by            {made.out[:27]}" in told.out


@pytest.mark.parametrize("kind", ["local", "archive"])
@pytest.mark.parametrize("act", ACTS)
def test_whatever_was_changed_is_named(
    roundproof: Roundproof, sealed: Path, act: str, kind: str
) -> None:
    at = random.Random(act + kind).randrange(1, 80)
    bodies = event_bytes(sealed, "T1")
    changed = chained_anew(ACTS[act](bodies, at, random.Random(1)))
    rewritten(sealed, kind, changed)

    told = roundproof("--home", sealed, "log", "verify", "--from", kind)

    assert told.code == Code.UNVERIFIED
    catches = 1 if at < 40 else 2
    assert f"events/T1 record {at:,}: " in told.err
    assert f"; checkpoint {catches} catches it\n" in told.err
    assert "next: " in told.err


@pytest.mark.parametrize("kind", ["local", "archive"])
def test_a_flipped_bit_in_a_segment_is_named(
    roundproof: Roundproof, sealed: Path, kind: str
) -> None:
    folder = {"local": "log", "archive": "archive"}[kind]
    (path,) = (sealed / folder / "events" / "T1").glob("*.avro")
    body = bytearray(path.read_bytes())
    place = body.index(event_bytes(sealed, "T1")[33]) + 20
    body[place] ^= 4
    path.write_bytes(body)

    told = roundproof("--home", sealed, "log", "verify", "--from", kind, "--json")

    assert told.code == Code.UNVERIFIED
    (lane,) = json.loads(told.out)["lanes"]
    assert (lane["wrong"]["offset"], lane["wrong"]["checkpoint"]) == (33, 1)


def test_one_day_is_verified_alone(roundproof: Roundproof, tmp_path: Path) -> None:
    home = key_made(tmp_path)
    for day in ("2026-03-01", "2026-03-02"):
        houses.written(home, "T1", houses.opened(day))
        grown(home, "T1", 10)
    seal(home)
    changed = chained_anew(ACTS["edit"](event_bytes(home, "T1"), 15, random.Random(1)))
    rewritten(home, "local", changed)

    first = roundproof("--home", home, "log", "verify", "--day", "2026-03-01")
    second = roundproof("--home", home, "log", "verify", "--day", "2026-03-02")

    assert (first.code, second.code) == (Code.OK, Code.UNVERIFIED)
    assert "records compared                 12" in first.out
    assert "events/T1 record 15: it is not the record that was sealed" in second.err


def test_a_checkpoint_kept_elsewhere_shows_a_rollback(
    roundproof: Roundproof, sealed: Path, tmp_path: Path
) -> None:
    older = Path(shutil.copytree(sealed, tmp_path / "older"))
    grown(sealed, "T1", 3)
    seal(sealed)
    kept = tmp_path / "checkpoint.txt"
    kept.write_text(house_seal.proofs(sealed).note, "utf-8")

    assert roundproof("--home", sealed, "log", "verify", "--against", kept).code == Code.OK
    told = roundproof("--home", older, "log", "verify", "--against", kept)

    assert told.code == Code.UNVERIFIED
    assert "checkpoint 3: the log was rolled back: 3 heads were signed, 2 are left" in told.err


def test_lost_tree_files_are_made_again(roundproof: Roundproof, sealed: Path) -> None:
    path = sealed / "seal" / "events" / "T1" / "00.hashes"
    body = bytearray(path.read_bytes())
    body[5 * 32] ^= 1
    path.write_bytes(body)

    told = roundproof("--home", sealed, "log", "verify")
    assert told.code == Code.UNVERIFIED
    assert "next: roundproof log seal --fresh makes the tree files again" in told.err

    assert roundproof("--home", sealed, "log", "seal", "--fresh").code == Code.OK
    assert roundproof("--home", sealed, "log", "verify").code == Code.OK


def test_a_key_is_replaced_and_the_old_checkpoints_still_verify(
    roundproof: Roundproof, sealed: Path
) -> None:
    first = roundproof("--home", sealed, "keys", "show").out.strip()
    note = roundproof("--home", sealed, "keys", "rotate", "--yes").out
    grown(sealed, "T1", 3)
    roundproof("--home", sealed, "log", "seal")

    assert note.startswith("roundproof key rotation v1\nhoiana.example/log\nold " + first)
    told = roundproof("--home", sealed, "log", "verify", "--key", first)
    assert told.code == Code.OK
    newest = roundproof("--home", sealed, "keys", "show").out.strip().split("\n")[-1]
    assert newest[:27] in told.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["keys", "new", "two words"], Code.USAGE, "a name without spaces and + expected"),
        (["keys", "new", "a", "--for", "king"], Code.USAGE, "house or witness expected"),
        (["keys", "show"], Code.NOT_FOUND, "a public key expected, no file found"),
        (["keys", "rotate", "--yes"], Code.NOT_FOUND, "a signing key expected, no file found"),
        (["log", "verify", "--key", "x"], Code.USAGE, "name+id+key of an Ed25519 key expected"),
        (["log", "verify"], Code.NOT_FOUND, "a public key expected, no file found"),
    ],
)
def test_wrong_use_is_told(
    roundproof: Roundproof, tmp_path: Path, words: list[str], code: Code, said: str
) -> None:
    told = roundproof("--home", tmp_path, *words)

    assert (told.code, told.out) == (code, "")
    assert said in told.err
    assert "\nnext: " in told.err


def test_an_unsafe_key_signs_nothing(roundproof: Roundproof, sealed: Path) -> None:
    (sealed / "keys" / "house.pem").chmod(0o444)

    told = roundproof("--home", sealed, "log", "seal")

    assert told.code == Code.NOT_ALLOWED
    assert "mode 0400 and its own user expected" in told.err


def rewritten(home: Path, kind: str, bodies: list[bytes]) -> None:
    """Put other events of T1 in place, with a head or without manifests, as somebody would."""
    folder = {"local": "log", "archive": "archive"}[kind]
    shutil.rmtree(home / folder / "events" / "T1")
    with LocalLog(home / folder, ("events",), heads=kind == "local") as log:
        log.append("events", "T1", bodies)


def test_the_drill_of_a_lost_key(roundproof: Roundproof, sealed: Path) -> None:
    (sealed / "keys" / "house.pem").unlink()

    assert roundproof("--home", sealed, "log", "seal").code == Code.NOT_FOUND
    assert roundproof("--home", sealed, "log", "verify").code == Code.OK

    old = {name: sealed / "aside" / name for name in ("keys", "seal", "log/checkpoints")}
    for name, aside in old.items():
        aside.parent.mkdir(parents=True, exist_ok=True)
        (sealed / name).rename(aside)
    roundproof("--home", sealed, "keys", "new", "hoiana.example/log-2")
    told = roundproof("--home", sealed, "log", "seal")

    assert "checkpoint 1 of hoiana.example/log-2" in told.out
    assert roundproof("--home", sealed, "log", "verify").code == Code.OK
