"""Andar Bahar, SA-AB: the worked examples of the rulebook page, and what a deal can get wrong."""

from itertools import cycle
from typing import Any

import pytest

from replay.games import andar_bahar as game
from replay.judge import Judgement
from replay.rulings import andar_bahar
from schemas.cards import DECK, cards
from tests.support.english import english
from tests.support.shoe_story import backs, flags, sheet, told
from tests.support.tables import cases, judged
from tests.support.tables import readings as relied_on


def dealt(codes: str) -> str:
    """Cards to Andar and Bahar by turns, as lines of a story."""
    turns = zip(cycle(game.SIDES), codes.split(), strict=False)
    return ", ".join(f"deal {side} {card}" for side, card in turns)


def played(bets: str, game_card: str, codes: str, more: str = "", **terms: Any) -> Judgement:
    """A round with these bets (`andar 1000, first_3 100`), its Game Card and its cards."""
    placed = [f"bet b{n} {bet}" for n, bet in enumerate(bets.split(","), 1)]
    story = [f"deal game {game_card}", *placed, "close", dealt(codes), more]
    return told("SA-AB", ",".join(story), **terms)


def any_deal(count: int) -> str:
    """A lawful deal of so many cards to the Game Card 5H; its first cards form no pattern."""
    others = [str(card) for card in DECK if card.rank != "5"]
    firsts = ["9S", "KC"]
    rest = [code for code in others if code not in firsts]
    return " ".join([*(firsts + rest)[: count - 1], "5C"])


@pytest.mark.parametrize(
    ("deal", "bet", "due"),
    cases("""
        7H / 7C | andar:nc 1000 | win 1/4 250 0 1250 250 | example 1, no commission
        7H / 7C | andar 5000 | win 9/10 4500 0 9500 4500 | example 1, andar
        7H / 7C | first_andar 2000 | win 15 30000 0 32000 30000 | example 1, first andar
        7H / 7C | first_3 1000 | lose 1 0 1000 0 -1000 | example 1, first 3
        7H / 7C | bahar 1000 | lose 1 0 1000 0 -1000 | example 1, bahar
        8H / 9S TD 2C KD 5H JC 8C | first_3 1000 | win 8 8000 0 9000 8000 | example 2, first 3
        8H / 9S TD 2C KD 5H JC 8C | cards_6_10:nc 500 | win 3 1500 0 2000 1500 | example 2, six to ten
        8H / 9S TD 2C KD 5H JC 8C | andar 1000 | win 9/10 900 0 1900 900 | example 2, andar
        8H / 9S TD 2C KD 5H JC 8C | andar:nc 1000 | win 1 1000 0 2000 1000 | example 2, no commission
        QD / 4S QC | bahar 1000 | win 1 1000 0 2000 1000 | example 3, bahar
        QD / 4S QC | first_bahar 300 | win 15 4500 0 4800 4500 | example 3, first bahar
        QD / 4S QC | first_andar 300 | lose 1 0 300 0 -300 | example 3, first andar
        QD / 4S QC | first_3 100 | lose 1 0 100 0 -100 | example 3, first 3
        QD / 4S QC | cards_1_5 200 | win 5/2 500 0 700 500 | example 3, one to five
        AH / KH QH 3C AD | first_3 100 | win 120 12000 0 12100 12000 | example 4, first 3
        AH / KH QH 3C AD | bahar:nc 100 | win 1 100 0 200 100 | example 4, no commission
        AH / KH QH 3C AD | cards_1_5:nc 101 | win 5/2 253 0 354 253 | example 4, one to five
        2S / 9S JS 4D 2C | first_3 100 | win 5 500 0 600 500 | example 5, first 3
        2S / 9S JS 4D 2C | andar 100 | lose 1 0 100 0 -100 | example 5, andar
        KD / AC 2S KC | first_3 100 | lose 1 0 100 0 -100 | example 6, K-A-2
        KD / AC 2S KC | andar:nc 2 | win 1 2 0 4 2 | example 6, no commission
        KD / AC 2S KC | andar 5 | win 9/10 5 0 10 5 | example 6, rounded up
        3D / AC 2S 3C | first_3 100 | win 8 800 0 900 800 | example 7, A-2-3
        3D / AC 2S 3C | andar 33 | win 9/10 30 0 63 30 | example 7, rounded
        5H / 5 cards | cards_1_5 100 | win 5/2 250 0 350 250 | example 8, one to five
        5H / 5 cards | cards_6_10 100 | lose 1 0 100 0 -100 | example 8, six to ten
        5H / 5 cards | andar 100 | win 9/10 90 0 190 90 | example 8, andar
        5H / 10 cards | cards_6_10 100 | win 3 300 0 400 300 | example 9, six to ten
        5H / 10 cards | cards_11_15 100 | lose 1 0 100 0 -100 | example 9, eleven on
        5H / 10 cards | bahar 100 | win 1 100 0 200 100 | example 9, bahar
        5H / 11 cards             | cards_11_15 100  | win 9/2 450 0 550 450        | example 10
        5H / 25 cards | cards_16_25 100 | win 3 300 0 400 300 | example 11, sixteen on
        5H / 25 cards | cards_26_30 100 | lose 1 0 100 0 -100 | example 11, 26 on
        5H / 26 cards | cards_26_30 100 | win 14 1400 0 1500 1400 | example 12, 26 on
        5H / 26 cards | bahar 100 | win 1 100 0 200 100 | example 12, bahar
        5H / 35 cards             | cards_31_35 100  | win 24 2400 0 2500 2400      | example 13
        5H / 36 cards             | cards_36_40 100  | win 49 4900 0 5000 4900      | example 14
        5H / 41 cards | cards_41_49 100 | win 119 11900 0 12000 11900 | example 15, 41 on
        5H / 41 cards | cards_36_40 100 | lose 1 0 100 0 -100 | example 15, 36 on
        5H / 49 cards | cards_41_49 100 | win 119 11900 0 12000 11900 | example 16, 41 on
        5H / 49 cards | andar 100 | win 9/10 90 0 190 90 | example 16, andar
    """),  # noqa: E501  (a row is a line of the page)
)
def test_the_worked_examples(deal: str, bet: str, due: str) -> None:
    """Columns: outcome, odds, win, lost, returned, net."""
    game_card, codes = deal.split(" / ")
    if codes.endswith(" cards"):
        codes = any_deal(int(codes.split()[0]))

    found = played(bet, game_card, codes, "end")

    (line,) = found.dues
    multiple = {"push": "0", "lose": "1"}.get(line.outcome, line.odds)
    amounts = (line.paid, line.collected, line.back, line.paid - line.collected)
    assert " ".join(map(str, (line.outcome, multiple, *amounts))) == due
    assert (line.commission, found.flags) == (0, ())


