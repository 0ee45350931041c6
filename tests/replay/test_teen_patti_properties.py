"""Teen Patti 20-20, SA-TP: what holds for every round, whatever is bet and whatever is dealt."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import teen_patti as game
from replay.judge import Judgement
from schemas.cards import DECK, Card
from tests.replay.shoe_story import told

EDITION = rulebooks.in_force("SA-TP", "2026-03-01")

PLACES = st.sampled_from([*game.BETS, "player_c", "pair_plus"])
WAGERS = st.lists(st.tuples(PLACES, st.integers(1, 10**9)), max_size=8)
DECKS = st.lists(st.sampled_from(DECK), min_size=6, max_size=6, unique=True)
ENDINGS = st.sampled_from(["end", "call player_a, end", "void, end", "deal player_a 2C, end", ""])


def _bets(wagers: list[Any], scale: int = 1) -> list[str]:
    return [f"bet b{n} {place} {stake * scale}" for n, (place, stake) in enumerate(wagers)]


def _round(bets: list[str], deck: list[Card], ending: str = "end") -> Judgement:
    cards = [f"deal {hand} {card}" for hand, card in zip(game.TURNS, deck, strict=True)]
    return told("SA-TP", "\n".join([*bets, "close", *cards, ending]))


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
@given(WAGERS, DECKS, st.sampled_from(game.BETS))
def test_one_wager_more_changes_no_other(wagers: list[Any], deck: list[Card], place: str) -> None:
    bets = _bets(wagers)

    alone = _dues(_round(bets, deck))
    more = _dues(_round([*bets, f"bet extra {place} 7"], deck))

    assert more.pop("extra")
    assert more == alone


@settings(deadline=None, max_examples=60)
@given(DECKS, st.integers(1, 10**9))
def test_the_hands_changed_over_change_the_sides(deck: list[Card], stake: int) -> None:
    """Seat A with B's cards is seat B: bets on the hands change over, six cards stay six cards."""
    swapped = [card for pair in zip(deck[1::2], deck[::2], strict=True) for card in pair]
    mirror = {"player_a": "player_b", "pair_plus_a": "pair_plus_b"}
    mirror |= {other: one for one, other in mirror.items()}
    bets = _bets([(bet, stake) for bet in game.BETS])

    one = {due.bet: due for due in _round(bets, deck).dues}
    other = {due.bet: due for due in _round(bets, swapped).dues}

    for bet, due in one.items():
        assert (due.outcome, due.back) == (
            other[mirror.get(bet, bet)].outcome,
            other[mirror.get(bet, bet)].back,
        )


@settings(deadline=None, max_examples=60)
@given(DECKS, st.permutations("SHCD"))
def test_suits_renamed_change_nothing(deck: list[Card], suits: list[str]) -> None:
    named = dict(zip("SHCD", suits, strict=True))
    renamed = [Card(card.rank, named[card.suit]) for card in deck]
    bets = _bets([(bet, 100) for bet in game.BETS])

    assert _dues(_round(bets, deck)) == _dues(_round(bets, renamed))
