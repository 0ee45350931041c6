"""Baccarat of SA Gaming in bulk: both hands dealt by SA-BC:2.3 from a shoe in order."""

from typing import ClassVar

import numpy as np

from replay.bulk import cards
from replay.bulk.game import BulkGame
from replay.bulk.games import two_hands
from replay.bulk.games.scores import score_called
from replay.bulk.games.two_hands import SCORES, Cards, specimen
from replay.bulk.results import Results, Verdict, calls_agree
from replay.bulk.usual import Order, Usual
from replay.games import baccarat as game
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import baccarat as rulings
from replay.tabulated import tabulated
from schemas import events as e


@tabulated(SCORES, SCORES, SCORES)
def lawful(player: int, banker: int, third: int) -> tuple[int, int]:
    """How many cards each hand gets; the third card counts where Player draws it (SA-BC:2.3)."""
    hand = (*specimen(player), specimen(third)[0])
    deal = game.lawful(game.Deal(hand, (*specimen(banker), specimen(0)[0])))
    return len(deal.player), len(deal.banker)


class Baccarat(BulkGame):
    """Usual is a lawful deal whose cards the camera saw alike, and bets that are open."""

    ORDER: ClassVar[Order] = two_hands.ORDER
    ANYWHERE = (e.CutCardReached,)

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The result of both hands."""
        del memory
        cards.from_one_shoe(usual, terms.decks)
        _closed_bets(usual, terms)
        dealt = two_hands.hands(usual, game.score, lawful, terms.decks)
        reading = terms.readings["natural_tie"]

        def ask(player: Cards, banker: Cards) -> Verdict:
            deal = game.Deal(player, banker)
            facts = game.facts(deal, reading)
            word = rulings.called(deal).word
            return Verdict(game.outcome(deal), word, facts, (rulings.BOOK.result,))

        found = two_hands.results(usual, dealt, ask)
        calls_agree(usual, found, _agrees)
        return found


def _agrees(call: str, found: Verdict) -> bool:
    """A call of a natural is left to the plain lane, which knows whether one lay there."""
    natural = rulings.NATURAL.search(call.lower())
    return not natural and score_called(rulings.said(call), found)


def _closed_bets(usual: Usual, terms: Terms) -> None:
    """Leave rounds with a bet that is no longer open in this round of the shoe (SA-BC:2.5)."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    last = rulings.last_rounds(terms.readings)
    bets = [bet.removesuffix(game.NO_COMMISSION) for bet in frame.words.get("bet", ())]
    until = np.array([last.get(bet, np.iinfo(np.int64).max) for bet in bets], np.int64)
    number = frame.shoe["rounds"][placed.round] + 1
    usual.leave("a bet no longer open", placed.round[number > until[placed["bet"]]])


GAME = Baccarat()
