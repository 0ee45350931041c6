"""Hoiana Roulette: which wagers count, and where they lie.

Rulebook RO, clauses 4.2 to 4.10, 6.6 and 7.11: late, called and illegal wagers, rulings on a
chip's place, colour chips at their own value.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from replay.betting_end import BALL, CLOSE, DOLLY, find
from replay.games import roulette_hoiana as game
from replay.rounds import Round
from replay.ruled import Flag
from replay.rulings.roulette_hoiana import chips
from replay.rulings.roulette_hoiana.orders import Orders
from replay.sentence import say
from replay.wagers import Wager, at_close
from schemas import events as e

MIRROR_TRIO = "trio:0-2-3"


class WagerAtRest(NamedTuple):
    """A wager where it lies when the ball rests."""

    wager: Wager
    fate: str  # refused, returned, or empty where it is in play
    clauses: tuple[str, ...]
    flags: tuple[Flag, ...]


def lying(
    round: Round, orders: Orders, colours: chips.Colours, readings: Mapping[str, str]
) -> tuple[WagerAtRest, ...]:
    """Every wager of the round in the order placed, with what was wrong with it."""
    legal = _legal(readings["zero_trio"])
    wagers = at_close(round.events, round.betting_end, legal)
    at_rest = _at_rest(round, legal) if readings["late_actions"] == "as_at_rest" else None
    return tuple(
        _lies(wager, round.table_id, orders, colours, legal=legal, at_rest=at_rest)
        for wager in wagers
    )


def shown(event: e.Event) -> str:
    """What shows everybody where the ball rests (RO:4.10)."""
    match event.payload:
        case e.BallLanded():
            return BALL
        case e.DollyPlaced():
            return DOLLY
    return ""


def relied(wagers: tuple[WagerAtRest, ...], readings: Mapping[str, str]) -> dict[str, str]:
    """The readings of unclear clauses that the standing of these wagers depends on."""
    names = []
    if any(lying.wager.late_changes or lying.wager.withdrawal for lying in wagers):
        names.append("late_actions")
    if any(lying.wager.bet == MIRROR_TRIO for lying in wagers):
        names.append("zero_trio")
    return {name: readings[name] for name in names}


def _lies(
    wager: Wager,
    table_id: str,
    orders: Orders,
    colours: chips.Colours,
    *,
    legal: Callable[[str], bool],
    at_rest: Mapping[str, Wager] | None,
) -> WagerAtRest:
    moved = _moved(wager, at_rest)
    valued = chips.valued(moved or wager, table_id, colours)
    placed, misruled = _ruled(valued, orders, legal)
    refusals = tuple(_refusals(placed, legal))
    fate, clauses = "", list[str]()
    if refusals:
        fate, clauses = "refused", [flag.clause for flag in refusals]
    elif moved is None:
        fate, clauses = "returned", ["RO:4.10"]
    if chips.foreign(placed, table_id):
        clauses.append("RO:7.11")
    if orders.positions.get(placed.wager_id) == placed.bet:
        clauses.append("RO:6.6")
    flags = (*refusals, *_late_actions(wager), *_illegal_moves(wager), *misruled)
    return WagerAtRest(placed, fate, tuple(clauses), flags)


def _legal(zero_trio: str) -> Callable[[str], bool]:
    if zero_trio == "both":
        return game.legal
    return lambda position: position != MIRROR_TRIO and game.legal(position)


def _refusals(wager: Wager, legal: Callable[[str], bool]) -> Iterator[Flag]:
    """Why a wager is not accepted; its stake goes back."""
    placed, subject = wager.placed, wager.wager_id
    if wager.late:
        yield Flag("LATE_BET", "RO:4.6", subject, say("RO.placed_after", end=_ended(wager)))
    if not (placed.chips_presented and placed.placed_in_time):
        note = say("RO.called_too_late") if placed.chips_presented else say("RO.called_no_chips")
        yield Flag("CALL_BET_NOT_PLACED", "RO:4.3", subject, note)
    if not legal(wager.bet):
        note = say("RO.not_on_layout", bet=wager.bet)
        yield Flag("ILLEGAL_POSITION", "RO:4.8", subject, note)


def _late_actions(wager: Wager) -> Iterator[Flag]:
    """RO:4.6. What was done to a wager after no more bets; to a late one it makes no odds."""
    done = len(wager.late_changes) + (wager.withdrawal is not None)
    if done and not wager.late:
        note = say("RO.changed_after", end=_ended(wager))
        if wager.withdrawal:
            note = say("RO.withdrawn_after", end=_ended(wager))
        yield Flag("LATE_ACTION", "RO:4.6", wager.wager_id, note)


def _illegal_moves(wager: Wager) -> Iterator[Flag]:
    if wager.illegal_moves:
        note = say("RO.moved_off_layout", bet=wager.bet)
        yield Flag("ILLEGAL_POSITION", "RO:4.8", wager.wager_id, note)


def _ruled(
    wager: Wager, orders: Orders, legal: Callable[[str], bool]
) -> tuple[Wager, tuple[Flag, ...]]:
    """The wager on the position it was ruled to lie on (RO:6.6)."""
    position = orders.positions.get(wager.wager_id)
    if position is None:
        return wager, ()
    if not legal(position):
        note = say("RO.ruled_off_layout", bet=position)
        return wager, (Flag("ILLEGAL_POSITION", "RO:4.8", wager.wager_id, note),)
    return replace(wager, bet=position), ()


def _at_rest(round: Round, legal: Callable[[str], bool]) -> Mapping[str, Wager]:
    """The wagers as they lay when the ball came to rest, whatever had been announced (RO:4.10)."""
    events = [event for event in round.events if not isinstance(event.payload, e.BettingClosed)]
    return {wager.wager_id: wager for wager in at_close(events, find(events, shown), legal)}


def _ended(wager: Wager) -> str:
    return wager.end.by if wager.end else CLOSE


def _moved(wager: Wager, at_rest: Mapping[str, Wager] | None) -> Wager | None:
    """The wager where a late change left it, or None where a late withdrawal took it away."""
    if at_rest is None or wager.late or not (wager.late_changes or wager.withdrawal):
        return wager
    left = at_rest.get(wager.wager_id)
    return left and replace(wager, bet=left.bet, stake=left.stake)
