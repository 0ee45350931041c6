"""Fifty-two cards, each with one code."""

import pytest

from schemas.cards import DECK, Card, card, cards


def test_a_deck_has_fifty_two_different_cards() -> None:
    assert len(set(DECK)) == 52


def test_every_card_reads_back_from_its_code() -> None:
    assert [card(str(one)) for one in DECK] == list(DECK)


def test_a_row_of_codes() -> None:
    assert cards("AS  TD 9H") == (Card("A", "S"), Card("T", "D"), Card("9", "H"))
    assert cards("") == ()


@pytest.mark.parametrize("text", ["", "A", "10S", "AX", "1S", "SA", "as", "AS ", "ASS", "🂡"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card(text)
