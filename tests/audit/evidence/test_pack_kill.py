"""A pack that kill -9 cut off is never read as whole, and the next build finishes it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from audit.evidence import verify
from tests.support import packs, second_verifier

ROUND = "T1-20260301-0003"
# A builder that dies at one call of the disk, after half of the bytes where it writes.
BUILDER = """
import os, signal, sys
from audit.cli import app
from ingest.disk import Disk

dies_at, out, home = sys.argv[1:]
before = getattr(Disk, dies_at)

def dying(self, first, *rest):
    if dies_at == "write" and len(rest[0]) > 100_000:
        os.write(first, rest[0][: len(rest[0]) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    if dies_at != "write" and ".zip" in os.fsdecode(first if isinstance(first, os.PathLike)
                                                    else os.readlink(f"/proc/self/fd/{first}")):
        os.kill(os.getpid(), signal.SIGKILL)
    return before(self, first, *rest)

setattr(Disk, dies_at, dying)
app.run(["pack", "build", "ROUND", "--lang", "en", "--out", out, "--home", home])
""".replace("ROUND", ROUND)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packs.sealed_house(tmp_path_factory.mktemp("house"))


@pytest.mark.parametrize("dies_at", ["write", "sync", "rename"])
def test_a_killed_build_leaves_no_pack_and_the_next_one_makes_it(
    dies_at: str, home: Path, tmp_path: Path
) -> None:
    path, draft = tmp_path / "pack.zip", tmp_path / "pack.zip.new"

    done = subprocess.run(
        [sys.executable, "-c", BUILDER, dies_at, str(path), str(home)],
        check=False,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(Path.cwd())},
    )

    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not path.exists()
    if dies_at == "write":
        assert verify.main([str(draft)]) == 4
        assert second_verifier.verdict(draft.read_bytes()) == 4
    again = [sys.executable, "-m", "audit.cli.main", "pack", "build", ROUND, "--lang", "en"]
    subprocess.run([*again, "--out", str(path), "--home", str(home)], check=True)
    assert verify.main([str(path)]) == 0
    assert not draft.exists()


def test_a_pack_cut_off_anywhere_is_refused(home: Path, tmp_path: Path) -> None:
    body = packs.packed(home, ROUND).body
    path = tmp_path / "pack.zip"
    for end in (*range(0, len(body), len(body) // 60), len(body) - 1):
        path.write_bytes(body[:end])

        assert verify.main([str(path)]) in (2, 4), end
        assert second_verifier.verdict(body[:end]) in (2, 4), end
