"""The command line over a house with one table-day, replayed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from audit.checks import views
from audit.cli import app
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import duckdb_file
from tests.support import houses


def roundproof(*words: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """The console script as a process of its own, with more variables around it."""
    return subprocess.run(
        [sys.executable, "-m", "audit.cli.main", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | more,
    )


@pytest.fixture(scope="session")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with one table-day, replayed."""
    home = tmp_path_factory.mktemp("replayed")
    houses.written(home, "T1", [*houses.opened(), *houses.spin("R1", 3, houses.red())])
    batch_replay.replay(home, Choice())
    duckdb_file.project(home, also=views.put)
    return home


@pytest.fixture
def house(replayed: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(replayed, tmp_path / "house"))


def called(*words: str) -> int:
    """The exit code of the console script, run here."""
    with pytest.raises(SystemExit) as left:
        app.run(words)
    return int(left.value.code or 0)
