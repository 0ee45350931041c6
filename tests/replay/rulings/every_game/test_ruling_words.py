"""Rulings in words that no clause knows: they count as not said, and are told."""

from collections.abc import Callable
from typing import Any

import pytest

from replay.judge import Judgement
from tests.support import holdem_bonus_story as holdem
from tests.support import niu_niu_sheets as niu_niu
from tests.support import tiger_baccarat_sheets as tiger
from tests.support.tables import cases, judged

# A plain round of each game, and what happened after its cards.
SHEETS: dict[str, Callable[[tuple[dict[str, Any], ...]], dict[str, Any]]] = {
    "TB": lambda after: tiger.sheet(tiger.BETS, tiger.NATURAL, *after),
    "NN": lambda after: niu_niu.sheet("1 P1 even 1000", niu_niu.PLAIN, *after),
    "TH": lambda after: holdem.round_of(holdem.BETS, holdem.HOLES, *after),
}


def played(clause: str, *words: str) -> Judgement:
    """A plain round of the clause's game in which a director ruled in these words."""
    rulings: list[dict[str, Any]] = [
        {"type": "RulingMade", "clause": clause, "decision": word, "rank": "director"}
        for word in words
    ]
    return judged(SHEETS[clause.partition(":")[0]]((*rulings, {"type": "RoundClosed"})))


@pytest.mark.parametrize(
    "clause",
    [
        *(f"TB:7.{n}" for n in range(1, 21)),
        *("TB:4.8", "TB:7.8.1", "TB:7.11.1", "TB:7.11.2.1", "TB:7.11.3", "TB:7.19.1", "TB:7"),
        *(f"NN:7.{n}" for n in range(1, 13)),
        *("NN:4.6.2", "NN:7.1.1", "NN:7.4.1"),
        *(f"TH:7.{n}" for n in range(1, 14)),
        *("TH:4.7.3", "TH:7.10.1.i", "TH:7.11.1"),
    ],
)
def test_a_word_that_is_no_decision_is_told_and_changes_nothing(clause: str) -> None:
    found = played(clause, "maybe")

    assert "WORD_UNKNOWN" in {flag.code for flag in found.flags}
    if clause not in ("TB:7.20", "TH:7.7", "TH:7.13"):  # a ruling there says that there is a case
        assert [flag.code for flag in found.flags] == ["WORD_UNKNOWN"]
        assert found.dues == played(clause).dues


@pytest.mark.parametrize(
    ("clause", "word", "flagged"),
    cases("""
        TB:7.4    | continue         |              | what the rules say anyway
        TB:7.4    | void             | WORD_UNKNOWN | a hand that goes on is nobody's to void
        TB:7.11.1 | offered          | WORD_UNKNOWN | a choice that only 7.11.2 knows
        NN:7.3    | continue         |              | what the rules say anyway
        NN:7.7    | reconstruct      | RULING_WITHOUT_CAUSE | how a hand is put right that is right
        NN:7.9    | restrict         |              | a player who may not handle cards
        NN:7.9    | void             | WORD_UNKNOWN | a result that stands
        NN:4.6.2  | restrict         |              | a player kept to one box
        TH:7.5    | continue         | RULING_WITHOUT_CAUSE | with one card it does, here none
        TH:7.10   | void             | WORD_UNKNOWN | a wager outside the limits voids nothing
        TH:4.7.3  | refuse           |              | a player kept to one hand
    """),
)
def test_the_words_of_a_clause_are_heard(clause: str, word: str, flagged: str) -> None:
    codes = [flag.code for flag in played(clause, word).flags]

    assert " ".join(codes) == flagged


def test_disputes_are_decided_in_words_of_their_own() -> None:
    assert played("TB:8.1", "player_paid").flags == ()


@pytest.mark.parametrize(
    ("code", "other"),
    [("TB", "NN:7.1"), ("TB", "TH:7.9"), ("NN", "TH:7.1.4"), ("TH", "SA-BC:6.1")],
)
def test_a_ruling_under_the_rules_of_another_game_is_not_said(code: str, other: str) -> None:
    said = {"type": "RulingMade", "clause": other, "decision": "void", "rank": "director"}
    plain = played(f"{code}:7.3")

    found = judged(SHEETS[code]((said, {"type": "RoundClosed"})))

    assert [flag.code for flag in found.flags] == ["WORD_UNKNOWN"]
    assert found.dues == plain.dues
