"""A round on a page, in English and in Vietnamese: no code reaches a reader."""

import re
from collections.abc import Iterator

import pytest

from audit.pages.round import lines
from replay import words
from replay.explain import explanation
from tests.support import faulty_days

CODE_LIKE = re.compile(r"[A-Z]+_[A-Z]+|[a-z]_[a-z]|\b(split|straight|corner|street):|[{}]")
EVERY = 12  # rounds of a day of which one is shown
# A reader types the names of readings, and these files are named.
NAMED = ("read as", "hiểu là", "changes it", "làm đổi", "witness_errors")


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("code", faulty_days.GAMES)
def test_a_page_has_words_and_no_codes(code: str, language: str) -> None:
    shown = list(_shown(code, language))

    assert [line for line in shown if CODE_LIKE.search(line)] == []


def test_a_vietnamese_page_has_vietnamese_words_and_figures() -> None:
    page = "\n".join(_shown("TB", "vi"))

    for said in ("Các lá bài, theo nguồn đọc", "Phải giao và đã thấy", "người chia bài", "thắng"):
        assert said in page
    assert re.search(r"\d\.\d{3}\.\d{3} VND", page)
    assert not re.search(r"\b(paid|stake|wins|loses|counts|gaming day)\b", page)


def _shown(code: str, language: str) -> Iterator[str]:
    rounds = list(faulty_days.of_rounds(code).values())
    for judged in rounds[::EVERY]:
        if any(isinstance(step.text, str) for step in judged.steps):
            continue  # a game that has no sentences yet
        told = explanation(judged, language=language) | {"clauses": {}}
        for line in lines(told, language=language):
            if not any(word in line for word in NAMED):
                yield line
