"""The lawful deal of a round in which a procedure failed: the cards of its own shoe."""

from dataclasses import replace

import pytest

from replay.disputes.lawful_deal import lawful_deal
from replay.judge import Judgement
from replay.rounds import Round
from replay.sheets.sheet import read
from schemas import events as e
from tests.support import faulty_days, simulated_days
from tests.support.tables import cases, judged
from tests.support.tiger_baccarat_sheets import NATURAL, drawn, event, sheet

BETS = "P1 banker 1000, P2 player 1000"


def round_of(cards: str, *after: dict[str, object], bets: str = BETS) -> Judgement:
    return judged(sheet(bets, cards, *after))


def next_round(cards: str, first: int, number: int = 2) -> Round:
    """A later round of the same shoe, whose first card has this position."""
    found = sheet("P1 banker 1000", "")
    found["events"] += drawn(cards, first)
    round, _ = read(found)
    return replace(round, round_id=f"R{number}")


def test_a_lawful_round_has_no_other_deal() -> None:
    found = round_of(NATURAL)

    assert lawful_deal(found, (found.round,)) is None


def test_a_card_that_was_not_drawn_comes_from_the_round_after() -> None:
    short = round_of("2S>P KS>B 3H>P 4H>B 9D>P")  # Banker's 4 stands on no nine: complete
    assert lawful_deal(short, (short.round,)) is None
    stopped = round_of("2S>P KS>B 3H>P 7H>B", event("IrregularityReported", kind="stopped"))
    later = (next_round("TD>P 2C>B 9C>P 3C>B", 5), next_round("4C>P 5C>B 6C>P 7C>B", 9, 3))

    lawful = lawful_deal(stopped, (stopped.round, *later))

    assert lawful is not None
    assert lawful.judged is not None
    assert lawful.cards[-1] == ("player", "TD")
    assert lawful.judged.ruled.outcome == "B 5-7"
    assert lawful.later_rounds == ("R2", "R3")


def test_a_card_too_many_would_have_gone_to_the_round_after() -> None:
    wrong = round_of("9S>P KS>B KH>P 4H>B 5D>P")  # a third card after a natural

    lawful = lawful_deal(wrong, (wrong.round, next_round("2C>P 3C>B 4C>P 5C>B", 6)))

    assert lawful is not None
    assert [hand for hand, _ in lawful.cards] == ["player", "banker", "player", "banker"]
    assert lawful.drawn == 5
    assert lawful.later_rounds == ("R2",)


def test_a_new_shoe_is_not_touched() -> None:
    wrong = round_of("9S>P KS>B KH>P 4H>B 5D>P")
    after = next_round("2C>P 3C>B 4C>P 5C>B", 1)
    changed = replace(after.events[0], payload=e.ShoeLoaded("S2", 8))

    lawful = lawful_deal(wrong, (wrong.round, replace(after, before=(changed,))))

    assert lawful is not None
    assert lawful.later_rounds == ()


def test_a_card_that_nobody_read_leaves_it_unknown() -> None:
    stopped = round_of("2S>P KS>B 3H>P 7H>B", event("IrregularityReported", kind="stopped"))

    lawful = lawful_deal(stopped, (stopped.round,))

    assert lawful is not None
    assert lawful.judged is None
    assert lawful.unknown == "card 5 of the shoe is not on record"


def test_what_was_ruled_because_of_the_mistake_is_left_out() -> None:
    void = round_of(
        NATURAL,
        event("IrregularityReported", kind="foreign_card"),
        event("RulingMade", clause="TB:7.1", decision="void", rank="pit_manager"),
        event("RoundVoided", clause="TB:7.1", reason="foreign card"),
    )

    lawful = lawful_deal(void, (void.round,))

    assert lawful is not None
    assert lawful.judged is not None
    assert lawful.judged.ruled.status == "settled"
    assert lawful.judged.ruled.outcome == "P 9-4"
    assert lawful.later_rounds == ()


@pytest.mark.parametrize(
    ("game", "cards", "hands"),
    cases("""
        baccarat     | 9S KS KH 4H 2D    | player banker player banker        | a natural stands
        baccarat     | 2S KS 3H 7H TD    | player banker player banker player | a third card
        dragon_tiger | 9S KS KH          | dragon tiger                       | one card a side
        andar_bahar  | 9S KS KH 9H 2D    | game andar bahar andar             | until one matches
        andar_bahar  | 9S KS KH          | none                               | no match yet
        teen_patti   | 9S KS KH 4H 2D    | none                               | six are needed
        baccarat     | 2S KS 3H 7H       | none                               | the fifth is missing
    """),
)
def test_each_game_says_whose_each_card_is(game: str, cards: str, hands: str) -> None:
    from replay.game_modules import game as game_of
    from schemas.cards import cards as cards_of

    lawful_hands = game_of(game).lawful_hands

    assert lawful_hands is not None
    found = lawful_hands(cards_of(cards))
    assert (" ".join(found) if found else "none") == hands


