"""Every sentence of the code has its words in both languages, with the same values in them."""

import pytest

from replay import words
from replay.words import catalogue
from tests.support.sentence_sites import sites

OWN = "replay/sentence.py"  # which makes sentences out of JSON
LABELS = "labels.po"
KEYS = {
    language: {key for file, key, _ in catalogue.entries(language) if file != LABELS}
    for language in words.LANGUAGES
}


def test_every_site_writes_its_key_out() -> None:
    unclear = [site.where for site in sites() if not site.key and OWN not in site.where]

    assert unclear == []
    assert len({site.key for site in sites()}) > 100


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_key_of_the_code_has_words_and_no_other(language: str) -> None:
    said = {site.key for site in sites() if site.key}

    assert said - KEYS[language] == set()
    assert KEYS[language] - said == set()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_value_of_a_site_is_used_and_none_is_missing(language: str) -> None:
    known = catalogue.wordings(language)

    wrong = {
        site.where: (site.key, sorted(site.params ^ names))
        for site in sites()
        if site.key and site.params != (names := {name for name, _, _ in known[site.key].fields})
    }
    assert wrong == {}


def test_both_languages_show_the_same_values_in_the_same_way() -> None:
    english, vietnamese = map(catalogue.wordings, words.LANGUAGES)

    assert english.keys() == vietnamese.keys()
    differing = [key for key in english if english[key].fields != vietnamese[key].fields]
    assert differing == []


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_key_stands_once_in_the_file_of_its_rulebook(language: str) -> None:
    found = [(file, key) for file, key, _ in catalogue.entries(language)]

    assert len({key for _, key in found}) == len(found)
    misplaced = [at for at in found if at[0] not in (LABELS, f"{at[1].partition('.')[0]}.po")]
    assert misplaced == []
