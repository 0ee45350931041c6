"""Every edition on file: whole, well cited, and found by its gaming day."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay import game_modules, rulebooks
from replay.rulebooks.edition import OTHERWISE, BadRulebook, Edition, UnknownRulebook, odds, parse
from replay.rulebooks.edition import cell as written
from replay.rulebooks.terms import BadTerms, resolve
from schemas import events as e
from schemas.shape import FORMATS
from tests.support.tables import cases

EDITIONS = rulebooks.editions()
HOME = Path(rulebooks.__file__).parents[1]

SMALL = """
code = "ZZ"
game = "coin"
title = "A coin"
number = "1"
effective = "2026-01-01"
source = "this test"
default_paytable = "standard"
bets = ["heads"]

[paytable.standard]
lines = \"\"\"
    heads | it wins   | 1:1  | ZZ:1
    heads | otherwise | lose | ZZ:1
\"\"\"

[clauses]
"1" = "Heads win."
"""


def _name(edition: Edition) -> str:
    return f"{edition.code} {edition.number}"


every_edition = pytest.mark.parametrize("edition", EDITIONS, ids=_name)


def _sources(edition: Edition) -> Iterator[tuple[str, str]]:
    """The text of each module of the edition's game, parts of one beside or below it included."""
    for folder in ("games", "rulings"):
        for module in sorted((HOME / folder).rglob("*.py")):
            name = module.relative_to(HOME).as_posix()
            if re.match(rf"{folder}/{edition.game}[_./]", name):
                yield name, module.read_text("utf-8")


@every_edition
def test_an_edition_says_what_it_is(edition: Edition) -> None:
    fits_code, _ = FORMATS["code"]
    fits_day, _ = FORMATS["day"]

    assert fits_code(edition.code)
    assert fits_day(edition.effective)
    assert edition.number
    assert edition.title
    assert edition.source


@every_edition
def test_every_clause_has_its_words_and_their_hash(edition: Edition) -> None:
    for anchor, clause in edition.clauses.items():
        assert anchor == clause.anchor
        assert anchor.startswith(f"{edition.code}:")
        assert FORMATS["anchor"][0](anchor), anchor
        assert clause.text.strip(), anchor
        assert clause.sha256 == hashlib.sha256(clause.text.encode()).hexdigest()


@every_edition
def test_every_bet_is_settled_by_every_paytable(edition: Edition) -> None:
    for name, table in edition.paytables.items():
        assert {position.split(":")[0] for position in table} == set(edition.bets), name
        for position, lines in table.items():
            assert lines[-1].fact == OTHERWISE, (name, position)
            assert [line.fact for line in lines].count(OTHERWISE) == 1, (name, position)
            for line in lines:
                assert line.clauses, (name, position)
                assert set(line.clauses) <= set(edition.clauses), (name, position)


@every_edition
def test_every_rule_issue_points_at_a_clause_and_is_decided(edition: Edition) -> None:
    for issue in edition.issues.values():
        assert issue.anchor in edition.clauses, issue.name
        assert issue.what, issue.name
        assert issue.reading, issue.name
        assert issue.reading not in issue.alternatives, issue.name


@every_edition
def test_the_modules_of_a_game_cite_clauses_that_exist(edition: Edition) -> None:
    cited = re.compile(rf"(?<![A-Z-]){re.escape(edition.code)}:[0-9]+(?:\.[0-9A-Za-z]+)*")
    sources = dict(_sources(edition))

    assert {"games", "rulings"} == {name.split("/")[0] for name in sources}
    for name, text in sources.items():
        for anchor in cited.findall(text):
            assert anchor in edition.clauses, f"{name} cites {anchor}"


@every_edition
def test_a_games_modules_offer_what_the_judge_asks_for(edition: Edition) -> None:
    assert callable(game_modules.game(edition.game).legal)
    rulings = game_modules.rulings(edition.game)
    for offered in ("rule", "said", "mispaid"):
        assert callable(getattr(rulings, offered)), offered


