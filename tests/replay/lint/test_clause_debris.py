"""The words of every edition are clean, and lint finds what a copy left in them."""

import pytest

from replay import rulebooks
from replay.lint import debris
from replay.rulebooks import edition as book
from tests.support.tables import cases

DAY = "2026-03-01"


@pytest.mark.parametrize("code", sorted(rulebooks.codes()))
def test_the_words_of_an_edition_are_clean(code: str) -> None:
    edition = rulebooks.in_force(code, DAY)

    assert edition.clauses
    assert [(at.where, at.text) for at in debris.found(edition)] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    cases(r"""
        the same ( $\geq 17$ points), a Push      | markup of a formula          | a formula
        Theoretical RTP% <sup>2</sup>             | markup of a page             | a footnote's mark
        see Figure 3 below                        | a picture's name             | a caption
        shown in dolly.png                        | a picture's name             | a file
        four red , or four white                  | a space that does not belong | before a comma
        ( 17 points)                              | a space that does not belong | after a bracket
        3. Blackjack 5.15.25 99.39% 89.64%        | a row of the certificate | a row run together
    """),
)
def test_debris_is_found(text: str, kind: str) -> None:
    found = list(debris.found(_with(text)))

    assert kind in {at.text.partition(":")[0].removesuffix(" in one line") for at in found}
    assert {at.where for at in found} == {"SA-XD:11.1"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bets: / Bet | Pays / Red | 1 to 1", "rows of a table in one line"),
        ("Bet | Pays\nRed | 1 to 1 | twice", "a table whose head has 2 cells and a row 3"),
    ],
)
def test_a_table_that_is_none_is_found(text: str, said: str) -> None:
    assert any(at.text.startswith(said) for at in debris.found(_with(text)))


def test_a_row_of_a_table_is_a_line_of_its_own() -> None:
    clause = rulebooks.in_force("NN", DAY).clause("NN:5.1")

    lines = clause.text.splitlines()

    assert lines[1].split(" | ") == ["Winning Hands", "Even Pays", "Double Pays", "Super Niu Pays"]
    assert lines[-1] == "No Hand | 1 to 1 | 1 to 1 | 1 to 1"


def test_captions_and_formulas_are_gone() -> None:
    caption = rulebooks.in_force("NN", DAY).clause("NN:6.2.13").text
    formula = rulebooks.in_force("SA-BJ", DAY).clause("SA-BJ:3.7.3").text

    assert caption.endswith("adding up to 10, 20 or 30.")
    assert "(≥ 17 points)" in formula


def _with(text: str) -> book.Edition:
    edition = rulebooks.in_force("SA-XD", DAY)
    clause = edition.clauses["SA-XD:11.1"]._replace(text=text)
    return edition._replace(clauses={"SA-XD:11.1": clause})
