"""Dragon Tiger in bulk: a round burn, one card for Dragon, one for Tiger."""

from typing import ClassVar

import numpy as np

from replay.bulk import cards
from replay.bulk.game import BulkGame
from replay.bulk.games.scores import score_called
from replay.bulk.results import Results, Verdict, calls_agree, distinct
from replay.bulk.usual import ENDING, Order, Usual
from replay.games import dragon_tiger as game
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import dragon_tiger as rulings
from schemas import events as e
from schemas.cards import DECK


class DragonTiger(BulkGame):
    """Usual is a round with two cards in their order, burned before with one card face down."""

    ORDER: ClassVar[Order] = (
        (e.RoundOpened,), (e.CardsBurned,), (e.BettingOpened,), (e.WagerPlaced,),
        (e.BettingClosed,), (e.StakeRead,), (e.CardDrawn, e.CardsObserved), (e.ResultCalled,),
        *ENDING,
    )  # fmt: skip
    ONCE = (e.CardsBurned,)
    ANYWHERE = (e.CutCardReached,)

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The result by both cards, as the rules of the game say it of each pair."""
        del memory
        cards.from_one_shoe(usual, terms.decks)
        burned = usual.frame.of(e.CardsBurned)
        turned = usual.frame.coded("first_card", {"": 1})[burned["first_card"]] != 1
        usual.leave("another burn", burned.round[turned | (burned["count"] != 1)])
        dealt = cards.dealt(usual, game.SIDES, terms.decks)
        usual.leave("not two cards", dealt.cards != len(game.SIDES))
        usual.leave("another order of cards", dealt.round[dealt.hand != dealt.nth])
        dragon, tiger = np.maximum(dealt.laid(len(usual.frame), 2), 0).T
        codes, verdicts = distinct(VERDICTS)
        found = Results(codes[dragon * len(DECK) + tiger], verdicts)
        calls_agree(usual, found, lambda call, at: score_called(rulings.said(call), at))
        return found


def _verdict(found: tuple[str, str, frozenset[str]]) -> Verdict:
    outcome, result, facts = found
    return Verdict(outcome, result, facts, (rulings.BOOK.result,))


VERDICTS = tuple(
    map(
        _verdict,
        zip(game.outcome.table(), rulings.result.table(), game.facts.table(), strict=True),
    )
)
GAME = DragonTiger()
