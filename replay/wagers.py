"""The wagers of a round as they stood when betting ended."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from replay.betting_end import End
from schemas import events as e


class Withdrawal(NamedTuple):
    """A wager taken back when it could not be: the clause it relies on and who gave leave."""

    clause: str
    leave_rank: str
    event_id: str
    early: bool = False  # before betting ended


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
    late_changes: tuple[str, ...] = ()  # ids of changes after it, which do not count
    illegal_moves: tuple[str, ...] = ()  # ids of moves to a place the layout does not have
    withdrawal: Withdrawal | None = None
    added: int = 0  # put on it later where the rules allow that, as on a doubled hand
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
    """Every wager of the round that was not taken back in time, in the order placed.

    The place in the table's order decides what came after the end, never a clock. A move to
    a position that is not legal, or that the stake cannot be laid on (`lays`), leaves the wager
    where it was, and so does a second placing under its id. `refused` are the ids of withdrawals,
    and of changes that take something back, which do not count although they came in time.
    """
    wagers: dict[str, Wager] = {}
    closed = False
    for event in events:
        closed |= end is not None and event.event_id == end.event.event_id
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
                    late=closed,
                    end=end,
                )
            case e.WagerChanged() as change if change.wager_id in wagers:
                known = wagers[change.wager_id]
                if closed:
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
                if not closed and event.event_id not in refused:
                    del wagers[back.wager_id]
                else:
                    asked = Withdrawal(back.clause, back.leave_rank, event.event_id, not closed)
                    known = wagers[back.wager_id]
                    wagers[back.wager_id] = replace(known, withdrawal=asked)
    return tuple(wagers.values())


def evidence(events: Iterable[e.Event]) -> dict[str, tuple[str, ...]]:
    """The events by which each wager was placed, changed or taken back."""
    found: dict[str, tuple[str, ...]] = {}
    for event in events:
        match event.payload:
            case (
                e.WagerPlaced(wager_id=wager_id)
                | e.WagerChanged(wager_id=wager_id)
                | e.WagerWithdrawn(wager_id=wager_id)
            ):
                found[wager_id] = (*found.get(wager_id, ()), event.event_id)
    return found


def repeated(events: Iterable[e.Event], end: End | None) -> Iterator[e.Event]:
    """Placings under the id of a wager that lies there already; one taken back in time does not."""
    lying: set[str] = set()
    closed = False
    for event in events:
        closed |= end is not None and event.event_id == end.event.event_id
        match event.payload:
            case e.WagerPlaced(wager_id=wager_id):
                if wager_id in lying:
                    yield event
                lying.add(wager_id)
            case e.WagerWithdrawn(wager_id=wager_id) if not closed:
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