@pytest.mark.parametrize(
    ("bet", "clauses"),
    cases("""
        andar        | SA-AB:1.4.1             | standard
        andar:nc     | SA-AB:1.4.3             | no commission
        bahar        | SA-AB:1.4.2             | a loss by its own rule
        bahar:nc     | SA-AB:1.4.4             | and that of the mode
        first_andar  | SA-AB:1.4.5             | the first card
        first_3      | SA-AB:1.4.7 SA-AB:1.3.3 | fewer than three cards
        cards_1_5:nc | SA-AB:1.4.8             | a count in either mode
    """),
)
def test_the_clauses(bet: str, clauses: str) -> None:
    (due,) = played(f"{bet} 100", "7H", "7C").dues

    assert " ".join(due.clauses) == clauses


@pytest.mark.parametrize(
    ("bet", "offered"),
    cases("""
        cards_41_49:nc | yes | counts have both modes
        first_andar:nc | no  | not in No Commission
        first_bahar:nc | no  | not in No Commission
        first_3:nc     | no  | not in No Commission
        cards_1_6      | no  | no such range
        andar:std      | no  | the standard mode has no name
        Andar          | no  | names are written in small letters
        tie            | no  | no such bet
    """),
)
def test_other_bets_are_refused(bet: str, offered: str) -> None:
    found = played(f"{bet} 100", "7H", "2S 7C")

    assert (found.dues[0].outcome != "refused") == (offered == "yes")
    assert flags(found) == ("" if offered == "yes" else "BET_NOT_OFFERED b1")
    if offered == "no":
        assert (found.dues[0].back, found.dues[0].clauses) == (100, ("SA-AB:1.4",))


