"""Hoiana Roulette: what holds for every round, whatever is bet and wherever the ball rests."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import roulette_hoiana as game
from replay.judge import Judgement
from tests.replay.roulette_story import told

EDITION = rulebooks.in_force("RO", "2026-03-01")

POSITIONS = st.sampled_from(sorted(game.COVERS))
PLACES = st.one_of(POSITIONS, st.sampled_from(["split:3-4", "neighbours:5"]))
WAGERS = st.lists(
    st.tuples(PLACES, st.integers(1, 10**12), st.sampled_from("pqr"), st.booleans()),
    max_size=12,
)
POCKETS = st.integers(0, 36)
ENDINGS = st.sampled_from(
    [
        "land {}",
        "turns 2, land {}",
        "land {}, dolly 7",
        "land ?, dolly {}",
        "seen ball_out, land {}",
        "land {}, call pit_supervisor suspected landed",
        "land {}, rule director RO:7.11.1 refuse_payment",
        "seen floater",
    ]
)


def _bets(wagers: list[Any], scale: int = 1) -> list[str]:
    """A line for each wager; the last member says whether foreign chips were used."""
    lines = []
    for n, (position, stake, player, foreign) in enumerate(wagers):
        amount = stake * scale
        chips = f"chips=R02/blue/1/{amount}" if foreign else ""
        lines.append(f"bet b{n} {player} {position} {amount} {chips}")
    return lines


def _round(bets: list[str], pocket: int, ending: str = "land {}") -> Judgement:
    return told("\n".join([*bets, "close", "spin", ending.format(pocket)]))


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
        assert due.stake == due.collected + due.returned
        assert due.back == due.returned + due.paid
        assert (due.paid > 0) == (due.outcome == "win")
        assert (due.collected > 0) == (due.outcome == "lose")


@settings(deadline=None)
@given(WAGERS, POCKETS, ENDINGS)
def test_every_due_flag_and_step_rests_on_a_clause_of_the_edition(
    wagers: list[Any], pocket: int, ending: str
) -> None:
    found = _round(_bets(wagers), pocket, ending)

    assert all(due.clauses for due in found.dues)
    cited = {clause for due in found.dues for clause in due.clauses}
    cited |= {clause for step in found.steps for clause in step.clauses}
    cited |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert cited <= set(EDITION.clauses)


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
    assert one.ruled.pay_order == other.ruled.pay_order


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
@given(WAGERS, POCKETS, POSITIONS)
def test_a_losing_wager_changes_no_other(wagers: list[Any], pocket: int, position: str) -> None:
    bets = _bets(wagers)
    alone = _round(bets, pocket)
    more = _round([*bets, f"bet extra z {position} 5"], pocket)

    rest = _dues(more)
    outcome = rest.pop("extra")[0]
    assert rest == _dues(alone)
    assert outcome == ("win" if pocket in game.covers(position) else "lose")


@settings(deadline=None)
@given(WAGERS, POCKETS)
def test_paying_as_due_breaks_no_order(wagers: list[Any], pocket: int) -> None:
    bets = _bets(wagers)
    due = _round(bets, pocket)
    paid = {line.wager_id: line for line in due.dues}
    settled = [
        f"settle {wager} {paid[wager].paid} {paid[wager].returned}" for wager in due.ruled.pay_order
    ]

    found = told("\n".join([*bets, "close", "spin", f"land {pocket}", *settled]))

    assert not {"PAYMENT_ORDER", "MISPAY"}.intersection(flag.code for flag in found.flags)
