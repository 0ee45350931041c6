"""The wagers of a round as they stood when betting ended, in the order they were placed."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from replay.betting_end import End
from schemas import events as e


class Withdrawal(NamedTuple):
    """An attempt to take a wager back: the clause it relies on, and the rank that gave leave."""

    clause: str
    leave_rank: str
    event_id: str
    early: bool = False  # made before betting ended


@dataclass(frozen=True, slots=True)
class Wager:
    """One player's chips on one bet."""

    wager_id: str
    player_id: str
    bet: str
    stake: int
    box: str
    event_id: str
    placed: e.WagerPlaced
    late: bool = False  # placed after betting had ended
    late_changes: tuple[str, ...] = ()  # ids of changes after that, which do not count
    illegal_moves: tuple[str, ...] = ()  # ids of moves to a place the layout does not have
    withdrawal: Withdrawal | None = None
    added: int = 0  # chips added later where the rules allow it, as on a doubled hand
    end: End | None = None  # when betting on it ended; None while it is open

    @property
    def lying(self) -> int:
        """All the chips on it."""
        return self.stake + self.added


def at_close(
    events: Iterable[e.Event],
    end: End | None,
    legal: Callable[[str], bool] = lambda _: True,
    refused: Collection[str] = (),
    lays: Callable[[str, int], bool] = lambda _bet, _stake: True,
) -> tuple[Wager, ...]:
    """Every wager of the round that nobody took back in time.

    The table's order decides what came after the end of betting, never a clock. A wager stays where
    it was if it is moved to a position that is not legal or that cannot take its stake (`lays`), or
    if it is placed again under its id. `refused` holds the ids of withdrawals and reductions that
    do not count although they came in time.
    """
    wagers: dict[str, Wager] = {}
    ended = False
    for event in events:
        ended |= end is not None and event.event_id == end.event.event_id
        match event.payload:
            case e.WagerPlaced() as placed if placed.wager_id not in wagers:
                wagers[placed.wager_id] = Wager(
                    placed.wager_id,
                    placed.player_id,
                    placed.bet,
                    placed.stake,
                    placed.box,
                    event.event_id,
                    placed,
                    late=ended,
                    end=end,
                )
            case e.WagerChanged() as change if change.wager_id in wagers:
                known = wagers[change.wager_id]
                if ended:
                    late = (*known.late_changes, event.event_id)
                    wagers[change.wager_id] = replace(known, late_changes=late)
                elif not _possible(known, change, legal, lays):
                    moves = (*known.illegal_moves, event.event_id)
                    wagers[change.wager_id] = replace(known, illegal_moves=moves)
                elif event.event_id in refused:
                    less = Withdrawal("", "", event.event_id, early=True)
                    wagers[change.wager_id] = replace(known, withdrawal=less)
                else:
                    wagers[change.wager_id] = _changed(known, change)
            case e.WagerWithdrawn() as back if back.wager_id in wagers:
                if not ended and event.event_id not in refused:
                    del wagers[back.wager_id]
                else:
                    asked = Withdrawal(back.clause, back.leave_rank, event.event_id, not ended)
                    known = wagers[back.wager_id]
                    wagers[back.wager_id] = replace(known, withdrawal=asked)
    return tuple(wagers.values())


def evidence(events: Iterable[e.Event]) -> dict[str, tuple[str, ...]]:
    """The ids of the events that placed, changed or took back each wager."""
    ids: dict[str, tuple[str, ...]] = {}
    for event in events:
        match event.payload:
            case (
                e.WagerPlaced(wager_id=wager_id)
                | e.WagerChanged(wager_id=wager_id)
                | e.WagerWithdrawn(wager_id=wager_id)
            ):
                ids[wager_id] = (*ids.get(wager_id, ()), event.event_id)
    return ids


def repeated(events: Iterable[e.Event], end: End | None) -> Iterator[e.Event]:
    """Placings under an id that a wager on the layout has; one taken back in time is off it."""
    lying: set[str] = set()
    ended = False
    for event in events:
        ended |= end is not None and event.event_id == end.event.event_id
        match event.payload:
            case e.WagerPlaced(wager_id=wager_id):
                if wager_id in lying:
                    yield event
                lying.add(wager_id)
            case e.WagerWithdrawn(wager_id=wager_id) if not ended:
                lying.discard(wager_id)


def _possible(
    wager: Wager,
    change: e.WagerChanged,
    legal: Callable[[str], bool],
    lays: Callable[[str, int], bool],
) -> bool:
    after = _changed(wager, change)
    return (change.bet is None or legal(change.bet)) and lays(after.bet, after.stake)


def _changed(wager: Wager, change: e.WagerChanged) -> Wager:
    reserve = wager.placed.reserve if change.reserve is None else change.reserve
    return replace(
        wager,
        bet=wager.bet if change.bet is None else change.bet,
        stake=wager.stake if change.stake is None else change.stake,
        placed=replace(wager.placed, reserve=reserve),
    )
