"""A stake outside its limits is told on its own line too, in every game of SA Gaming's dealers."""

import pytest

from tests.support.sheet_pages import CODES, example
from tests.support.tables import judged

# Blackjack's lines say how its hands were played; the Hoiana games have clauses for limits.
GAMES = [code for code in CODES if code.startswith("SA-") and code != "SA-BJ"]


@pytest.mark.parametrize("code", GAMES)
def test_the_line_of_a_wager_says_that_it_is_off_limits(code: str) -> None:
    sheet = example(code)
    first = next(event for event in sheet["events"] if event["type"] == "WagerPlaced")
    limit = {"bet": first["bet"], "minimum": 10**9, "maximum": 10**10}

    found = judged(sheet | {"terms": sheet["terms"] | {"limits": [limit]}})

    told = {flag.subject for flag in found.flags if flag.code == "OFF_LIMITS"}
    assert first["wager_id"] in told
    assert {due.wager_id for due in found.dues if "OFF_LIMITS" in due.flags} == told
