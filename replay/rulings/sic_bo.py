"""Sic Bo: what becomes of a round and its wagers.

Rulebook SA-SB, report SAB.SAES.1001.01, clauses 8.2 and 8.5. How shakes are judged is said in
`shaken_dice`, with the clauses named here. Nothing is carried to the next round.
"""

from functools import partial

from replay.games import sic_bo as game
from replay.games.shared import dice
from replay.play_events import SHAKEN_DICE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Kinds, Memory, Ruled
from replay.rulings.shared import shaken_dice

BOOK = shaken_dice.ShakenDiceClauses(
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
    total=game.total,
)
COUNTDOWN = True
WAITS = shaken_dice.WAITS
KNOWN_EVENTS: Kinds = SHAKEN_DICE
PLAY_CLAUSE = "SA-SB:8.2"
CARRIED: Carried = {}


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 8.5: the first valid shake, and every wager as it stands."""
    del memory
    seen = shaken_dice.look(BOOK, round.events)
    wagers = shaken_dice.wagers_at_close(BOOK, round, seen)
    four = any(wager.bet.startswith("four:") for wager in wagers)
    facts = game.facts(seen.dice, terms.readings["four_number"]) if seen.dice else frozenset[str]()
    return shaken_dice.ruled(BOOK, round, terms, seen, wagers, facts=facts, four_number=four)


betting_end = partial(shaken_dice.betting_end, BOOK)
said = partial(shaken_dice.said, BOOK)  # `4-1-2` is `1-2-4`
mispaid = partial(shaken_dice.mispaid, BOOK)  # SA-SB:8.4
