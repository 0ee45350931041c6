"""Thai HiLo: what becomes of a round and its wagers.

Rulebook SA-HL, report SAB.SAES.1001.01, clauses 10.2 and 10.5. How shakes are judged is said in
`shaken_dice`, with the clauses named here. Nothing is carried to the next round.
"""

from collections.abc import Iterator, Sequence

from replay.games import dice
from replay.games import thai_hilo as game
from replay.rounds import Round
from replay.ruling import Carried, Flag, Memory, Ruled
from replay.rulings import shaken_dice
from replay.settle import Due
from replay.terms import Terms
from replay.wagers import at_close

BOOK = shaken_dice.Book(
    closed="SA-HL:10.2.2",
    entered="SA-HL:10.2.3",
    decides=("SA-HL:10.2.3", "SA-HL:10.2.4"),
    layout="SA-HL:10.3",
    paid="SA-HL:10.4",
    reshake="SA-HL:10.5",
    lying="SA-HL:10.5.1",
    tumbles="SA-HL:10.5.2",
    least=game.TUMBLES,
    dice=dice.points,
    entry=dice.entered,
    legal=game.legal,
)
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 10.5: the first valid shake, and every wager as it stands."""
    del memory
    seen = shaken_dice.look(BOOK, round.events)
    wagers = at_close(round.events, game.legal)
    exact = any(game.RUNS.get(wager.bet) == {*(seen.dice or ())} for wager in wagers)
    return shaken_dice.ruled(
        BOOK,
        round.events,
        seen,
        wagers,
        outcome=f"{seen.faces} ({game.total(seen.dice)})" if seen.dice else "",
        facts=game.facts(seen.dice, terms.readings["run_tiers"]) if seen.dice else frozenset(),
        readings=shaken_dice.relied(seen, wagers, terms, run_tiers=exact),
    )


def said(result: str) -> str:
    """An entered result with its faces in ascending order: `4-1-2` is `1-2-4`."""
    return shaken_dice.said(BOOK, result)


def mispaid(gaps: Sequence[tuple[Due, str]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-HL:10.4)."""
    return shaken_dice.mispaid(BOOK, gaps)