@pytest.mark.parametrize(
    ("three", "formed"),
    cases("""
        AH 2H 3H | straight flush | the lowest
        QH KH AH | straight flush | the highest
        JS QS KD | straight       | two suits
        3D AC 2S | straight       | in any order
        KH AH 2H | flush          | not round the corner
        2S 9S JS | flush          | no sequence
        2S 9S JD |                | nothing
        8S 8D 9S |                | a pair is nothing
    """),
)
def test_first_three(three: str, formed: str) -> None:
    assert game.pattern(cards(three)) == formed


@pytest.mark.parametrize(
    ("story", "flagged", "back"),
    cases("""
        deal game 7H, bet b1 andar 100, close, deal andar 7C | | b1 win 90 190 | in order
        deal game 7H, deal andar 2C, bet b1 andar 100, close, deal bahar 3C, deal andar 7C \
| LATE_BET b1 | b1 refused 0 100 | dealt before the close
        deal game 7H, deal andar 2C, bet b1 andar 100, deal bahar 3C, deal andar 7C \
| BETTING_NOT_CLOSED, LATE_BET b1 | b1 refused 0 100 | never closed
        deal game 7H, bet b1 andar 100, deal andar 2C, stake b1 900, deal bahar 7C \
| BETTING_NOT_CLOSED, LATE_BET b1 | b1 lose 0 0 | raised after the first card
        deal game 7H, bet b1 andar 100, deal andar 2C, close, deal bahar 3C, deal andar 7C \
| | b1 win 90 190 | closed late and bet in time
        bet b1 andar 100, deal game 7H, close, deal andar 7C | LATE_BET b1 | b1 refused 0 100 | too early
        deal game 7H, close, bet b1 andar 100, deal andar 7C | LATE_BET b1 | b1 refused 0 100 | too late
        deal game 7H, bet b1 bahar 100, move b1 andar, close, deal andar 7C | | b1 win 90 190 | moved
        deal game 7H, bet b1 andar 100, move b1 tie, close, deal andar 7C \
| BET_NOT_OFFERED b1 | b1 win 90 190 | moved nowhere
        deal game 7H, bet b1 andar 100, close, stake b1 900, deal andar 7C \
| LATE_BET b1 | b1 win 90 190 | raised late
        deal game 7H, bet b1 andar 100, close, withdraw b1, deal andar 7C \
| WITHDRAWAL_REFUSED b1 | b1 win 90 190 | taken back late
        deal game 7H, bet b1 andar 100, withdraw b1, close, deal andar 7C | | | taken back in time
    """),  # noqa: E501
)
def test_bets_count_from_the_game_card_to_the_close(story: str, flagged: str, back: str) -> None:
    found = told("SA-AB", f"{story}, end")

    assert flags(found) == flagged
    assert backs(found) == back


@pytest.mark.parametrize(
    ("story", "status", "outcome", "flagged"),
    cases("""
        deal andar 2C, deal bahar 7C | settled | Bahar 2 | | lawful
        deal andar 2C, deal andar 7C | settled | Bahar 2 | DEAL_ORDER | andar twice
        deal bahar 7C | settled | Andar 1 | DEAL_ORDER | bahar first
        deal andar 2C, deal bahar 7C, deal andar 9C | settled | Bahar 2 | DEALT_PAST_MATCH | one more
        deal andar 2C, deal bahar 7C, deal andar 7S | settled | Bahar 2 | DEALT_PAST_MATCH | two matches
        deal andar 2C, deal bahar 9C | unsettled | | NO_MATCH | none at all
                                                     | unsettled | | NO_MATCH | no card
        deal andar 2C, deal bahar 2C, deal andar 7C | settled | Andar 3 | DUPLICATE_CARD 2C | twice
        deal andar 7H | settled | Andar 1 | DUPLICATE_CARD 7H | itself
        deal andar 2C, deal game 7C | settled | Bahar 2 | DEAL_ORDER | on no side
        deal andar x | unknown | | RESULT_UNKNOWN | unread
        deal andar x, seen andar 1 7C 0.97           | settled   | Andar 1 |                  | seen
        deal andar x, seen andar 1 7C 0.60 | unknown | | RESULT_UNKNOWN | not surely
        deal andar 7C, seen andar 1 7S 0.97 | unknown | | RESULT_UNKNOWN | they differ
        deal andar 7C, put andar 1 7C | settled | Andar 1 | | they agree
        put andar 1 2C, put bahar 1 3C, put andar 2 7C | unknown | | RESULT_UNKNOWN | the shoe gave none
    """),  # noqa: E501
)
def test_the_deal(story: str, status: str, outcome: str, flagged: str) -> None:
    found = told("SA-AB", f"deal game 7H, bet b1 bahar 100, close, {story}, end")

    assert (found.ruled.status, found.ruled.outcome) == (status, outcome)
    assert flags(found) == flagged
    wanted = {"settled": "win" if outcome.startswith("B") else "lose", "unsettled": "open"}
    assert [due.outcome for due in found.dues] == ([wanted[status]] if status in wanted else [])


