"""`roundproof rules`: a clause with all that hangs on it, returns beside the certificate."""

import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from audit.pages import returns as return_page
from replay import rulebooks, theory
from replay.theory import Return
from tests.support.small_house import Roundproof
from tests.support.tables import cases

SIC_BO = rulebooks.in_force("SA-SB", "2026-03-01")


def test_a_clause_is_shown_with_its_words_its_hash_its_issue_and_its_tests(
    roundproof: Roundproof,
) -> None:
    said = roundproof("rules", "show", "TB", "7.17")

    clause = rulebooks.in_force("TB", "2026-03-01").clause("TB:7.17")
    assert said.code == 0
    assert said.out.startswith(f"TB:7.17  {clause.text}\n")
    assert f"sha256   {clause.sha256}" in said.out
    assert "01/01.10.2024, in force from 2024-10-01" in said.out
    assert "below_minimum_scope" in said.out
    assert "read as gaming_day; or shoe" in said.out
    assert "tiger_baccarat/test_limits.py::test_limits_in_figures[7.17" in said.out


def test_a_clause_that_pays_is_shown_with_its_lines(roundproof: Roundproof) -> None:
    shown = json.loads(roundproof("rules", "show", "TB:6.1.2.3", "--json").out)

    assert [(line["paytable"], line["bet"], line["odds"]) for line in shown["lines"]] == [
        ("commission", "banker", "push"),
        ("non_commission", "banker", "push"),
    ]


@pytest.mark.parametrize("words", [("TB", "4.15"), ("TB:4.15",), ("TB", "TB:4.15")])
def test_a_clause_may_be_named_in_every_way(roundproof: Roundproof, words: tuple[str, ...]) -> None:
    assert roundproof("rules", "show", *words).out.startswith("TB:4.15  When the")


def test_where_no_tests_are_at_hand_a_clause_is_shown_without_them(
    roundproof: Roundproof, tmp_path: Path
) -> None:
    said = roundproof("rules", "show", "TB", "7.17", "--tests", tmp_path)

    assert said.code == 0
    assert "test_" not in said.out


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    cases("""
        show ZZ                 | 3 | rulebook 'ZZ': one of                          | no such rulebook
        show TB@2               | 3 | edition 01/01.10.2024 expected, '2' found      | no such edition
        show TB 4.99            | 3 | clause TB:4.99: not in edition                 | no such clause
        rtp SA-SB --paytable no | 3 | paytable 'no': one of conventional, fit        | no such paytable
        rtp nowhere.toml        | 3 | No such file or directory                      | no such file
    """),  # noqa: E501  (a row is a sentence)
)
def test_what_is_not_there_is_named(
    roundproof: Roundproof, words: str, code: str, wanted: str
) -> None:
    said = roundproof("rules", *words.split())

    assert said.code == int(code)
    assert wanted in said.err
    assert "next: " in said.err


def test_returns_are_exact_and_stand_beside_the_certificate(roundproof: Roundproof) -> None:
    said = roundproof("rules", "rtp", "SA-SB", "--paytable", "fit")

    assert said.code == 0
    assert "counted over all 216 rolls" in said.out
    assert "double (15 positions)" in said.out
    assert "31/36" in said.out
    assert "certified  86.11 % to 97.22 %; the bets are the certified range exactly" in said.out


def test_bets_outside_the_certificate_are_named(roundproof: Roundproof) -> None:
    said = roundproof("rules", "rtp", "SA-FPC", "--paytable", "conventional")

    assert "outside the certified range: double (15 positions)\n" in said.out


def test_every_position_is_in_the_document(roundproof: Roundproof) -> None:
    (told,) = json.loads(roundproof("rules", "rtp", "RO", "--json").out)

    assert len(told["returns"]) == 157
    assert {(each["fraction"], each["per_cent"]) for each in told["returns"]} == {
        ("36/37", "97.2973")
    }
    assert told["range"] == ["97.30", "97.30"]
    assert told["certified"] is None


def test_a_game_without_a_theory_says_so() -> None:
    unwritten = SIC_BO._replace(game="dice_of_tomorrow")

    lines = list(return_page.told(unwritten, "fit"))
    document = return_page.document(unwritten, "fit")

    assert lines[1:] == ["  no theory yet: replay/theory/dice_of_tomorrow.py does not exist"]
    assert document["theory"] is False
    assert document["returns"] == []


