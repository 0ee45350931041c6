"""Teen Patti 20-20 in bulk: two hands of three, factored by class and rank, and the best five."""

from typing import ClassVar

import numpy as np

from replay.bulk import cards
from replay.bulk.frame import Column
from replay.bulk.game import BulkGame
from replay.bulk.games import two_hands
from replay.bulk.games.scores import score_called
from replay.bulk.hands import Triples, five_of, held
from replay.bulk.results import Answers, Results, Verdict, calls_agree
from replay.bulk.usual import Order, Usual
from replay.games import teen_patti as game
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import teen_patti as rulings


class TeenPatti(BulkGame):
    """Usual is a round of six cards by turns from a deck shuffled before it."""

    ORDER: ClassVar[Order] = two_hands.ORDER

    def __init__(self) -> None:
        self._ranks: Triples | None = None
        self._by_reading: dict[tuple[str, str], tuple[Answers[str], Answers[Verdict]]] = {}

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The result of both hands, by their ranks and the best five of all cards."""
        del memory
        frame = usual.frame
        cards.from_fresh_deck(usual)
        dealt = cards.dealt(usual, game.HANDS, 1)
        usual.leave("another count of cards than the rules deal", dealt.cards != len(game.TURNS))
        usual.leave("another order of cards", dealt.round[dealt.hand != dealt.nth % 2])
        tie, low_straight = terms.readings["tie"], terms.readings["low_straight"]
        if tie != "class_first":
            usual.leave("a reading of ties without a table", np.ones(len(frame), bool))
        laid = dealt.laid(len(frame), len(game.TURNS))
        found = self._look_up(laid, usual.kept, tie, low_straight)
        calls_agree(usual, found, lambda call, at: score_called(rulings.said(call), at), _of_hand)
        return found

    def left(self, usual: Usual, found: Results, round: int, known: Memory) -> Memory:
        """A deck that was used."""
        del usual, found, round, known
        return {"deck_used": True}

    def _look_up(self, laid: Column, good: Column, tie: str, low_straight: str) -> Results:
        """The verdict of each row of six cards; the rules are asked once for each kind of deal."""
        sixes, verdicts = self._by_reading.setdefault(
            (tie, low_straight), (Answers[str](), Answers[Verdict]())
        )
        ranks = self._ranks = self._ranks or Triples(game.rank)
        height, classes = _heights(ranks)
        rows = np.where(good[:, None], laid, np.arange(len(game.TURNS)))

        def six(n: int) -> str:
            return game.six_cards(held(rows[n].tolist()), low_straight)

        def verdict(n: int) -> Verdict:
            hands = (held(rows[n, ::2].tolist()), held(rows[n, 1::2].tolist()))
            deal = game.Deal(*hands)
            won = game.winner(deal, tie)
            facts = game.facts(deal, tie, low_straight)
            word = rulings.called_result(deal, won).word
            return Verdict(rulings.outcome(deal, won), word, facts, (rulings.BOOK.result,))

        a, b = ranks.of(rows[:, ::2]), ranks.of(rows[:, 1::2])
        key = np.sign(height[a] - height[b]) + 1
        for part, size in (
            (classes[a], len(game.CLASSES)),
            (classes[b], len(game.CLASSES)),
            (five_of(sixes, rows, six), len(game.SIX) + 1),
        ):
            key = key * size + part
        return Results(verdicts.of(key, verdict), verdicts.found)


def _heights(ranks: Triples) -> tuple[Column, Column]:
    """How high each rank stands among all of them, and its class."""
    ordered = {rank: n for n, rank in enumerate(sorted(ranks.found))}
    height = np.array([ordered[rank] for rank in ranks.found], np.int64)
    return height, np.array([rank.place for rank in ranks.found], np.int64)


def _of_hand(box: str, call: str, found: Verdict) -> bool:
    """Whether a class that was recorded for a hand, or for all six cards, is that of its cards."""
    word = rulings.class_word(call)
    if box == rulings.BONUS:
        return word == rulings.best(found.facts)
    return game.held(box, word) in found.facts


GAME = TeenPatti()
