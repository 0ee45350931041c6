"""Rounds of Andar Bahar and Teen Patti, dealt by the rules from one deck."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from hypothesis import strategies as st

from replay.games import andar_bahar, teen_patti
from schemas.cards import DECK, Card
from tests.support.any_round import Game, Json, anywhere, shuffles
from tests.support.shoe_story import sheet

STAKES = st.integers(1, 10**9)
DECKS = shuffles(DECK)
SIXES = shuffles(DECK, 6)
ENDINGS = ("end", "call {0}, end", "void, end", "deal {0} 2C, end", "")


def lawful(deck: Sequence[Card]) -> Sequence[Card]:
    """The cards of a deck up to the first that matches the one on top."""
    first, rest = deck[0], deck[1:]
    end = next(n for n, card in enumerate(rest) if card.rank == first.rank)
    return rest[: end + 1]


def bets(wagers: Sequence[tuple[str, int]]) -> list[str]:
    """A line for each wager."""
    return [f"bet b{n} {place} {stake}" for n, (place, stake) in enumerate(wagers)]


def andar(wagers: Sequence[tuple[str, int]], deck: Sequence[Card], ending: str = "end") -> Json:
    """Andar Bahar: the Game Card, the wagers, then cards by turns until one matches."""
    turns = zip(cycle(andar_bahar.SIDES), lawful(deck), strict=False)
    cards = [f"deal {side} {card}" for side, card in turns]
    story = [f"deal game {deck[0]}", *bets(wagers), "close", *cards, ending.format("andar")]
    return sheet("SA-AB", "\n".join(story))


def teen(wagers: Sequence[tuple[str, int]], deck: Sequence[Card], ending: str = "end") -> Json:
    """Teen Patti: six cards by turns."""
    cards = [f"deal {hand} {card}" for hand, card in zip(teen_patti.TURNS, deck, strict=True)]
    story = [*bets(wagers), "close", *cards, ending.format("player_a")]
    return sheet("SA-TP", "\n".join(story))


def _rounds(written: Any, places: Sequence[str], cards: Any) -> st.SearchStrategy[Json]:
    wagers = st.lists(st.tuples(st.sampled_from(places), STAKES), max_size=8)
    return st.builds(written, wagers, cards, st.sampled_from(ENDINGS))


GAMES = (
    Game(
        "SA-AB",
        _rounds(andar, [*sorted(andar_bahar.POSITIONS), "tie", "first_3:nc"], DECKS),
        anywhere(sorted(andar_bahar.POSITIONS)),
    ),
    Game(
        "SA-TP",
        _rounds(teen, [*teen_patti.BETS, "player_c", "pair_plus"], SIXES),
        anywhere(teen_patti.BETS),
    ),
)
