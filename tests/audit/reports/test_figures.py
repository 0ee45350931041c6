"""The figures of the reports over the small house, worked out by hand."""

import json
from pathlib import Path

import pytest

from audit.cli.errors import Stopped
from audit.reports.inputs import given
from audit.reports.run import Row
from audit.reports.shipped import named
from tests.audit.reports.conftest import made

pytestmark = pytest.mark.slow


def chosen(row: Row, *names: str) -> tuple[object, ...]:
    """Some values of a row."""
    return tuple(row[name] for name in names)


def test_a_table_wins_what_it_kept_less_what_it_paid(checked_house: Path) -> None:
    tables, bets, errors, _ = made(checked_house, "table-sheet").rows

    # W1 was paid 195,000 of 95,000 due, W2 lost 50,000, W3 won 50,000; 200,000 were staked.
    assert [chosen(row, "staked", "won", "due", "hold") for row in tables] == [
        (200_000, -195_000, -95_000, "-97.50")
    ]
    assert [chosen(row, "kind", "wagers", "won") for row in bets] == [
        ("banker", 1, -195_000),
        ("player", 2, 0),
    ]
    assert [chosen(row, "over", "over_minor", "short") for row in errors] == [(1, 100_000, 0)]


def test_an_error_counts_to_the_dealer_of_its_round(checked_house: Path) -> None:
    dealers, errors = made(checked_house, "dealers").rows

    names = ("rounds", "wagers", "errors", "per_thousand", "over_minor", "median_s", "findings")
    assert [chosen(row, *names) for row in dealers] == [(2, 3, 1, 333, 100_000, 60, 1)]
    assert [chosen(row, "wager_id", "difference") for row in errors] == [("W1", 100_000)]


def test_money_at_stake_is_summed_by_check_and_month(checked_house: Path) -> None:
    together, checks = made(checked_house, "savings").rows

    assert [chosen(row, "findings", "house_minor", "house_sure") for row in together] == [
        (1, 100_000, 100_000)
    ]
    names = ("month", "check_id", "findings", "unreviewed", "real_share")
    assert [chosen(row, *names) for row in checks] == [("2026-03", "PAY-01", 1, 1, None)]


def test_a_round_that_no_camera_saw_is_counted(checked_house: Path) -> None:
    _, days, _, cameras, alarms = made(checked_house, "completeness").rows

    assert [chosen(row, "table_id", "events", "rounds") for row in days] == [("T1", 6, 2)]
    assert [chosen(row, "rounds", "seen", "unseen") for row in cameras] == [(2, 0, 2)]
    assert alarms == ()


def test_wagers_without_a_known_return_are_named(checked_house: Path) -> None:
    games, bets, without = made(checked_house, "theory").rows

    assert (games, bets) == ((), ())
    assert [chosen(row, "kind", "wagers", "staked") for row in without] == [
        ("banker", 1, 100_000),
        ("player", 2, 100_000),
    ]


def test_a_reaudit_says_who_is_owed_by_which_clause(checked_house: Path) -> None:
    asked, together, clauses, players = made(checked_house, "reaudit").rows

    assert [row["paytable"] for row in asked] == ["non_commission"]
    assert [chosen(row, "wagers", "rounds", "owed", "owing") for row in together] == [
        (3, 2, 6_000, 2_000)
    ]
    assert [chosen(row, "clauses", "player_minor") for row in clauses] == [("TB:5.1.2", 4_000)]
    assert [chosen(row, "player_id", "wagers", "player_minor") for row in players] == [
        ("P1", 2, 6_000),
        ("P2", 1, -2_000),
    ]


def test_every_edition_gives_its_issues() -> None:
    issues = json.loads(given(named("rule-issues"), None))

    assert {"TB:4.15", "TB:5.1.1"} <= {issue["anchor"] for issue in issues}


def test_a_report_of_a_reaudit_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="--run"):
        given(named("reaudit"), None)
    with pytest.raises(Stopped, match="a folder of roundproof reaudit --out expected"):
        given(named("reaudit"), tmp_path)
    with pytest.raises(Stopped, match="not made of a re-audit"):
        given(named("daily"), tmp_path)
