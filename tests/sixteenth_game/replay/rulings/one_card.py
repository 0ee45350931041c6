"""One Card: what becomes of a round and its wagers.

Rulebook OC, section 2. Nothing is carried to the next round.
"""

from collections.abc import Iterator, Sequence

from replay.betting_end import End, cards, find
from replay.games import one_card as game
from replay.games.shared.laid_cards import LaidCards, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Step, Waits
from replay.rulings.shared import dealt_round, stray_cards
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import Card

BOOK = dealt_round.DealtRoundClauses(
    closed="OC:2.1", layout="OC:1.2", dealt="OC:2.2", result="OC:2.3", paid="OC:3.1"
)
COUNTDOWN = False
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "OC:2"
CARRIED: Carried = {}


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the dealer's call, or with the card (OC:2.1, OC:2.2)."""
    del terms
    return find(events, cards(game.HANDS.__contains__, known=True))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its card, and every wager as it stands."""
    del memory
    laid = lie(stray_cards.counting(round.events), game.HANDS)
    dealt = laid.hands[game.HANDS[0]]
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    # OC:2.4. A void after the card does not stand.
    ended = dealt_round.ending(BOOK, round, laid, complete=bool(dealt), void_stands=False)
    card = dealt[0] if ended.status == "settled" else None
    result = dealt_round.Called(game.result(card), _read(card)) if card else dealt_round.Called()
    told += dealt_round.unread(BOOK, laid, round.events)
    told += dealt_round.outside(BOOK, round)
    if ended.status != "unknown":
        told += dealt_round.calls(BOOK, round.events, result, said)
    return dealt_round.ruled(
        ended,
        wagers,
        told,
        _steps(round, wagers, laid, card, ended),
        outcome=result.word,
        result=result.word,
        facts=game.facts(card) if card else frozenset(),
        readings={},
    )


def said(result: str) -> str:
    """A called result as one word."""
    return result.strip().lower()


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (OC:3.1)."""
    return dealt_round.mispaid(BOOK, gaps)


def _read(card: Card) -> Sentence:
    """What the card is (OC:2.3)."""
    found = game.result(card)
    if found == "seven":
        return say("OC.seven", card=str(card))
    return say("OC.colour", card=str(card), colour=found)


def _steps(
    round: Round,
    wagers: Sequence[Wager],
    laid: LaidCards,
    card: Card | None,
    ended: dealt_round.Ending,
) -> Iterator[Step]:
    yield from dealt_round.opening(BOOK, round, wagers)
    if card:
        yield Step(_read(card), (BOOK.dealt, BOOK.result), laid.evidence)
    yield from dealt_round.closing(ended, round.events)
