"""Card places in doubt: which they are, what is likely, and that no money rests on it."""

from typing import Any

import pytest

from replay import rulebooks
from replay.disputes.doubts import Doubt, doubts, sights_of
from replay.explain import explanation
from replay.judge import judge_day
from replay.rounds import fold
from replay.tables import dictionary
from replay.tables.derive import derive
from schemas import events as e
from tests.support import houses
from tests.support.baccarat_deals import day, deal, whole
from tests.support.english import english
from tests.support.houses import Said
from tests.support.tables import cases

STATUS = [column.name for column in dictionary.dictionary()["rounds"].stored].index("status")


def found(said: list[Said]) -> list[list[Doubt]]:
    """The doubts of each round."""
    events = [event for event, _ in houses.sealed("T1", said)]
    rounds = judge_day(fold(houses.DAY, events), rulebooks.in_force)
    return [list(doubts(judged, sights_of(judged))) for judged in rounds]


@pytest.mark.parametrize(
    ("change", "kind", "likely"),
    cases("""
        1 camera 9H    |         |    | everybody agrees
        1 camera 6H    | differ  | 9H | the camera saw another card
        1 dealer 8H    | differ  | 9H | the dealer entered another card
        1 camera 6H@.6 |         |    | an unsure camera is no witness
        1 camera none  |         |    | the camera saw nothing
        1 shoe none    |         |    | the camera alone read it
    """),
)
def test_which_places_are_in_doubt(change: str, kind: str, likely: str) -> None:
    (of_round,) = found(day(deal(change)))

    assert [doubt.kind for doubt in of_round] == ([kind] if kind else [])
    assert [doubt.likely[0][0] for doubt in of_round] == ([likely] if likely else [])


def test_nobody_could_read_it_and_something_is_likely() -> None:
    ((doubt,),) = found(day(deal("1 shoe none", "1 camera 6H@.6")))

    assert (doubt.kind, doubt.likely[0][0]) == ("unread", "6H")
    assert sum(doubt.ppm) == 1_000_000


def test_a_doubt_says_who_would_have_misread_and_what_the_shoe_gave() -> None:
    ((doubt,),) = found(day(deal("1 camera 4C")))

    assert english(doubt.told).startswith("misread by the camera ")
    assert ", switched between shoe and table " in english(doubt.told)
    assert "; the shoe gave 9H 100.00 %" in english(doubt.told)


def test_a_card_that_two_saw_otherwise_was_likely_switched() -> None:
    ((doubt,),) = found(day(deal("1 camera 4C", "1 dealer 4C")))

    misread, switched, foreign = doubt.ppm
    assert switched > 900_000
    assert misread < 50_000
    assert english(doubt.told).startswith(
        f"misread by the camera and the dealer {misread // 10_000}."
    )
    assert foreign < misread


STRANGER = e.CardsObserved("player", 3, (e.Guess("5H", 0.98),))


def test_a_card_that_comes_while_the_shoe_counts_on_is_a_stranger() -> None:
    *begun, last, _ = deal()

    ((doubt,),) = found(day([*begun, STRANGER, last]))

    assert (doubt.kind, doubt.slot) == ("stranger", 3)
    assert doubt.ppm[2] > 950_000


@pytest.mark.parametrize(
    "missed",
    [
        pytest.param([*deal(), STRANGER], id="nothing was drawn after it"),
        pytest.param([*deal()[2:6], STRANGER, *deal()[6:]], id="the first place was not read"),
        pytest.param([*deal()[:4], STRANGER, *deal()[6:]], id="a place between was not read"),
    ],
)
def test_a_card_that_the_shoe_may_have_missed_is_rather_that(missed: list[e.Payload]) -> None:
    ((*_, doubt),) = found(day(missed))

    assert doubt.kind == "stranger"
    assert doubt.ppm[0] > 500_000


def test_a_burned_card_is_no_place_that_the_shoe_missed() -> None:
    burned: list[e.Payload] = [e.CardsBurned(1), *deal(start=2)]

    ((doubt,),) = found(day([*burned[:-2], STRANGER, *burned[-2:]]))

    assert doubt.ppm[2] > 950_000


def test_a_ninth_copy_cannot_be_and_the_eighth_can() -> None:
    nines = [deal(cards=("9H", "KS", "9H", "7C"), start=1 + 4 * n) for n in range(4)]
    ninth = deal(start=17)

    *lawful, last = found(day(*nines, ninth))

    assert lawful == [[], [], [], []]
    assert [(doubt.kind, doubt.hand, doubt.slot) for doubt in last] == [("impossible", "player", 1)]
    assert last[0].ppm[2] > 950_000
    assert found(day(*nines, deal("1 camera none", start=17)))[-1] == []


def test_a_second_shoe_begins_anew() -> None:
    nines = [deal(cards=("9H", "KS", "9H", "7C"), start=1 + 4 * n) for n in range(4)]
    said = day(*nines)

    other: list[Said] = [(e.ShoeRemoved("S1", "finished"), None), (e.ShoeLoaded("S2", 8), None)]
    again = [(payload, "R9") for payload in whole(deal())]

    assert found([*said, *other, *again])[-1] == []


def test_the_camera_that_erred_before_is_doubted_more() -> None:
    smudged = [deal("1 camera 6H", "1 dealer 6H", sure=0.9999, start=1 + 4 * n) for n in range(3)]

    (first,), _, (third,) = found(day(*smudged))
    right = [deal("1 camera 6H", start=1 + 4 * n, sure=0.9999) for n in range(3)]
    (fresh,), _, (known,) = found(day(*right))

    assert third.ppm[0] > first.ppm[0]  # by now the shoe may be the one that errs
    assert known.ppm[1] < fresh.ppm[1]


def test_no_money_rests_on_a_doubt() -> None:
    found = derive(houses.DAY, houses.sealed("T1", day(deal("1 camera 6H"))), rulebooks.in_force)

    assert [row[0] for row in found.rows["doubts"]] == ["R1"]
    assert found.rows["dues"] == []
    assert found.rows["rounds"][0][STATUS] == "unknown"


def test_a_doubt_is_told_where_the_round_is_explained() -> None:
    events = [event for event, _ in houses.sealed("T1", day(deal("1 camera 6H")))]
    (judged,) = judge_day(fold(houses.DAY, events), rulebooks.in_force)

    told: dict[str, Any] = explanation(judged)

    (doubt,) = told["doubts"]
    assert (doubt["hand"], doubt["slot"], doubt["kind"]) == ("player", 1, "differ")
    assert doubt["explanations"]["misread"] > 950_000
    assert doubt["likely"]["9H"] > 900_000
