"""Tiger Baccarat, sections 4 to 6: the drawing tables in full, facts, faults, witnesses."""

from itertools import product

import pytest

from replay.games import tiger_baccarat as tb
from replay.sheets.sheet import read as read_sheet
from replay.witnesses import Sight, sights
from schemas.cards import RANKS, Card, cards
from schemas.events import Guess
from tests.support.english import english
from tests.support.tables import cases
from tests.support.tiger_baccarat_sheets import happened, sheet

# TB:4.15 as the specification prints it, one letter a value of Player's third card: 0 to 9.
TABLE_TWO = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
# Two cards of each count.
TWO = dict(enumerate(map(cards, (
    "KS QH", "AS KH", "2S JH", "2S AH", "4S TH", "5S KH", "4S 2H", "7S QH", "3S 5H", "9S KH"
))))  # fmt: skip
THIRD = {n: Card("TA23456789"[n], "D") for n in range(10)}


@pytest.mark.parametrize(("player", "banker"), [*product(range(10), range(10))])
def test_naturals_end_the_deal_and_player_draws_to_five(player: int, banker: int) -> None:
    deal = tb.Deal(TWO[player], TWO[banker])

    following = tb.next_hand(deal)

    if player >= 8 or banker >= 8:
        assert following == ""
    elif player <= 5:
        assert following == "player"
    else:
        assert following == ("banker" if banker <= 5 else "")


@pytest.mark.parametrize(("player", "banker", "third"), [*product(range(6), range(8), range(10))])
def test_banker_draws_by_table_two(player: int, banker: int, third: int) -> None:
    deal = tb.Deal((*TWO[player], THIRD[third]), TWO[banker])

    following = tb.next_hand(deal)

    assert following == {"D": "banker", "S": ""}[TABLE_TWO[banker][third]]


@pytest.mark.parametrize("rank", RANKS)
def test_a_card_counts_its_face_or_nothing(rank: str) -> None:
    worth = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}

    assert tb.points([Card(rank, "S")]) == (worth[rank] if rank in worth else int(rank))


@pytest.mark.parametrize(
    ("player", "banker", "fact"),
    cases("""
        9S KD    | 4H 3C    | player wins                   | TB:4.13 a natural ends the deal
        2H 3D 8S | 3C KD    | tie                           | TB:4.15 three stands on an eight
        2H 3D 9S | 3C KD 3H | banker wins on 6 with 3 cards | TB:4.15 three draws on a nine
        6C KD    | 5H TD 2S | banker wins                   | TB:4.16 five draws, player stood
        2H 3D TD | 6S KD    | banker wins on 6 with 2 cards | TB:4.15 six stands on a ten
        2D 3S    | 8S KD    | banker wins                   | TB:4.13 Banker's natural
    """),
)
def test_facts(player: str, banker: str, fact: str) -> None:
    assert fact in tb.facts(tb.Deal(cards(player), cards(banker)))


@pytest.mark.parametrize(
    ("player", "banker", "pairs"),
    cases("""
        KS KD    | KH QH    | player pair             | TB:6.2.1.1 king and queen are no pair
        2S 3H    | AS AD    | banker pair             | suits do not matter
        TS TD    | 9S 9D    | player pair,banker pair | both
        TS JD    | QS KD    |                         | TB:4.11.2.1 court cards keep their rank
        2S 3H 3D | 7S KD    |                         | the third card makes no pair
    """),
)
def test_pairs_are_of_the_first_two_cards(player: str, banker: str, pairs: str) -> None:
    found = tb.facts(tb.Deal(cards(player), cards(banker)))

    assert sorted(fact for fact in found if "pair" in fact) == sorted(
        filter(None, pairs.split(","))
    )


@pytest.mark.parametrize(
    ("player", "banker", "faults"),
    cases("""
        9S KD    | 4H 3C    |                              | TB:4.13 lawful: a natural
        6C KD    | 5H TD 2S |                              | TB:4.16 lawful: five draws
        6C KD 2S | 7H TD    | player 3 for 2 TB:4.14       | TB:4.14 six may not draw
        2C KD    | 7H TD    | player 2 for 3 TB:4.14       | TB:4.14 two must draw
        6C KD    | 6H TD 2S | banker 3 for 2 TB:4.16       | TB:4.16 six may not draw
        2C KD 8H | 3H TD 2S | banker 3 for 2 TB:4.15       | TB:4.15 three stands on an eight
        2C KD 7H | 3H TD    | banker 2 for 3 TB:4.15       | TB:4.15 three draws on a seven
        9S KD    | 4H TD 2S | banker 3 for 2 TB:4.13       | TB:4.13 nobody draws on a natural
    """),
)
def test_a_card_too_many_or_too_few_is_a_fault(player: str, banker: str, faults: str) -> None:
    deal = tb.Deal(cards(player), cards(banker))

    found = [f"{at.hand} {at.found} for {at.wanted} {at.clause}" for at in tb.faults(deal)]

    assert found == list(filter(None, [faults]))


