"""What a game's modules offer the rest of the house, and what holds where they offer nothing.

The judge finds a game by the name in its edition: `replay/games/<name>` has the rules of play and
`replay/rulings/<name>` has what becomes of a round. Each is read into one of the records below. A
field with a default may be missing from the module; any other must be there.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from replay.betting_end import End
from replay.play_events import PLAYING_CARDS, Instruments
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Waits
from replay.settle import Due, Gaps
from schemas import events as e
from schemas.cards import Card


def _no_place(position: str) -> bool:
    del position
    return False


def _no_words(clause: str) -> tuple[str, ...]:
    del clause
    return ()


def _never_early(due: Due) -> bool:
    del due
    return False


NO_FACES = ("no faces, as the game has none,", lambda _: None)


class Game(NamedTuple):
    """What a module of `replay/games` offers by name."""

    legal: Callable[[str], bool] = _no_place  # whether the layout has a position, such as split:1-2
    UNPRICED: Collection[str] = ()  # kinds of bet that no paytable names
    HANDS: tuple[str, ...] = ()  # the hands that have names; boxes and seats are numbers
    PLAYED_WITH: Instruments = PLAYING_CARDS
    # What dice or tokens can show, in words and as the game reads it; None where they cannot.
    SHOWS: tuple[str, Callable[[tuple[str, ...]], object]] = NO_FACES

    # The hand that each card of the shoe belongs to by the rules of play, until the deal is
    # complete; None where the cards run out before. Missing where players have a say in it.
    lawful_hands: Callable[[Sequence[Card]], tuple[str, ...] | None] | None = None
    # The same where every box with a wager is dealt in: the boxes come after the cards.
    lawful_packets: Callable[[Sequence[Card], Iterable[str]], tuple[str, ...] | None] | None = None
    # The same where players choose between the cards, and no choice says whose a card is: the hands
    # as they were dealt, the boxes and the posted readings give the hands as the rules have them.
    lawful_order: (
        Callable[[Sequence[str], Iterable[str], Mapping[str, str]], tuple[str, ...]] | None
    ) = None

    def has(self, position: str) -> bool:
        """Whether a bet may be laid there, beyond the bets that the edition names itself."""
        return position in self.UNPRICED or self.legal(position)


class Rulings(NamedTuple):
    """What a module of `replay/rulings` offers by name."""

    CARRIED: Carried  # what a round may leave for the next one
    COUNTDOWN: bool  # bets are taken until a countdown is over, else until the dealer's call
    WAITS: Waits  # events that must not come before betting ends
    KNOWN_EVENTS: Kinds  # the events of play that the rules look at
    PLAY_CLAUSE: str  # the clause that says how a round goes
    betting_end: Callable[[Sequence[e.Event], Terms], End | None]
    rule: Callable[[Round, Terms, Memory], Ruled]  # the round after section 7 of its rulebook
    said: Callable[[str], str]  # a called or entered result in the words of the derived one
    # The game's flags for wagers settled otherwise than due, each with its differences.
    mispaid: Callable[[Sequence[tuple[Due, Gaps]]], Iterable[Flag]]
    # Whether a wager may be settled before the round has its result.
    may_settle_early: Callable[[Due], bool] = _never_early
    # Whether the rulebook itself speaks of settlements that belong to another round.
    TELLS_OF_OTHER_ROUNDS: bool = False
    ADDS_WAGERS: bool = False  # whether play adds wagers that are named after the first one
    # What the rules read that most games pass over: RulingMade, or a field of terms or wagers.
    HEEDS: frozenset[str] = frozenset()
    # Whether the rules say what becomes of play that comes after every wager was settled.
    RULES_AFTERWARDS: bool = False
    CHOICE_CLAUSES: tuple[str, ...] = ()  # the clauses under which somebody may choose
    # The words that a ruling under a clause may decide in; none where nobody has to rule.
    ruling_words: Callable[[str], tuple[str, ...]] = _no_words
    # What checks ask of a game by name, as macros in SQL (audit/checks/views.py).
    BURNS_BY_CARD: bool = False  # a shoe's first card is turned over and says how many are burned
    DEALS_TO_SIDES: bool = False  # cards go to two sides by turns, until one matches
    LIMITS_BY_RULING: bool = False  # the rulings alone say which wager is over the maximum
    RULES_ON_JAMS: bool = False  # the rules ask for a ruling after a jam of the device
    VOID_AFTER_CALL: bool = False  # what happened before a result was called may void it afterwards
    # Whether a hand is none of the game's; False where the game's own remarks say so.
    foreign_hand: Callable[[str], bool] = _no_place


@cache
def game(name: str) -> Game:
    """The game of this name."""
    module = vars(import_module(f"replay.games.{name}"))
    return Game(**{field: module[field] for field in Game._fields if field in module})


@cache
def rulings(name: str) -> Rulings:
    """The rulings of the game of this name."""
    module = vars(import_module(f"replay.rulings.{name}"))
    return Rulings(**{field: module[field] for field in Rulings._fields if field in module})
