"""SA Roulette: what holds for every round, whatever is bet and however the ball runs."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games.roulette_layout import COVERS
from replay.games.roulette_racetrack import RACE, chips
from replay.judge import Judgement
from tests.replay import roulette_story

EDITION = rulebooks.in_force("SA-RO", "2026-03-01")

LEGAL = (*sorted(COVERS), *sorted(RACE))
PLACES = st.sampled_from([*LEGAL, "split:3-4", "race:tiers", "race:neighbours:1:10"])
WAGERS = st.lists(st.tuples(PLACES, st.integers(1, 10**9), st.sampled_from("pqr")), max_size=10)
POCKETS = st.integers(0, 36)
ENDINGS = st.sampled_from(
    [
        "spin, turns 8, land {}, end",
        "spin, turns 4, land 7, spin, turns 8, land {}, result {}, end",
        "spin, turns 8, land {}, spin, turns 8, land 7, result 7, end",
        "spin, seen malfunction, land {}, result {}, end",
        "spin, turns 8, land ?, dolly {}, end",
        "spin, turns 8, end",
    ]
)


def _bets(wagers: list[Any], scale: int = 1) -> list[str]:
    """A line for each wager; a racetrack stake is in whole chips."""
    return [
        f"bet b{n} {player} {place} {stake * scale * (chips(place) if place in RACE else 1)}"
        for n, (place, stake, player) in enumerate(wagers)
    ]


def _round(bets: list[str], pocket: int, ending: str) -> Judgement:
    story = "\n".join([*bets, "close", ending.replace("{}", str(pocket))])
    return roulette_story.told(story, terms={"game": "SA-RO"})


def _dues(found: Judgement) -> dict[str, tuple[str, int, int, int]]:
    return {
        due.wager_id: (due.outcome, due.paid, due.collected, due.returned) for due in found.dues
    }


@settings(deadline=None)
@given(WAGERS, POCKETS, ENDINGS)
def test_no_chip_is_lost_or_made(wagers: list[Any], pocket: int, ending: str) -> None:
    found = _round(_bets(wagers), pocket, ending)

    assert len(found.dues) == len(wagers)
    for due in found.dues:
        held = due.stake if due.outcome == "open" else 0
        assert due.stake == due.collected + due.returned + held
        assert (due.paid > 0) == (due.outcome == "win")
        assert due.commission == 0


@settings(deadline=None)
@given(WAGERS, POCKETS, ENDINGS)
def test_everything_rests_on_a_clause_of_the_edition(
    wagers: list[Any], pocket: int, ending: str
) -> None:
    found = _round(_bets(wagers), pocket, ending)

    assert all(due.clauses for due in found.dues)
    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert cited <= set(EDITION.clauses)
    assert set(found.ruled.readings) <= set(EDITION.issues)


@settings(deadline=None)
@given(st.data(), WAGERS, POCKETS, ENDINGS)
def test_the_order_of_placing_changes_no_due(
    data: st.DataObject, wagers: list[Any], pocket: int, ending: str
) -> None:
    bets = _bets(wagers)
    shuffled = data.draw(st.permutations(bets))

    one, other = _round(bets, pocket, ending), _round(shuffled, pocket, ending)

    assert _dues(one) == _dues(other)
    assert sorted(one.flags) == sorted(other.flags)


@settings(deadline=None)
@given(WAGERS, POCKETS, ENDINGS, st.integers(2, 1000))
def test_stakes_scale_dues(wagers: list[Any], pocket: int, ending: str, scale: int) -> None:
    one = _dues(_round(_bets(wagers), pocket, ending))
    many = _dues(_round(_bets(wagers, scale), pocket, ending))

    assert many == {
        wager: (outcome, *(amount * scale for amount in amounts))
        for wager, (outcome, *amounts) in one.items()
    }


@settings(deadline=None)
@given(WAGERS, POCKETS, ENDINGS, st.sampled_from(LEGAL))
def test_one_wager_more_changes_no_other(
    wagers: list[Any], pocket: int, ending: str, place: str
) -> None:
    bets = _bets(wagers)

    alone = _dues(_round(bets, pocket, ending))
    more = _dues(_round([*bets, f"bet extra z {place} {5 * len(COVERS)}"], pocket, ending))

    assert more.pop("extra")
    assert more == alone


@settings(deadline=None)
@given(st.sampled_from(sorted(RACE)), st.integers(1, 10**9), POCKETS)
def test_a_racetrack_bet_is_its_layout_bets(place: str, chip: int, pocket: int) -> None:
    ending = "spin, turns 8, land {}, end"
    single = [
        f"bet b{n} p {piece.position} {chip * piece.chips}" for n, piece in enumerate(RACE[place])
    ]

    whole = _round([f"bet b p {place} {chip * chips(place)}"], pocket, ending).dues
    parts = _round(single, pocket, ending).dues

    for amount in ("stake", "gross_win", "paid", "collected", "returned", "back"):
        total = sum(getattr(due, amount) for due in parts)
        assert [getattr(due, amount) for due in whole] == [total], amount
