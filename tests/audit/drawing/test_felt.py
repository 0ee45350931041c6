"""Every wager, card and result of a round is in the picture of its felt, in all fifteen games."""

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from audit.drawing.felt import CLOTHS, felt
from audit.drawing.theme import PAPER
from replay import rulebooks
from replay.disputes.doubts import sights_of
from replay.judge import Judgement
from replay.tables import round_rows
from schemas import events as e
from tests.support import simulated_days

GAMES = sorted(CLOTHS)
ROUNDS, LONG = 12, 220  # of an honest day, and of one with every seeded fault
UNUSUAL = 40  # rounds of the latter that are looked at
NAMESPACE = "{http://www.w3.org/2000/svg}"


@cache
def rounds(game: str) -> tuple[Judgement, ...]:
    """Rounds in which something went wrong, and those of an honest day."""
    faulty = simulated_days.played(f"T1:{game}", LONG, "all")
    honest = simulated_days.played(f"T1:{game}", ROUNDS)
    judged = simulated_days.judged(faulty.readings).values()
    unusual = [at for at in judged if at.flags or at.ruled.status != "settled"]
    return (*unusual[:UNUSUAL], *simulated_days.judged(honest.readings).values())


def test_every_rulebook_has_a_cloth() -> None:
    assert sorted(rulebooks.codes()) == GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_lies_on_the_felt_with_its_chips(game: str) -> None:
    seen = 0
    for judged in rounds(game):
        stakes = {row[0]: row[8] for row in rows(judged)["wagers"]}
        stakes |= {due.wager_id: due.stake for due in judged.dues}
        placed = [w.payload for w in judged.round.events if isinstance(w.payload, e.WagerPlaced)]
        reserves = {wager.wager_id for wager in placed if wager.reserve}
        piles = [item for item in picture(judged).iter() if item.get("data-wagers")]
        chips = [pile for pile in piles if not pile.get("data-reserve")]

        assert sorted(name for pile in chips for name in _names(pile)) == sorted(stakes)
        for pile in chips:
            assert int(pile.get("data-amount", 0)) == sum(stakes[name] for name in _names(pile))
        aside = {name for pile in piles if pile not in chips for name in _names(pile)}
        assert aside == reserves & set(stakes), judged.round.round_id
        seen += len(stakes)
    assert seen > ROUNDS


@pytest.mark.parametrize("game", GAMES)
def test_every_card_lies_on_the_felt_as_the_witnesses_read_it(game: str) -> None:
    for judged in rounds(game):
        table = {
            f"{row[2]}.{row[3]}": row[5] for row in rows(judged)["cards"]
        }  # hand, slot and card
        drawn = {
            card.get("data-card"): card.get("data-face", "")
            for card in picture(judged).iter(f"{NAMESPACE}g")
            if card.get("data-card")
        }

        assert set(drawn) == set(table)
        for place, card in table.items():
            assert card is None or drawn[place] == card, (judged.round.round_id, place)
            assert card is not None or drawn[place] not in _cards(table), place


@pytest.mark.parametrize("game", GAMES)
def test_what_was_derived_and_what_was_called_are_two_marks(game: str) -> None:
    derived = called = 0
    for judged in rounds(game):
        drawn = picture(judged)
        named = {key for item in drawn.iter() for key in item.attrib}
        settled = judged.ruled.status == "settled"
        derived += settled and bool(named & {"data-derived", "data-pocket", "data-wins"})
        says = [w.payload for w in judged.round.events if isinstance(w.payload, e.ResultCalled)]
        called += bool(says) and "data-called" in named
        assert not says or "data-called" in named, judged.round.round_id
    assert derived >= ROUNDS
    assert called >= ROUNDS


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_plain_and_the_same_each_time(game: str) -> None:
    judged = rounds(game)[-1]
    text = felt(judged, prefix="left")

    assert text == felt(judged, prefix="left")
    assert not re.search(r"style=|<script|<style|\bon\w+=|href", text)
    assert set(re.findall(r'\bid="([^"]+)"', text)) == {"left-cloth"}
    assert text != felt(judged, prefix="left", theme=PAPER)
    assert text != felt(judged, prefix="left", language="vi")


@pytest.mark.parametrize("game", GAMES)
def test_nothing_shows_before_its_event(game: str) -> None:
    judged = next(j for j in rounds(game) if j.ruled.status == "settled" and j.dues)
    opened = picture(judged, until=judged.round.events[0].seq)
    plays = [w for w in judged.round.events if isinstance(w.payload, e.BettingClosed)]
    closed = picture(judged, until=plays[0].seq)

    for drawn in (opened, closed):
        assert not [item for item in drawn.iter() if _derived(item)]
    assert not [item for item in opened.iter() if item.get("data-wagers")]
    assert [item for item in closed.iter() if item.get("data-wagers")]


@pytest.mark.parametrize("game", GAMES)
def test_a_withheld_amount_is_not_in_the_picture(game: str) -> None:
    judged = next(j for j in rounds(game) if len(j.dues) > 1)
    hidden = {due.wager_id for due in judged.dues}
    text = felt(judged, withheld=hidden)

    assert "withheld" in text
    for due in judged.dues:
        assert f'data-amount="{due.stake}"' not in text
        assert f">{due.stake // 1000:,}k<" not in text


def test_witnesses_that_differ_show_both_readings_and_no_card() -> None:
    day = simulated_days.played("T1:TB", 30, "REC-01")
    judged = simulated_days.judged(day.readings).values()
    (unknown,) = (at for at in judged if at.ruled.status == "unknown")
    drawn = {card.get("data-card"): card.get("data-face", "") for card in picture(unknown).iter()}
    differing = [sight for sight in sights_of(unknown) if sight.card is None]

    assert differing
    for sight in differing:
        readings = set(drawn[f"{sight.hand}.{sight.slot}"].split())
        assert readings == set(sight.readings.values())
        assert len(readings) == 2


def rows(judged: Judgement) -> dict[str, list[tuple[Any, ...]]]:
    """What the tables have of a round."""
    return round_rows.of_round(judged)[0]


def picture(judged: Judgement, until: int | None = None) -> ET.Element:
    return ET.fromstring(felt(judged, until=until))


def _derived(item: ET.Element) -> bool:
    return any(item.get(f"data-{key}") for key in ("derived", "pocket", "wins", "called"))


def _names(pile: ET.Element) -> list[str]:
    return pile.get("data-wagers", "").split()


def _cards(table: dict[str, str | None]) -> set[str | None]:
    return {card for card in table.values() if card}