@pytest.mark.parametrize(
    ("values", "certified", "meets", "outside"),
    cases("""
        0.8 0.9        | 0.8 0.9 | equal   |   | both ends met
        0.80004 0.9    | 0.8 0.9 | equal   |   | to a hundredth of a per cent
        0.85           | 0.8 0.9 | inside  |   | no end met
        0.79994 0.85   | 0.8 0.9 | outside | 0 | too low, by the least that shows
        0.80 0.9001    | 0.8 0.9 | outside | 1 | too high
    """),
)
def test_a_range_is_compared_as_it_is_printed(
    values: str, certified: str, meets: str, outside: str
) -> None:
    returns = [Return(str(place), Fraction(value)) for place, value in enumerate(values.split())]
    low, high = map(Fraction, certified.split())

    found, beyond = theory.against((low, high), returns)

    assert found == meets
    assert [each.bet for each in beyond] == outside.split()


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        ("36/37", 4, "97.2973 %"),
        ("1", 2, "100.00 %"),
        ("0.99995", 2, "100.00 %"),
        ("0.999949", 2, "99.99 %"),
        ("-1/3", 2, "-33.33 %"),
    ],
)
def test_per_cent_is_rounded_half_up(value: str, digits: int, written: str) -> None:
    assert theory.per_cent(Fraction(value), digits) == written


def test_known_issues_are_told_and_are_no_error(roundproof: Roundproof) -> None:
    said = roundproof("rules", "lint", "SA-SB")

    assert said.code == 0
    assert said.out.startswith("SA-SB SAB.SAES.1001.01: 3 known issues, 3 notes\n")
    assert (
        "SA-SB:8.4.1: theoretical 97.22 % outside the calculated range (rule issue interval)"
        in (said.out)
    )


def test_an_error_of_an_edition_is_told_by_the_exit_code(
    roundproof: Roundproof, tmp_path: Path
) -> None:
    text = (files("replay") / "rulebooks" / "SA-SB.toml").read_text("utf-8")
    (tmp_path / "ours.toml").write_text(text.replace("| 30:1 ", "| 36:1 "), "utf-8")

    said = roundproof("rules", "lint", tmp_path / "ours.toml", "--json")

    errors = [
        each
        for edition in json.loads(said.out)
        for each in edition["complaints"]
        if each["level"] == "error"
    ]
    assert said.code == 4
    assert {each["check"] for each in errors} == {"generous", "certified"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("code = ", "TOML expected"),
        ('code = "ZZ"', "clauses expected, nothing found"),
    ],
    ids=["no TOML", "no edition"],
)
def test_a_file_that_is_no_edition_is_an_error(
    roundproof: Roundproof, tmp_path: Path, text: str, wanted: str
) -> None:
    (tmp_path / "ours.toml").write_text(text, "utf-8")

    said = roundproof("rules", "lint", tmp_path / "ours.toml")

    assert said.code == 4
    assert wanted in said.out


def test_two_paytables_are_compared_with_their_returns(roundproof: Roundproof) -> None:
    said = roundproof("rules", "diff", "TB:commission", "TB:non_commission")

    assert said.code == 0
    assert "1 added, 2 changed" in said.out.splitlines()[0]
    assert "~ line banker | banker wins: 1:1 [-less 5%-] | " in said.out
    assert "+ line banker | banker wins on 6: 1:2 | " in said.out
    assert "banker  98.9421 %  98.5419 %  -0.4002 %" in said.out


def test_an_edition_is_compared_with_a_draft(roundproof: Roundproof, tmp_path: Path) -> None:
    text = (files("replay") / "rulebooks" / "SA-SB.toml").read_text("utf-8")
    draft = text.replace("fewer than three times", "fewer than five times")
    (tmp_path / "draft.toml").write_text(draft, "utf-8")

    said = roundproof("rules", "diff", "SA-SB", tmp_path / "draft.toml")
    told = json.loads(roundproof("rules", "diff", "SA-SB", tmp_path / "draft.toml", "--json").out)

    assert said.out.splitlines()[1:] == [
        "~ clause 8.5.2: If the dice tumble fewer than [-three-] {+five+} times, "
        "the dealer will perform a re-shake.",
        "",
        "no bet returns more or less",
    ]
    assert [change["where"] for change in told["changes"]] == ["8.5.2"]
    assert told["returns"] == {}


def test_a_paytable_that_is_not_there_is_named(roundproof: Roundproof) -> None:
    said = roundproof("rules", "diff", "TB:commission", "TB:loose")

    assert said.code == 3
    assert "paytable commission, non_commission expected, 'loose' found" in said.err