@pytest.mark.parametrize(
    ("positions", "missing"),
    cases("""
        1 2 3 4 | 0 | all of them
        5 6 7 8 | 0 | counted on from another round
        1 2 4 5 | 3 | one before the match
        1 3 4 5 | 2 | the first to Andar
        1 2 3 6 | 4 | two right before the match
    """),
)
def test_a_card_that_was_not_recorded_leaves_the_count_unknown(
    positions: str, missing: str
) -> None:
    story = "deal game QD, bet b1 cards_1_5 100, close, deal andar 4S, deal bahar 5S, deal andar QC"
    written = sheet("SA-AB", f"{story}, end")
    drawn = (event for event in written["events"] if event["type"] == "CardDrawn")
    for event, position in zip(drawn, positions.split(), strict=True):
        event["position"] = int(position)

    found = judged(written)

    whole = missing == "0"
    assert (found.ruled.status, found.ruled.outcome) == (
        ("settled", "Andar 3") if whole else ("unknown", "")
    )
    assert flags(found) == ("" if whole else "RESULT_UNKNOWN")
    assert whole or f"position {missing} " in english(found.flags[0].note)


def test_a_card_missing_after_the_match_changes_no_money() -> None:
    written = sheet("SA-AB", "deal game QD, close, deal andar QC, deal bahar 4S, end")
    written["events"][-2]["position"] += 1

    found = judged(written)

    assert (found.ruled.outcome, flags(found)) == ("Andar 1", "CARD_NOT_READ, DEALT_PAST_MATCH")


@pytest.mark.parametrize("word", ["deal", "put"])
def test_a_second_game_card_is_told(word: str) -> None:
    laid = "deal game QD, deal game 4S, deal andar 5S, deal bahar QC"
    if word == "put":
        laid = "put game 1 QD, put game 2 4S, put andar 1 5S, put bahar 1 QC"

    assert flags(told("SA-AB", f"{laid}, end")) == "DEAL_ORDER"


@pytest.mark.parametrize(
    ("story", "status", "flagged"),
    cases("""
        deal andar 2C, end, deal bahar 7C | unsettled | NO_MATCH         | the match came too late
        deal andar 7C, end, deal bahar 9C | settled   | DEALT_PAST_MATCH | one more card
        deal andar 7C, end                | settled   |                  | none
    """),
)
def test_cards_after_the_close_do_not_count(story: str, status: str, flagged: str) -> None:
    found = told("SA-AB", f"deal game 7H, bet b1 andar 100, close, {story}")

    assert (found.ruled.status, flags(found)) == (status, flagged)


def test_without_a_shoe_the_cards_lie_by_turns() -> None:
    laid = "put game 1 7H, bet b1 andar 100, close, put andar 1 2C, put bahar 1 3C, put andar 2 7C"

    found = told("SA-AB", f"{laid}, end")
    short = told("SA-AB", f"{laid.replace('put bahar 1 3C', 'put andar 3 4C')}, end")

    assert (found.ruled.outcome, flags(found)) == ("Andar 3", "")
    assert (short.ruled.outcome, flags(short)) == ("Bahar 2", "DEALT_PAST_MATCH, DEAL_ORDER")


def test_a_game_card_that_comes_second_or_never() -> None:
    second = told("SA-AB", "deal andar 2C, deal game 7H, deal bahar 7C, end")
    never = told("SA-AB", "bet b1 andar 100, close, deal andar 2C, deal bahar 7C, end")

    assert (second.ruled.outcome, flags(second)) == ("Bahar 2", "DEAL_ORDER")
    assert (never.ruled.status, flags(never)) == ("unsettled", "NO_MATCH")


def test_a_round_under_way_is_no_fault() -> None:
    found = told("SA-AB", "deal game 7H, bet b1 andar 100, close, deal andar 2C")

    assert (found.ruled.status, flags(found), backs(found)) == ("unsettled", "", "b1 open 0 0")


