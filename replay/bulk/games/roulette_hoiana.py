"""Hoiana Roulette in bulk: one spin while bets are taken, colour chips at their own value.

Who holds which colour changes between rounds only, so `chips.noted` is asked of the rounds before
which chips were issued or redeemed, and holds until the next of them.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from replay.bulk.frame import NO_TEXT, Column, RoundFrame
from replay.bulk.game import BulkGame
from replay.bulk.games.wheels import pockets
from replay.bulk.results import Results, Verdict, calls_agree, for_each, shown_by
from replay.bulk.usual import ENDING, Order, Usual, owner
from replay.games import roulette_hoiana as game
from replay.games.shared import called_number
from replay.rulebooks.terms import Terms
from replay.ruled import Memory
from replay.rulings import roulette_hoiana as rulings
from replay.rulings.roulette_hoiana import chips, payment_order, wagers
from replay.rulings.roulette_hoiana.spin import REVOLUTIONS
from replay.wagers import Wager
from schemas import events as e

ISSUES = (e.ColourChipsIssued, e.RulingMade)
NO_VALUE = -1


class HoianaRoulette(BulkGame):
    """Usual is a round whose ball ran against the wheel and whose winners were paid in order."""

    ORDER: ClassVar[Order] = (
        (e.RoundOpened,), (e.BettingOpened,), (e.WagerPlaced, e.BallReleased), (e.BettingClosed,),
        (e.StakeRead,), (e.BallTracked,), (e.BallLanded,), (e.ResultCalled, e.DollyPlaced), *ENDING,
    )  # fmt: skip
    ONCE = (e.BallReleased, e.BallTracked, e.BallLanded, e.DollyPlaced)

    def __init__(self) -> None:
        self._sets: list[chips.Sets] = [{}]  # of the frame: those carried, then after each issue
        self._version = np.zeros(0, np.int64)  # of each round, its place among them

    def results(self, usual: Usual, terms: Terms, memory: Memory) -> Results:
        """The pocket of each round."""
        shown_by(usual, rulings.WORDS.shown_by)
        found = Results(pockets(usual, REVOLUTIONS, len(game.POCKETS)), VERDICTS)
        calls_agree(usual, found, _agrees)
        self._note_issues(usual, terms, memory)
        self._value_chips(usual)
        return found

    def legal(self, terms: Terms, legal: Callable[[str], bool]) -> Callable[[str], bool]:
        """The layout by the posted reading of the trios at zero."""
        both = terms.readings["zero_trio"] == "both"
        return lambda bet: (both or bet != wagers.MIRROR_TRIO) and legal(bet)

    def standing(self, bet: str, facts: frozenset[str]) -> tuple[str, ...]:
        """What zero does to the other bets (RO:6.2)."""
        return rulings.on_zero(bet) if facts == game.facts(0) else ()

    def paid(self, usual: Usual, found: Results, terms: Terms) -> None:
        """Leave rounds whose winners were paid in another order (RO:6.3 to 6.5)."""
        frame, seen = usual.frame, usual.frame.of(e.WagerSettled)
        own = owner(frame, seen["wager_id"])
        rows = np.flatnonzero((seen["paid"] > 0) & usual.kept[seen.round])
        round, wager = seen.round[rows], own[rows]
        reading = terms.readings["one_payment"]
        doubtful = np.unique(round[_may_be_wrong(usual, round, wager, found, reading)])
        starts, ends = (np.searchsorted(round, doubtful, side=at) for at in ("left", "right"))
        wrong = [
            n
            for n, start, end in zip(doubtful, starts, ends, strict=True)
            if payment_order.breach(
                [_wager(usual, at) for at in wager[start:end]], int(found.key[n]), reading
            )
        ]
        usual.leave("another order of payment", np.array(wrong, np.int64))

    def left(self, usual: Usual, found: Results, round: int, known: Memory) -> Memory:
        """Where the ball won, and whose chips are whose."""
        del usual, known
        sets = self._sets[self._version[round]]
        left: dict[str, object] = {"previous_pocket": int(found.key[round])}
        if sets:
            left["colour_chips"] = {
                colour: dict(sorted(holders.items())) for colour, holders in sorted(sets.items())
            }
        return left

    def _note_issues(self, usual: Usual, terms: Terms, memory: Memory) -> None:
        """The sets in use in each round; leaves rounds with an issue against the rules."""
        frame = usual.frame
        told = [at.round for kind in ISSUES for at in (frame.ahead(kind), frame.of(kind))]
        rounds = np.unique(np.concatenate(told))
        self._sets = [dict(memory.get("colour_chips", {}))]
        for n in rounds.tolist():
            colours = chips.noted(frame.rounds[n], terms, {"colour_chips": self._sets[-1]})
            if colours.flags:
                usual.leave("chips issued against the rules", np.array([n]))
            self._sets.append(colours.sets)
        self._version = np.searchsorted(rounds, np.arange(len(frame)), side="right")

    def _value_chips(self, usual: Usual) -> None:
        """Leave rounds with colour chips that are not the player's own, or worth another stake."""
        frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
        tables = [_table(name, frame.rounds[0].table_id) for name in _words(frame, "chips_table")]
        table = np.array(tables, np.int64)[placed["chips_table"]]
        rows = np.flatnonzero(table != 0)
        round, colour, player = (
            at[rows] for at in (placed.round, placed["colour"], placed["player_id"])
        )
        colours, players = (_words(frame, name) for name in ("colour", "player_id"))
        version = self._version[round]
        key = (version * len(colours) + colour) * len(players) + player

        def value_of(n: int) -> int:
            held = self._sets[int(version[n])].get(colours[colour[n]], {})
            worth: int = held.get(players[player[n]], NO_VALUE)
            return worth

        codes, values = for_each(key, value_of)
        value = np.array(values, np.int64)[codes] if len(rows) else key
        own = (table[rows] == 1) & (value != NO_VALUE)
        right = own & (placed["chips"][rows] * value == placed["stake"][rows])
        usual.leave("colour chips of others, or another stake than theirs", round[~right])


