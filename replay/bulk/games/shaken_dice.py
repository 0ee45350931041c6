"""Sic Bo, Fish Prawn Crab and Thai HiLo: one shake of three dice, flat and apart.

Usual is a round with one shake after no more bets that tumbled often enough, whose sensor read
three dice of the game lying flat and apart. A camera that looked was sure and saw the same dice,
and who called a result called these.
"""

from collections.abc import Callable, Iterable
from typing import ClassVar

import numpy as np

from replay.bulk.frame import NO_TEXT, Column, Kind
from replay.bulk.game import BulkGame
from replay.bulk.results import Results, Verdict, calls_agree, distinct, shown_by
from replay.bulk.usual import ENDING, OPENING, Order, Usual, no_colour_chips
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings.shared import shaken_dice, strange_words
from replay.rulings.shared.shaken_dice import Dice, ShakenDiceClauses
from replay.witnesses import CERTAIN
from schemas import events as e

SOURCES = ("dealer", "board")
Facts = Callable[[Dice, Terms], frozenset[str]]


class ShakenDiceGame(BulkGame):
    """One of the three games, by its book and its facts."""

    ORDER: ClassVar[Order] = (
        *OPENING, (e.StakeRead,), (e.ShakerStarted,), (e.ShakerStopped,),
        (e.ShakerOpened, e.DiceObserved), (e.ResultCalled,), *ENDING,
    )  # fmt: skip
    ONCE = (e.ShakerStarted, e.ShakerStopped, e.ShakerOpened)

    REPEATS = (e.ReshakeOrdered,)

    def __init__(self, book: ShakenDiceClauses, facts: Facts) -> None:
        self.book, self.facts = book, facts

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The dice of each round."""
        del memory
        frame, opened = usual.frame, usual.frame.of(e.ShakerOpened)
        no_colour_chips(usual)
        shown_by(usual, SOURCES)
        stopped, camera = frame.of(e.ShakerStopped), frame.of(e.DiceObserved)
        few = stopped["tumbles"] < self.book.least
        usual.leave("too few tumbles", stopped.round[few])
        usual.leave("two looks of the camera", frame.count(e.DiceObserved) > 1)
        for seen in (opened, camera):
            usual.leave("dice on an edge or on one another", seen.round[_lie_badly(seen)])
        usual.leave("an unsure camera", camera.round[camera["probability"] < CERTAIN])
        dice, known = distinct([self._dice(word) for word in frame.words.get("faces", (NO_TEXT,))])
        none = np.array([at is None for at in known], bool)
        usual.leave("no dice of the game", opened.round[none[dice[opened["faces"]]]])
        lay = np.zeros(len(frame), np.int64)
        lay[opened.round] = opened["faces"]
        other = dice[camera["seen"]] != dice[lay[camera.round]]
        usual.leave("a camera that saw other dice", camera.round[other])
        verdicts = tuple(
            self._verdict(word, terms) for word in frame.words.get("faces", (NO_TEXT,))
        )
        found = Results(lay, verdicts)
        calls_agree(usual, found, lambda call, at: shaken_dice.said(self.book, call) == at.result)
        return found

    def set_aside(self, round: Round, terms: Terms) -> Iterable[str]:
        """The shakes before the one that decides, if each of them had to be repeated."""
        del terms
        seen = shaken_dice.look(self.book, round.events)
        if seen.deciding is None or [*shaken_dice.flags(self.book, round, seen)]:
            return ()
        if [*strange_words.remarks(self.book.words, round.events)]:
            return ()
        again = (look for look in seen.looked if look is not seen.deciding)
        return (event_id for look in again for event_id in look.shake.evidence)

    def _dice(self, word: str) -> Dice | None:
        return self.book.dice(tuple(word.split("-")))

    def _verdict(self, word: str, terms: Terms) -> Verdict:
        dice = self._dice(word)
        if dice is None:
            return Verdict("", "", frozenset(), ())
        outcome = shaken_dice.shown(self.book, tuple(word.split("-")), dice)
        result = shaken_dice.word(dice)
        return Verdict(outcome, result, self.facts(dice, terms), (self.book.entered,))


def _lie_badly(seen: Kind) -> Column:
    bad: Column = (seen["flat"] != 1) | (seen["overlap"] != 0)
    return bad
