"""Rounds of Baccarat, Dragon Tiger and Pok Deng, lawful or not."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from replay import rulebooks
from replay.games import baccarat, dragon_tiger, pok_deng
from schemas.cards import DECK
from tests.support.any_round import Game, Json, anywhere
from tests.support.shoe_story import sheet

CODES = st.sampled_from([str(card) for card in DECK])


class Layout(NamedTuple):
    """A game with a shoe: its hands, the order of a lawful deal, and its bets."""

    code: str
    hands: Sequence[str]
    order: Sequence[str]
    bets: Sequence[str]


@st.composite
def rounds(draw: st.DrawFn, game: Layout) -> Json:
    """Bets with what is withheld for them, cards by the rules or anyhow, and what else happened."""
    rows = draw(st.lists(st.tuples(st.sampled_from(game.bets), st.integers(1, 9_999)), max_size=6))
    bets = [
        f"bet b{n} {bet} {stake} {stake if bet in pok_deng.SEATS else 0}"
        for n, (bet, stake) in enumerate(rows)
    ]
    lawful = [f"deal {hand} {draw(CODES)}" for hand in game.order]
    anyhow = st.lists(
        st.tuples(st.sampled_from((*game.hands, "boots")), CODES).map(
            lambda at: f"deal {at[0]} {at[1]}"
        ),
        max_size=8,
    )
    back = ["withdraw b0"] if bets else []
    happens = st.sampled_from(["void", "burn 1", "burn 3 3S", "cut", "call tie", *back])
    cards = lawful if draw(st.booleans()) else draw(anyhow)
    story = [*bets, "close", *cards, *draw(st.lists(happens, max_size=3)), "end"]
    return sheet(game.code, ", ".join(story), {"hands": 3}, readings=draw(readings(game.code)))


@st.composite
def readings(draw: st.DrawFn, code: str) -> dict[str, str]:
    """One of the rule issues, read in one of the ways there are."""
    issues = rulebooks.in_force(code, "2026-03-01").issues
    issue = issues[draw(st.sampled_from(sorted(issues)))]
    return {issue.name: draw(st.sampled_from((issue.reading, *issue.alternatives)))}


BACCARAT = Layout(
    "SA-BC",
    baccarat.Deal._fields,
    (*baccarat.OPENING, "player", "banker"),
    (*baccarat.BETS, "banker:nc"),
)
DRAGON = Layout("SA-DT", dragon_tiger.SIDES, dragon_tiger.SIDES, dragon_tiger.POSITIONS)
POK_DENG = Layout("SA-PD", pok_deng.HANDS, pok_deng.ORDER, pok_deng.POSITIONS)

GAMES = (
    Game("SA-BC", rounds(BACCARAT), anywhere(BACCARAT.bets), ("paid", "commission")),
    Game("SA-DT", rounds(DRAGON), anywhere(DRAGON.bets), ("paid", "collected", "returned")),
    Game("SA-PD", rounds(POK_DENG), anywhere(POK_DENG.bets)),
)
