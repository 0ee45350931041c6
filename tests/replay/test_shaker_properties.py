"""Games with a shaker, SA-FPC, SA-HL and SA-XD: what holds for every round of each of them."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay import rulebooks
from replay.games import fish_prawn_crab, thai_hilo, xoc_dia
from replay.judge import Judgement
from replay.settle import Due
from tests.replay.shaker_story import told

Bets = list[tuple[str, int]]


class Game(NamedTuple):
    """A game to play at random: its positions, its outcomes, and how one comes about."""

    code: str
    positions: Sequence[str]
    outcomes: Sequence[str]
    play: str

    def judged(self, bets: Bets, outcome: str, names: Sequence[int] = ()) -> Judgement:
        """A round with these bets and this outcome."""
        numbers = names or range(len(bets))
        placed = [f"bet b{n} {bets[n][0]} {bets[n][1]}" for n in numbers]
        return told("\n".join([*placed, self.play.format(outcome)]), game=self.code)


GAMES = (
    Game(
        "SA-FPC",
        fish_prawn_crab.POSITIONS,
        ["-".join(roll) for roll in product(fish_prawn_crab.SYMBOLS, repeat=3)],
        "close, shake {}",
    ),
    Game(
        "SA-HL",
        thai_hilo.POSITIONS,
        ["-".join(roll) for roll in product("123456", repeat=3)],
        "close, shake {}",
    ),
    Game(
        "SA-XD",
        tuple(xoc_dia.POSITIONS),
        ["".join(throw) for throw in product("RW", repeat=4)],
        "start, stop 0, close, bowl, tokens {}",
    ),
)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.code)
STAKES = st.integers(1, 10**12)


@st.composite
def rounds(draw: st.DrawFn, game: Game) -> tuple[Bets, str]:
    bets = st.lists(st.tuples(st.sampled_from(game.positions), STAKES), min_size=1, max_size=6)
    return draw(bets), draw(st.sampled_from(game.outcomes))


def by_name(dues: Sequence[Due]) -> dict[str, Due]:
    return {due.wager_id: due for due in dues}


@every_game
@given(st.data())
def test_money_in_is_money_out_and_every_amount_has_its_clause(
    game: Game, data: st.DataObject
) -> None:
    bets, outcome = data.draw(rounds(game))
    clauses = set(rulebooks.in_force(game.code, "2026-03-01").clauses)

    found = game.judged(bets, outcome)

    assert [due.stake for due in found.dues] == [stake for _, stake in bets]
    for due in found.dues:
        assert due.collected + due.returned == due.stake
        assert due.paid == due.gross_win
        assert due.paid == 0 or due.collected == 0
        assert due.clauses
        assert set(due.clauses) <= clauses


@every_game
@given(st.data())
def test_the_order_of_wagers_changes_nothing_but_order(game: Game, data: st.DataObject) -> None:
    bets, outcome = data.draw(rounds(game))
    order = data.draw(st.permutations(range(len(bets))))

    straight, mixed = game.judged(bets, outcome), game.judged(bets, outcome, order)

    assert by_name(straight.dues) == by_name(mixed.dues)


@every_game
@given(st.data())
def test_another_wager_changes_no_due(game: Game, data: st.DataObject) -> None:
    bets, outcome = data.draw(rounds(game))
    more = data.draw(st.sampled_from(game.positions))

    alone, beside = game.judged(bets, outcome), game.judged([*bets, (more, 50)], outcome)

    assert beside.dues[:-1] == alone.dues


@every_game
@given(st.data(), st.integers(1, 1000))
def test_winnings_grow_with_the_stake_up_to_rounding(
    game: Game, data: st.DataObject, times: int
) -> None:
    bets, outcome = data.draw(rounds(game))
    many = [(position, stake * times) for position, stake in bets]

    pairs = zip(game.judged(bets, outcome).dues, game.judged(many, outcome).dues, strict=True)

    for once, scaled in pairs:
        assert abs(scaled.paid - times * once.paid) <= (times + 1) / 2
        assert (scaled.collected, scaled.outcome) == (times * once.collected, once.outcome)


@every_game
@given(st.data())
def test_the_order_of_what_lies_there_never_matters(game: Game, data: st.DataObject) -> None:
    bets, outcome = data.draw(rounds(game))
    between = "-" if "-" in outcome else ""
    parts = outcome.split("-") if between else list(outcome)
    turned = between.join(data.draw(st.permutations(parts)))

    assert game.judged(bets, outcome).dues == game.judged(bets, turned).dues


@pytest.mark.parametrize(
    ("code", "story", "codes"),
    [
        (
            code,
            f"""bet b1 {bet} 100, bet b2 nowhere 5, start, close, bet b3 {bet} 5, withdraw b1,
            seen {a}, stop 2, enter {a}, again tumbles, shake {b}, shake {a} overlap, enter {a},
            settled b1 7 0 0""",
            """ILLEGAL_POSITION LATE_BET MISPAY RESHAKE_MISSED RESHAKE_UNFOUNDED RESULT_MISMATCH
            SHAKE_BEFORE_CLOSE WITHDRAWAL_REFUSED""",
        )
        for code, bet, a, b in (
            ("SA-FPC", "symbol:fish", "fish-fish-crab", "crab-crab-crab"),
            ("SA-HL", "hi", "6-6-6", "1-2-3"),
        )
    ]
    + [
        (
            "SA-XD",
            """bet b1 big 100, bet b2 5R 5, start, stop 0, close, bet b3 big 5, withdraw b1, bowl,
            tokens RRRW standing=1, enter RRRW, start, stop 0, bowl, tokens RRWW, stick RRRW,
            enter RRRW, start, stop 0, bowl, tokens RRRR overlapping, settled b1 96 0 100""",
            """ILLEGAL_POSITION LATE_BET MISPAY REARRANGE_CHANGED_OUTCOME REARRANGE_UNFOUNDED
            RESHAKE_MISSED RESHAKE_UNFOUNDED RESULT_MISMATCH WITHDRAWAL_REFUSED""",
        )
    ],
    ids=["SA-FPC", "SA-HL", "SA-XD"],
)
def test_every_flag_and_step_cites_a_clause_of_the_text(code: str, story: str, codes: str) -> None:
    clauses = set(rulebooks.in_force(code, "2026-03-01").clauses)

    found = told(story, game=code)

    assert {flag.code for flag in found.flags} == set(codes.split())
    assert {flag.clause for flag in found.flags} <= clauses
    assert {anchor for step in found.steps for anchor in step.clauses} <= clauses
    assert all(step.clauses for step in found.steps)
