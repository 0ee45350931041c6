"""Hoiana Roulette: colour chips, whose they are and what they are worth.

Rulebook RO, clauses 4.7 and 7.11. The sets in use are carried from round to round under
`colour_chips`: colour to the value of each holder.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from replay.rounds import Round
from replay.ruling import Flag, Memory
from replay.rulings.roulette_hoiana_orders import foreign_clause
from replay.terms import BadTerms, Terms
from replay.wagers import Wager
from schemas import events as e
from schemas.ranks import at_least

Sets = dict[str, dict[str, int]]  # colour to holder to value of one chip


class Colours(NamedTuple):
    """The sets in use after a round's issues, and what was wrong with those."""

    sets: Sets
    flags: tuple[Flag, ...]


def noted(round: Round, terms: Terms, memory: Memory) -> Colours:
    """The sets in use: those carried, and those issued or redeemed since the round before."""
    sets = _carried(memory.get("colour_chips", {}))
    flags: list[Flag] = []
    for event in (*round.before, *round.events):
        match event.payload:
            case e.ColourChipsIssued() as issue:
                flags += _of_issue(issue, sets, terms)
                sets.setdefault(issue.colour, {})[issue.player_id] = issue.value
            case e.RulingMade(decision="redeemed") as made if not foreign_clause(made):
                _redeem(sets, made.subject, made.value)
    return Colours(sets, tuple(flags))


def valued(wager: Wager, table_id: str, sets: Mapping[str, Mapping[str, int]]) -> Wager:
    """The wager at what its colour chips are worth at their own table (RO:7.11)."""
    chips = wager.placed.chips
    if chips is None or wager.stake != wager.placed.stake:
        return wager  # chips of the house, or an amount that was stated anew
    return replace(wager, stake=chips.count * _value(chips, wager.player_id, table_id, sets))


def _value(
    chips: e.Chips, player: str, table_id: str, sets: Mapping[str, Mapping[str, int]]
) -> int:
    """What one chip is worth: as issued to the player here, as stated for another table's."""
    own = chips.table_id == table_id
    return sets.get(chips.colour, {}).get(player, chips.value) if own else chips.value


def foreign(wager: Wager, table_id: str) -> bool:
    """Whether the wager was made with colour chips of another table (RO:4.7.4)."""
    chips = wager.placed.chips
    return chips is not None and chips.table_id != table_id


def of_wagers(
    wagers: tuple[Wager, ...], table_id: str, sets: Mapping[str, Mapping[str, int]]
) -> Iterator[Flag]:
    """What the wagers show: a wrong stake, another table's chips, one colour in two hands."""
    seen = {colour: set(holders) for colour, holders in sets.items()}
    for wager in wagers:
        chips = wager.placed.chips
        if chips is None:
            continue
        yield from _misstated(wager, chips, _value(chips, wager.player_id, table_id, sets))
        if chips.table_id != table_id:
            note = f"{chips.count} chips of table {chips.table_id} at {chips.value} each"
            yield Flag("FOREIGN_COLOUR_CHIPS", "RO:7.11", wager.wager_id, note)
        elif wager.player_id not in seen.setdefault(chips.colour, {wager.player_id}):
            note = f"{chips.colour} is held by {', '.join(sorted(seen[chips.colour]))}"
            yield Flag("COLOUR_SHARED", "RO:4.7.2", wager.wager_id, note)


def _misstated(wager: Wager, chips: e.Chips, value: int) -> Iterator[Flag]:
    """RO:4.7.5. Chips are worth what their marker says, whatever stake was entered with them."""
    worth, stated = chips.count * value, wager.placed.stake
    if wager.stake == worth != stated:
        note = f"{stated:,} was entered, {chips.count} chips at {value:,} are {worth:,}"
        yield Flag("STAKE_CONTRADICTED", "RO:4.7.5", wager.wager_id, note)


def _carried(held: Any) -> Sets:
    """The sets of the rounds before; a sheet may carry them, so they are looked at."""
    if isinstance(held, Mapping) and all(
        isinstance(holders, Mapping) and all(type(value) is int for value in holders.values())
        for holders in held.values()
    ):
        return {colour: dict(holders) for colour, holders in held.items()}
    raise BadTerms(f"carry colour_chips: colour to holder to value expected, {held!r:.60} found")


def _of_issue(issue: e.ColourChipsIssued, sets: Sets, terms: Terms) -> Iterator[Flag]:
    player, colour = issue.player_id, issue.colour
    others = {
        other: holders[player]
        for other, holders in sets.items()
        if player in holders and other != colour
    }
    # RO:4.7.3, RO:4.7.3.1. One leave of a pit manager covers the second set and its value.
    if others and not at_least(issue.leave_rank, "pit_manager"):
        had = ", ".join(sorted(others))
        yield Flag("SECOND_COLOUR_SET", "RO:4.7.3", player, f"{colour} besides {had}")
        if set(others.values()) != {issue.value}:
            note = f"{colour} at {issue.value}, {had} at {min(others.values())}"
            yield Flag("COLOUR_VALUE_DIFFERS", "RO:4.7.3", player, note)
    holders = sorted(set(sets.get(colour, ())) - {player})
    if holders:
        yield Flag("COLOUR_SHARED", "RO:4.7.2", player, f"{colour} is held by {holders[0]}")
    minimum = min((limit.minimum for limit in terms.limits.values()), default=None)
    if minimum is not None and issue.value > minimum and not issue.marker:
        note = f"{colour} at {issue.value}, table minimum {minimum}"
        yield Flag("VALUE_MARKER_MISSING", "RO:4.7.5", player, note)


def _redeem(sets: Sets, player: str, colour: str) -> None:
    for name in [colour] if colour else sorted(sets):
        sets.get(name, {}).pop(player, None)
        if not sets.get(name, True):
            del sets[name]