def test_a_lawful_round_of_niu_niu_has_no_other_deal() -> None:
    rounds = simulated_days.judged(simulated_days.played("T1:NN", 20).readings).values()
    settled = [found for found in rounds if found.ruled.status == "settled"]

    assert len(settled) > 15
    assert {lawful_deal(found, (found.round,)) for found in settled} == {None}


def test_a_box_without_a_wager_is_left_out_of_a_lawful_niu_niu() -> None:
    dealt = faulty_days.at("NN", "DEAL-03")
    boxes = {due.box for due in dealt.dues}

    lawful = lawful_deal(dealt, (dealt.round,))

    assert lawful is not None
    assert lawful.judged is not None
    assert {hand for hand, _ in lawful.cards} == boxes | {"dealer"}
    assert len(lawful.cards) == lawful.drawn - 5


def test_a_void_niu_niu_would_have_been_settled_by_its_own_cards() -> None:
    void = faulty_days.at("NN", "IRR-01")

    lawful = lawful_deal(void, (void.round,))

    assert void.ruled.status == "void"
    assert lawful is not None
    assert lawful.judged is not None
    assert lawful.judged.ruled.status == "settled"


def test_a_packet_that_is_short_leaves_a_niu_niu_unknown() -> None:
    short = faulty_days.at("NN", "DEAL-02")

    lawful = lawful_deal(short, (short.round,))

    assert lawful is not None
    assert lawful.judged is None
    assert lawful.unknown.endswith("of the shoe is not on record")


def test_a_lawful_hand_of_holdem_has_no_other_deal() -> None:
    rounds = simulated_days.judged(simulated_days.played("T1:TH", 20).readings).values()
    lawful = [found for found in rounds if found.ruled.status == "settled" and not _reported(found)]

    assert len(lawful) > 10
    assert {lawful_deal(found, (found.round,)) for found in lawful} == {None}


def test_a_card_too_many_for_a_box_would_have_been_the_burnt_one() -> None:
    wrong = faulty_days.at("TH", "DEAL-02")  # box 1 got three cards
    payloads = [event.payload for event in wrong.round.events]
    drawn = [at for at in payloads if isinstance(at, e.CardDrawn)]

    lawful = lawful_deal(wrong, (wrong.round,))

    assert lawful is not None
    assert lawful.judged is not None
    assert lawful.chosen
    assert [code for _, code in lawful.cards] == [at.card for at in drawn[:-1]]
    assert [hand for hand, _ in lawful.cards].count("1") == 2
    assert {due.bet for due in lawful.judged.dues} == {due.bet for due in wrong.dues}


def test_a_disrupted_hand_of_holdem_would_have_been_settled_by_its_own_cards() -> None:
    void = faulty_days.at("TH", "IRR-01")

    lawful = lawful_deal(void, (void.round,))

    assert void.ruled.status == "void"
    assert lawful is not None
    assert lawful.judged is not None
    assert lawful.judged.ruled.status == "settled"


def test_a_burnt_card_that_is_missing_leaves_holdem_unknown() -> None:
    short = faulty_days.at("TH", "DEAL-04")

    lawful = lawful_deal(short, (short.round,))

    assert lawful is not None
    assert lawful.judged is None
    assert lawful.unknown.endswith("of the shoe is not on record")


@pytest.mark.parametrize(
    ("areas", "posted", "order"),
    cases("""
        burn 1 1     | as_the_deal_shows | burn 1 2 1 2 burn          | a card shoe, by its burnt card
        community    | as_the_deal_shows | community community community community community 1 | a device
        community    | card_shoe         | burn 1 2 1 2 burn          | posted, whatever the deal shows
        1 2          | as_the_deal_shows | burn 1 2 1 2 burn          | the first burnt card was missed
    """),  # noqa: E501  (a table)
)
def test_holdem_goes_by_the_way_to_deal(areas: str, posted: str, order: str) -> None:
    from replay.games.holdem_bonus import lawful_order

    found = lawful_order(areas.split(), ("2", "1"), {"dealing": posted})

    assert " ".join(found[:6]) == order


def _reported(found: Judgement) -> bool:
    kinds = (e.IrregularityReported, e.RulingMade, e.RoundVoided)
    return any(isinstance(event.payload, kinds) for event in found.round.events)
