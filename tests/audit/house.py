"""A small house on disk, and the command line as people run it."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from audit import root
from replay.project import FILE
from tests.audit.cases import database

TABLES = tomllib.loads(Path(__file__).with_name("small_house.toml").read_text("utf-8"))


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Roundproof = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A house with an overpaid wager in R1 and chips that may have come late in R2."""
    database(TABLES, str(tmp_path / FILE)).close()
    return tmp_path


@pytest.fixture
def roundproof(capfd: pytest.CaptureFixture[str]) -> Roundproof:
    """The console script itself, with its exit code."""

    def run(*words: str | Path) -> Said:
        with pytest.raises(SystemExit) as left:
            root.run([str(word) for word in words])
        return Said(int(left.value.code or 0), *capfd.readouterr())

    return run
