"""Packs and logs of earlier versions verify for ever: with today's verifier, and with their own."""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from audit.cases import case_log
from audit.evidence import opening, verify
from ingest.local.log import LocalLog
from tests.support import packs, second_verifier
from tests.support.command_line import called

GOLDEN = Path(__file__).parents[2] / "golden"
FOLDERS = sorted(GOLDEN.glob("pack-*"))
EDITIONS = [path for folder in FOLDERS for path in (folder / "full.zip", folder / "party.zip")]
# What was committed; a golden file that changes is not one.
SHA256 = {
    "pack-1/full.zip": "2dcd0737d7df7369e750be1eeb5ea4ac3fd4955bf9a96dc11387131f56bc9a3d",
    "pack-1/house.zip": "c4f82396e57af00b44dc378eb553e169a0c7184f99c47ce27f0774fae279f892",
    "pack-1/party.zip": "0a844afe9cae67471473da3bc428dbf738531eb8e5b6079efca21a331d0f64a0",
}


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.fixture(params=FOLDERS, ids=lambda folder: str(folder.name))
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The log that the packs of a folder come from."""
    with zipfile.ZipFile(request.param / "house.zip") as archive:
        archive.extractall(tmp_path / "house")
    return tmp_path / "house"


def test_no_golden_file_was_changed() -> None:
    found = {name(path): hashlib.sha256(path.read_bytes()).hexdigest()
             for folder in FOLDERS for path in sorted(folder.iterdir())}  # fmt: skip

    assert found == SHA256


@pytest.mark.parametrize("path", EDITIONS, ids=name)
def test_an_edition_verifies(path: Path, tmp_path: Path) -> None:
    body = path.read_bytes()
    key = json.loads(packs.files(body)["manifest.json"])["key"]["vkey"]
    own = tmp_path / "verify.py"
    own.write_bytes(packs.files(body)["verify.py"])

    assert verify.main([str(path), "--key", key]) == 0
    assert second_verifier.verdict(body) == 0
    command = [sys.executable, "-I", str(own), str(path), "--key", key]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_the_full_edition_opens_the_other(folder: Path) -> None:
    assert opening.opened(folder / "party.zip", folder / "full.zip") > 10


def test_the_log_is_read_and_its_seal_holds(home: Path) -> None:
    assert called("log", "verify", "--home", str(home)) == 0
    assert called("replay", "--workers", "1", "--home", str(home)) == 0
    assert [case.stage for case in case_log.load(home).cases.values()] == ["told"]


def test_the_log_holds_the_events_of_the_pack(home: Path, request: pytest.FixtureRequest) -> None:
    folder: Path = request.node.callspec.params["home"]
    files = packs.files((folder / "full.zip").read_bytes())
    span = json.loads(files["manifest.json"])["span"]
    records = LocalLog(home / "log").read("events", span["table"])
    leaves = [hashlib.sha256(b"\0" + record.body).hexdigest() for record in records]

    assert files["proof/leaves.txt"].decode().split() == leaves[span["start"] : span["end"]]
