"""A rule over a small domain, called and looked up."""

import pytest

from replay.games import dragon_tiger, roulette_hoiana
from replay.rulings import dragon_tiger as dragon_tiger_rulings
from replay.tabulated import Tabulated, tabulated
from schemas.cards import DECK

asked: list[tuple[int, int, str]] = []


@tabulated((1, 2), (3, 4, 5))
def rule(first: int, second: int, reading: str = "printed") -> str:
    """A rule that remembers what it was asked."""
    asked.append((first, second, reading))
    return f"{first}{second} {reading}"


def test_the_last_domain_runs_fastest_and_each_is_asked_once() -> None:
    asked.clear()

    table = rule.table("posted")

    assert table == tuple(f"{a}{b} posted" for a in (1, 2) for b in (3, 4, 5))
    assert rule.table("posted") is table
    assert len(asked) == len(table) == 6


def test_a_tabulated_rule_is_called_as_any_other() -> None:
    assert rule(2, 5) == "25 printed"
    assert rule.__doc__ == "A rule that remembers what it was asked."


@pytest.mark.parametrize(
    ("found", "domain"),
    [
        (roulette_hoiana.facts, [(pocket,) for pocket in range(37)]),
        (dragon_tiger.facts, [(a, b) for a in DECK for b in DECK]),
        (dragon_tiger.outcome, [(a, b) for a in DECK for b in DECK]),
        (dragon_tiger_rulings.result, [(a, b) for a in DECK for b in DECK]),
    ],
)
def test_every_table_says_what_its_rule_says(
    found: Tabulated[..., object], domain: list[tuple[object, ...]]
) -> None:
    assert list(found.table()) == [found(*args) for args in domain]
    assert len(domain) in (37, 52 * 52)
