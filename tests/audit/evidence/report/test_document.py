"""The report says what happened, what was owed and why, in both languages and for all games."""

import json
from functools import cache

import pytest

from audit.evidence import redaction
from audit.evidence.report.document import document
from audit.evidence.report.report_text import MARK, marked
from audit.evidence.round_file import RoundFile
from replay import words
from replay.judge import Judgement
from replay.tables import round_rows
from replay.words.outcome import spoken_outcome
from tests.support import simulated_days
from tests.support.tables import cases

GAMES = (
    *("NN", "RO", "SA-AB", "SA-BC", "SA-BJ", "SA-DT", "SA-FPC", "SA-HL", "SA-PD", "SA-RO"),
    *("SA-SB", "SA-TP", "SA-XD", "TB", "TH"),
)
ZONE = "Asia/Ho_Chi_Minh"


@cache
def rounds(game: str, faults: str = "") -> tuple[Judgement, ...]:
    day = simulated_days.played(f"T1:{game}", 20, faults)
    return tuple(simulated_days.judged(day.readings).values())


def on_file(judged: Judgement, party: str = "") -> RoundFile:
    hidden = redaction.redaction(party, judged.round.events)
    return RoundFile(judged, round_rows.of_round(judged)[1], hidden=hidden)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_report_has_a_row_for_every_wager_and_a_line_for_every_step(
    game: str, language: str
) -> None:
    judged = next(at for at in rounds(game) if len(at.dues) > 1)
    made = document(on_file(judged), language, ZONE, "rp-1")

    assert len(made["owed"]) == len(judged.dues)
    assert [step["n"] for step in made["why"]] == list(range(1, len(judged.steps) + 1))
    quoted = {clause["anchor"] for clause in (*made["quoted"], *made["clauses"])}
    assert quoted >= {anchor for step in judged.steps for anchor in step.clauses}
    assert made["headline"]["tone"] == "right"
    assert made["digest"] == round_rows.of_round(judged)[1]
    assert json.loads(json.dumps(made)) == json.loads(json.dumps(made, sort_keys=True))


def test_who_is_short_comes_first_and_in_words() -> None:
    judged = next(at for at in rounds("TB", "PAY-02") if _short(at))
    (row,) = (row for row in on_file(judged).sheet if row.difference)
    english = document(on_file(judged), "en", ZONE, "rp-1")
    vietnamese = document(on_file(judged), "vi", ZONE, "rp-1")
    by = abs(row.difference or 0)

    assert english["headline"]["money"] == f"₫{by:,}"
    assert english["headline"]["owner"] == "The player is short"
    assert english["owed"][0]["difference"] == f"−{by:,}"
    assert f"The player is short ₫{by:,}." in english["happened"][-1]
    dotted = f"{by:,}".replace(",", ".")
    assert vietnamese["headline"]["money"].replace("\xa0", " ") == f"{dotted} ₫"
    assert vietnamese["headline"]["owner"] == "Người chơi thiếu"


def test_an_unknown_round_says_so_and_names_both_readings() -> None:
    (judged,) = (at for at in rounds("TB", "REC-01") if at.ruled.status == "unknown")
    made = document(on_file(judged), "en", ZONE, "rp-1")

    assert made["headline"]["tone"] == "unknown"
    assert made["headline"]["title"].startswith("It is not known what this round owed")
    assert made["headline"]["owner"] == made["headline"]["money"] == ""
    assert any("unknown" in sentence for sentence in made["happened"])
    assert {row["due"] for row in made["owed"]} == {"unknown"}
    assert made["doubts"]
    (cards,) = (part for part in made["readings"] if part["title"] == "Cards, and who read them")
    assert "unknown" in [row[-1] for row in cards["rows"]]


@pytest.mark.parametrize("game", GAMES)
def test_the_edition_for_a_party_shows_nobody_elses_wagers(game: str) -> None:
    judged = next(at for at in rounds(game) if len({due.player_id for due in at.dues}) > 1)
    mine = judged.dues[0].player_id
    others = [due for due in judged.dues if due.player_id != mine]
    text = json.dumps(document(on_file(judged, mine), "en", ZONE, "rp-1"))

    assert mine in text
    for due in others:
        assert due.player_id not in text
        assert f'"{due.stake:,}"' not in text or due.stake in {
            own.stake for own in judged.dues if own.player_id == mine
        }


