"""Decks of our own drawing."""

from pathlib import Path

import numpy as np
import pytest

from schemas.cards import DECK
from vision.synth import decks
from vision.synth.suits import sign


@pytest.fixture(scope="module")
def deck() -> decks.Deck:
    return decks.drawn(decks.Style(), "plain")


def test_a_deck_has_52_faces_of_one_size(deck: decks.Deck) -> None:
    assert set(deck.faces) == {str(card) for card in DECK}
    assert {face.shape for face in deck.faces.values()} == {(decks.HEIGHT, 300, 4)}


def test_no_two_faces_are_alike(deck: decks.Deck) -> None:
    assert len({face.tobytes() for face in deck.faces.values()}) == 52


def test_the_index_lies_where_the_deck_says(deck: decks.Deck) -> None:
    box = deck.index
    for face in deck.faces.values():
        high, wide = face.shape[:2]
        corner = face[round(box.top * high) : round(box.bottom * high), : round(box.right * wide)]
        paper = np.abs(corner[:, :, :3].astype(int) - decks.Style().paper).max(2) < 40

        assert 0.2 < 1 - paper.mean() < 0.8


def test_the_lower_corner_is_the_upper_one_turned_round(deck: decks.Deck) -> None:
    face = deck.faces["9H"]
    right, bottom = round(deck.index.right * 300), round(deck.index.bottom * decks.HEIGHT)

    assert np.array_equal(face[:bottom, :right], face[::-1, ::-1][:bottom, :right])


def test_a_deck_in_four_corners_has_its_index_in_each() -> None:
    deck = decks.in_four_corners(decks.drawn(decks.Style(rank_height=0.12)))
    face = deck.faces["7S"]
    bottom, right = round(deck.index.bottom * decks.HEIGHT), round(deck.index.right * 300)
    ink = face[:, :, :3].max(2) < 120

    assert deck.four_corners
    for corner in (ink, ink[:, ::-1], ink[::-1], ink[::-1, ::-1]):
        assert corner[:bottom, : right + 10].mean() > 0.1


def test_the_same_seed_draws_the_same_deck() -> None:
    first, again = (
        decks.drawn(decks.some_style(np.random.default_rng(3))).faces["KD"] for _ in range(2)
    )

    assert np.array_equal(first, again)


def test_a_folder_that_lacks_a_card_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="a deck has all 52"):
        decks.load(tmp_path)


def test_a_suit_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="is no suit"):
        sign("X")
