"""A round in moments: cards slide in, are turned and swept out; a lid comes off the dice."""

from itertools import pairwise
from pathlib import Path

import pytest

from schemas import events as e
from tests.support.film_days import SECOND, START_US, played, sees
from vision.felt import layout as layouts
from vision.synth import days
from vision.synth.cloth import seen_part
from vision.synth.tableau import Tableau, Timeline, times


def staged(path: Path) -> Timeline:
    told = days.table_day(path, "T01")
    layout = layouts.load(told.game)
    return Timeline(layout, told.plays, seen_part(layout, (1920, 1080)), seed=3)


def moment(stage: Timeline, seconds: float) -> Tableau:
    return stage.at(START_US + round(seconds * SECOND))


@pytest.fixture
def dealt(tmp_path: Path) -> Timeline:
    """Two cards of Tiger Baccarat."""
    seen = [(5.0, sees("player", 1, "9H")), (6.5, sees("player", 3, "4D"))]
    return staged(played(tmp_path / "day.jsonl", "TB", seen))


def test_a_card_slides_in_and_lies_where_its_slot_is(dealt: Timeline) -> None:
    assert moment(dealt, 4.0).cards == ()

    (coming,) = moment(dealt, 4.7).cards
    (lying,) = moment(dealt, 5.2).cards

    assert (coming.moving, lying.moving) == (True, False)
    assert (lying.zone, lying.slot, lying.code) == ("player", 1, "9H")
    layout = layouts.load("TB")
    assert layout.zone_of(lying.spot[:2]) == "player"
    assert layout.zone("player").place(lying.spot[:2], sideways=False) == 1


def test_a_third_card_lies_sideways(dealt: Timeline) -> None:
    _, third = moment(dealt, 7.0).cards

    assert abs(third.spot.turn - 1.57) < 0.1
    assert layouts.load("TB").zone("player").place(third.spot[:2], sideways=True) == 3


def test_a_hand_brings_a_card_and_leaves(dealt: Timeline) -> None:
    assert len(moment(dealt, 4.7).hands) == 1
    assert moment(dealt, 5.6).hands == ()


def test_cards_are_swept_out_when_the_round_closes(dealt: Timeline) -> None:
    assert all(card.moving for card in moment(dealt, 9.7).cards)
    assert moment(dealt, 10.0).cards == ()


def test_chips_lie_from_the_wager_on_and_in_no_zone(dealt: Timeline) -> None:
    assert moment(dealt, 2.2).chips == ()

    (chips,) = moment(dealt, 3.0).chips

    assert layouts.load("TB").zone_of(chips) is None


def test_a_card_seen_long_after_it_was_drawn_was_turned_then(tmp_path: Path) -> None:
    drawn = [(4.0, e.CardDrawn(1, "1", "AD"))]
    stage = staged(played(tmp_path / "day.jsonl", "NN", [(8.0, sees("1", 1, "AD"))], drawn))

    assert [card.code for card in moment(stage, 6.0).cards] == [None]
    assert len(moment(stage, 7.8).hands) == 1
    assert [card.code for card in moment(stage, 8.2).cards] == ["AD"]


def test_a_card_that_was_switched_shows_the_other_one(tmp_path: Path) -> None:
    seen = [(4.0, sees("player", 1, "9H")), (7.0, sees("player", 1, "9C"))]
    stage = staged(played(tmp_path / "day.jsonl", "TB", seen))

    assert [card.code for card in moment(stage, 6.0).cards] == ["9H"]
    assert [card.code for card in moment(stage, 7.5).cards] == ["9C"]


def test_cards_without_a_zone_are_counted_and_left_out(tmp_path: Path) -> None:
    stage = staged(played(tmp_path / "day.jsonl", "TB", [(4.0, sees("nowhere", 1, "9H"))]))

    assert moment(stage, 6.0).cards == ()
    assert stage.beside == 1


def test_the_lid_is_off_while_dice_are_seen(tmp_path: Path) -> None:
    dice = e.DiceObserved((e.Guess("1-1-5", 0.97),))
    stage = staged(played(tmp_path / "day.jsonl", "SA-SB", [(6.0, dice)]))

    lids = [moment(stage, seconds).lid for seconds in (4.0, 5.4, 6.0, 9.0, 10.5)]

    assert lids[0] == 0
    assert 0 < (lids[1] or 0) < 1
    assert lids[2:4] == [1, 1]
    assert lids[4] == 0
    assert moment(stage, 6.0).throw is not None


def test_frames_are_close_where_something_happens_and_rare_elsewhere(tmp_path: Path) -> None:
    path = played(tmp_path / "day.jsonl", "TB", [(40.0, sees("player", 1, "9H"))], closed_s=44)

    taken = [(at_us - START_US) / SECOND for at_us in times(days.table_day(path, "T01").plays, 5)]

    assert len([at for at in taken if 39.2 <= at < 41.2]) == 10
    assert max(b - a for a, b in pairwise(taken)) <= 8.01
    assert len(taken) < 65
