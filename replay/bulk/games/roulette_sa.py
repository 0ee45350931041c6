"""Roulette of SA Gaming in bulk: one spin, racetrack bets as the layout bets they consist of."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import ClassVar

import numpy as np

from replay.bulk.game import BulkGame
from replay.bulk.games.wheels import pockets
from replay.bulk.results import Results, Verdict, calls_agree, shown_by
from replay.bulk.usual import ENDING, OPENING, Order, Usual, no_colour_chips
from replay.games import roulette_sa as game
from replay.games.shared import called_number
from replay.games.shared.roulette_layout import POCKETS
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import roulette_sa as rulings
from replay.rulings.roulette_sa import attempts
from replay.rulings.shared import strange_words
from schemas import events as e


class SaGamingRoulette(BulkGame):
    """Usual is a round with one spin after the countdown whose number everybody names alike."""

    ORDER: ClassVar[Order] = (
        *OPENING, (e.StakeRead,), (e.BallReleased,), (e.BallTracked,), (e.BallLanded,),
        (e.ResultCalled, e.DollyPlaced), *ENDING,
    )  # fmt: skip
    ONCE = (e.BallReleased, e.BallTracked, e.BallLanded)

    REPEATS = (e.SpinDisturbed, e.NoSpinCalled)

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The pocket of each round."""
        del terms, memory
        no_colour_chips(usual)
        shown_by(usual, rulings.WORDS.shown_by)
        found = Results(pockets(usual, game.REVOLUTIONS, len(POCKETS)), VERDICTS)
        calls_agree(usual, found, _agrees)
        _whole_chips(usual)
        return found

    def set_aside(self, round: Round, terms: Terms) -> Iterable[str]:
        """The spins before the one that decides, if each of them had to be repeated."""
        seen = attempts.look(round.events, terms.readings)
        if seen.deciding is None or [*attempts.flags(round, seen)]:
            return ()
        if [*strange_words.remarks(rulings.WORDS, round.events)]:
            return ()
        again = (look for look in seen.looked if look is not seen.deciding)
        return (event_id for look in again for event_id in look.attempt.evidence)

    def legal(self, terms: Terms, legal: Callable[[str], bool]) -> Callable[[str], bool]:
        """The layout by the posted reading of the bets round zero."""
        del legal
        return lambda bet: game.legal(bet, terms.readings["zero_bets"])

    def parts(self, bet: str) -> tuple[tuple[str, Fraction], ...]:
        """A racetrack bet as its layout bets, one value a chip (SA-RO:7.5)."""
        pieces = game.pieces(bet)
        count = sum(piece.chips for piece in pieces)
        shares = tuple((piece.position, Fraction(piece.chips, count)) for piece in pieces)
        return shares or super().parts(bet)

    def standing(self, bet: str, facts: frozenset[str]) -> tuple[str, ...]:
        """The clause of a racetrack bet."""
        del facts
        return rulings.race_clauses(bet)


def _agrees(call: str, found: Verdict) -> bool:
    return game.said(call) == found.result and not any(called_number.strange(call))


def _whole_chips(usual: Usual) -> None:
    """Leave rounds with a racetrack bet whose stake is not one value a chip."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    chips = [sum(at.chips for at in game.pieces(bet)) or 1 for bet in frame.words.get("bet", ())]
    broken = placed["stake"] % np.array(chips, np.int64)[placed["bet"]] != 0
    usual.leave("a racetrack bet without whole chips", placed.round[broken])


VERDICTS = tuple(
    Verdict(game.shown(pocket), str(pocket), facts, (attempts.CONFIRMED,))
    for pocket, facts in zip(POCKETS, game.facts.table(), strict=True)
)
GAME = SaGamingRoulette()
