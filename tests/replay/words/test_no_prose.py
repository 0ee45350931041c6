"""Rules say sentences, never words: seeded days of every game with every fault they can show."""

import re
from collections.abc import Iterator

import pytest

from replay import words
from replay.judge import Judgement
from replay.sentence import Prose
from tests.support import faulty_days

CODE_LIKE = re.compile(r"[A-Z]+_[A-Z]+|[a-z]+_[a-z]+|[a-z]+:[0-9a-z]|\{|Sentence\(")


@pytest.mark.parametrize("code", faulty_days.GAMES)
def test_what_is_said_is_a_sentence(code: str) -> None:
    said = list(_said(code))

    assert len(said) > 500
    in_words = {text for text in said if isinstance(text, str)}
    assert in_words == set()


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("code", faulty_days.GAMES)
def test_no_code_reaches_a_reader(code: str, language: str) -> None:
    read = {words.text(text, language, code) for text in _said(code)}

    assert {text for text in read if CODE_LIKE.search(text)} == set()


def _said(code: str) -> Iterator[Prose]:
    for judged in faulty_days.of_rounds(code).values():
        yield from _of_round(judged)


def _of_round(judged: Judgement) -> Iterator[Prose]:
    yield from (step.text for step in judged.steps)
    yield from (flag.note for flag in judged.flags if flag.note)
