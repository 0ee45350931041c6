"""Which rounds of a frame are usual; each of the others keeps the first reason why it is not.

A usual round has the events of its kind in their order and nothing else, every witness agrees, and
every wager is settled once, as due. What every game asks for stands here; each game adds its own.
The predicate may be too strict, which costs time, but never too wide: whatever it lets pass must be
judged by the plain lane as the tables say.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from replay.bulk.frame import CODE, KINDS, NO_TEXT, SET_ASIDE, Column, RoundFrame
from replay.rulebooks.terms import Terms
from schemas import events as e

STRANGE, ASIDE = (
    255,
    254,
)  # places of kinds that no usual round has, and of those that count nothing
LARGEST = 10**12  # no usual stake: times any odds it stays a 64-bit number
NOTHING_TOLD = (e.DeviceBeat, e.TrayCounted)
BETWEEN = (  # what happens between rounds and is no rule's business
    *NOTHING_TOLD, e.TableOpened, e.TermsPosted, e.StaffCameOn, e.StaffWentOff,
)  # fmt: skip

# The order in which the events of a usual round come; kinds of one place come in any order.
Order = Sequence[tuple[type[Any], ...]]
OPENING: Order = ((e.RoundOpened,), (e.BettingOpened,), (e.WagerPlaced,), (e.BettingClosed,))
ENDING: Order = ((e.WagerSettled,), (e.RoundClosed,))
ONCE = (e.RoundOpened, e.BettingClosed, e.RoundClosed)


class Usual:
    """The rounds of a frame, each usual until something says otherwise."""

    def __init__(self, frame: RoundFrame) -> None:
        self.frame = frame
        self._reason = np.zeros(len(frame), np.int64)
        self._reasons = [""]

    @property
    def kept(self) -> Column:
        """Whether each round is usual."""
        kept: Column = self._reason == 0
        return kept

    def is_kept(self, round: int) -> bool:
        """Whether one round is usual."""
        return not self._reason[round]

    def reason(self, round: int) -> str:
        """Why a round is not usual; empty where it is."""
        return self._reasons[int(self._reason[round])]

    def leave(self, reason: str, rounds: Column) -> None:
        """Leave rounds to the plain lane: as many truths as rounds, or the numbers of some."""
        code = self._code(reason)
        if rounds.dtype != bool:
            numbers, rounds = rounds, np.zeros(len(self._reason), bool)
            rounds[numbers] = True
        self._reason[rounds & (self._reason == 0)] = code

    def _code(self, reason: str) -> int:
        if reason not in self._reasons:
            self._reasons.append(reason)
        return self._reasons.index(reason)


def in_order(
    usual: Usual, order: Order, once: Sequence[type[Any]], anywhere: Sequence[type[Any]] = ()
) -> None:
    """Leave rounds with events of other kinds, in another order, or not as often as they must."""
    frame = usual.frame
    places = np.full(SET_ASIDE + 1, STRANGE)
    places[SET_ASIDE] = ASIDE
    for n, kinds in enumerate(order):
        places[[CODE[kind] for kind in kinds]] = n
    places[[CODE[kind] for kind in NOTHING_TOLD]] = ASIDE
    places[[CODE[kind] for kind in anywhere]] = ASIDE
    place = places[frame.kind]
    for code in np.unique(frame.kind[place == STRANGE]):
        usual.leave(KINDS[code].__name__, frame.round[frame.kind == code])
    counts = place != ASIDE
    place, round = place[counts], frame.round[counts]
    falls = (place[1:] < place[:-1]) & (round[1:] == round[:-1])
    usual.leave("another order of events", round[1:][falls])
    for kind in (*ONCE, *once):
        usual.leave(f"not one {kind.__name__}", frame.count(kind) != 1)


def in_any_game(usual: Usual, terms: Terms, legal: Callable[[str], bool]) -> None:
    """Leave rounds that are doubtful or whose wagers, stakes or calls are not plain."""
    frame = usual.frame
    usual.leave("a reading moved, missing or in doubt", frame.marked)
    closed = frame.of(e.RoundClosed)
    settled = frame.coded("status", {"settled": 1})[closed["status"]] != 1
    usual.leave("closed otherwise than settled", closed.round[settled])
    _wagers(usual, terms, legal)
    _stakes_read(usual)
    placed, seen = frame.of(e.WagerPlaced), frame.of(e.WagerSettled)
    times = np.bincount(seen["wager_id"], minlength=len(frame.words.get("wager_id", ())))
    usual.leave("not one settlement a wager", placed.round[times[placed["wager_id"]] != 1])
    own = owner(frame, seen["wager_id"])
    usual.leave("a settlement of no wager", seen.round[_elsewhere(frame, own, seen.round)])


def owner(frame: RoundFrame, wager_id: Column) -> Column:
    """The row of the placing of each wager named; -1 where it was never placed."""
    placed = frame.of(e.WagerPlaced)["wager_id"]
    rows = np.full(len(frame.words.get("wager_id", ())), -1)
    rows[placed] = np.arange(len(placed))
    return rows[wager_id]


def _elsewhere(frame: RoundFrame, own: Column, round: Column) -> Column:
    """Whether each event names no wager of its own round."""
    rounds = frame.of(e.WagerPlaced).round
    return (own < 0) | (rounds[own] != round) if len(rounds) else np.full(len(round), True)


def _wagers(usual: Usual, terms: Terms, legal: Callable[[str], bool]) -> None:
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    twice = np.bincount(placed["wager_id"], minlength=len(frame.words.get("wager_id", ())))
    usual.leave("a wager placed twice", placed.round[twice[placed["wager_id"]] > 1])
    bets = frame.words.get("bet", ())
    offered = np.array([legal(bet) for bet in bets], bool)
    usual.leave("a bet not offered", placed.round[~offered[placed["bet"]]])
    limits = [terms.limit(bet) for bet in bets]
    least = np.array([limit.minimum if limit else 0 for limit in limits], np.int64)
    most = np.array([limit.maximum if limit else LARGEST for limit in limits], np.int64)
    stake, bet = placed["stake"], placed["bet"]
    outside = (stake < np.maximum(least[bet], 1)) | (stake > np.minimum(most[bet], LARGEST))
    usual.leave("a stake outside the limits", placed.round[outside])
    entered = (placed["placed_in_time"] == 1) & (placed["chips_presented"] == 1)
    usual.leave("a bet entered late or without chips", placed.round[~entered])


def _stakes_read(usual: Usual) -> None:
    """A sensor that sees anything but the stake, or sees it change."""
    frame, read = usual.frame, usual.frame.of(e.StakeRead)
    own = owner(frame, read["wager_id"])
    usual.leave("a stake read of no wager", read.round[_elsewhere(frame, own, read.round)])
    if len(own) and len(frame.of(e.WagerPlaced)):
        other = read["amount"] != frame.of(e.WagerPlaced)["stake"][own]
        usual.leave("another stake read", read.round[other | (read["change"] != 0)])


def no_colour_chips(usual: Usual) -> None:
    """Leave rounds with colour chips, in a game that has no rule for them."""
    frame, placed = usual.frame, usual.frame.of(e.WagerPlaced)
    own = frame.coded("chips_table", {NO_TEXT: 1})[placed["chips_table"]] != 1
    usual.leave("colour chips", placed.round[own])


def nothing_else_before(usual: Usual, known: Sequence[type[Any]] = ()) -> None:
    """Leave rounds before which the table told more than that it is there, or of `known` kinds."""
    for kind, ahead in usual.frame.before.items():
        if kind not in (*BETWEEN, *known):
            usual.leave(f"{kind.__name__} before", ahead.round)


def no_reserve(usual: Usual) -> None:
    """Leave rounds with a reserve, in a game that takes none."""
    placed = usual.frame.of(e.WagerPlaced)
    usual.leave("a reserve", placed.round[placed["reserve"] != 0])
