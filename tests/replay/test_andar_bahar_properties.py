"""Andar Bahar, SA-AB: what holds for every round, whatever is bet and whatever is dealt."""

from itertools import cycle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import andar_bahar as game
from replay.judge import Judgement
from schemas.cards import DECK, Card
from schemas.money import whole
from tests.replay.shoe_story import told

EDITION = rulebooks.in_force("SA-AB", "2026-03-01")

PLACES = st.sampled_from([*sorted(game.POSITIONS), "tie", "first_3:nc"])
WAGERS = st.lists(st.tuples(PLACES, st.integers(1, 10**9)), max_size=8)
DECKS = st.permutations(DECK)
ENDINGS = st.sampled_from(["end", "call andar, end", "void, end", "deal andar 2C, end", ""])


def lawful(deck: list[Card]) -> list[Card]:
    """The cards of a deck up to the first that matches the one on top."""
    first, rest = deck[0], deck[1:]
    end = next(n for n, card in enumerate(rest) if card.rank == first.rank)
    return rest[: end + 1]


def _bets(wagers: list[Any], scale: int = 1) -> list[str]:
    return [f"bet b{n} {place} {stake * scale}" for n, (place, stake) in enumerate(wagers)]


def _round(bets: list[str], deck: list[Card], ending: str = "end") -> Judgement:
    turns = zip(cycle(game.SIDES), lawful(deck), strict=False)
    cards = [f"deal {side} {card}" for side, card in turns]
    return told("SA-AB", "\n".join([f"deal game {deck[0]}", *bets, "close", *cards, ending]))


def _dues(found: Judgement) -> dict[str, tuple[str, int, int, int]]:
    return {
        due.wager_id: (due.outcome, due.paid, due.collected, due.returned) for due in found.dues
    }


@settings(deadline=None, max_examples=60)
@given(WAGERS, DECKS, ENDINGS)
def test_no_chip_is_lost_or_made(wagers: list[Any], deck: list[Card], ending: str) -> None:
    found = _round(_bets(wagers), deck, ending)

    assert found.ruled.status == "settled"
    assert len(found.dues) == len(wagers)
    for due in found.dues:
        assert due.stake == due.collected + due.returned
        assert due.commission == 0
        assert (due.collected > 0) == (due.outcome == "lose")


@settings(deadline=None, max_examples=60)
@given(WAGERS, DECKS, ENDINGS)
def test_everything_rests_on_a_clause_of_the_edition(
    wagers: list[Any], deck: list[Card], ending: str
) -> None:
    found = _round(_bets(wagers), deck, ending)

    assert all(due.clauses for due in found.dues)
    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert cited <= set(EDITION.clauses)
    assert set(found.ruled.readings) <= set(EDITION.issues)


@settings(deadline=None, max_examples=60)
@given(st.data(), WAGERS, DECKS)
def test_the_order_of_placing_changes_no_due(
    data: st.DataObject, wagers: list[Any], deck: list[Card]
) -> None:
    bets = _bets(wagers)

    one, other = _round(bets, deck), _round(data.draw(st.permutations(bets)), deck)

    assert _dues(one) == _dues(other)
    assert sorted(one.flags) == sorted(other.flags)


@settings(deadline=None, max_examples=60)
@given(WAGERS, DECKS, st.integers(2, 1000))
def test_stakes_scale_dues_up_to_rounding(wagers: list[Any], deck: list[Card], scale: int) -> None:
    one, many = _round(_bets(wagers), deck), _round(_bets(wagers, scale), deck)

    for small, large in zip(one.dues, many.dues, strict=True):
        assert large.outcome == small.outcome
        assert large.collected == small.collected * scale
        assert abs(large.paid - small.paid * scale) <= scale / 2


@settings(deadline=None, max_examples=60)
@given(WAGERS, DECKS, st.sampled_from(sorted(game.POSITIONS)))
def test_one_wager_more_changes_no_other(wagers: list[Any], deck: list[Card], place: str) -> None:
    bets = _bets(wagers)

    alone = _dues(_round(bets, deck))
    more = _dues(_round([*bets, f"bet extra {place} 7"], deck))

    assert more.pop("extra")
    assert more == alone


@settings(deadline=None, max_examples=60)
@given(DECKS, st.integers(1, 10**9))
def test_one_side_and_one_range_win_by_the_number_of_cards(deck: list[Card], stake: int) -> None:
    count = len(lawful(deck))
    bets = _bets([(place, stake) for place in (*game.SIDES, *game.COUNTS)])

    found = _round(bets, deck)

    won = [due.bet for due in found.dues if due.outcome == "win"]
    low, high = next(span for span in game.RANGES if span[0] <= count <= span[1])
    assert won == [game.SIDES[(count - 1) % 2], f"cards_{low}_{high}"]
    assert found.ruled.result == f"{won[0]} {count}"
    if won[0] == "andar":
        (andar, *_) = (due for due in found.dues if due.bet == "andar")
        assert andar.paid == whole(stake * EDITION.lines("fit", "andar")[0].odds.pays, "half up")