@every_edition
def test_an_edition_is_in_force_from_its_day_on(edition: Edition) -> None:
    assert rulebooks.in_force(edition.code, edition.effective) == edition
    assert rulebooks.in_force(edition.code, "9999-12-31", edition.number) == edition


@pytest.mark.parametrize(
    ("code", "day", "number", "said"),
    cases("""
        XX | 2026-03-01 |      | rulebook 'XX': one of .*RO.* expected       | no such rulebook
        RO | 2026-03-01 | 9/99 | rulebook RO: no edition '9/99' is on file   | no such edition
        RO | 2020-06-12 |      | no edition in force on 2020-06-12, 01/13.06.2020 starts 2020-06-13 | too early
    """),  # noqa: E501  (a row is a sentence)
)
def test_what_is_not_on_file_is_refused(code: str, day: str, number: str, said: str) -> None:
    with pytest.raises(UnknownRulebook, match=said):
        rulebooks.in_force(code, day, number)


def test_the_small_edition_of_these_tests_is_good() -> None:
    assert parse(SMALL).clause("ZZ:1").text == "Heads win."


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    cases("""
        lose / ZZ:1          | lose / ZZ:2  | heads cites ZZ:2, not in the text        | a clause that is not there
        heads / otherwise    | heads / tails | must end in `otherwise`                 | no last line
        bets = ["heads"]     | bets = ["heads", "tails"] | bet tails has no line       | a bet without a line
        "standard"           | "other"      | default paytable 'other' is not there    | no such paytable
        / lose / ZZ:1        | / lose       | bet . fact . odds . clauses expected     | a cell too few
        1:1                  | 1:1 minus 5% | odds such as `1:1 less 5%` expected      | odds that say nothing
    """),  # noqa: E501
)
def test_an_edition_that_cannot_be_is_refused(good: str, bad: str, said: str) -> None:
    """A slash stands for the stroke between cells, which parts the cells of this table too."""
    text = re.sub(r" +\| ", " | ", SMALL)
    text = text.replace(good.replace("/", "|"), bad.replace("/", "|"))

    with pytest.raises(BadRulebook, match=re.escape(said).replace(r"\.", ".")):
        parse(text)


@pytest.mark.parametrize(
    ("cell", "result", "shares", "outcome"),
    cases("""
        12:1                  | win  | 12 0 1 0   |           | twelve to one
        1:2                   | win  | 1/2 0 1 0  |           | one to two
        1:1 less 5%           | win  | 1 1/20 1 0 |           | with commission
        push                  | push | 0 0 1 0    |           | stake back
        push as returned      | push | 0 0 1 0    | returned  | stake back, by another name
        lose                  | lose | 0 0 1 0    |           | all of it
        lose 1/2 as half_loss | lose | 0 0 1/2 0  | half_loss | half of it
        lose reserve 2        | lose | 0 0 1 2    |           | and twice from the reserve
    """),
)
def test_odds(cell: str, result: str, shares: str, outcome: str) -> None:
    """Shares: what it pays to one, commission kept, taken of the stake, taken of the reserve."""
    found = odds(cell)

    assert (found.result, found.outcome) == (result, outcome)
    paid = (found.pays, found.commission, found.takes, found.reserve)
    assert " ".join(map(str, paid)) == shares
    assert written(found) == cell


@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"paytable": "loose"}, "paytable standard expected, 'loose' found"),
        ({"readings": {"weather": "fine"}}, "reading of .* expected, 'weather' found"),
        ({"readings": {"missed_no_spin": "maybe"}}, "result_stands, void expected, 'maybe' found"),
    ],
    ids=["paytable", "issue", "reading"],
)
def test_terms_the_edition_does_not_know_are_refused(posted: dict[str, str], said: str) -> None:
    terms = e.TermsPosted("RO", "VND", **posted)  # type: ignore[arg-type]  # one key a case
    edition = rulebooks.in_force("RO", "2026-03-01")

    with pytest.raises(BadTerms, match=said):
        resolve(terms, edition, game_modules.game(edition.game).has)
