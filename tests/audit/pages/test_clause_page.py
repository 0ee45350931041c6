"""docs/clauses.md: the page is its source, and no clause of a finished game lacks its proof."""

from pathlib import Path

import pytest

from audit.cli.errors import Stopped
from audit.pages import clauses as clause_page
from audit.pages.clause_tests import proof
from replay import rulebooks
from replay.rulebooks.edition import BadRulebook
from tests.support.small_house import Roundproof
from tests.support.tables import cases

PROJECT = Path(__file__).parents[3]
TESTS = PROJECT / "tests"
TIGER = rulebooks.in_force("TB", "2026-03-01")

# Rulebooks of which no clause may be open; a new one joins them once its game is finished.
FINISHED = (
    *("NN", "TB", "TH", "RO"),
    *("SA-AB", "SA-BC", "SA-BJ", "SA-DT", "SA-FPC", "SA-HL", "SA-PD", "SA-RO", "SA-SB", "SA-TP"),
    "SA-XD",
)


def test_the_page_is_what_the_editions_and_the_tests_say() -> None:
    books = [(edition, clause_page.rows(edition, TESTS)) for edition in rulebooks.editions()]

    written = (PROJECT / "docs" / "clauses.md").read_text("utf-8")

    assert clause_page.page(books) == written, (
        "write it again: roundproof rules clauses --markdown > docs/clauses.md"
    )


@pytest.mark.parametrize("code", FINISHED)
def test_no_clause_of_a_finished_game_is_open(code: str) -> None:
    found = clause_page.rows(rulebooks.in_force(code, "2026-03-01"), TESTS)

    assert [row.clause.anchor for row in found if row.status == clause_page.MISSING] == []


@pytest.mark.parametrize("code", FINISHED)
def test_no_clause_is_both_shown_and_said_to_be_beyond_showing(code: str) -> None:
    known = proof(rulebooks.in_force(code, "2026-03-01"), TESTS)

    assert known.shown.keys() & known.unseen.keys() == set()


def small(tmp_path: Path, test: str, told: str = "") -> Path:
    """A project with one test of Tiger Baccarat, and what is told of it."""
    (tmp_path / "replay" / "tiger_baccarat").mkdir(parents=True)
    (tmp_path / "clauses").mkdir()
    (tmp_path / "replay" / "tiger_baccarat" / "test_small.py").write_text(test, "utf-8")
    (tmp_path / "clauses" / "TB.toml").write_text(told, "utf-8")
    return tmp_path


IN_A_BODY = """
def test_it():
    # TB:4.13 a natural
    assert True
"""
IN_A_CASE = '''
@pytest.mark.parametrize("card", cases("""
    9S | 4.13 a natural
"""))
def test_it(card):
    assert card
'''
IN_A_TABLE = '''
ROWS: str = """
    9S | TB:4.13
"""

def told():
    return ROWS

def test_it():
    assert told()
'''
NOWHERE = """
def told():
    return "TB:4.13"

def test_it():
    assert "4.13"
"""


@pytest.mark.parametrize(
    ("test", "found"),
    [
        pytest.param(IN_A_BODY, ["tiger_baccarat/test_small.py::test_it"], id="in its body"),
        pytest.param(
            IN_A_CASE, ["tiger_baccarat/test_small.py::test_it[4.13 a natural]"], id="by a case"
        ),
        pytest.param(IN_A_TABLE, ["tiger_baccarat/test_small.py::test_it"], id="in its table"),
        pytest.param(NOWHERE, [], id="not by a bare number, nor by what it does not use"),
    ],
)
def test_a_test_shows_a_clause_by_naming_it(tmp_path: Path, test: str, found: list[str]) -> None:
    known = proof(TIGER, small(tmp_path, test))

    assert [str(shown) for shown in known.shown.get("TB:4.13", ())] == found


def test_what_another_games_tests_name_shows_nothing(tmp_path: Path) -> None:
    tests = small(tmp_path, IN_A_BODY)
    (tests / "replay" / "tiger_baccarat" / "test_small.py").rename(
        tests / "replay" / "test_small.py"
    )

    assert proof(TIGER, tests).shown == {}


def test_what_names_no_clause_is_told_beside_the_tests(tmp_path: Path) -> None:
    told = '[shown]\n"tiger_baccarat/test_small.py::test_it" = "4.1 4.2"\n'
    told += '[unseen]\n"nobody says it" = "4.4"\n'

    found = {
        row.clause.anchor: (row.status, row.why or ", ".join(map(str, row.shown)))
        for row in clause_page.rows(TIGER, small(tmp_path, NOWHERE, told))
    }

    assert found["TB:4.2"] == ("shown", "tiger_baccarat/test_small.py::test_it")
    assert found["TB:4.4"] == ("unseen", "nobody says it")
    assert found["TB:4"] == ("head", "opens 4.1 to 4.17")
    assert found["TB:4.13"] == ("missing", "")
    assert "TB:3.1" not in found


@pytest.mark.parametrize(
    ("told", "said"),
    cases("""
        [shown]_"test_x.py::test_y" = "4.1"                          | a test such as .* expected, 'test_x.py::test_y' found | no such test
        [shown]_"tiger_baccarat/test_small.py::test_it" = "4.99"     | a clause of TB expected, '4.99' found                 | no such clause
        [unseen]_"nobody says it" = "9"                              | a clause of TB expected, '9' found                    | nor a reason for none
    """),  # noqa: E501  (a row is a sentence)
)
def test_what_is_told_is_held_to_what_there_is(tmp_path: Path, told: str, said: str) -> None:
    tests = small(tmp_path, NOWHERE, told.replace("]_", "]\n"))

    with pytest.raises(BadRulebook, match=said):
        proof(TIGER, tests)


def test_without_the_tests_nothing_can_be_said(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="tests expected, nothing found"):
        proof(TIGER, tmp_path)


def test_open_clauses_are_named(roundproof: Roundproof, tmp_path: Path) -> None:
    said = roundproof("rules", "clauses", "TB", "--tests", small(tmp_path, NOWHERE))

    assert said.code == 0
    assert "0 shown by a test" in said.out
    assert "  TB:4.13  If the point count" in said.out
