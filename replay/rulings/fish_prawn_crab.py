"""Fish Prawn Crab: what becomes of a round and its wagers.

Rulebook SA-FPC, report SAB.SAES.1001.01, clauses 5.2 and 5.5. How shakes are judged is said in
`shaken_dice`, with the clauses named here. Nothing is carried to the next round.
"""

from collections.abc import Iterable
from functools import partial

from replay.games import fish_prawn_crab as game
from replay.play_events import SHAKEN_DICE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Kinds, Memory, Ruled
from replay.rulings.shared import shaken_dice
from replay.rulings.shared.shaken_dice import JudgedShakes
from replay.wagers import Wager

BOOK = shaken_dice.ShakenDiceClauses(
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
COUNTDOWN = True
WAITS = shaken_dice.WAITS
KNOWN_EVENTS: Kinds = SHAKEN_DICE
PLAY_CLAUSE = "SA-FPC:5.2"
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 5.5: the first valid shake, and every wager as it stands."""
    del memory
    seen = shaken_dice.look(BOOK, round.events)
    wagers = shaken_dice.wagers_at_close(BOOK, round, seen)
    colors, triple = terms.readings["colors"], terms.readings["symbol_triple"]
    facts = game.facts(seen.dice, colors, triple) if seen.dice else frozenset[str]()
    issues = _relied(seen, wagers, facts)
    return shaken_dice.ruled(BOOK, round, terms, seen, wagers, facts=facts, **issues)


betting_end = partial(shaken_dice.betting_end, BOOK)
said = partial(shaken_dice.said, BOOK)  # the symbols in the order of the layout
mispaid = partial(shaken_dice.mispaid, BOOK)  # SA-FPC:5.4


def _relied(seen: JudgedShakes, wagers: Iterable[Wager], facts: frozenset[str]) -> dict[str, bool]:
    """Which readings of 5.3.3 a color bet of the round rests on."""
    on_color = any(wager.bet == "any_triple_color" for wager in wagers)
    shown = len({*(seen.dice or ())})
    one_color = shown == 1 or any(fact.startswith("any_triple_color") for fact in facts)
    return {"colors": on_color and shown == 2, "symbol_triple": on_color and one_color}