@pytest.mark.parametrize(
    ("drawn", "player", "banker"),
    cases("""
        2S KS 3H 7H TD       | 2S 3H TD | KS 7H    | Banker seven stands
        2S KS 4S 4H 3D 9C    | 2S 4S    | KS 4H 3D | Player six stands, the rest is not theirs
        KS AS 2H AH 2D 4C 9S | KS 2H 2D | AS AH 4C | both draw
        9S KS KH             | 9S KH    | KS       | not complete yet
    """),
)
def test_hands_are_made_by_the_draw_order(drawn: str, player: str, banker: str) -> None:
    assert tb.deal_out(cards(drawn)) == tb.Deal(cards(player), cards(banker))


@pytest.mark.parametrize(
    ("drawn", "seen", "unread"),
    cases("""
        9S>P KS>B KH>P 4H>B      | camera P 1 9S 0.99         |                                     | agreed
        9S>P KS>B KH>P 4H>B      | camera P 1 8S 0.50         |                                     | a doubtful camera is no witness
        9S>P KS>B KH>P 4H>B      | camera P 1 8S 0.90         | Player card 1: camera 8S, shoe 9S   | camera against shoe
        9S>P KS>B KH>P 4H>B      | camera P 1 back 0.99       | Player card 1: camera back, shoe 9S | a word that is no card
        9S>P KS>B KH>P 4H>B      | place B 2 5H               | Banker card 2: dealer 5H, shoe 4H   | dealer against shoe
        9S>P KS>B KH>P -->B      | place B 2 4H               |                                     | the dealer saw what the shoe missed
        9S>P KS>B KH>P -->B      | place B 1 KS               | Banker card 2: nobody could read it | nobody saw it
        9S>P KS>B KH>P -->B      | place B 2 4H, camera B 2 5H 0.95 | Banker card 2: camera 5H, dealer 4H | two against each other
        9S>P KS>B KH>P 4H>B      | camera B 3 2D 0.99         | Banker card 3: camera 2D, which the shoe never gave | a card from nowhere
        9S>P KS>P KH>B 4H>B      | place P 2 KH, place B 1 KS |                                     | TB:7.9 the table shows the corrected hands
        9S>P KS>P KH>B 4H>B      | place P 2 2H               | Player card 2: dealer 2H, shoe KS   | TB:7.9 neither put there nor owed there
        2S>P KS>B 4S>P 4H>B 3D>P | camera B 3 3D 0.99         |                                     | TB:7.6 the card was moved to Banker
    """),  # noqa: E501 (a table)
)
def test_witnesses_agree_or_the_deal_is_unknown(drawn: str, seen: str, unread: str) -> None:
    round, _ = read_sheet(sheet("", drawn, *happened(seen)))

    assert english(tb.read(sights(round.events)).unread) == unread


def test_the_readings_behind_a_doubt_are_named() -> None:
    round, _ = read_sheet(sheet("", "9S>P KS>B KH>P 4H>B", *happened("place B 2 5H")))

    found = tb.read(sights(round.events))

    assert found.doubt == tuple(at.event_id for at in round.events[-2:])


@pytest.mark.parametrize(
    ("laid", "player", "banker", "unread"),
    cases("""
        P 1 9S, B 1 KS, P 2 KH, B 2 4H         | 9S KH    | KS 4H    |                       | without a shoe the places tell
        B 1 KS, B 2 7H, P 1 2S, P 2 3H, P 3 TD | 2S 3H TD | KS 7H    |                       | in whatever order they were entered
        P 1 2S, B 1 KS, P 2 4S, B 2 4H, P 3 3D | 2S 4S    | KS 4H 3D |                       | TB:7.6 Banker takes the card
        P 1 9S, P 2 KH, B 2 4H                 |          |          | Banker card 2: dealer 4H, which the shoe never gave | a gap is not filled
    """),  # noqa: E501 (a table)
)
def test_a_table_without_a_shoe_reading(laid: str, player: str, banker: str, unread: str) -> None:
    entered = ", ".join(f"place {item.strip()}" for item in laid.split(","))
    round, _ = read_sheet(sheet("", "", *happened(entered)))

    found = tb.read(sights(round.events))

    assert found.deal == tb.Deal(cards(player), cards(banker))
    assert english(found.unread) == unread


def test_cards_on_the_table_open_the_hand() -> None:
    round, _ = read_sheet(sheet("", "KS>B KH>P 4H>B", *happened("camera P 1 9S 0.99")))

    found = tb.read(sights(round.events, [("player", "9S")]))

    assert found.deal == tb.Deal(cards("9S KH"), cards("KS 4H"))
    assert found.used[0] == Sight(
        "player",
        1,
        -1,
        "9S",
        "9S",
        0.99,
        evidence=(round.events[-1].event_id,),
        guesses=(Guess("9S", 0.99),),
        camera_device="sheet",
    )
