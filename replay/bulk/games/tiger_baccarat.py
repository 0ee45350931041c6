"""Hoiana Tiger Baccarat in bulk: both hands dealt by TB:4.13 to 4.16, every stake in action."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from replay.bulk import cards
from replay.bulk.frame import Column
from replay.bulk.game import BulkGame
from replay.bulk.games import two_hands
from replay.bulk.games.two_hands import SCORES, Cards, specimen
from replay.bulk.results import Results, Verdict, calls_agree
from replay.bulk.usual import Order, Usual
from replay.games import tiger_baccarat as game
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import tiger_baccarat as rulings
from replay.rulings.tiger_baccarat.carry import CarriedState
from replay.rulings.tiger_baccarat.limits import SIDES
from replay.tabulated import tabulated
from schemas import events as e

OF_THE_SHOE = ("last_hand_announced", "last_hand_dealt", "free_hand", "lying")  # go with it
NEUTRAL = ("below_min_used", "below_min_before", "shoe")  # what may be carried into a usual round


@tabulated(SCORES, SCORES, SCORES)
def lawful(player: int, banker: int, third: int) -> tuple[int, int]:
    """How many cards each hand gets; the third card counts where Player draws it."""
    thirds = (specimen(third)[0], specimen(0)[0])
    first, second = specimen(player), specimen(banker)
    deal = game.deal_out((first[0], second[0], first[1], second[1], *thirds))
    return len(deal.player), len(deal.banker)


class TigerBaccarat(BulkGame):
    """Usual is a lawful deal in mid-shoe, with no stake that a limit or the differential cuts."""

    ORDER: ClassVar[Order] = tuple(
        (*kinds, e.CardHandled) if e.CardDrawn in kinds else kinds for kinds in two_hands.ORDER
    )

    ANYWHERE = (e.CutCardReached,)

    def legal(self, terms: Terms, legal: Callable[[str], bool]) -> Callable[[str], bool]:
        """The bets of the layout (TB:4.5)."""
        del terms, legal
        return game.BETS.__contains__

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The result of both hands."""
        del memory
        cards.from_one_shoe(usual, terms.decks)
        _in_action(usual, terms)
        _squeezed(usual)
        dealt = two_hands.hands(usual, game.points, lawful, terms.decks)
        found = two_hands.results(usual, dealt, _verdict)
        calls_agree(usual, found, lambda call, at: rulings.said(call) == at.result)
        return found

    def left(self, usual: Usual, found: Results, round: int, known: Memory) -> Memory:
        """The shoe, and who used up the one settlement below the minimum."""
        del found
        shoe = usual.frame.words["shoe_id"][usual.frame.shoe["id"][round]]
        used, before = (known.get(name, ()) for name in ("below_min_used", "below_min_before"))
        another = known.get("shoe", shoe) != shoe  # then all of them used it up before
        return CarriedState(
            below_min_used=tuple(sorted(used)),
            below_min_before=tuple(sorted(used if another else before)),
            shoe=shoe,
        ).memory

    def neutral(self, usual: Usual, round: int, memory: Memory) -> bool:
        """Nothing lies on the table, no Free Hand is due, and the shoe may go on."""
        gone = OF_THE_SHOE if usual.frame.shoe["rounds"][round] == 0 else ()
        return all(not memory[name] for name in memory if name not in (*NEUTRAL, *gone))


def _verdict(player: Cards, banker: Cards) -> Verdict:
    deal = game.Deal(player, banker)
    return Verdict(game.outcome(deal), game.winner(deal), game.facts(deal), ("TB:6.1",))


def _in_action(usual: Usual, terms: Terms) -> None:
    """Leave rounds in which a player's chips on a bet, or a side's lead, reach a limit."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    players, bets = (len(frame.words.get(name, ())) for name in ("player_id", "bet"))
    key = (placed.round * players + placed["player_id"]) * bets + placed["bet"]
    several = np.sort(key)
    usual.leave(
        "several wagers of a player on a bet",
        several[1:][several[1:] == several[:-1]] // max(1, players * bets),
    )
    if terms.differential is None:
        return
    sides = frame.coded("bet", {side: n for n, side in enumerate(SIDES)})[placed["bet"]]
    player, banker = (_sum(usual, placed["stake"] * (sides == n)) for n in range(len(SIDES)))
    over = np.abs(player - banker) > terms.differential
    if terms.readings["differential"] == "each_box_to_d":
        over |= np.maximum(player, banker) > terms.differential
    usual.leave("the differential exceeded", over)


def _squeezed(usual: Usual) -> None:
    """Leave rounds whose cards were handled otherwise than by a player with the highest bet."""
    frame, placed, handled = (
        usual.frame,
        usual.frame.of(e.WagerPlaced),
        usual.frame.of(e.CardHandled),
    )
    if not len(handled):
        return
    squeeze = frame.coded("purpose", {"squeeze": 1})[handled["purpose"]] == 1
    hand = frame.coded("hand", dict.fromkeys(game.HANDS, 1))[handled["hand"]] == 1
    players = len(frame.words.get("player_id", ()))
    highest = np.zeros(len(frame), np.int64)
    np.maximum.at(highest, placed.round, placed["stake"])
    top = placed["stake"] == highest[placed.round]
    leads = np.isin(
        handled.round * players + handled["player_id"],
        placed.round[top] * players + placed["player_id"][top],
    )
    usual.leave("cards handled by somebody else", handled.round[~(squeeze & hand & leads)])


def _sum(usual: Usual, stake: Column) -> Column:
    """Stakes added up by round, in whole numbers."""
    total = np.zeros(len(usual.frame), np.int64)
    np.add.at(total, usual.frame.of(e.WagerPlaced).round, stake)
    return total


GAME = TigerBaccarat()
