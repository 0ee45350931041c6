"""Tiger Baccarat: the examples of docs/sheets/TB.md give the answers printed below them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from replay import rulebooks
from replay.rulings.tiger_baccarat.record import KINDS
from replay.sheets.sheet import answer
from tests.support.tables import judged

PAGE = (Path(__file__).parents[4] / "docs" / "sheets" / "TB.md").read_text("utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))


def _only(found: Any, stated: Any) -> Any:
    """What was found, cut down to the keys that the page states."""
    if isinstance(stated, dict) and isinstance(found, dict):
        return {key: _only(found.get(key), part) for key, part in stated.items()}
    if isinstance(stated, list) and isinstance(found, list) and len(stated) == len(found):
        return [_only(one, part) for one, part in zip(found, stated, strict=True)]
    return found


@pytest.mark.parametrize(("sheet", "stated"), EXAMPLES)
def test_the_page_shows_what_is_answered(sheet: dict[str, Any], stated: dict[str, Any]) -> None:
    found = answer(judged(sheet))

    assert _only(found, stated) == stated
    assert found["carry"] == stated["carry"]


def test_the_page_lists_every_reading_that_may_be_posted() -> None:
    rows = {
        f"| `{issue.name}` | `{issue.reading}` | "
        + ", ".join(f"`{other}`" for other in issue.alternatives)
        + " |"
        for issue in rulebooks.in_force("TB", "2026-03-01").issues.values()
        if issue.alternatives
    }

    assert len(rows) == 8
    assert rows <= set(PAGE.splitlines())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_page_lists_every_irregularity(kind: str) -> None:
    assert f"`{kind}`" in PAGE
