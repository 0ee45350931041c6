"""Xoc Dia in bulk: one throw, four tokens that lie flat and apart under the bowl."""

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from replay.bulk.game import BulkGame
from replay.bulk.results import Results, Verdict, calls_agree, shown_by
from replay.bulk.usual import ENDING, Order, Usual, no_colour_chips
from replay.games import xoc_dia as game
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import xoc_dia as rulings
from replay.rulings.shared import strange_words
from replay.rulings.xoc_dia import throws
from replay.rulings.xoc_dia.throws import REVEALED
from replay.witnesses import CERTAIN
from schemas import events as e


class XocDia(BulkGame):
    """Usual is a round shaken once, whose tokens the sensor and a sure camera read alike."""

    ORDER: ClassVar[Order] = (
        (e.RoundOpened,), (e.BettingOpened,), (e.WagerPlaced, e.ShakerStarted, e.ShakerStopped),
        (e.BettingClosed,), (e.StakeRead,), (e.BowlRemoved,), (e.TokensRevealed,),
        (e.TokensObserved,), (e.ResultCalled,), *ENDING,
    )  # fmt: skip
    ONCE = (e.ShakerStarted, e.ShakerStopped, e.BowlRemoved, e.TokensRevealed)

    REPEATS = (e.ReshakeOrdered, e.EquipmentDropped)

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The tokens of each round as they lay."""
        del terms, memory
        frame = usual.frame
        no_colour_chips(usual)
        shown_by(usual, rulings.WORDS.shown_by)
        _shaken_once(usual)
        bowl, plate, camera = map(frame.of, (e.BowlRemoved, e.TokensRevealed, e.TokensObserved))
        usual.leave("a bowl that touched a token", bowl.round[bowl["touched_token"] != 0])
        lies_badly = (plate["standing"] != 0) | (plate["overlapping"] != 0)
        usual.leave("tokens on edge or on one another", plate.round[lies_badly])
        words = frame.words.get("faces", ("",))
        verdicts = tuple(map(_verdict, words))
        none = np.array([not verdict.result for verdict in verdicts], bool)
        usual.leave("no four tokens", plate.round[none[plate["faces"]]])
        lay = np.zeros(len(frame), np.int64)
        lay[plate.round] = plate["faces"]
        reds = np.array(
            [
                words.index(next(w for w in words if _verdict(w).result == at.result))
                for at in verdicts
            ]
        )
        other = reds[camera["seen"]] != reds[lay[camera.round]]
        usual.leave("a camera that saw other tokens", camera.round[other])
        usual.leave("an unsure camera", camera.round[camera["probability"] < CERTAIN])
        usual.leave("two looks of the camera", frame.count(e.TokensObserved) > 1)
        found = Results(lay, verdicts)
        calls_agree(usual, found, lambda call, at: rulings.said(call) == at.result)
        return found

    def set_aside(self, round: Round, terms: Terms) -> Iterable[str]:
        """The throws before the one that decides, if each of them had to be repeated."""
        looked = throws.looks(round.events, terms.readings)
        deciding = throws.decisive(looked)
        if deciding is None or [*throws.flags(looked, closed=True)]:
            return ()
        if [*strange_words.remarks(rulings.WORDS, round.events)]:
            return ()
        again = (look for look in looked if look is not deciding)
        return (event_id for look in again for event_id in look.throw.evidence)


def _shaken_once(usual: Usual) -> None:
    """Leave rounds whose shaker stopped before it started."""
    frame = usual.frame
    places = np.zeros((2, len(frame)), np.int64)
    for n, kind in enumerate((e.ShakerStarted, e.ShakerStopped)):
        places[n, frame.of(kind).round] = frame.of(kind).place
    usual.leave("a shaker that stopped before it started", places[1] < places[0])


def _verdict(word: str) -> Verdict:
    faces = game.tokens(tuple(word.split("-")))
    if faces is None:
        return Verdict("", "", frozenset(), ())
    reds = game.reds(faces)
    return Verdict("".join(faces), game.RESULT[reds], game.facts(reds), (REVEALED,))


GAME = XocDia()
