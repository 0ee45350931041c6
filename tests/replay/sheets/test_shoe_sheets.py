"""Baccarat, Dragon Tiger and Pok Deng: the pages of docs/sheets answer what they print."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from replay import rulebooks
from replay.sheets.sheet import answer
from tests.support.tables import judged

HOME = Path(__file__).parents[3]
CODES = ("SA-BC", "SA-DT", "SA-PD")
PAGES = {code: (HOME / "docs" / "sheets" / f"{code}.md").read_text("utf-8") for code in CODES}
EXAMPLES = [
    pytest.param(*map(json.loads, pair), id=f"{code} {n}")
    for code, page in PAGES.items()
    for n, pair in enumerate(re.findall(r"```json\n(.*?)```.*?```json\n(.*?)```", page, re.DOTALL))
]
SHARED = ("dealt_round", "shoe_procedure")


@pytest.mark.parametrize(("sheet", "stated"), EXAMPLES)
def test_the_page_shows_what_is_answered(sheet: dict[str, Any], stated: dict[str, Any]) -> None:
    found = answer(judged(sheet))

    for key, value in stated.items():
        if key != "lines":
            assert found[key] == value
    for line, printed in zip(found["lines"], stated["lines"], strict=True):
        assert {key: line[key] for key in printed} == printed


@pytest.mark.parametrize("code", CODES)
def test_every_page_has_two_examples_at_least(code: str) -> None:
    assert PAGES[code].count("```json") >= 4


@pytest.mark.parametrize("code", CODES)
def test_the_page_names_every_issue_reading_and_flag(code: str) -> None:
    edition, page = rulebooks.in_force(code, "2026-03-01"), PAGES[code]
    names = (edition.game, *SHARED)
    rulings = "".join(
        file.read_text("utf-8")
        for name in names
        for file in (HOME / "replay" / "rulings").rglob(f"{name}.py")
    )
    flags = set(re.findall(r'(?:Remark|Flag)\(\s*"([A-Z_]+)"', rulings))
    flags -= {"ROUND_BURN_COUNT"} if code == "SA-BC" else set()

    assert len(flags) >= 10
    assert [name for name in edition.issues if f"`{name}`" not in page] == []
    assert [flag for flag in sorted(flags) if f"`{flag}`" not in page] == []
    for issue in edition.issues.values():
        for reading in issue.alternatives:
            assert f"`{reading}`" in page, issue.name
