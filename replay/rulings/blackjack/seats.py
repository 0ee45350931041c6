"""Blackjack: who sits where (SA-BJ:3.3.1, 3.4.6)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from replay.rounds import Round
from replay.rulebooks.terms import BadTerms
from replay.ruled import Memory
from schemas import events as e


class Seats(NamedTuple):
    """The seats as they stood at no more bets, and what is to be said of them."""

    holders: Mapping[str, str]  # seat to player, in the order they were taken
    kept: Mapping[str, str]  # those of them that nobody left until the end of the round
    second: Mapping[str, str]  # seats taken by a player who had another one
    taken_in_play: Mapping[str, str]  # seat to the event that took it during play
    taken_over: Mapping[str, str]  # seat to the event that took it from another player
    kept_idle: tuple[str, ...]  # seats that had to be vacated before this round


def seated(round: Round, memory: Memory) -> Seats:
    """Who sits where in a round."""
    standing = dict(round.seats)
    holders: dict[str, str] | None = None
    in_play: dict[str, str] = {}
    end = round.betting_end
    for event in _in_play(round.events):
        if end is not None and event.event_id == end.event.event_id:
            holders = dict(standing)
        match event.payload:
            case e.SeatTaken(player_id=player, box=seat):
                standing.pop(seat, None)
                standing[seat] = player
                if holders is not None:
                    in_play[seat] = event.event_id
            case e.SeatLeft(box=seat):
                standing.pop(seat, None)
    held = dict(standing) if holders is None else holders
    kept = {seat: player for seat, player in held.items() if standing.get(seat) == player}
    return Seats(
        held, kept, _second(held), in_play, _taken_over(round), _kept_idle(round, held, memory)
    )


def _taken_over(round: Round) -> Mapping[str, str]:
    """Seats that a player took while another one sat there."""
    sitting: dict[str, str] = {}
    found: dict[str, str] = {}
    for n, event in enumerate((*round.before, *round.events)):
        if n == len(round.before):
            sitting |= round.seats
        match event.payload:
            case e.SeatTaken(player_id=player, box=seat):
                if sitting.get(seat, player) != player:
                    found[seat] = event.event_id
                sitting[seat] = player
            case e.SeatLeft(box=seat):
                sitting.pop(seat, None)
    return found


def _in_play(events: Sequence[e.Event]) -> Sequence[e.Event]:
    """The events until the round was closed; until its last settlement where it never was."""
    for kind, step in ((e.RoundClosed, 1), (e.WagerSettled, -1)):
        ends = [n for n, event in enumerate(events) if isinstance(event.payload, kind)]
        if ends:
            return events[: ends[::step][0]]
    return events


def _second(holders: Mapping[str, str]) -> Mapping[str, str]:
    """Every seat but the first one of each player."""
    first: dict[str, str] = {}
    for seat, player in holders.items():
        first.setdefault(player, seat)
    return {seat: player for seat, player in holders.items() if first[player] != seat}


def _kept_idle(round: Round, holders: Mapping[str, str], memory: Memory) -> tuple[str, ...]:
    """SA-BJ:3.4.6. Seats without action in the round before that nobody was made to leave."""
    left = set()
    for event in (*round.before, *round.events):
        match event.payload:
            case e.BettingClosed():
                break
            case e.SeatLeft(box=seat):
                left.add(seat)
    return tuple(
        seat for seat in _names(memory.get("idle", ())) if seat in holders and seat not in left
    )


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise BadTerms(f"carry.idle: a list of seats expected, {value!r} found")
    return tuple(value)
