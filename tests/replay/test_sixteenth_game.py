"""A sixteenth game is added to a copy of the tree by what docs/adding-a-game.md asks for, no more.

`tests/sixteenth_game` holds it under the paths that the page names. Files that the page has edited
are below `added_lines`: what stands there is put at the end of the file of the tree. The clauses of
`breaches.toml` are put into the headers of the checks. One Card is no game of any house.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from replay.simulate.faults.breaches import beneath

pytestmark = pytest.mark.slow

TREE = Path(__file__).parents[2]
GAME = TREE / "tests" / "sixteenth_game"
ADDED_LINES = GAME / "added_lines"
PAGE = TREE / "docs" / "adding-a-game.md"
FINDINGS = 5  # the exit code of `detect` where it found something


class Copy:
    """A copy of the tree with the game, and a house with a day of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for package in ("schemas", "ingest", "replay", "vision", "audit"):
            shutil.copytree(TREE / package, root / package, copy_function=os.symlink)
        for path in sorted(path for path in GAME.rglob("*.*") if path.is_file()):
            if path.is_relative_to(ADDED_LINES):
                add(root / path.relative_to(ADDED_LINES), path.read_text("utf-8"))
            elif "__pycache__" not in path.parts:
                shutil.copy(path, root / path.relative_to(GAME))
        for line in (ADDED_LINES / BREACHES).read_text("utf-8").splitlines()[1:-1]:
            checks, clauses = (cell.split() for cell in line.split("|"))
            for check in checks:
                cite(root / "audit" / "checks" / f"{check}.sql", f"OC:{clauses[0]}")

    def run(self, *words: str) -> str:
        """What a command of the copy prints."""
        code = "from audit.cli.main import main; main()"
        command = [sys.executable, "-c", code, *words, "--home", str(self.root / "house")]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode in (0, FINDINGS), done.stderr
        return done.stdout


BREACHES = "replay/simulate/faults/breaches.toml"


def add(path: Path, text: str) -> None:
    """Put lines at the end of a file of the copy."""
    whole = path.read_text("utf-8") + "\n" + text
    path.unlink()  # a link to the file of the tree
    path.write_text(whole, "utf-8")


def cite(check: Path, anchor: str) -> None:
    """Put a clause into the header of a check of the copy."""
    text = check.read_text("utf-8")
    check.unlink()
    check.write_text(text.replace("-- clauses:   ", f"-- clauses:   {anchor}, ", 1), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    made = Copy(tmp_path_factory.mktemp("tree"))
    out = made.root / "simulated"
    made.run(
        "simulate", "--tables", "O01:OC", "--rounds", "120", "--faults", "all", "--out", str(out)
    )
    made.run("ingest", "file", str(out / "readings.jsonl"))
    made.run("replay", "--workers", "1")
    made.run("detect")
    return made


def test_the_page_names_every_file_of_the_game() -> None:
    page = PAGE.read_text("utf-8").replace("<game>", "one_card").replace("<CODE>", "OC")
    files = [path for path in GAME.rglob("*.*") if path.is_file() and path.suffix != ".pyc"]
    paths = [
        path.relative_to(ADDED_LINES if path.is_relative_to(ADDED_LINES) else GAME).as_posix()
        for path in files
    ]

    assert len(paths) > 9
    assert [path for path in paths if f"`{path}`" not in page] == []


def test_its_edition_has_no_complaints_and_its_returns_are_counted(copy: Copy) -> None:
    assert "OC 1: no complaints" in copy.run("rules", "lint", "OC")
    assert "12/13" in copy.run("rules", "rtp", "OC")


def test_every_fault_of_its_day_is_found_under_a_clause_of_its_rulebook(copy: Copy) -> None:
    truth = json.loads((copy.root / "simulated" / "truth.json").read_text("utf-8"))["faults"]
    found = json.loads(copy.run("findings", "--limit", "1000", "--json"))["findings"]

    explained = {id(row) for fault in truth for row in found if explains(fault, row)}

    assert len(truth) > 20
    assert [fault["fault"] for fault in truth if not any(cites(fault, row) for row in found)] == []
    assert [row["check_id"] for row in found if id(row) not in explained] == []
    assert {anchor.partition(":")[0] for row in found for anchor in row["clauses"]} == {"OC"}


def cites(fault: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a finding speaks of the fault and cites a clause that it breaks."""
    broken = fault["clauses"]
    return explains(fault, row) and any(beneath(at, it) for at in row["clauses"] for it in broken)


def explains(fault: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a finding is the fault itself, or a consequence of it."""
    same_place = (
        None in {fault["round_id"], row["round_id"]} or fault["round_id"] == row["round_id"]
    )
    return row["check_id"] in fault["explains"] and same_place


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("settled: Red", "is Red", "on Red, wins", "on Black, loses", "is a seven")),
        ("vi", ("đã thanh toán: Đỏ", "là Đỏ", "cược Đỏ, thắng", "cược Đen, thua", "lá bảy")),
    ],
)
def test_its_rounds_are_explained_in_both_languages(
    copy: Copy, language: str, words: tuple[str, ...]
) -> None:
    rounds = "select min(round_id) as id from rounds where status = 'settled' group by outcome"
    names = [row["id"] for row in json.loads(copy.run("sql", rounds, "--json"))["rows"]]

    told = "".join(copy.run("explain", name, "--lang", language) for name in names)

    assert [word for word in words if word not in told] == []
