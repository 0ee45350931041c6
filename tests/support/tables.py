"""Tests written as tables: the page of a rulebook, row by row."""

from typing import Any

import pytest

from replay import rulebooks
from replay.judge import Judgement, judge
from replay.relied_readings import relied
from replay.sheets.sheet import read


def cases(text: str) -> list[Any]:
    """Rows split on `|`; the last cell names the case."""
    rows = [[cell.strip() for cell in row.split("|")] for row in text.strip().splitlines()]
    return [pytest.param(*row[:-1], id=row[-1]) for row in rows if row != [""]]


def judged(sheet: dict[str, Any]) -> Judgement:
    """The judgement of a round sheet."""
    round, memory = read(sheet)
    assert round.terms is not None
    edition = rulebooks.in_force(round.terms.game, round.gaming_day, round.terms.edition)
    return judge(round, edition, memory)


def readings(judged: Judgement) -> dict[str, str]:
    """The readings of unclear clauses that a judgement relies on."""
    assert judged.terms is not None
    return {name: judged.terms.readings[name] for name in relied(judged)}
