"""Evidence against chance: it is one on average for fair devices, and finds biased ones."""

from collections import Counter
from itertools import product
from math import comb, exp, log, prod
from random import Random

import duckdb
import pytest

from audit.checks import views
from replay.games.shared.roulette_layout import WHEEL
from replay.tables import dictionary
from tests.support import real_recordings as real

FAIR, BIASED = Random("fair"), Random("biased")


def evidence(counts: list[int], weights: list[int]) -> float:
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        views.lend(db)
        (found,) = db.execute("select bias_evidence($1, $2)", [counts, weights]).fetchone() or (0,)
        return float(found)


def test_the_wheel_of_the_views_is_the_wheel_of_the_game() -> None:
    with duckdb.connect(":memory:") as db:
        db.execute(dictionary.sql())
        views.lend(db)
        assert db.execute("select wheel()").fetchone() == (list(WHEEL),)


@pytest.mark.parametrize("weights", [[1, 1, 1], [1, 2, 1]], ids=str)
def test_fair_counts_have_a_mean_evidence_of_one(weights: list[int]) -> None:
    shakes, total = 6, sum(weights)
    mean = 0.0
    for counts in product(range(shakes + 1), repeat=3):
        if sum(counts) == shakes:
            ways = comb(shakes, counts[0]) * comb(shakes - counts[0], counts[1])
            chance = ways * prod((w / total) ** n for w, n in zip(weights, counts, strict=True))
            mean += chance * exp(evidence(list(counts), weights))

    assert mean == pytest.approx(1)


def spun(rng: Random, spins: int, lifted: tuple[int, ...] = (), lift: float = 1) -> list[int]:
    """Spins of a wheel on which some pockets come more often than the others."""
    return rng.choices(range(37), [lift if n in lifted else 1 for n in range(37)], k=spins)


def days(pockets: list[int]) -> list[tuple[int, int]]:
    return [(n // 400, pocket) for n, pocket in enumerate(pockets)]


@pytest.mark.parametrize("check", ["RNG-01", "RNG-02", "INT-15"])
def test_fair_wheels_are_not_accused(check: str) -> None:
    wheels = {f"W{n}": days(spun(FAIR, 4_000)) for n in range(20)}

    assert real.of_wheels(check, wheels) == []


def test_a_pocket_that_comes_twice_as_often_is_found() -> None:
    (found,) = real.of_wheels("RNG-01", {"W1": days(spun(BIASED, 8_000, (17,), 2))})

    assert found["found"].startswith("pocket 17 came ")


def test_a_tilted_wheel_is_found_by_its_arc() -> None:
    arc = WHEEL[10:15]

    (found,) = real.of_wheels("RNG-02", {"W1": days(spun(BIASED, 5_000, arc, 1.5))})

    assert found["expected"].startswith(f"the pockets {arc[0]} to {arc[-1]} on the wheel")


def test_a_loaded_die_and_a_heavy_token_speak_against_chance() -> None:
    faces = Counter(BIASED.choices(range(6), [1, 1, 1, 1, 1, 1.5], k=3_000))
    reds = Counter(sum(BIASED.random() < 0.6 for _ in range(4)) for _ in range(1_000))

    assert evidence([faces[n] for n in range(6)], [1] * 6) > log(100_000)
    assert evidence([reds[n] for n in range(5)], [1, 4, 6, 4, 1]) > log(100_000)