def test_a_stake_and_its_reserve_are_two_amounts() -> None:
    judged = next(at for at in rounds("SA-PD") if any(due.reserve_returned for due in at.dues))
    made = document(on_file(judged), "en", ZONE, "rp-1")
    stake = sum(row.wager.lying for row in on_file(judged).sheet)
    reserve = sum(row.wager.placed.reserve for row in on_file(judged).sheet)

    assert made["total"]["stake"] == f"{stake:,}"
    assert made["total"]["reserve"] == f"+ {reserve:,} reserve"
    assert f"₫{stake:,} in all." in " ".join(made["happened"])
    assert f"Another ₫{reserve:,} lay in reserve." in made["happened"]


def test_throws_are_counted_from_one() -> None:
    made = document(on_file(rounds("SA-SB")[0]), "en", ZONE, "rp-1")

    assert made["why"][0]["text"].startswith("Shake 1: ")


def test_the_edition_for_a_party_says_nothing_of_whether_others_were_paid_rightly() -> None:
    judged = next(at for at in rounds("TB", "PAY-02") if _short(at) and len(at.dues) > 1)
    wronged = {row.wager.player_id for row in on_file(judged).sheet if row.difference}
    other = next(due.player_id for due in judged.dues if due.player_id not in wronged)
    made = document(on_file(judged, other), "en", ZONE, "rp-1")

    assert "Every wager was settled as due." not in made["happened"]
    assert made["happened"][-1].startswith("Each of your wagers was settled as due.")
    assert made["headline"]["title"] == (
        "No error was found in your wagers; those of others are not shown."
    )


def test_cards_are_marked_and_clauses_are_not() -> None:
    assert marked("Player 4C TD draws KS: 4") == (f"Player {MARK}4C {MARK}TD draws {MARK}KS: 4")
    assert marked("TH:5.3 and T01/AS-1/7D") == "TH:5.3 and T01/AS-1/7D"


@pytest.mark.parametrize(
    ("outcome", "game", "english", "vietnamese"),
    cases("""
        B 3-8                       | TB     | Banker 3–8                 | Banker 3–8               | points
        dealer NIU_9 TC, 1 NO_HAND JD | NN   | Dealer Niu 9 TC; seat 1 No Hand JD | Dealer Niu 9 TC; ghế 1 No Hand JD | hands
        28 black                    | RO     | 28 black                   | 28 đen                   | a pocket
        dragon 11-4                 | SA-DT  | Dragon 11–4                | Dragon 11–4              | two cards
        RWRR                        | SA-XD  | 3 red, 1 white             | 3 đỏ, 1 trắng            | tokens
        R-W-R-R                     | SA-XD  | 3 red, 1 white             | 3 đỏ, 1 trắng            | tokens one by one
        4R                          | SA-XD  | 4 red                      | 4 đỏ                     | tokens as called
        rooster-fish-fish           | SA-FPC | rooster · fish · fish      | gà · cá · cá             | symbols
        A wins, pair against high card | SA-TP | Player A wins, pair against high card | Player A thắng, đôi trước mậu thầu | a showdown
        B 8, P 9 7.4                | SA-PD  | Banker 8; Player 1 9; Player 2 7.4 | Banker 8; Player 1 9; Player 2 7.4 | figures
        dealer 20; 1 bust           | SA-BJ  | Dealer 20; seat 1 bust     | Dealer 20; ghế 1 quá 21  | a bust hand
        4-5-5 (14)                  | SA-SB  | 4-5-5 (14)                 | 4-5-5 (14)               | dice
    """),  # noqa: E501  (a table)
)
def test_an_outcome_is_said_without_codes(
    outcome: str, game: str, english: str, vietnamese: str
) -> None:
    assert spoken_outcome(outcome, "en", game) == english
    assert spoken_outcome(outcome, "vi", game) == vietnamese


def _short(judged: Judgement) -> bool:
    return any((row.difference or 0) < 0 for row in on_file(judged).sheet)
