"""Every check against its examples, and what holds for all of them."""

import re

import pytest

from audit.checks import catalogue
from audit.checks import run as run_checks
from replay import rulebooks
from tests.support import check_cases, untranslated
from tests.support.check_cases import FOLDER, Case, database, examples, filled, spoken

pytestmark = pytest.mark.slow

CASES = [pytest.param(case, id=f"{case.check_id}: {case.name}") for case in examples()]


@pytest.mark.parametrize("case", CASES)
def test_a_check_finds_what_its_examples_say(case: Case) -> None:
    check = catalogue.checks()[case.check_id]

    with filled(case.filled) as connection:
        found = run_checks.rows(connection, check)

    columns = list(case.finds[0]) if case.finds else []
    assert [{name: spoken(row[name]) for name in columns} for row in found] == case.finds
    places = [(row["table_id"], row["round_id"], row["subject"]) for row in found]
    assert len(places) == len(set(places)), "one finding a table, round and subject"
    for row in found:
        assert row["certain"] is not None
        assert row["expected"]
        assert row["found"]
        assert row["evidence"], "a finding rests on events"
    brought = str(case.filled)  # remarks of the rules that an example makes up
    told = untranslated.left(row[side] for row in found for side in ("expected", "found"))
    parts = [part for text in told for part in text.split("; ")]
    assert [part for part in parts if part not in brought] == []


def test_a_day_that_nobody_opened_is_checked_like_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its gaming day is null, which equals nothing: no join may lose the day by that."""
    monkeypatch.setitem(check_cases.SHARED, "gaming_day", None)
    by_day = [
        case
        for case in examples()
        if re.search(r"gaming_day|_in_force", catalogue.checks()[case.check_id].sql)
        and not any("gaming_day" in text for text in case.filled.values())
    ]

    assert len({case.check_id for case in by_day}) > 10
    for case in by_day:
        with filled(case.filled) as connection:
            found = run_checks.rows(connection, catalogue.checks()[case.check_id])

        assert len(found) == len(case.finds), (case.check_id, case.name)
        assert all(row["subject"] is not None for row in found), case.check_id


def test_every_check_has_its_examples_and_every_example_its_check() -> None:
    files = {path.stem for path in FOLDER.glob("*.toml")}

    assert files == set(catalogue.checks())


@pytest.mark.parametrize("check_id", catalogue.checks())
def test_a_check_shows_a_find_and_a_near_miss(check_id: str) -> None:
    mine = [case for case in examples() if case.check_id == check_id]

    assert any(case.finds for case in mine), "a case that finds"
    assert any(not case.finds for case in mine), "a near miss that does not"


@pytest.mark.parametrize("check", catalogue.checks().values(), ids=lambda check: check.check_id)
def test_a_header_cites_only_clauses_on_file(check: catalogue.Check) -> None:
    on_file = {anchor for edition in rulebooks.editions() for anchor in edition.clauses}

    assert check.clauses
    assert set(check.clauses) <= on_file


@pytest.mark.parametrize("check", catalogue.checks().values(), ids=lambda check: check.check_id)
def test_a_query_is_ordered_and_lower_case(check: catalogue.Check) -> None:
    words = "".join(part for n, part in enumerate(check.sql.split("'")) if n % 2 == 0)

    assert "order by" in check.sql.rstrip().rpartition("\nfrom ")[2]
    assert words == words.lower()


def test_a_check_on_an_empty_house_finds_nothing() -> None:
    every = catalogue.checks().values()

    with database({}, checks=every) as connection:
        found = [run_checks.rows(connection, check) for check in every]

    assert not any(found)


def test_what_is_held_elsewhere_is_no_check_and_names_only_checks() -> None:
    entries = [entry for part in catalogue.elsewhere().values() for entry in part.items()]
    named = {check for _, (_, why) in entries for check in re.findall(r"\b[A-Z]+-\d\d\b", why)}

    assert entries
    assert not {check_id for check_id, _ in entries} & set(catalogue.checks())
    assert named <= set(catalogue.checks())
