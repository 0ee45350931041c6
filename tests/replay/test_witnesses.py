"""Two readings of one place in the shoe: the same counts once, two that differ are unknown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from replay import witnesses, words
from replay.rounds import TableState
from replay.sheets.sheet import answer, read
from replay.witnesses import sights
from schemas import events as e
from tests.mutants import days, house
from tests.support import simulated_days
from tests.support.english import english
from tests.support.sheet_pages import CODES, Sheet, example, places
from tests.support.tables import judged

# On every page but these a sheet is dealt from a shoe or a device.
WITHOUT_CARDS = {"RO", "SA-RO", "SA-SB", "SA-FPC", "SA-HL", "SA-XD"}
CARDS = [code for code in CODES if code not in WITHOUT_CARDS]


def repeated(code: str, **other: object) -> Sheet:
    """The example of a page with its second card read a second time."""
    sheet = example(code, "CardDrawn")
    at = places(sheet, "CardDrawn")[1]
    sheet["events"].insert(at + 1, sheet["events"][at] | other)
    return sheet


def another(code: str) -> str:
    """A card that the second card of the example is not."""
    sheet = example(code, "CardDrawn")
    first = sheet["events"][places(sheet, "CardDrawn")[1]]["card"]
    return "7C" if first != "7C" else "8C"


@pytest.mark.parametrize("code", CARDS)
def test_two_cards_under_one_position_are_unknown(code: str) -> None:
    sheet, other = repeated(code, card=another(code)), another(code)
    one = sheet["events"][places(sheet, "CardDrawn")[1]]

    found = judged(sheet)

    assert found.ruled.status == "unknown"
    assert found.dues == ()
    told = " ".join(english(step.text) for step in found.steps)
    hand = words.label("hand", one["hand"], game=code)
    named = f"the shoe read {one['card']} on {hand} and {other} on {hand}"
    assert f"{named} at position {one['position']}" in told


@pytest.mark.parametrize("code", CARDS)
def test_one_card_on_two_hands_is_unknown(code: str) -> None:
    sheet = repeated(code)
    first, second = places(sheet, "CardDrawn")[:2]
    sheet["events"][second + 1]["hand"] = sheet["events"][first]["hand"]
    if sheet["events"][second]["hand"] == sheet["events"][first]["hand"]:
        sheet["events"][second + 1]["hand"] = "dealer"

    assert judged(sheet).ruled.status == "unknown"


@pytest.mark.parametrize("code", CARDS)
def test_the_same_reading_twice_counts_once(code: str) -> None:
    once, twice = (answer(judged(sheet)) for sheet in (example(code, "CardDrawn"), repeated(code)))

    assert twice == once


def test_a_reading_without_a_card_does_not_contradict() -> None:
    sheet = example("TB", "CardDrawn")
    first = places(sheet, "CardDrawn")[0]
    sheet["events"].insert(first, sheet["events"][first] | {"card": None, "exposed": False})

    seen = sights(read(sheet).round.events)[0]

    assert str(seen.card) == sheet["events"][first + 1]["card"]
    assert seen.exposed


def test_a_card_read_twice_left_the_shoe_once() -> None:
    table = TableState("2026-03-01")
    nine = e.CardDrawn(1, "player", "9H")
    for payload in (e.ShoeLoaded("S1", 8), nine, nine, e.CardDrawn(2, "banker", "9H")):
        table.note(event(payload))

    shoe = table.open("R2", event(e.RoundOpened())).shoe

    assert shoe is not None
    assert (shoe.drawn, shoe.cards_out) == ({"9H": 2}, 2)


def event(payload: e.Payload) -> e.Event:
    return e.Event("E", "T1", 0, "shoe", "shoe-1", 0, 0, 0, 0, "", bytes(32), payload)


@pytest.mark.parametrize("code", ["TB", "NN", "TH", "SA-BC", "SA-BJ"])
def test_what_a_round_holds_is_compared_once_however_many_ask(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    readings, plain = days.honest(code, "once").readings, witnesses.places

    def noted(events: Sequence[e.Event], *more: Any) -> witnesses.Places:
        asked.append((*(event.event_id for event in events), repr(more)))
        return plain(events, *more)

    monkeypatch.setattr(witnesses, "places", noted)

    rows = house.derive(readings)

    assert len(asked) >= len(rows["rounds"])
    assert len(asked) == len(set(asked))


def test_other_events_are_compared_anew() -> None:
    day = simulated_days.events(days.honest("TB", "once").readings)
    drawn = next(n for n, at in enumerate(day) if isinstance(at.payload, e.CardDrawn))
    other = [*day[:drawn], replace(day[drawn], event_id="T/shoe/other"), *day[drawn + 1 :]]

    assert sights(day) is sights(list(day))
    assert sights(day) != sights(other)
    assert sights(day, [("player", "9H")]) != sights(day)
