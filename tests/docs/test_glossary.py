"""The words of the events, the tables and docs/glossary.md agree."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from replay.tables.dictionary import dictionary
from schemas import avro, events

OF_CHECKS = ("findings.sql", "cases.sql")  # files that create tables beside those of a replay
PAGE = Path("docs/glossary.md").read_text("utf-8")
ROWS = [
    (word.strip(), meaning.strip())
    for word, meaning in re.findall(r"^\| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
    if meaning not in ("meaning", "a row is")
]
WORDS = {word for word, _ in ROWS}

MONEY_TABLES = (
    "wagers",
    "stake_readings",
    "dues",
    "unruled_dues",
    "payments",
    "settlements",
    "tray_counts",
    "limits",
)
# Endings that say what of a thing a column holds: its id, its place in the order, its time …
ENDINGS = re.compile(r"_(id|seq|at|err_ms|by|because|clauses|gap|minor|source)$")
# Words that mean at a table what they mean everywhere.
PLAIN_ENGLISH = {
    "amount", "change", "counted", "differs", "first", "maximum", "minimum", "placed", "seen",
    "table",
}  # fmt: skip
# Columns whose word stands in the glossary in another form.
NAMED_OTHERWISE = {
    "betting_ended": "end of betting",
    "chips_table": "colour chips",
    "clauses": "clause",
    "err_ms": "error bound",
    "flags": "flag",
    "late_changes": "late",
    "reserve_returned": "reserve",
    "reserve_taken": "reserve",
    "seq": "sequence",
}


def test_every_word_stands_once() -> None:
    assert [word for word, count in Counter(word for word, _ in ROWS).items() if count > 1] == []
    assert len(ROWS) > 200


def test_words_are_in_the_order_of_the_alphabet() -> None:
    for section in PAGE.split("\n## ")[1:]:
        found = re.findall(r"^\| ([a-z][^|`]*?) \| ", section, re.MULTILINE)[1:]

        assert found == sorted(found)


@pytest.mark.parametrize("name", [*avro.PAYLOADS, *sorted(set(avro.RECORDS) - set(avro.PAYLOADS))])
def test_every_event_is_explained_as_its_record_explains_it(name: str) -> None:
    assert (f"`{name}`", getattr(events, name).__doc__) in ROWS


def test_every_table_is_explained() -> None:
    names = [*dictionary(), *_tables_of_checks()]

    assert len(names) > 25
    assert [name for name in names if f"`{name}`" not in WORDS] == []


def test_every_table_of_the_glossary_is_there() -> None:
    section = PAGE.partition("## Tables")[2].partition("## ")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))

    assert sorted(named - set(dictionary())) == sorted(_tables_of_checks())


@pytest.mark.parametrize("table", MONEY_TABLES)
def test_every_column_of_a_money_table_is_a_word_of_the_glossary(table: str) -> None:
    columns = [column.name for column in dictionary()[table].columns]

    assert columns
    assert [column for column in columns if not _explained(column)] == []


def test_the_words_of_the_columns_need_no_exception_that_is_not_used() -> None:
    used = {
        form
        for table in MONEY_TABLES
        for column in dictionary()[table].columns
        for form in (column.name, ENDINGS.sub("", column.name))
    }

    assert NAMED_OTHERWISE.keys() - used == set()
    assert PLAIN_ENGLISH - used == set()
    assert sorted(set(NAMED_OTHERWISE.values()) - WORDS) == []


def _tables_of_checks() -> list[str]:
    texts = ((files("audit") / "checks" / name).read_text("utf-8") for name in OF_CHECKS)
    return [
        name for text in texts for name in re.findall(r"^create table (\w+)", text, re.MULTILINE)
    ]


def _explained(column: str) -> bool:
    forms = (column, ENDINGS.sub("", column))
    return any(
        form in PLAIN_ENGLISH or form in NAMED_OTHERWISE or form.replace("_", " ") in WORDS
        for form in forms
    )
