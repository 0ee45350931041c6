"""Corners that belong to one card are joined, and no others."""

import numpy as np
import pytest

from schemas.cards import RANKS, SUITS
from tests.support.tables import cases
from vision.recognise.cards import _card, _within, cards_of, indices_by_card
from vision.recognise.detections import centre
from vision.recognise.indices import CornerIndex


def mark(code: str, sure: float, at: tuple[float, float], way: tuple[float, float]) -> CornerIndex:
    """An index ten pixels high, of a card whose middle lies that way."""
    chances = np.full((13, 4), (1 - sure) / 104, np.float32)
    chances[RANKS.index(code[0]), SUITS.index(code[1])] = sure
    down = np.sign(way[1]) or 1.0
    up = np.array([0, -10 * down], np.float32)
    right = np.array([5 * down, 0], np.float32)
    return CornerIndex(np.array(at, np.float32), up, right, np.array(way, np.float32), 0.9, chances)


ONE = ("9H", 0.9, (100, 100), (25, 40))


@pytest.mark.parametrize(
    ("code", "at", "way", "groups"),
    cases("""
        9H | 150 180 | -25 -40 | 1 | the other end of the same card
        9H | 150 100 | -25 40  | 1 | the other side of a card with four corners
        9H | 112 102 | 25 40   | 2 | a second nine of hearts beside it in a fan
        9D | 150 180 | -25 -40 | 2 | another card that ends where the first would
        9H | 400 180 | -25 -40 | 2 | a nine of hearts far away
    """),
)
def test_two_corners(code: str, at: str, way: str, groups: str) -> None:
    (x, y), (across, down) = ([float(n) for n in cell.split()] for cell in (at, way))
    other = mark(code, 0.9, (x, y), (across, down))

    assert len(indices_by_card([mark(*ONE), other])) == int(groups)


def test_two_corners_are_surer_than_one() -> None:
    other = mark("9H", 0.9, (150, 180), (-25, -40))

    alone, both = _card([mark(*ONE)]), _card([mark(*ONE), other])

    assert alone.guesses[0].seen == both.guesses[0].seen == "9H"
    assert both.guesses[0].probability > alone.guesses[0].probability
    assert both.corners == ((100, 100), (150, 180))


def test_the_outline_goes_round_the_middle() -> None:
    card = _card([mark(*ONE)])

    assert centre(card.quad) == pytest.approx((125, 140), abs=0.5)
    across, down = zip(*card.quad, strict=True)
    assert (min(across) < 95, max(across) > 155) == (True, True)
    assert (min(down) < 90, max(down) > 190) == (True, True)


def test_what_is_likelier_something_else_is_not_told() -> None:
    assert _card([mark("9H", 0.6, (100, 100), (25, 40))]).guesses == ()


def test_guesses_are_three_at_most_and_never_above_one() -> None:
    guesses = _card([mark("9H", 0.85, (100, 100), (25, 40))]).guesses

    assert guesses
    assert len(guesses) <= 3
    assert sum(guess.probability for guess in guesses) <= 1


def test_a_lone_corner_joins_the_card_it_lies_on_and_no_other() -> None:
    two = [mark(*ONE), mark("9H", 0.9, (150, 180), (-25, -40))]
    third = mark("9H", 0.8, (150, 102), (60, 90))  # its own way leads astray
    strangers = [mark("2C", 0.9, (300, 300), (25, 40)), mark("3C", 0.9, (400, 300), (25, 40))]

    groups = indices_by_card([*strangers, *two, third])

    assert sorted(len(group) for group in groups) == [1, 1, 3]


def test_four_corners_are_one_card_however_they_paired() -> None:
    corners = [((100, 100), (25, 40)), ((150, 180), (-25, -40))]
    sides = [((150, 100), (-5, 40)), ((100, 180), (5, -40))]  # ways that miss the first two
    marks = [mark("9H", 0.9, at, way) for at, way in (*corners, *sides)]

    assert [len(group) for group in indices_by_card(marks)] == [4]


def test_an_index_found_twice_beside_itself_is_one() -> None:
    again = mark("9H", 0.8, (106, 104), (25, 40))

    assert [len(group) for group in indices_by_card([mark(*ONE), again])] == [1]


@pytest.mark.parametrize(
    ("sure", "at", "read"),
    cases("""
        0.85 | 125 140 | no  | amid the nine, and not sure: likelier a pip of it
        0.97 | 125 140 | yes | amid the nine, and sure: another card lies on it
        0.85 | 300 300 | yes | beside it
    """),
)
def test_a_lone_corner_amid_another_card(sure: str, at: str, read: str) -> None:
    whole = [mark(*ONE), mark("9H", 0.9, (150, 180), (-25, -40))]
    x, y = (float(n) for n in at.split())
    lone = mark("6H", float(sure), (x, y), (25, 40))

    nine, six = cards_of(indices_by_card([*whole, lone]))

    assert nine.guesses[0].seen == "9H"
    assert bool(six.guesses) == (read == "yes")


def test_an_outline_ends_at_the_edge_of_the_picture() -> None:
    beyond = _card([mark("9H", 0.9, (180, 100), (25, 40))])

    card = _within(beyond, np.zeros((200, 200, 3), np.uint8))

    assert max(x for x, _ in beyond.quad) > 200
    assert max(x for x, _ in card.quad) == 200
    assert centre(card.quad)[0] < 200


@pytest.mark.parametrize(
    ("at", "way", "cards"),
    cases("""
        152 182 | -20 -35 | 1 | the far end of the card that was read
        115 102 | 25 40   | 2 | a card beside it in a fan
        300 300 | -20 -35 | 2 | a card elsewhere
    """),
)
def test_an_unread_corner(at: str, way: str, cards: str) -> None:
    place, onto = (tuple(float(n) for n in cell.split()) for cell in (at, way))
    unread = mark("9S", 0.5, (place[0], place[1]), (onto[0], onto[1]))

    assert len(cards_of(indices_by_card([mark(*ONE), unread]))) == int(cards)


@pytest.mark.parametrize(
    ("code", "at", "way", "cards"),
    cases("""
        9H | 130 105 | 25 40   | 1 | the same reading over a shared outline
        9H | 180 102 | 25 40   | 1 | a second corner of the upper side, its middle told wrongly
        9H | 110 240 | 60 -20  | 1 | a corner across, its middle told wrongly
        9D | 130 105 | 25 40   | 2 | another card of a fan
        9H | 250 100 | 25 40   | 2 | an equal card of another deck beside it
        9H | 110 300 | 60 -20  | 2 | and one below it
    """),
)
def test_a_card_is_told_once(code: str, at: str, way: str, cards: str) -> None:
    (x, y), (across, down) = ([float(n) for n in cell.split()] for cell in (at, way))
    second = mark(code, 0.97, (x, y), (across, down))

    seen = cards_of([[mark("9H", 0.98, (100, 100), (25, 40))], [second]])

    assert len(seen) == int(cards)
    assert sum(len(card.corners) for card in seen) == 2
