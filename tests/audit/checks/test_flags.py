"""Every flag that the rulings raise is named by a check, or docs/flags.md says why not."""

import re
from importlib.resources import files

from audit.checks import catalogue
from tests.support.flag_page import FROM_TABLES, NOTES, PAGE, UNLESS, listed
from tests.support.raised_flags import NO_FLAGS, capitals, raised

CHECK = re.compile(r"[A-Z]+-\d\d")


def test_every_flag_is_named_by_a_check_or_listed_with_its_reason() -> None:
    told = named() | set(listed(FROM_TABLES, NOTES))

    untold = {code for code in raised() if not any(_is(code, known) for known in told)}

    assert untold == set()


def test_no_flag_is_both_named_by_a_check_and_listed_as_one_that_is_not() -> None:
    # IRR-04 reads this one for its clause alone: that a round goes on with a faced card.
    assert named() & set(listed(FROM_TABLES, NOTES)) == {"ONE_CARD_EXPOSED"}


def test_a_flag_that_is_a_note_only_where_the_table_followed_the_rules_is_named_by_a_check() -> (
    None
):
    unless = set(listed(UNLESS))

    assert unless
    assert unless <= named()


def test_the_page_lists_only_what_is_raised_once_and_checks_that_are_there() -> None:
    codes, checks = (
        list(listed(FROM_TABLES, NOTES, UNLESS)),
        set(CHECK.findall(PAGE.read_text("utf-8"))),
    )

    assert len(codes) == len(set(codes))
    assert [code for code in codes if not any(_is(found, code) for found in raised())] == []
    assert checks <= set(catalogue.checks())


def test_the_words_that_are_no_flags_are_still_there() -> None:
    assert set(capitals()) >= NO_FLAGS


def named() -> set[str]:
    """The codes that the queries and their views compare flags with."""
    queries = [check.sql for check in catalogue.checks().values()]
    views = (files("audit.checks") / "views.sql").read_text("utf-8")
    return {code for sql in (*queries, views) for code in re.findall(r"'([A-Z][A-Z0-9_.]+)'", sql)}


def _is(code: str, known: str) -> bool:
    return known.startswith(code) if code.endswith("_") else code == known
