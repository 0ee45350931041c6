"""What a sheet may say to some games only: elsewhere it would change nothing, so it is refused.

A game's module says what it is played with and which hands have names (PLAYED_WITH, HANDS), its
rulings say what else they look at (HEEDS).
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from replay.game_modules import Game, Rulings
from replay.play_events import BALL, CARDS, DICE, SHAKER, TOKENS
from replay.rulings.every_game import foreign_words
from schemas import events as e
from schemas.shape import Refused

RULING = "RulingMade"
DIFFERENTIAL = "differential"
INSTEAD: Mapping[str, str] = {
    "placed_in_time": "true, as a late wager is one after BettingClosed",
    "chips_presented": "true, as the rules have no word on it",
    "chips": "no colour chips, as the game has none",
    "reserve": "no reserve, as no bet of the game has one",
}
PLAY = (*CARDS, *BALL, *SHAKER, *DICE, *TOKENS)
ALIKE = 0.75  # how much of two words must agree
NO_RULING = "no ruling, as the rules ask for none; RoundVoided tells of a round called void"
NO_DIFFERENTIAL = "no differential, as the rules have none"


def check(terms: e.TermsPosted, said: Iterable[e.Payload], rulings: Rulings, game: Game) -> None:
    """Refuse the first thing the game would pass over in silence."""
    if terms.differential is not None and DIFFERENTIAL not in rulings.HEEDS:
        where, found = f"sheet.terms.{DIFFERENTIAL}", str(terms.differential)
        raise Refused("bad_value", where, NO_DIFFERENTIAL, found)
    for n, payload in enumerate(said):
        if isinstance(payload, PLAY) and not isinstance(payload, game.PLAYED_WITH.events):
            wanted = (
                f"no {type(payload).__name__}, as the game is played with {game.PLAYED_WITH.named}"
            )
            raise Refused("bad_value", f"sheet.events[{n}].type", wanted, type(payload).__name__)
        _check_hand(payload, game.HANDS, f"sheet.events[{n}]")
        for field, wanted, found in _passed_over(payload, rulings.HEEDS):
            raise Refused("bad_value", f"sheet.events[{n}].{field}", wanted, found)


def _check_hand(payload: e.Payload, known: tuple[str, ...], where: str) -> None:
    """Refuse a misspelt hand; a card put where no hand is stays for the rules to tell of."""
    match payload:
        case e.CardsObserved(zone=hand):
            field = "zone"
        case e.CardDrawn(hand=hand) | e.CardPlaced(hand=hand) | e.CardExposed(hand=hand):
            field = "hand"
        case _:
            return
    if hand not in known and get_close_matches(hand.lower(), known, 1, ALIKE):
        wanted = f"{'one of ' if len(known) > 1 else ''}{', '.join(known)}"
        raise Refused("bad_value", f"{where}.{field}", wanted, repr(hand))


def _passed_over(payload: e.Payload, heeds: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """The fields of one event that say something special to rules that do not look at them."""
    match payload:
        case e.RulingMade() if RULING not in heeds:
            yield "type", NO_RULING, RULING
        case e.WagerPlaced() | e.WagerChanged():
            for field in foreign_words.special(payload, heeds):
                yield field, INSTEAD[field], repr(getattr(payload, field))
