"""Stakes outside posted limits where no clause says what becomes of them: settled, and told of."""

from typing import Any

import pytest

from replay import rulebooks
from replay.judge import Judgement
from tests.support.english import english
from tests.support.sheet_pages import CODES, example
from tests.support.tables import judged
from tests.support.tables import readings as relied_on

# The other Hoiana games have clauses for limits.
GAMES = [code for code in CODES if code.startswith("SA-") or code == "RO"]
LIMITS = {"RO": ("table_limits", "posted_terms")}  # an issue of another name


def told(code: str, minimum: int, maximum: int) -> tuple[Judgement, Judgement, str]:
    """A game's example without limits and with one on its first bet, and that wager's id."""
    sheet = example(code)
    first = next(event for event in sheet["events"] if event["type"] == "WagerPlaced")
    limit = {"bet": first["bet"], "minimum": minimum, "maximum": maximum}
    terms: dict[str, Any] = sheet["terms"] | {"limits": [limit]}
    return judged(sheet), judged(sheet | {"terms": terms}), first["wager_id"]


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize(
    ("minimum", "maximum", "side"),
    [(10**9, 10**10, "below the minimum"), (0, 1, "above the maximum")],
    ids=["below", "above"],
)
def test_a_stake_outside_its_limits_is_told(
    code: str, minimum: int, maximum: int, side: str
) -> None:
    plain, found, wager_id = told(code, minimum, maximum)

    flags = [flag for flag in found.flags if flag.code == "OFF_LIMITS"]
    assert [flag.subject for flag in flags if flag.subject == wager_id] == [wager_id]
    assert all(side in english(flag.note) for flag in flags)
    assert [due.back for due in found.dues] == [due.back for due in plain.dues]
    issue, reading = LIMITS.get(code, ("limits", "settled_in_full"))
    assert relied_on(found)[issue] == reading


@pytest.mark.parametrize("code", GAMES)
def test_a_stake_within_its_limits_is_not(code: str) -> None:
    _, found, _ = told(code, 1, 10**12)

    assert not [flag for flag in found.flags if flag.code == "OFF_LIMITS"]
    assert "limits" not in relied_on(found)


@pytest.mark.parametrize("code", GAMES)
def test_the_edition_names_the_reading(code: str) -> None:
    issue, reading = LIMITS.get(code, ("limits", "settled_in_full"))

    assert rulebooks.in_force(code, "2026-03-01").issues[issue].reading == reading


def test_limits_are_those_of_the_bet_types_where_the_report_prints_none() -> None:
    _, found, _ = told("SA-BC", 10**9, 10**10)

    assert {flag.clause for flag in found.flags if flag.code == "OFF_LIMITS"} == {"SA-BC:2.4"}
