"""Rounds drawn at random, for what holds in every round of every game."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

Json = dict[str, Any]
One = TypeVar("One")


class Game(NamedTuple):
    """How rounds of a game are drawn: their sheets, and a wager that may be added to one."""

    code: str
    sheets: st.SearchStrategy[Json]
    more: Callable[[Json], Sequence[Json]]  # wagers, of which any may be added
    rounded: tuple[str, ...] = ("paid",)  # the amounts that are rounded; others grow with the stake
    roundings: int = 1  # how often at most, where one amount rests on another
    seat: Callable[[Json], str] = lambda wager: str(wager["wager_id"])  # what is moved as one


def shuffles(cards: Sequence[One], count: int = 0) -> st.SearchStrategy[list[One]]:
    """The cards in any order, or so many of them; drawn by a seed, which is quick."""
    return st.integers(0, 10**6).map(lambda seed: Random(seed).sample(cards, count or len(cards)))


def extra(bet: str, stake: int = 50, **fields: Any) -> Json:
    """One more wager, of a player who has no other."""
    wager = {"type": "WagerPlaced", "wager_id": "extra", "player_id": "z", "bet": bet}
    return {**wager, "stake": stake, **fields}


def anywhere(positions: Sequence[str]) -> Callable[[Json], Sequence[Json]]:
    """One more wager on any position."""
    wagers = [extra(position) for position in positions]
    return lambda _: wagers


def placed(sheet: Json) -> list[Json]:
    """The wagers placed before betting was closed."""
    return [event for event in sheet["events"][: closing(sheet)] if event["type"] == "WagerPlaced"]


def closing(sheet: Json) -> int:
    """Where betting is closed."""
    return next(n for n, event in enumerate(sheet["events"]) if event["type"] == "BettingClosed")
