"""The examples of docs/sheets, as sheets that a test may alter."""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[2] / "docs" / "sheets"
CODES = tuple(sorted(page.stem for page in PAGES.glob("*.md")))
BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)

Sheet = dict[str, Any]


def example(code: str, kind: str = "WagerPlaced") -> Sheet:
    """The first sheet on the page of a rulebook with at least two events of a kind."""
    return deepcopy(next(sheet for sheet in _sheets(code) if len(places(sheet, kind)) > 1))


def places(sheet: Sheet, kind: str) -> list[int]:
    """Where the events of a kind stand in a sheet."""
    return [n for n, event in enumerate(sheet["events"]) if event["type"] == kind]


@cache
def _sheets(code: str) -> tuple[Sheet, ...]:
    blocks = BLOCK.findall((PAGES / f"{code}.md").read_text("utf-8"))
    return tuple(sheet for sheet in map(json.loads, blocks) if "events" in sheet)
