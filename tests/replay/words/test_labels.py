"""Everything that the record has a short word for has a label in both languages."""

import re
from typing import get_args

import pytest

from replay import game_modules, rulebooks, words
from replay.explain import MOMENTS
from replay.games import fish_prawn_crab, holdem_bonus, niu_niu, roulette_hoiana, sic_bo, thai_hilo
from replay.games.shared import roulette_racetrack
from replay.rulebooks.edition import SOURCES
from replay.rulings.holdem_bonus import record as holdem_bonus_record
from replay.rulings.niu_niu import record as niu_niu_record
from replay.rulings.tiger_baccarat import record as tiger_baccarat_record
from replay.words.catalogue import wordings
from schemas import events as e
from schemas.ranks import LADDER
from tests.support.raised_flags import raised
from tests.support.tables import cases

LANGUAGES = pytest.mark.parametrize("language", words.LANGUAGES)
CODE_LIKE = re.compile(r"[A-Za-z0-9]_|:|[{}]|[A-Z]{3,}")
EDITIONS = {edition.code: edition for edition in rulebooks.editions()}
POSITIONS = {
    "RO": roulette_hoiana.COVERS,
    "SA-RO": (*roulette_hoiana.COVERS, *roulette_racetrack.RACE),
    "SA-SB": sic_bo.POSITIONS,
    "SA-FPC": fish_prawn_crab.POSITIONS,
    "SA-HL": thai_hilo.POSITIONS,
}
CLOSED = {
    "a_rank": LADDER,
    "event": sorted(kind.__name__ for kind in get_args(e.Payload)),
    "moment": [name for name, _ in MOMENTS],
    "odds_source": SOURCES,
    "rank": LADDER,
    "status": ("settled", "void", "free_hand", "unsettled", "unknown"),
    "irregularity": sorted(
        {*tiger_baccarat_record.KINDS, *niu_niu_record.KINDS, *holdem_bonus_record.KINDS}
    ),
}


@LANGUAGES
@pytest.mark.parametrize("code", sorted(EDITIONS))
def test_every_bet_of_a_game(code: str, language: str) -> None:
    edition = EDITIONS[code]
    bets = {bet for table in edition.paytables.values() for bet in table} | {
        *POSITIONS.get(code, ())
    }

    labels = {bet: words.label("bet", bet, language, code) for bet in sorted(bets)}

    assert len(labels) > 2
    assert {bet: label for bet, label in labels.items() if CODE_LIKE.search(label)} == {}


@LANGUAGES
@pytest.mark.parametrize("code", sorted(EDITIONS))
def test_every_hand_and_outcome_of_a_game(code: str, language: str) -> None:
    known, edition = wordings(language), EDITIONS[code]
    lines = (line for table in edition.paytables.values() for at in table.values() for line in at)
    outcomes = {line.odds.outcome or line.odds.result for line in lines}

    assert {f"outcome.{outcome}" for outcome in outcomes} <= known.keys()
    assert {f"hand.{hand}" for hand in game_modules.game(edition.game).HANDS} <= known.keys()


@LANGUAGES
def test_every_flag(language: str) -> None:
    known = {key.removeprefix("code.") for key in wordings(language) if key.startswith("code.")}

    missing = {code for code in raised() if not any(at.startswith(code) for at in known)}

    assert missing == set()
    assert len(known) > 200


@LANGUAGES
@pytest.mark.parametrize("kind", sorted(CLOSED))
def test_every_word_of_a_closed_kind(kind: str, language: str) -> None:
    assert {f"{kind}.{word}" for word in CLOSED[kind]} <= wordings(language).keys()


@LANGUAGES
@pytest.mark.parametrize("word", [*niu_niu.CLASSES, *holdem_bonus.NAMES.values()])
def test_every_class_of_hands(word: str, language: str) -> None:
    assert not CODE_LIKE.search(words.label("class", word, language))


@pytest.mark.parametrize(
    ("kind", "word", "english", "vietnamese"),
    cases("""
        bet  | split:27-30          | split 27 and 30                 | split 27 và 30                | numbers
        bet  | double:fish+prawn    | double fish and prawn           | cặp cá và tôm                 | symbols
        bet  | race:neighbours:17:2 | 17 with 2 neighbours on each side | số 17 và 2 số lân cận mỗi bên | two places
        bet  | banker:nc            | Banker, no commission           | Banker, không hoa hồng        | a mode
        bet  | six_line             | six line                        | six line                      | a kind alone
        bet  | any:9                | any 9                           | any 9                         | no such bet
        box  | 0                    | behind                          | đứng sau                      | nobody's box
        hand | 1.2                  | box 1 hand 2                    | ô 1 tay 2                     | a split hand
        word | ball_out             | the ball left the wheel         | bi văng khỏi bánh xe          | any word
    """),  # noqa: E501  (a table)
)
def test_a_label_with_places(kind: str, word: str, english: str, vietnamese: str) -> None:
    assert words.label(kind, word) == english
    assert words.label(kind, word, "vi") == vietnamese
