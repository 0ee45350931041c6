"""Blackjack: who sits where (SA-BJ:3.3.1, 3.4.6)."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from replay.rounds import Round
from replay.ruling import Memory
from replay.terms import BadTerms
from schemas import events as e

Taken = tuple[tuple[str, str], ...]  # seat and player, in the order they were taken


class Seats(NamedTuple):
    """The seats as they stood at no more bets, and as the next round finds them."""

    holders: Mapping[str, str]  # seat to player
    second: frozenset[str]  # seats taken by a player who had another one
    after: Taken
    taken_in_play: Mapping[str, str]  # seat to the event that took it during a round
    idle: tuple[str, ...]  # seats that had no action in the round before
    evidence: Mapping[str, str]  # seat to the event that took it, where that is in this round

    def kept_idle(self) -> tuple[str, ...]:
        """Seats that should have been vacated before this round."""
        return tuple(seat for seat in self.idle if seat in self.holders)


def seated(round: Round, memory: Memory) -> Seats:
    """Who sits where in a round."""
    standing = dict(_taken(memory.get("seats", ())))
    in_play: dict[str, str] = {}
    evidence: dict[str, str] = {}
    idle = _names(memory.get("idle", ()))
    holders: dict[str, str] | None = None
    for event in (*round.before, *round.events):
        match event.payload:
            case e.BettingClosed() if holders is None:
                holders = dict(standing)
            case e.SeatTaken(player_id=player, box=seat):
                standing.pop(seat, None)
                standing[seat] = player
                evidence[seat] = event.event_id
                idle = tuple(name for name in idle if name != seat)
                if holders is not None and not _over(round, event):
                    in_play[seat] = event.event_id
            case e.SeatLeft(box=seat):
                standing.pop(seat, None)
                if holders is None:
                    idle = tuple(name for name in idle if name != seat)
    at_close = dict(standing) if holders is None else holders
    return Seats(at_close, _second(at_close), tuple(standing.items()), in_play, idle, evidence)


def _second(holders: Mapping[str, str]) -> frozenset[str]:
    """Every seat but the first one of each player."""
    first: dict[str, str] = {}
    for seat, player in holders.items():
        first.setdefault(player, seat)
    return frozenset(seat for seat, player in holders.items() if first[player] != seat)


def _over(round: Round, event: e.Event) -> bool:
    """Whether the round was closed before an event."""
    closed = (at.seq for at in round.events if isinstance(at.payload, e.RoundClosed))
    return any(seq < event.seq for seq in closed)


def _taken(value: Any) -> Taken:
    wanted = 'pairs such as ["3", "p1"]'
    if not isinstance(value, list | tuple):
        raise BadTerms(f"carry.seats: {wanted} expected, {value!r} found")
    for place in value:
        if not isinstance(place, list | tuple) or [*map(type, place)] != [str, str]:
            raise BadTerms(f"carry.seats: {wanted} expected, {place!r} found")
    return tuple((seat, player) for seat, player in value)


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise BadTerms(f"carry.idle: a list of seats expected, {value!r} found")
    return tuple(value)


def as_memory(after: Taken, idle: Iterable[str]) -> dict[str, Any]:
    """What the next round needs to know, as plain JSON values."""
    return {"seats": [list(place) for place in after], "idle": list(idle)}