def test_a_round_declared_void_in_time_gives_every_stake_back() -> None:
    found = told("SA-AB", "deal game 7H, bet b1 andar 100, close, deal andar 2C, void, end void")

    assert (found.ruled.status, flags(found)) == ("void", "")
    assert found.dues[0].back == 100


@pytest.mark.parametrize(
    ("more", "flagged"),
    cases("""
        call andar 3           |                         | side and count
        call Andar             |                         | the side alone
        call 3                 |                         | the count alone
        call A3 by=board       |                         | shown short
        call bahar             | RESULT_MISMATCH bahar   | the other side
        call andar 5           | RESULT_MISMATCH andar 5 | another count
        call 4                 | RESULT_MISMATCH 4       | an even count
        call andar 3 4         | RESULT_MISMATCH andar 3 4 | two counts
        call andar bahar       | RESULT_MISMATCH andar bahar | both sides
        call bahar, call andar |                         | put right
        settled b1 paid=90 returned=100 |                | paid as due
        settled b1 paid=100 returned=100 | MISPAY b1     | paid even money
        void                   | RESULT_MISMATCH void    | declared void for nothing
    """),
)
def test_what_people_say_changes_nothing(more: str, flagged: str) -> None:
    found = played("andar 100", "7H", "2C 3D 7S", more)

    assert backs(found) == "b1 win 90 190"
    assert flags(found) == flagged


@pytest.mark.parametrize(
    ("carry", "before", "flagged"),
    cases("""
        used  | shuffle, open | | shuffled between the rounds
        used  | open, shuffle | | shuffled before the first card
        used  | load D2, open | | another deck, which came shuffled
        used  | open          | DECK_REUSED | not shuffled
        fresh | open          | | nothing is known against it
    """),
)
def test_a_deck_is_shuffled_for_every_round(carry: str, before: str, flagged: str) -> None:
    story = f"{before}, deal game 7H, bet b1 andar 100, close, deal andar 7C, end"

    found = judged(
        sheet("SA-AB", story) | {"carry": {"deck_used": True} if carry == "used" else {}}
    )

    assert flags(found) == flagged
    assert backs(found) == "b1 win 90 190"
    assert found.ruled.memory == {"deck_used": True}


def test_a_shuffle_at_the_end_is_for_the_next_round() -> None:
    after = told("SA-AB", "deal game 7H, deal andar 7C, shuffle, end")
    idle = judged(sheet("SA-AB", "open, close, end") | {"carry": {"deck_used": True}})

    assert after.ruled.memory == {}
    assert (idle.ruled.memory, flags(idle)) == ({"deck_used": True}, "ROUND_WITHOUT_CARDS")


@pytest.mark.parametrize(
    ("posted", "bet", "story", "usual", "other"),
    cases("""
        deal_order as_laid | andar 100 | deal andar 2C, deal andar 7C | settled lose | settled win | on andar's side
        deal_order as_laid | first_andar 100 | deal bahar 7C | settled win | settled lose | on bahar's side
        deal_order as_laid | andar:nc 100 | deal andar 2C, deal andar 7C | settled lose | settled win | its second card
        duplicate_card void | andar 100 | deal andar 2C, deal bahar 2C, deal andar 7C | settled win | void returned | twice
        declared_void as_declared | andar 100 | deal andar 7C, void | settled win | void returned | after the match
    """),  # noqa: E501
)
def test_another_reading(posted: str, bet: str, story: str, usual: str, other: str) -> None:
    issue, reading = posted.split()

    def said(**terms: Any) -> tuple[str, str]:
        found = told("SA-AB", f"deal game 7H, bet b1 {bet}, close, {story}, end", **terms)
        return f"{found.ruled.status} {found.dues[0].outcome}", relied_on(found)[issue]

    one, another = said(), said(readings={issue: reading})

    assert (one[0], another[0]) == (usual, other)
    assert one[1] != another[1] == reading


@pytest.mark.parametrize(
    ("called", "word"),
    cases("""
        Andar 7               | andar 7 | side and count
        bahar, 12 cards       | bahar 12 | in a sentence
        A7                    | andar 7 | short
        b                     | bahar   | a letter
        7                     | andar 7 | an odd count
        12                    | bahar 12 | an even count
        -                     | -       | nothing
    """),
)
def test_a_call_as_side_and_count(called: str, word: str) -> None:
    assert andar_bahar.said(called) == word
