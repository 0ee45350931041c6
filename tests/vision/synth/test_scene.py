"""Scenes: what is said about them must be what is in them."""

import numpy as np
import pytest

from vision.synth import decks, spreads
from vision.synth.scene import CardLay, CardScene, corners, overhead

DECK = decks.drawn(decks.Style(rank_height=0.13))


def scene(*cards: CardLay) -> CardScene:
    made = CardScene(np.full((400, 600, 3), 60, np.uint8), overhead(600, 400, 300))
    for card in cards:
        made.lay(card)
    return made


def test_a_card_lies_where_it_was_laid() -> None:
    (card,) = scene(CardLay(DECK, "9H", 50, -20, 0)).truth()
    across, down = zip(*card.quad, strict=True)

    assert (sum(across) / 4, sum(down) / 4) == pytest.approx((400, 160), abs=0.01)
    assert max(down) - min(down) == pytest.approx(176, abs=0.1)  # 88 mm at two pixels each
    assert card.visible > 0.95


def test_an_index_points_up_and_to_the_middle_of_its_card() -> None:
    (card,) = scene(CardLay(DECK, "9H", 0, 0, np.pi / 2)).truth()
    first, second = card.indices

    assert first.up[0] > 0
    assert abs(first.up[1]) < 0.01  # a quarter turn: up is to the right
    assert second.up[0] < 0
    for mark in card.indices:
        middle = (mark.centre[0] + mark.to_card[0], mark.centre[1] + mark.to_card[1])
        assert middle == pytest.approx((300, 200), abs=0.01)


def test_a_card_under_another_shows_less() -> None:
    below, above = scene(CardLay(DECK, "9H", 0, 0, 0), CardLay(DECK, "2C", 20, 0, 0)).truth()

    assert below.visible < 0.6
    assert above.visible > 0.95
    assert [mark.visible > 0.9 for mark in below.indices] == [True, False]


def test_a_card_face_down_has_no_index_and_no_name() -> None:
    (card,) = scene(CardLay(DECK, None, 0, 0, 0.4)).truth()

    assert (card.code, card.indices) == (None, ())


def test_a_card_out_of_the_picture_does_not_show() -> None:
    (card,) = scene(CardLay(DECK, "KS", 900, 0, 0)).truth()

    assert card.visible == 0


@pytest.mark.parametrize(("four", "count"), [(False, 2), (True, 4)])
def test_corners_lie_point_by_point_across(four: bool, count: int) -> None:
    found = list(corners(DECK.index, four=four))

    assert len(found) == count
    assert sum(corner.centre[0] for corner in found) == pytest.approx(count / 2)


def test_the_same_seed_gives_the_same_picture() -> None:
    first, again = (spreads.some_scene(np.random.default_rng(4), [DECK], 128) for _ in range(2))

    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
