"""Sic Bo: the examples of docs/sheets/SA-SB.md give the answers printed below them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from replay import rulebooks
from replay.sheets.sheet import answer
from tests.support.tables import judged

PAGE = (Path(__file__).parents[4] / "docs" / "sheets" / "SA-SB.md").read_text("utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))


@pytest.mark.parametrize(("sheet", "stated"), EXAMPLES)
def test_the_page_shows_what_is_answered(sheet: dict[str, Any], stated: dict[str, Any]) -> None:
    found = answer(judged(sheet))

    assert {key: found[key] for key in stated if key != "lines"} == {
        key: value for key, value in stated.items() if key != "lines"
    }
    for line, printed in zip(found["lines"], stated["lines"], strict=True):
        assert {key: line[key] for key in printed} == printed


def test_the_page_names_every_issue_and_every_flag() -> None:
    edition = rulebooks.in_force("SA-SB", "2026-03-01")
    source = Path(__file__).parents[4] / "replay" / "rulings"
    modules = ("sic_bo.py", "shared/shaken_dice.py")
    rulings = "".join((source / name).read_text("utf-8") for name in modules)
    flags = set(re.findall(r'Flag\("([A-Z_]+)"', rulings))

    assert [name for name in edition.issues if f"`{name}`" not in PAGE] == []
    assert [flag for flag in sorted(flags) if f"`{flag}`" not in PAGE] == []
