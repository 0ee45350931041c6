"""Rows of the wheel and the shaker: what the instruments saw of a round."""

from collections.abc import Iterator
from typing import Any

from replay.rounds import Round
from replay.ruling import Memory
from schemas import events as e

Row = tuple[Any, ...]

WHEEL = (
    e.BallReleased,
    e.BallTracked,
    e.BallLanded,
    e.SpinDisturbed,
    e.BallExamined,
    e.BallReturned,
    e.DollyPlaced,
    e.NoSpinCalled,
)
SHAKER = (e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.DiceObserved)


def spins(round: Round, memory: Memory) -> Iterator[Row]:
    """The round's row of the wheel; none where no wheel was at work."""
    last: dict[type[Any], e.Event] = {}
    disturbed = []
    for event in round.events:
        if isinstance(event.payload, WHEEL):
            last[type(event.payload)] = event
            if isinstance(event.payload, e.SpinDisturbed):
                disturbed.append(event.payload.kind)
    if not last:
        return

    def of(kind: type[Any], field: str) -> Any:
        return getattr(last[kind].payload, field) if kind in last else None

    yield (
        round.round_id,
        round.table_id,
        last[e.BallReleased].occurred_at if e.BallReleased in last else None,
        of(e.BallReleased, "ball_direction"),
        of(e.BallReleased, "wheel_direction"),
        of(e.BallTracked, "revolutions"),
        disturbed,
        of(e.BallLanded, "pocket"),
        of(e.DollyPlaced, "number"),
        of(e.NoSpinCalled, "rank"),
        of(e.NoSpinCalled, "reason"),
        of(e.NoSpinCalled, "phase"),
        memory.get("previous_pocket"),
        of(e.BallReturned, "pocket"),
        of(e.BallExamined, "rank"),
    )


def shakes(round: Round) -> Iterator[Row]:
    """A row for each shake of the round, in order."""
    batches: list[dict[type[Any], e.Event]] = []
    for event in round.events:
        kind = type(event.payload)
        if kind in SHAKER:
            if not batches or _begins(kind, batches[-1]):
                batches.append({})
            batches[-1][kind] = event
    for n, batch in enumerate(batches, 1):
        yield (round.round_id, round.table_id, n, *_shake(batch))


def _begins(kind: type[Any], batch: dict[type[Any], e.Event]) -> bool:
    """A start begins a shake; so does a stop where its start was not seen."""
    return kind is e.ShakerStarted or (kind is e.ShakerStopped and kind in batch)


def _shake(batch: dict[type[Any], e.Event]) -> Row:
    started = batch.get(e.ShakerStarted)
    stopped, opened, seen = (
        batch[kind].payload if kind in batch else None
        for kind in (e.ShakerStopped, e.ShakerOpened, e.DiceObserved)
    )
    flat = overlap = faces = guess = None
    if isinstance(seen, e.DiceObserved):
        flat, overlap = seen.flat, seen.overlap
        guess = seen.guesses[0] if seen.guesses else None
    if isinstance(opened, e.ShakerOpened):
        flat, overlap = opened.flat, opened.overlap
        faces = "-".join(opened.faces) or None
    return (
        started and started.seq,
        started and started.occurred_at,
        stopped.tumbles if isinstance(stopped, e.ShakerStopped) else None,
        flat,
        overlap,
        faces,
        guess and guess.seen,
        guess.probability if guess else 0.0,
    )
