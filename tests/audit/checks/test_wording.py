"""What checks say, in Vietnamese and in English; the English of a finding is what is kept."""

import re
from itertools import product

import pytest
from babel.messages.pofile import read_po

from audit.checks import wording
from audit.checks.wording import game_of, worded
from replay.words.catalogue import template
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("english", "vietnamese"),
    cases("""
        play began at 20:00:10.000 UTC | bắt đầu chơi lúc 20:00:10.000 UTC | case 1
        400,000 VND added at 20:00:15.000 UTC | thêm 400.000 VND lúc 20:00:15.000 UTC | case 2
        1,234.50 USD added at 20:00:15.000 UTC | thêm 1.234,50 USD lúc 20:00:15.000 UTC | case 3
        at most 100 VND on straight:17 | nhiều nhất 100 VND vào trực tiếp số 17 | case 4
        0 VND paid, 0 VND commission, 830,000 VND collected | thu 830.000 VND | case 5
        0 VND paid, 0 VND commission, 0 VND collected, 0 VND returned | không gì cả | case 6
        recorded settled: 4 cards were there | ghi là đã thanh toán: 4 cards were there | case 7
        it was taken: closed for the shoe | vẫn nhận: closed for the shoe | case 8
        a card nobody knows | a card nobody knows | case 9
    """),
)
def test_a_text_is_told_in_vietnamese(english: str, vietnamese: str) -> None:
    assert worded(english, "vi") == vietnamese


def test_a_long_remark_of_the_rules_is_told_behind_what_a_check_says() -> None:
    chances = "misread by the camera 99.89 %, switched between shoe and table 0.09 %"
    remark = f"{chances}, foreign to the decks < 0.01 %; the shoe gave 2H 100.00 %"

    told = worded(f"the device read 2H, the camera 9C: {remark}", "vi", "TB")

    assert told == f"thiết bị đọc 2H, camera đọc 9C: {worded(remark, 'vi', 'TB')}"
    assert "switched" not in told


@pytest.mark.parametrize(
    ("written", "read"),
    cases("""
        0 VND paid, 0 VND commission, 830,000 VND collected | 830,000 VND collected | case 10
        tiger 10 VND loses: 0 VND paid, 10 VND collected | Tiger 10 VND loses: 10 VND collected | 11
        at most 100 VND on split:27-30 | at most 100 VND on split 27 and 30 | case 12
        play began at 20:00:10.000 UTC | play began at 20:00:10.000 UTC | case 13
    """),
)
def test_english_readers_see_labels_and_no_empty_amounts(written: str, read: str) -> None:
    assert worded(written, "en", "TB").lower() == read.lower()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "{bet:bet} {stake:money}",
        "%(n)s {0} {}",
        "",
        ": ",
        "; ",
        "no chips added after ",
        "9" * 5_000 + " VND added at 20:00:15.000 UTC",
        "no chips added after \x1b[31mred at noon",
    ],
)
def test_what_no_pattern_fits_stays_as_it_stands(text: str) -> None:
    assert worded(text, "vi") == text


def test_what_a_person_typed_stays_within_the_words_around_it() -> None:
    text = "100 VND by player <b>Tie</b> at 3"

    assert worded(text, "vi") == "100 VND của người chơi <b>Tie</b> at 3"


def test_the_game_is_that_of_all_clauses() -> None:
    assert game_of(["TB:6.1", "TB:6.2"]) == "TB"
    assert game_of(["TB:6.1", "RO:6.2"]) == game_of([]) == ""


def _entries() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    with (wording.FOLDER / "vi.po").open("rb") as file:
        return [
            (
                entry.context or "",
                (entry.id,) if isinstance(entry.id, str) else tuple(entry.id),
                (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ()),
            )
            for entry in read_po(file, "vi", abort_invalid=True)
            if entry.id
        ]


def test_every_value_of_a_pattern_is_told_and_none_is_made_up() -> None:
    for _, sources, targets in _entries():
        for source, target in product(sources, targets):
            values = {field.name for field in template(source) if field.name}
            assert {field.name for field in template(target) if field.name} == values, source
            assert all(not field.kind for field in template(target)), target


def test_every_pattern_is_of_words_that_some_check_writes() -> None:
    written = _words(
        " ".join(path.read_text("utf-8") for path in wording.FOLDER.parent.glob("*.sql"))
    )

    unsaid = [
        source
        for kind, sources, _ in _entries()
        if kind not in OTHERWISE
        for source in sources[:1]
        for field in template(source)
        if _words(field.before) - written
    ]

    assert unsaid == []


# Words that no query holds: of the derivation, of devices, and of people who judge findings.
OTHERWISE = ("after", "disturbance", "state", "notice")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))
