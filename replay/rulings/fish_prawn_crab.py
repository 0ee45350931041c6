"""Fish Prawn Crab: what becomes of a round and its wagers.

Rulebook SA-FPC, report SAB.SAES.1001.01, clauses 5.2 and 5.5. How shakes are judged is said in
`shaken_dice`, with the clauses named here. Nothing is carried to the next round.
"""

from collections.abc import Iterable, Iterator, Sequence

from replay.games import fish_prawn_crab as game
from replay.rounds import Round
from replay.ruling import Carried, Flag, Memory, Ruled
from replay.rulings import shaken_dice
from replay.rulings.shaken_dice import Seen
from replay.settle import Due
from replay.terms import Terms
from replay.wagers import Wager, at_close

BOOK = shaken_dice.Book(
    closed="SA-FPC:5.2.2",
    entered="SA-FPC:5.2.3",
    decides=("SA-FPC:5.2.3",),
    layout="SA-FPC:5.3",
    paid="SA-FPC:5.4",
    reshake="SA-FPC:5.5",
    lying="SA-FPC:5.5.1",
    tumbles="SA-FPC:5.5.2",
    least=game.TUMBLES,
    dice=game.symbols,
    entry=game.entered,
    legal=game.legal,
)
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 5.5: the first valid shake, and every wager as it stands."""
    del memory
    seen = shaken_dice.look(BOOK, round.events)
    wagers = at_close(round.events, game.legal)
    colors, triple = terms.readings["colors"], terms.readings["symbol_triple"]
    facts = game.facts(seen.dice, colors, triple) if seen.dice else frozenset[str]()
    return shaken_dice.ruled(
        BOOK,
        round.events,
        seen,
        wagers,
        outcome=seen.faces,
        facts=facts,
        readings=shaken_dice.relied(seen, wagers, terms, **_relied(seen, wagers, facts)),
    )


def said(result: str) -> str:
    """An entered result with its symbols in the order of the layout."""
    return shaken_dice.said(BOOK, result)


def mispaid(gaps: Sequence[tuple[Due, str]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-FPC:5.4)."""
    return shaken_dice.mispaid(BOOK, gaps)


def _relied(seen: Seen, wagers: Iterable[Wager], facts: frozenset[str]) -> dict[str, bool]:
    """Which readings of 5.3.3 a color bet of the round rests on."""
    on_color = any(wager.bet == "any_triple_color" for wager in wagers)
    shown = len({*(seen.dice or ())})
    one_color = shown == 1 or any(fact.startswith("any_triple_color") for fact in facts)
    return {"colors": on_color and shown == 2, "symbol_triple": on_color and one_color}
