"""Rows of the wheel and the shaker: what the instruments saw of a round."""

from collections.abc import Iterator
from typing import Any

from replay.rounds import Round
from replay.ruled import Memory
from replay.tables.rows import Row
from schemas import events as e

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
TOKENS = (e.TokensRevealed, e.TokensObserved)
SHAKER = (e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.DiceObserved, *TOKENS)


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
            # Tokens count as they lay first; the stick may have moved them since.
            if kind not in TOKENS or kind not in batches[-1]:
                batches[-1][kind] = event
    for n, batch in enumerate(batches, 1):
        yield (round.round_id, round.table_id, n, *_shake(batch))


def _begins(kind: type[Any], batch: dict[type[Any], e.Event]) -> bool:
    """A start begins a shake; so does a stop where its start was not seen."""
    return kind is e.ShakerStarted or (kind is e.ShakerStopped and kind in batch)


def _shake(batch: dict[type[Any], e.Event]) -> Row:
    started, stopped = batch.get(e.ShakerStarted), _payload(batch, e.ShakerStopped)
    flat = overlap = faces = guess = None
    for kind in (e.DiceObserved, e.TokensObserved):
        seen = _payload(batch, kind)
        guess = seen.guesses[0] if seen and seen.guesses else guess
    if seen := _payload(batch, e.ShakerOpened) or _payload(batch, e.DiceObserved):
        flat, overlap = seen.flat, seen.overlap
    if revealed := _payload(batch, e.TokensRevealed):
        flat, overlap = revealed.standing == 0, revealed.overlapping
    if read := _payload(batch, e.ShakerOpened) or revealed:
        faces = "-".join(read.faces) or None
    return (
        started and started.seq,
        started and started.occurred_at,
        stopped and stopped.tumbles,
        flat,
        overlap,
        faces,
        guess and guess.seen,
        guess.probability if guess else 0.0,
    )


def _payload(batch: dict[type[Any], e.Event], kind: type[Any]) -> Any:
    """What was said by an event of the kind; None where there is none."""
    return batch[kind].payload if kind in batch else None
