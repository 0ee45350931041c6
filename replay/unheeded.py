"""What a sheet may say to some games only: elsewhere it would change nothing, so it is refused.

The rulings module of a game names in HEEDS what its rules look at; PLAYED says with what it is
played, where that is not cards.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from replay.judge import Rulings
from schemas import events as e
from schemas.shape import Refused


class Word(NamedTuple):
    """A field, what it says where it says nothing special, and what to write instead."""

    plain: tuple[object, ...]
    instead: str


RULING = "RulingMade"
DIFFERENTIAL = "differential"
WORDS: Mapping[str, Word] = {
    "placed_in_time": Word((True,), "true, as a late wager is one after BettingClosed"),
    "chips_presented": Word((True,), "true, as the rules have no word on it"),
    "reserve": Word((0, None), "no reserve, as no bet of the game has one"),
}
CARDS = (e.CardDrawn, e.CardPlaced, e.CardExposed, e.CardHandled, e.CardsObserved, e.DecisionMade)
BALL = (
    e.BallReleased, e.BallTracked, e.BallLanded, e.SpinDisturbed, e.BallExamined, e.BallReturned,
    e.DollyPlaced, e.NoSpinCalled,
)  # fmt: skip
SHAKER = (e.ShakerStarted, e.ShakerStopped, e.ReshakeOrdered)
DICE = (e.ShakerOpened, e.DiceObserved)
TOKENS = (
    e.BowlRemoved, e.EquipmentDropped, e.TokensRevealed, e.TokensRearranged, e.TokensObserved,
)  # fmt: skip
PLAY = (*CARDS, *BALL, *SHAKER, *DICE, *TOKENS)
PLAYED: Mapping[str, tuple[tuple[type[e.Payload], ...], str]] = {
    "roulette_hoiana": (BALL, "a ball and a wheel"),
    "roulette_sa": (BALL, "a ball and a wheel"),
    "sic_bo": ((*SHAKER, *DICE), "dice in a shaker"),
    "fish_prawn_crab": ((*SHAKER, *DICE), "dice in a shaker"),
    "thai_hilo": ((*SHAKER, *DICE), "dice in a shaker"),
    "xoc_dia": ((*SHAKER, *TOKENS), "tokens under a bowl"),
}
NO_RULING = "no ruling, as the rules ask for none; RoundVoided tells of a round called void"
NO_DIFFERENTIAL = "no differential, as the rules have none"


def check(terms: e.TermsPosted, said: Iterable[e.Payload], rulings: Rulings, game: str) -> None:
    """Refuse the first thing the game would pass over in silence."""
    own, played_with = PLAYED.get(game, (CARDS, "cards"))
    heeds: frozenset[str] = getattr(rulings, "HEEDS", frozenset())
    if terms.differential is not None and DIFFERENTIAL not in heeds:
        where, found = f"sheet.terms.{DIFFERENTIAL}", str(terms.differential)
        raise Refused("bad_value", where, NO_DIFFERENTIAL, found)
    for n, payload in enumerate(said):
        if isinstance(payload, PLAY) and not isinstance(payload, own):
            wanted = f"no {type(payload).__name__}, as the game is played with {played_with}"
            raise Refused("bad_value", f"sheet.events[{n}].type", wanted, type(payload).__name__)
        for field, wanted, found in _passed_over(payload, heeds):
            raise Refused("bad_value", f"sheet.events[{n}].{field}", wanted, found)


def _passed_over(payload: e.Payload, heeds: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """The fields of one event that say something special to rules that do not look at them."""
    match payload:
        case e.RulingMade() if RULING not in heeds:
            yield "type", NO_RULING, RULING
        case e.WagerPlaced() | e.WagerChanged():
            for field, word in WORDS.items():
                found = getattr(payload, field, word.plain[0])
                if field not in heeds and found not in word.plain:
                    yield field, word.instead, repr(found)
