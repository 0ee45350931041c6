"""Lint: the rule issues a program can see, and every way an edition can be wrong."""

import re
from importlib.resources import files

import pytest

from replay import rulebooks
from replay.lint import ERROR, KNOWN, NOTE, EditionComplaint, lint
from replay.lint.code import sources
from replay.rulebooks.edition import Edition, parse
from tests.support.tables import cases

pytestmark = pytest.mark.slow

# Their returns take many seconds to count, and are held to their figures by their own tests.
SLOW = ("SA-BJ", "TH")


def edition(code: str) -> Edition:
    return rulebooks.in_force(code, "2026-03-01")


def text_of(code: str) -> str:
    return (files("replay") / "rulebooks" / f"{code}.toml").read_text("utf-8")


def complaints(text: str, check: str) -> list[EditionComplaint]:
    return [each for each in lint(parse(text)) if each.check == check]


@pytest.mark.parametrize("code", rulebooks.codes())
def test_the_editions_on_file_have_no_error(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if code in SLOW:
        monkeypatch.setattr("replay.theory.known", lambda game: game == "")

    assert [each for each in lint(edition(code)) if each.level == ERROR] == []


@pytest.mark.parametrize(
    ("code", "check", "where", "issue"),
    cases("""
        SA-SB | certificate | SA-SB:8.4.1           | interval               | a certificate outside itself
        SA-SB | payouts     |                       | payouts                | payouts that are not printed
        TB    | column      | TB:4.15               | table_two_row_0_1_2    | a cell in the wrong column
        TB    | measure     | TB:4.3 TB:7.19 TB:2.2.17 | differential        | a total against a difference
        TB    | scope       | TB:7.17               | below_minimum_scope    | once, and not for how long
        TB    | rounding    |                       | rounding               | shares that nobody rounds
        NN    | rounding    |                       | rounding               | in Niu Niu as well
        NN    | condition   | NN:5.2 NN:5.1         | even_niu6_commission   | a condition in one of two places
        TH    | procedure   | TH:4.12               | river_card             | a step that one way lacks
        TB    | decks       |                       | decks                  | decks that are not counted
        SA-BC | scope       | SA-BC:2.5             | max_round_availability | a number that is not given
        RO    | repeated    | RO:4.10 RO:4.11       | same_clause_twice      | one clause twice
        RO    | reference   | RO:6.4                | one_payment            | a reference that does not fit
        SA-RO | unlisted    | SA-RO:7.4.10 SA-RO:7.2.4 | odd_even | a bet that the list lacks
        RO    | unlisted    | RO:5.1.d RO:6.2.1 RO:6.5.2.1.2 | zero_trio     | in Hoiana's roulette too
    """),  # noqa: E501  (a row is a sentence)
)
def test_what_the_register_knows_is_found_again(
    code: str, check: str, where: str, issue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the text and the paytables alone: theory is switched off."""
    monkeypatch.setattr("replay.theory.known", lambda game: game == "")

    found = [each for each in lint(edition(code)) if (each.check, each.where) == (check, where)]

    assert {(each.level, each.issue) for each in found} == {(KNOWN, issue)}


@pytest.mark.parametrize(
    ("code", "issue", "check"),
    cases("""
        RO    | same_clause_twice | repeated    | a repeated clause
        RO    | one_payment       | reference   | a reference
        SA-SB | interval          | certificate | a certificate
        SA-SB | rounding          | rounding    | shares
        SA-SB | payouts           | payouts     | payouts
        SA-DT | certified_bets    | certified   | a bet off the certificate
        SA-RO | odd_even          | unlisted    | an unlisted bet
    """),
)
def test_without_its_issue_a_contradiction_is_an_error(code: str, issue: str, check: str) -> None:
    text = re.sub(rf"\[issue\.{issue}\]\n(.+\n)+", "", text_of(code))
    text = text.replace("payout", "winning") if check == "payouts" else text

    found = complaints(text, check)

    assert {each.level for each in found} == {ERROR}
    assert "no rule issue says how it is read" in found[0].text


@pytest.mark.parametrize(
    ("code", "good", "bad", "check", "said"),
    cases("""
        RO    | it wins / 8:1     | it wins / 18:1           | provenance  | odds that no cited clause prints     | odds the text does not have
        RO    | it wins / 35:1    | it wins / 36:1           | provenance  | odds that no cited clause prints     | one too many
        RO    | it wins / 2:1     | it wins too / 2:1        | unreachable | no outcome comes to this line        | a fact nobody produces
        RO    | anchor = "RO:6.2" | anchor = "RO:6.99"       | anchor      | points at a clause that is not there | an issue without its clause
        RO    | [issue.zero_trio] | [issue.zero_bets]        | issue       | the edition has no such issue        | an issue the code asks for
        RO    | "only_0_1_2"      | "neither", "no_trio"     | reading     | no module tells neither from no_trio | readings nobody honours
        NN    | rule 4.5.3        | rule 4.59.3              | reference   | refers to 4.59.3, which is not there | a reference to nothing
        SA-SB | / 7:1 /           | / 9:1 /                  | certified   | outside the certified 86.11 %        | off the certificate
        SA-SB | / 30:1 /          | / 36:1 /                 | generous    | returns 102.7778 %, more than it costs | above 100 per cent
        SA-SB | ["86.11", "97.22"] | ["86.11", "99.00"]      | certified   | inside the certified 86.11 % to 99.00 % | a range that is not met
        SA-FPC | ["86.11", "92.13"] | ["86.11", "93.00"]     | certificate | not the one that is printed          | a range that is not printed
        SA-XD | "4R", "3R1W"      | "4R", "5R", "3R1W"       | uncounted   | theory has no return for it          | a bet that theory does not play
    """),  # noqa: E501  (a row is a sentence)
)
def test_an_edition_that_went_wrong(code: str, good: str, bad: str, check: str, said: str) -> None:
    """A slash stands for the stroke between cells, which parts the cells of this table too."""
    text = re.sub(r" +\| ", " | ", text_of(code))
    text = text.replace(good.replace("/", "|"), bad.replace("/", "|"))
    text = re.sub(r"(?<=\n) +4R \|", "    5R 4R |", text) if "5R" in bad else text
    text = re.sub(r"\[issue\.interval\]\n(.+\n)+", "", text)

    found = complaints(text, check)

    assert any(each.level == ERROR and said in each.text for each in found)


@pytest.mark.parametrize(
    ("line", "check", "where"),
    cases("""
        red / it wins / 2:1 / RO:5.1.j     | unreachable | standard: red / it wins | a fact again
        pink / otherwise / lose / RO:5.1.j | layout      | standard: pink          | no such bet
    """),
)
def test_a_line_too_many(line: str, check: str, where: str) -> None:
    text = re.sub(r" +\| ", " | ", text_of("RO"))
    extra = f"    {line}\n    red / otherwise / lose".replace("/", "|")
    text = text.replace("    red | otherwise | lose", extra)

    found = complaints(text, check)

    assert (ERROR, where.replace("/", "|")) in {(each.level, each.where) for each in found}


def test_a_line_for_another_reading_is_no_error() -> None:
    found = [each for each in lint(edition("SA-SB")) if each.check == "reading"]

    assert {(each.level, each.where, each.text) for each in found} == {
        (
            NOTE,
            f"{name}: four | it holds every die",
            "decides only where four_number is read as literal",
        )
        for name in ("fit", "conventional")
    }


def test_a_posted_paytable_off_the_certificate_is_a_note() -> None:
    (found,) = (each for each in lint(edition("SA-FPC")) if each.check == "certified")

    assert (found.level, found.where) == (NOTE, "conventional")
    assert found.text == "outside the certified 86.11 % to 92.13 %, double 83.33 %"


def test_a_game_without_theory_is_a_note() -> None:
    found = complaints(text_of("RO").replace('"roulette_hoiana"', '"roulette_of_old"'), "theory")

    assert [each.level for each in found] == [NOTE]


def test_a_game_is_read_with_all_it_draws_on() -> None:
    found = sources("sic_bo")

    assert {"games/sic_bo.py", "rulings/sic_bo.py", "rulings/shared/shaken_dice.py"} <= found.keys()
    assert "rulings/xoc_dia.py" not in found
