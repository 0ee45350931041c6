"""Hoiana Roulette: colour chips, whose they are and what they are worth.

Rulebook RO, clauses 4.7 and 7.11. The sets in use are carried from round to round under
`colour_chips`: colour to the value of each holder. A set that is issued once betting has ended is
for the next round; it values no chips that lie on the layout.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from replay.rounds import Round
from replay.rulebooks.terms import BadTerms, Terms
from replay.ruled import Flag, Memory, Step
from replay.rulings.roulette_hoiana.orders import foreign_clause
from replay.sentence import say
from replay.wagers import Wager
from schemas import events as e
from schemas.ranks import at_least

Sets = dict[str, dict[str, int]]  # colour to holder to value of one chip


class Colours(NamedTuple):
    """The sets in use after a round's issues, and what was wrong with those."""

    sets: Sets
    flags: tuple[Flag, ...]
    values: Mapping[str, int]  # wager to what one chip was worth when it was placed
    betting: Sets  # the sets that were in use when betting ended
    late: Mapping[tuple[str, str], str]  # colour and holder to the event that issued it after that


def noted(round: Round, terms: Terms, memory: Memory) -> Colours:
    """The sets in use: those carried, and those issued or redeemed since the round before."""
    sets = _carried(memory.get("colour_chips", {}))
    flags: list[Flag] = []
    values: dict[str, int] = {}
    betting: Sets | None = None
    late: dict[tuple[str, str], str] = {}
    for event in (*round.before, *round.events):
        match event.payload:
            case e.ColourChipsIssued() as issue:
                flags += _of_issue(issue, sets, terms)
                sets.setdefault(issue.colour, {})[issue.player_id] = issue.value
                if betting is not None:
                    late.setdefault((issue.colour, issue.player_id), event.event_id)
            case e.RulingMade(decision="redeemed") as made if not foreign_clause(made):
                _redeem(sets, made.subject, made.value)
            case e.WagerPlaced(chips=e.Chips(colour=colour)) as bet:
                worth = sets.get(colour, {}).get(bet.player_id)
                if worth is not None:
                    values.setdefault(bet.wager_id, worth)
        if round.betting_end and event.event_id == round.betting_end.event.event_id:
            betting = _carried(sets)
    return Colours(sets, tuple(flags), values, sets if betting is None else betting, late)


def valued(wager: Wager, table_id: str, colours: Colours) -> Wager:
    """The wager at what its colour chips are worth at their own table (RO:7.11)."""
    chips = wager.placed.chips
    if chips is None or wager.stake != wager.placed.stake:
        return wager  # chips of the house, or an amount that was stated anew
    return replace(wager, stake=chips.count * _value(chips, wager, table_id, colours))


def _value(chips: e.Chips, wager: Wager, table_id: str, colours: Colours) -> int:
    """What one chip is worth: as issued to the player here, as stated for another table's."""
    if chips.table_id != table_id:
        return chips.value
    issued = colours.betting.get(chips.colour, {}).get(wager.player_id, chips.value)
    return colours.values.get(wager.wager_id, issued)


def foreign(wager: Wager, table_id: str) -> bool:
    """Whether the wager was made with colour chips of another table (RO:4.7.4)."""
    chips = wager.placed.chips
    return chips is not None and chips.table_id != table_id


def of_wagers(wagers: tuple[Wager, ...], table_id: str, colours: Colours) -> Iterator[Flag]:
    """What the wagers show: a wrong stake, another table's chips, one colour in two hands."""
    seen = {colour: set(holders) for colour, holders in colours.betting.items()}
    for wager in wagers:
        chips = wager.placed.chips
        if chips is None:
            continue
        yield from _misstated(wager, chips, _value(chips, wager, table_id, colours))
        if chips.table_id != table_id:
            note = say("RO.foreign_chips", n=chips.count, table=chips.table_id, value=chips.value)
            yield Flag("FOREIGN_COLOUR_CHIPS", "RO:7.11", wager.wager_id, note)
        elif wager.player_id not in seen.setdefault(chips.colour, {wager.player_id}):
            holders = tuple(sorted(seen[chips.colour]))
            note = say("RO.colour_held", colour=chips.colour, holders=holders)
            yield Flag("COLOUR_SHARED", "RO:4.7.2", wager.wager_id, note)
    for step in issued_late(wagers, table_id, colours):
        yield Flag("COLOUR_ISSUED_LATE", "RO:4.7", step.wager_id, step.text)


def issued_late(wagers: tuple[Wager, ...], table_id: str, colours: Colours) -> Iterator[Step]:
    """Wagers whose chips nobody had issued until betting had ended: the value entered stands."""
    for wager in wagers:
        chips = wager.placed.chips
        if chips is None or chips.table_id != table_id or wager.wager_id in colours.values:
            continue
        event_id = colours.late.get((chips.colour, wager.player_id))
        if event_id and wager.player_id not in colours.betting.get(chips.colour, {}):
            text = say(
                "RO.colour_issued_late",
                colour=chips.colour,
                player=wager.player_id,
                value=chips.value,
            )
            yield Step(text, ("RO:4.7",), (wager.event_id, event_id), wager.wager_id)


def _misstated(wager: Wager, chips: e.Chips, value: int) -> Iterator[Flag]:
    """RO:4.7.5. Chips are worth what their marker says, whatever stake was entered with them."""
    worth, stated = chips.count * value, wager.placed.stake
    if wager.stake == worth != stated:
        note = say("RO.stake_misstated", stated=stated, n=chips.count, value=value, worth=worth)
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
    held = {name: worth[player] for name, worth in sets.items() if player in worth}
    others = sorted(held.keys() - {colour})
    if others and not at_least(issue.leave_rank, "pit_manager"):
        note = say("RO.second_colour", colour=colour, others=tuple(others))
        yield Flag("SECOND_COLOUR_SET", "RO:4.7.3", player, note)
    # RO:4.7.3.1. Another value is a leave of its own, for a second colour and for the same one.
    differ = sorted(name for name, worth in held.items() if worth != issue.value)
    if differ and not at_least(issue.value_leave_rank, "pit_manager"):
        had = tuple(say("RO.colour_at", colour=name, value=held[name]) for name in differ)
        note = say("RO.colour_beside", colour=colour, value=issue.value, others=had)
        yield Flag("COLOUR_VALUE_DIFFERS", "RO:4.7.3", player, note)
    holders = sorted(set(sets.get(colour, ())) - {player})
    if holders:
        note = say("RO.colour_held", colour=colour, holders=(holders[0],))
        yield Flag("COLOUR_SHARED", "RO:4.7.2", player, note)
    minimum = min((limit.minimum for limit in terms.limits.values()), default=None)
    if minimum is not None and issue.value > minimum and not issue.marker:
        note = say("RO.above_minimum", colour=colour, value=issue.value, minimum=minimum)
        yield Flag("VALUE_MARKER_MISSING", "RO:4.7.5", player, note)


def _redeem(sets: Sets, player: str, colour: str) -> None:
    for name in [colour] if colour else sorted(sets):
        sets.get(name, {}).pop(player, None)
        if not sets.get(name, True):
            del sets[name]