def _agrees(call: str, found: Verdict) -> bool:
    return rulings.said(call) == found.result and not any(called_number.strange(call))


def _words(frame: RoundFrame, name: str) -> Sequence[str]:
    return frame.words.get(name, ())


def _table(name: str, own: str) -> int:
    """0 for chips of the house, 1 for colour chips of this table, 2 for those of another."""
    return 0 if name == NO_TEXT else 1 if name == own else 2


def _may_be_wrong(
    usual: Usual, round: Column, wager: Column, found: Results, reading: str
) -> Column:
    """Whether a winner was not paid plainly by rank: the payments of such a round are looked at."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    kinds = [game.kind(bet) for bet in frame.words.get("bet", ())]
    near = np.isin(found.key[round], payment_order.NEAR_ZERO)
    ranks = np.array(
        [[rank.get(kind, 0) for kind in kinds] for rank in (USUAL_RANK, NEAR_ZERO_RANK)], np.int64
    )
    rank = ranks[near.astype(np.int64), placed["bet"][wager]]
    follows = np.zeros(len(round), bool)
    follows[1:] = round[1:] == round[:-1]
    falls = np.zeros(len(round), bool)
    falls[1:] = follows[1:] & (rank[1:] < rank[:-1])
    grouped = (near | (reading == "always")) & follows
    doubtful: Column = falls | grouped | (placed["stack"][wager] != 0)
    return doubtful


def _wager(usual: Usual, row: int) -> Wager:
    """A wager as the order of payment looks at it."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    bet, player = (frame.words[name][placed[name][row]] for name in ("bet", "player_id"))
    stack = int(placed["stack"][row])
    return Wager("", player, bet, 0, "", "", e.WagerPlaced("", player, bet, 0, stack=stack))


USUAL_RANK, NEAR_ZERO_RANK = payment_order.USUAL_RANK, payment_order.NEAR_ZERO_RANK
VERDICTS = tuple(
    Verdict(game.shown(pocket), str(pocket), facts, ("RO:4.10",))
    for pocket, facts in zip(game.POCKETS, game.facts.table(), strict=True)
)
GAME = HoianaRoulette()
