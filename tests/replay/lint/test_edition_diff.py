"""Two editions side by side: every kind of difference, and what it does to the returns."""

from fractions import Fraction
from importlib.resources import files

import pytest

from replay import rulebooks
from replay.lint import edition_diff
from replay.lint.edition_diff import EditionChange, Effect
from replay.rulebooks.edition import Edition, parse
from tests.support.tables import cases

TEXT = (files("replay") / "rulebooks" / "SA-XD.toml").read_text("utf-8")
XOC_DIA = rulebooks.in_force("SA-XD", "2026-03-01")


def edited(old: str, new: str) -> Edition:
    assert old in TEXT
    return parse(TEXT.replace(old, new))


def test_an_edition_does_not_differ_from_itself() -> None:
    assert list(edition_diff.editions(XOC_DIA, XOC_DIA)) == []
    assert list(edition_diff.effects((XOC_DIA, "fit"), (XOC_DIA, "fit"))) == []


@pytest.mark.parametrize(
    ("old", "new", "kind", "what", "where"),
    cases("""
        SAB.SAES.1001.01"         | SAB.SAES.1001.02"        | changed | edition | number    | another number
        "2025-11-19"              | "2026-11-19"             | changed | edition | effective | another day
        ["93.75", "98.75"]        | ["93.75", "98.00"]       | changed | edition | certified | another certificate
        "11.2" = "                | "11.2" = "The            | changed | clause  | 11.2      | other words
        [clauses]                 | [clauses]_"11.9" = "New" | added   | clause  | 11.9      | a new clause
        "11.2" =                  | "11.22" =                | moved   | clause  | 11.2      | a clause elsewhere
        [issue.payouts]           | [issue.pay]              | removed | issue   | payouts   | an issue gone
    """),  # noqa: E501  (a row is a sentence)
)
def test_each_kind_of_difference(old: str, new: str, kind: str, what: str, where: str) -> None:
    after = edited(old, new.replace("_", "\n") if old == "[clauses]" else new)

    found = list(edition_diff.editions(XOC_DIA, after))

    assert (kind, what, where) in {(each.kind, each.what, each.where) for each in found}


def test_a_changed_line_is_told_with_its_effect() -> None:
    lines = XOC_DIA.paytables["fit"]["big"]
    win = lines[0]
    better = (win._replace(odds=win.odds._replace(pays=Fraction(1))), *lines[1:])
    after = XOC_DIA._replace(paytables={"fit": {**XOC_DIA.paytables["fit"], "big": better}})

    changes = list(edition_diff.paytables((XOC_DIA, "fit"), (after, "fit")))
    (effect,) = edition_diff.effects((XOC_DIA, "fit"), (after, "fit"))

    assert [(each.what, each.where) for each in changes] == [("line", f"big | {win.fact}")]
    assert effect.bet == "big"
    assert effect.before is not None
    assert effect.after is not None
    assert effect.before.value == Fraction(79, 80)
    assert effect.after.value == 1


def test_a_bet_that_is_no_longer_offered_has_no_return() -> None:
    table = {bet: lines for bet, lines in XOC_DIA.paytables["fit"].items() if bet != "big"}
    without = XOC_DIA._replace(paytables={"fit": table})

    changes = list(edition_diff.paytables((XOC_DIA, "fit"), (without, "fit")))

    assert {(each.kind, each.where.split(" | ")[0]) for each in changes} == {("removed", "big")}


def test_lines_in_another_order_are_a_difference() -> None:
    tiger = rulebooks.in_force("TB", "2026-03-01")
    table = dict(tiger.paytables["non_commission"])
    on_six, wins, *rest = table["banker"]
    table["banker"] = (wins, on_six, *rest)
    after = tiger._replace(paytables={**tiger.paytables, "swapped": table})

    found = list(edition_diff.paytables((tiger, "non_commission"), (after, "swapped")))

    before = "banker wins on 6, banker wins, tie, otherwise"
    now = "banker wins, banker wins on 6, tie, otherwise"
    assert found == [EditionChange("changed", "order", "banker", before, now)]


def test_without_a_theory_nothing_is_said_of_returns() -> None:
    strange = XOC_DIA._replace(game="tokens_of_old")

    assert list(edition_diff.effects((XOC_DIA, "fit"), (strange, "fit"))) == list[Effect]()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    cases("""
        one time only   | one time only     | one time only                | the same
        one time only   | two times only    | [-one time-] {+two times+} only | words replaced
        one time only   | one time          | one time [-only-]            | a word gone
        paid once       | paid only once    | paid {+only+} once           | a word more
                        | new words         | {+new words+}                | all new
    """),
)
def test_words(before: str, after: str, told: str) -> None:
    assert edition_diff.words(before, after) == told
