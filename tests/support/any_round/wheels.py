"""Rounds of both roulettes, wherever the ball rests and however it runs."""

from typing import Any

from hypothesis import strategies as st

from replay.games import roulette_hoiana
from replay.games.shared.roulette_layout import COVERS
from replay.games.shared.roulette_racetrack import RACE, chips
from tests.support.any_round import Game, Json, anywhere, extra
from tests.support.roulette_story import sheet

POCKETS = st.integers(0, 36)

HOIANA_PLACES = (*sorted(roulette_hoiana.COVERS), "split:3-4", "neighbours:5")
HOIANA_WAGERS = st.lists(
    st.tuples(
        st.sampled_from(HOIANA_PLACES),
        st.integers(1, 10**12),
        st.sampled_from("pqr"),
        st.booleans(),  # whether foreign chips were used
    ),
    max_size=12,
)
HOIANA_ENDINGS = (
    "land {}",
    "turns 2, land {}",
    "land {}, dolly 7",
    "land ?, dolly {}",
    "seen ball_out, land {}",
    "land {}, call pit_supervisor suspected landed",
    "land {}, rule director RO:7.11.1 refuse_payment",
    "seen floater",
)

SA_LEGAL = (*sorted(COVERS), *sorted(RACE))
SA_PLACES = (*SA_LEGAL, "split:3-4", "race:tiers", "race:neighbours:1:10")
SA_WAGERS = st.lists(
    st.tuples(st.sampled_from(SA_PLACES), st.integers(1, 10**9), st.sampled_from("pqr")),
    max_size=10,
)
SA_ENDINGS = (
    "spin, turns 8, land {}, end",
    "spin, turns 4, land 7, spin, turns 8, land {}, result {}, end",
    "spin, turns 8, land {}, spin, turns 8, land 7, result 7, end",
    "spin, seen malfunction, land {}, result {}, end",
    "spin, turns 8, land ?, dolly {}, end",
    "spin, turns 8, end",
)


def hoiana(wagers: list[Any], pocket: int, ending: str = "land {}") -> Json:
    """A round of Hoiana's wheel."""
    bets = [
        f"bet b{n} {player} {place} {stake} {f'chips=R02/blue/1/{stake}' if foreign else ''}"
        for n, (place, stake, player, foreign) in enumerate(wagers)
    ]
    return sheet("\n".join([*bets, "close", "spin", ending.format(pocket)]))


def sa(wagers: list[Any], pocket: int, ending: str = SA_ENDINGS[0]) -> Json:
    """A round of SA Gaming's wheel; a racetrack stake is in whole chips."""
    bets = [
        f"bet b{n} {player} {place} {stake * _chips(place)}"
        for n, (place, stake, player) in enumerate(wagers)
    ]
    story = [*bets, "close", ending.replace("{}", str(pocket))]
    return sheet("\n".join(story), terms={"game": "SA-RO"})


def _chips(place: str) -> int:
    return chips(place) if place in RACE else 1


GAMES = (
    Game(
        "RO",
        st.builds(hoiana, HOIANA_WAGERS, POCKETS, st.sampled_from(HOIANA_ENDINGS)),
        anywhere(sorted(roulette_hoiana.COVERS)),
        rounded=(),
    ),
    Game(
        "SA-RO",
        st.builds(sa, SA_WAGERS, POCKETS, st.sampled_from(SA_ENDINGS)),
        lambda _: [extra(place, 50 * _chips(place)) for place in SA_LEGAL],
        rounded=(),
    ),
)
