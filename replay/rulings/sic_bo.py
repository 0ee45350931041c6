"""Sic Bo: what becomes of a round and its wagers.

Rulebook SA-SB, report SAB.SAES.1001.01, clauses 8.2 and 8.5. How shakes are judged is said in
`shaken_dice`, with the clauses named here. Nothing is carried to the next round.
"""

from collections.abc import Iterator, Sequence

from replay.games import dice
from replay.games import sic_bo as game
from replay.rounds import Round
from replay.ruling import Carried, Flag, Memory, Ruled
from replay.rulings import shaken_dice
from replay.settle import Due
from replay.terms import Terms
from replay.wagers import at_close

BOOK = shaken_dice.Book(
    closed="SA-SB:8.2.2",
    entered="SA-SB:8.2.3",
    decides=("SA-SB:8.2.3", "SA-SB:8.2.4"),
    layout="SA-SB:8.3",
    paid="SA-SB:8.4",
    reshake="SA-SB:8.5",
    lying="SA-SB:8.5.1",
    tumbles="SA-SB:8.5.2",
    least=game.TUMBLES,
    dice=dice.points,
    entry=dice.entered,
    legal=game.legal,
)
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 8.5: the first valid shake, and every wager as it stands."""
    del memory
    seen = shaken_dice.look(BOOK, round.events)
    wagers = at_close(round.events, game.legal)
    four = any(wager.bet.startswith("four:") for wager in wagers)
    return shaken_dice.ruled(
        BOOK,
        round.events,
        seen,
        wagers,
        outcome=f"{seen.faces} ({game.total(seen.dice)})" if seen.dice else "",
        facts=game.facts(seen.dice, terms.readings["four_number"]) if seen.dice else frozenset(),
        readings=shaken_dice.relied(seen, wagers, terms, four_number=four),
    )


def said(result: str) -> str:
    """An entered result with its faces in ascending order: `4-1-2` is `1-2-4`."""
    return shaken_dice.said(BOOK, result)


def mispaid(gaps: Sequence[tuple[Due, str]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-SB:8.4)."""
    return shaken_dice.mispaid(BOOK, gaps)
