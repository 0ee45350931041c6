"""Niu Niu: docs/sheets/NN.md says all there is to say; its examples are run with all the others."""

import re
from pathlib import Path

import pytest

from replay import rulebooks
from replay.games.niu_niu import BETS, CLASSES
from replay.rulings import niu_niu
from replay.rulings.niu_niu.limits import CLAUSES
from replay.rulings.niu_niu.record import KINDS

PAGE = (Path(__file__).parents[4] / "docs" / "sheets" / "NN.md").read_text("utf-8")
RULINGS = Path(niu_niu.__file__).parent


@pytest.mark.parametrize("word", [*KINDS, *BETS, *CLASSES[10:], *CLAUSES])
def test_the_page_lists_every_word(word: str) -> None:
    assert f"`{word}`" in PAGE


def test_the_page_lists_every_flag() -> None:
    files = (file for file in sorted(RULINGS.glob("*.py")) if file.name != "words.py")
    source = "".join(file.read_text("utf-8") for file in files)
    codes = set(re.findall(r'"([A-Z]{4,}(?:_[A-Z]+)*)"', source)) - set(CLASSES)

    assert len(codes) > 25
    assert [code for code in sorted(codes) if f"`{code}`" not in PAGE] == []


def test_the_page_lists_every_reading() -> None:
    assert rulebooks.in_force("NN", "2026-03-01").issues
    for issue in rulebooks.in_force("NN", "2026-03-01").issues.values():
        others = ", ".join(f"`{other}`" for other in issue.alternatives)
        row = f"| `{issue.name}` | `{issue.reading}` | {others} |"
        assert (row if others else f"`{issue.name}`") in PAGE
