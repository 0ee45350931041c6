"""Rows of settlements: what was seen on each wager beside what is due, and by how much they differ.

This is where due and paid meet. The checks of settlement, the views and the live triggers read it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from replay import payments
from replay.judge import Judgement
from replay.payments import AMOUNTS, differences
from replay.settle import Due
from replay.tables.rows import Row
from schemas import bounds
from schemas import events as e

DECIDING = (e.WagerSettled, e.CorrectionMade, e.RoundClosed)
MOST = 10**18  # what a column says at most, so that a few of them still add up in 64 bits


def settlements(judged: Judgement, wagers: Collection[str]) -> Iterator[Row]:
    """A row for each wager of the round that was settled by the time the round was closed."""
    round = judged.round
    deciding = [
        event
        for event in round.events
        if isinstance(event.payload, DECIDING) and not bounds.is_unusable(event.payload)
    ]
    owed = defaultdict[str, list[Due]](list)
    for due in judged.dues:
        owed[due.wager_id].append(due)
    for wager_id, paid in payments.by_close(deciding).items():
        if wager_id in wagers:
            yield (
                wager_id,
                round.round_id,
                round.table_id,
                round.gaming_day,
                paid.first_seq,
                *(_held(getattr(paid.amounts, name)) for name in AMOUNTS),
                *_gaps(owed.get(wager_id, ()), paid.amounts),
                paid.evidence,
            )


def _gaps(dues: Sequence[Due], seen: e.WagerSettled) -> Row:
    """What was seen less what is due, amount by amount, and whether they differ at all.

    Where nothing is due there is nothing to compare; where two wagers share the id, nobody knows
    which due a payment belongs to.
    """
    if len(dues) != 1:
        return (None,) * (len(AMOUNTS) + 1)
    gaps = differences(dues[0], seen)
    return (*(_held(gaps.get(name, 0)) for name in AMOUNTS), bool(gaps))


def _held(amount: int) -> int:
    """An amount as a column can hold it."""
    return max(-MOST, min(amount, MOST))
