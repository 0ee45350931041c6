"""What happens to honest devices, and to readings on their way to the gateway."""

from dataclasses import replace
from typing import Any

from schemas import events as e
from tests.mutants.draft import SPARED, Draft, called

# What a device may say twice, one right after the other, without anything having happened.
SAID_AGAIN = (
    e.BettingOpened, e.BettingClosed, e.ResultCalled, e.RoundClosed, e.CardDrawn, e.CardsObserved,
    e.DiceObserved, e.TokensObserved, e.StakeRead, e.BallTracked, e.BallLanded, e.DollyPlaced,
    e.ShakerStopped, e.ShakerOpened, e.BowlRemoved, e.TokensRevealed, e.DeviceBeat,
)  # fmt: skip
MISSED = (
    e.CardsObserved,
    e.DiceObserved,
    e.TokensObserved,
    e.DeviceBeat,
)  # what may fail to come


def slip(draft: Draft) -> bool:
    """What happens to honest devices: one misses something, says it twice or has a coarse clock."""
    kind = draft.rng.choice(("miss", "again", "clock"))
    among: tuple[type[Any], ...] = {"miss": MISSED, "again": SAID_AGAIN, "clock": (object,)}[kind]
    n = draft.pick(among)
    if n is None:
        return False
    reading = draft.readings[n]
    match kind:
        case "miss":
            draft.readings.pop(n)
            draft.did.append(f"miss {called(reading)}")
        case "again":
            draft.put(n + 1, reading)
            draft.did.append(f"say {called(reading)} twice")
        case "clock":
            within = reading.err_ms // 2
            by = draft.rng.randint(-within, within)
            draft.readings[n] = replace(reading, occurred_at=reading.occurred_at + by * 1_000)
            draft.did.append(f"set the time of {called(reading)}: {by} ms")
    draft.slips += 1
    return True


def come_twice(draft: Draft) -> bool:
    """The same reading arrives a second time under its own number."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    at = min(n + draft.rng.choice((1, 3, 20)), len(draft.readings))
    before = draft.readings[at - 1]
    draft.readings.insert(at, replace(reading, received_at=before.received_at))
    draft.did.append(f"send {called(reading)} twice")
    return True


def come_late(draft: Draft) -> bool:
    """A reading arrives later, with its own time and number."""
    n = draft.pick()
    if n is None:
        return False
    late_ms = draft.rng.choice((30, 50, 100, 500, 2_000, 10_000, 40_000))
    reading = draft.readings[n]
    assert reading.received_at is not None
    arrives = reading.received_at + late_ms * 1_000
    draft.readings[n] = replace(reading, received_at=arrives)
    draft.readings.sort(key=received_at)
    draft.did.append(f"delay {called(reading)} by {late_ms} ms")
    return True


def hold_device(draft: Draft) -> bool:
    """Everything that a device says from a place on arrives later, in its own order."""
    n = draft.pick()
    if n is None:
        return False
    model = draft.readings[n]
    until = n + draft.rng.choice((2, 5, 10, 30))
    late_ms = draft.rng.choice((30, 100, 500, 2_000, 10_000, 40_000))
    held = [
        at
        for at in range(n, min(until, len(draft.readings)))
        if draft.readings[at].device_id == model.device_id
    ]
    release = (draft.readings[held[-1]].received_at or 0) + late_ms * 1_000
    rest = [
        at
        for at in range(held[-1] + 1, len(draft.readings))
        if draft.readings[at].device_id == model.device_id
        and (draft.readings[at].received_at or 0) < release
    ]
    for at in (*held, *rest):
        draft.readings[at] = replace(draft.readings[at], received_at=release)
    draft.readings.sort(key=received_at)
    draft.did.append(
        f"hold {len(held) + len(rest)} readings of {model.device_kind} for {late_ms} ms"
    )
    return True


def lose(draft: Draft) -> bool:
    """A device counts readings that never arrive: one, or several in a row."""
    n = draft.pick()
    if n is None:
        return False
    model = draft.readings[n]
    several = draft.rng.choice((1, 1, 1, 2, 5))
    its = [
        at
        for at in range(n, len(draft.readings))
        if draft.readings[at].device_id == model.device_id
        and not isinstance(draft.readings[at].payload, SPARED)
    ]
    lost = set(its[:several])
    draft.readings = [at for place, at in enumerate(draft.readings) if place not in lost]
    draft.did.append(f"lose {len(lost)} readings of {model.device_kind} from {called(model)} on")
    return True


def skew_device(draft: Draft) -> bool:
    """A device's clock stands elsewhere within its error bound, all day long."""
    kinds = sorted({at.device_kind for at in draft.readings})
    kind = draft.rng.choice(kinds)
    bound = next(at.err_ms for at in draft.readings if at.device_kind == kind)
    own = _offsets(draft, kind)
    by = int((2 * draft.rng.random() - 1) * bound * 300) - own
    draft.readings = [
        replace(at, occurred_at=at.occurred_at + by) if at.device_kind == kind else at
        for at in draft.readings
    ]
    draft.did.append(f"skew the clock of {kind} by {by} us, bound {bound} ms")
    return True


def _offsets(draft: Draft, kind: str) -> int:
    """How far a device's clock stands from the middle of its arrivals, about."""
    gaps = [
        at.occurred_at - (at.received_at or 0) for at in draft.readings if at.device_kind == kind
    ]
    return sorted(gaps)[len(gaps) // 2] + 24_000


def received_at(reading: e.Reading) -> int:
    return reading.received_at or 0
