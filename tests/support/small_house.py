"""A small house on disk, and the command line as people run it."""

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from audit.cli import app
from replay.tables import proven_file
from replay.tables.duckdb_file import FILE
from tests.support.check_cases import database

TABLES = tomllib.loads(Path(__file__).with_name("small_house.toml").read_text("utf-8"))


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Roundproof = Callable[..., Said]


@pytest.fixture(scope="session")
def small_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with an overpaid wager in R1 and chips that may have come late in R2."""
    made = tmp_path_factory.mktemp("small_house")
    database(TABLES, str(made / FILE)).close()
    return noted(made)


def noted(home: Path) -> Path:
    """The house, whose DuckDB file a test changed, with the hash that the file has now."""
    proven_file.note(home / FILE, proven_file.sha256(home / FILE))
    return home


@pytest.fixture
def home(small_house: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(small_house, tmp_path, dirs_exist_ok=True))


@pytest.fixture
def roundproof(capfd: pytest.CaptureFixture[str]) -> Roundproof:
    """The console script itself, with its exit code."""

    def run(*words: str | Path) -> Said:
        with pytest.raises(SystemExit) as left:
            app.run([str(word) for word in words])
        return Said(int(left.value.code or 0), *capfd.readouterr())

    return run
