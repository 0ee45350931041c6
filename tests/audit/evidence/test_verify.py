"""The pack's own verifier accepts what was signed and names whatever is not."""

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from audit.evidence import verify as verifier
from audit.evidence.canonical_zip import zipped
from replay.locate import locate
from tests.support import packs

ROUND = "T1-20260301-0003"
FLIPS = 150
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packs.sealed_house(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def body(home: Path) -> bytes:
    return packs.packed(home, ROUND, languages=("en",)).body


def said(body: bytes, path: Path, *key: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    (path / "pack.zip").write_bytes(body)
    code = verifier.main([str(path / "pack.zip"), *key])
    return code, capsys.readouterr().out


def test_plain_python_verifies_both_editions(home: Path, body: bytes, tmp_path: Path) -> None:
    party = locate(home, ROUND).judged.dues[0].player_id
    editions = {"full": body, "party": packs.packed(home, ROUND, party).body}
    for name, made in editions.items():
        path = tmp_path / f"{name}.zip"
        path.write_bytes(made)
        (tmp_path / "verify.py").write_bytes(packs.files(made)["verify.py"])
        command = [sys.executable, "-I", "verify.py", path.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

        assert done.returncode == 0, done.stdout
        assert done.stdout.endswith("VERIFIED\n")
        assert "not proven: that a sensor was honest" in done.stdout


def test_a_flipped_bit_anywhere_is_found(
    body: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random("flips")
    for _ in range(FLIPS):
        place, bit = rng.randrange(len(body)), 1 << rng.randrange(8)
        changed = bytearray(body)
        changed[place] ^= bit
        code, words = said(bytes(changed), tmp_path, capsys=capsys)

        assert code in (verifier.ALTERED, verifier.INCOMPLETE), (place, bit)
        assert "ALTERED: " in words or "INCOMPLETE: " in words


def without(files: Files) -> Files:
    return {name: body for name, body in files.items() if name != "derivation/derivation.json"}


def added(files: Files) -> Files:
    return files | {"derivation/more.json": b"{}"}


def renamed(files: Files) -> Files:
    return without(files) | {"derivation/other.json": files["derivation/derivation.json"]}


def swapped(files: Files) -> Files:
    one, two = "8.4.1-rules/cited.json", "8.4.1-rules/edition.json"
    return files | {one: files[two], two: files[one]}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (without, "derivation/derivation.json: it is missing"),
        (added, "derivation/more.json: the manifest does not list it"),
        (renamed, "derivation/derivation.json"),
        (swapped, "8.4.1-rules/cited.json: its content was changed"),
    ],
)
def test_a_changed_set_of_files_is_named(
    change: Callable[[Files], Files],
    named: str,
    body: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, words = said(zipped(change(packs.files(body))), tmp_path, capsys=capsys)

    assert code == verifier.ALTERED
    assert named in words


def test_a_file_that_is_there_twice_is_refused(
    body: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = BytesIO(body)
    with (
        zipfile.ZipFile(made, "a") as pack,
        pytest.warns(UserWarning, match="Duplicate name"),
    ):
        pack.writestr("derivation/felt.svg", b"<svg/>")
    code, words = said(made.getvalue(), tmp_path, capsys=capsys)

    assert code == verifier.ALTERED
    assert "twice" in words


def test_another_houses_key_is_not_the_one_that_was_given(
    body: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vkey = json.loads(packs.files(body)["manifest.json"])["key"]["vkey"]

    assert said(body, tmp_path, vkey, capsys=capsys)[0] == verifier.VERIFIED
    code, words = said(body, tmp_path, "00" * 32, capsys=capsys)
    assert code == verifier.ALTERED
    assert "not the key that was given" in words


def test_a_pack_without_its_signature_is_incomplete(
    body: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: body for name, body in packs.files(body).items() if name != "manifest.sig"}
    code, words = said(zipped(files), tmp_path, capsys=capsys)

    assert code == verifier.INCOMPLETE
    assert "manifest.sig" in words


def test_a_sum_that_does_not_follow_from_its_lines_is_named(body: bytes) -> None:
    settlement = json.loads(packs.files(body)["derivation/settlement.json"])
    assert verifier.check_sums(settlement) == len(settlement["wagers"])
    settlement["wagers"][0]["due"]["paid"] = "1"

    with pytest.raises(verifier.Altered, match="by its lines"):
        verifier.check_sums(settlement)


def test_hostile_zips_are_refused_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("../outside", "/etc/passwd", "a//b", "c:\\d", "a/../../b"):
        made = BytesIO()
        with zipfile.ZipFile(made, "w") as pack:
            pack.writestr(name, b"x")
        code, _ = said(made.getvalue(), tmp_path, capsys=capsys)

        assert code == verifier.ALTERED, name
    assert [path.name for path in tmp_path.iterdir()] == ["pack.zip"]
