"""Andar Bahar in bulk: the place of the match, and what the first three cards form."""

from typing import ClassVar

import numpy as np

from replay.bulk import cards
from replay.bulk.cards import Dealt
from replay.bulk.frame import Column
from replay.bulk.game import BulkGame
from replay.bulk.games.scores import score_called
from replay.bulk.hands import RANKS, Triples, held
from replay.bulk.results import Answers, Results, Verdict, calls_agree
from replay.bulk.usual import ENDING, OPENING, Order, Usual
from replay.games import andar_bahar as game
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import andar_bahar as rulings
from schemas import events as e
from schemas.cards import DECK

HANDS = (game.GAME, *game.SIDES)
NO_CARDS = Verdict("", "", frozenset(), ())


class AndarBahar(BulkGame):
    """Usual is a Game Card before the bets, and after them cards by turns up to the first match."""

    ORDER: ClassVar[Order] = (*OPENING, (e.StakeRead,), (e.ResultCalled,), *ENDING)
    ONCE = (e.BettingOpened,)
    ANYWHERE = (e.CardDrawn, e.CardsObserved)

    def __init__(self) -> None:
        self._patterns: Triples | None = None
        self._verdicts: dict[str, Answers[Verdict]] = {}

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The side and number of the match."""
        del memory
        cards.from_fresh_deck(usual)
        dealt = cards.dealt(usual, HANDS, 1)
        _in_turn(usual, dealt)
        usual.leave("no card after the Game Card", dealt.cards < 2)
        found = self._look_up(usual, dealt, terms.readings["deal_order"])
        calls_agree(usual, found, lambda call, at: score_called(rulings.said(call), at))
        return found

    def left(self, usual: Usual, found: Results, round: int, known: Memory) -> Memory:
        """A deck that was used."""
        del usual, found, round, known
        return {"deck_used": True}

    def _look_up(self, usual: Usual, dealt: Dealt, deal_order: str) -> Results:
        """The verdict by the number of the match and the pattern of the first three cards."""
        laid = dealt.laid(len(usual.frame), len(DECK))
        good = usual.kept
        patterns = self._patterns = self._patterns or Triples(game.pattern)
        three = np.where((good & (dealt.cards > 2))[:, None], laid[:, :3], (0, 1, 2))
        key = np.where(good, dealt.cards * len(patterns.found) + patterns.of(three), -1)
        answers = self._verdicts.setdefault(deal_order, Answers())

        def verdict(n: int) -> Verdict:
            if key[n] < 0:
                return NO_CARDS
            first, *others = held(laid[n, : dealt.cards[n]].tolist())
            sides = (game.SIDES[turn % 2] for turn in range(len(others)))
            deal = game.Deal(first, tuple(zip(sides, others, strict=True)))
            won = game.winner(deal, deal_order)
            return Verdict(
                f"{won.capitalize()} {deal.matched}",
                f"{won} {deal.matched}",
                game.facts(deal, deal_order),
                (rulings.BOOK.result,),
            )

        return Results(answers.of(key, verdict), answers.found)


def _in_turn(usual: Usual, dealt: Dealt) -> None:
    """Leave rounds whose cards came to other sides, at another time, or not up to the match."""
    frame, drawn = usual.frame, usual.frame.of(e.CardDrawn)
    turn = np.where(dealt.nth == 0, 0, 1 + (dealt.nth - 1) % 2)
    usual.leave("another order of cards", dealt.round[dealt.hand != turn])
    rank = dealt.card % RANKS
    turned = np.full(len(frame), -1)
    turned[dealt.round[dealt.nth == 0]] = rank[dealt.nth == 0]
    match = (dealt.nth > 0) & (rank == turned[dealt.round])
    last = dealt.nth == dealt.cards[dealt.round] - 1
    usual.leave("no match, or cards after it", dealt.round[(dealt.nth > 0) & (match != last)])
    opened, closed, called = (
        _place(usual, kind) for kind in (e.BettingOpened, e.BettingClosed, e.ResultCalled)
    )
    seen = frame.of(e.CardsObserved)
    zone = frame.coded("hand", {game.GAME: 0}, unknown=1)[seen["zone"]]
    for round, place, first in (
        (drawn.round, drawn.place, dealt.nth == 0),
        (seen.round, seen.place, zone == 0),
    ):
        early = place < opened[round]
        in_time = (place > closed[round]) & (place < called[round])
        usual.leave("a card at another time", round[np.where(first, ~early, ~in_time)])


def _place(usual: Usual, kind: type[e.Payload]) -> Column:
    """The place of the first event of a kind in each round; beyond all where there is none."""
    found = usual.frame.of(kind)
    place = np.full(len(usual.frame), np.iinfo(np.int64).max)
    np.minimum.at(place, found.round, found.place)
    return place


GAME = AndarBahar()
