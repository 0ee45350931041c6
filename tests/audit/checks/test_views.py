"""What checks share: views, macros, and the facts of the games."""

import duckdb
import pytest

from audit.checks import catalogue, views
from replay import game_modules, rulebooks
from replay.rulebooks.edition import Edition


@pytest.mark.parametrize("check_id", catalogue.checks())
def test_no_check_knows_a_game_by_its_code(check_id: str) -> None:
    sql = catalogue.checks()[check_id].sql

    assert [code for code in rulebooks.codes() if f"'{code}'" in sql] == []


@pytest.mark.parametrize("edition", rulebooks.editions(), ids=lambda edition: edition.code)
def test_sql_has_the_facts_of_each_game(edition: Edition) -> None:
    rulings = game_modules.rulings(edition.game)
    asked = ", ".join(f"{fact.lower()}($code)" for fact in views.FACTS)

    with duckdb.connect(":memory:") as connection:
        connection.execute(views.game_facts())
        (found,) = connection.execute(f"select {asked}", {"code": edition.code}).fetchall()

    assert found == tuple(getattr(rulings, fact) for fact in views.FACTS)


def test_each_fact_holds_of_some_game_and_not_of_all() -> None:
    games = [game_modules.rulings(edition.game) for edition in rulebooks.editions()]

    for fact in views.FACTS:
        assert {getattr(rulings, fact) for rulings in games} == {True, False}
