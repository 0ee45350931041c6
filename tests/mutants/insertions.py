"""Readings that the honest day has not: a wager, a card, a ball, anything of another round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from schemas import events as e
from tests.mutants import days
from tests.mutants.draft import SPARED, Draft, called, where

OF_A_WAGER = (e.WagerChanged, e.WagerWithdrawn, e.StakeRead, e.WagerSettled)
ANYWHERE = 0.2  # insertions at any place of the day, the others in a round with wagers
UNCALLED = 0.4  # late bets whose round has no call any more


def insert(draft: Draft) -> bool:
    """A device says something that tables of the game say at other times."""
    known = days.samples(draft.day.code)
    names = [name for name in known if not isinstance(known[name][0].payload, SPARED)]
    return _insert(draft, names)


def insert_wager(draft: Draft) -> bool:
    """A wager, a move of one, or its withdrawal, at any place."""
    return _insert(draft, ["WagerPlaced", "WagerChanged", "WagerWithdrawn"])


def bet_late(draft: Draft) -> bool:
    """A bet, more chips on one or a withdrawal after the call, which may be missing."""
    name, span = draft.span()
    wagers = [
        at for at in draft.readings if at.round_id == name and isinstance(at.payload, e.WagerPlaced)
    ]
    places = [n for n in span if draft.is_late(n, name)]
    if not wagers or not places:
        return False
    model, n = draft.rng.choice(wagers), draft.rng.choice(places)
    reading = replace(model, payload=_touched(draft, name, model.payload), device_seq=0)
    draft.note_late(n, draft.put(n, reading))
    draft.did.append(f"insert {called(reading)}{where(draft, n, reading)}")
    if draft.rng.random() < UNCALLED:
        _uncall(draft, name)
    return True


def borrow(draft: Draft) -> bool:
    """A reading of another round, or of another table, comes in this one."""
    name, span = draft.span()
    foreign = draft.rng.random() < 0.5
    source = (
        days.honest(draft.day.code, f"lent/{draft.rng.randrange(20)}") if foreign else draft.day
    )
    lent = [at for at in source.readings if at.round_id != name or foreign]
    kinds: dict[str, list[e.Reading]] = {}
    for at in lent:
        if not isinstance(at.payload, SPARED):
            kinds.setdefault(type(at.payload).__name__, []).append(at)
    kind = draft.rng.choice(sorted(kinds))
    model = draft.rng.choice(kinds[kind])
    label = name if model.round_id is not None else None
    n = draft.rng.choice(span)
    _, device_id, err_ms = draft.device(model.device_kind)
    reading = replace(model, round_id=label, device_id=device_id, err_ms=err_ms)
    draft.note_late(n, draft.put(n, reading))
    whose = "another table" if foreign else "another round"
    draft.did.append(f"borrow {called(reading)} of {whose}{where(draft, n, reading)}")
    return True


def borrow_several(draft: Draft) -> bool:
    """A device says again what it said in a row in another round: a spin, a shake, a hand."""
    name, span = draft.span()
    foreign = draft.rng.random() < 0.5
    source = (
        days.honest(draft.day.code, f"lent/{draft.rng.randrange(20)}") if foreign else draft.day
    )
    lent = [at for at in source.readings if not isinstance(at.payload, SPARED)]
    model = draft.rng.choice(lent)
    same = [at for at in lent if at.device_kind == model.device_kind]
    first = next(n for n, at in enumerate(same) if at is model)
    several = same[first : first + draft.rng.choice((2, 3, 4, 6))]
    n = draft.rng.choice(span)
    _, device_id, err_ms = draft.device(model.device_kind)
    for reading in several:
        label = name if reading.round_id is not None else None
        said = replace(reading, round_id=label, device_id=device_id, err_ms=err_ms, device_seq=0)
        draft.note_late(n, draft.put(n, said))
        n += 1
    kinds = ", ".join(called(at) for at in several)
    draft.did.append(f"borrow {kinds}{where(draft, n - 1, several[-1])}")
    return True


def _insert(draft: Draft, names: Sequence[str]) -> bool:
    known = days.samples(draft.day.code)
    names = [name for name in names if name in known]
    sample = draft.rng.choice(known[draft.rng.choice(names)])
    round_id, span = draft.span()
    n = draft.any_place() if draft.rng.random() < ANYWHERE else draft.rng.choice(span)
    kind, device_id, err_ms = draft.device(sample.kind)
    payload = _at_home(draft, round_id, sample.payload)
    label = round_id if kind in ("console", "camera", "wheel") else None
    reading = e.Reading(days.TABLE, kind, device_id, 0, 0, payload, err_ms, label, 0)
    draft.note_late(n, draft.put(n, reading))
    draft.did.append(f"insert {called(reading)}{where(draft, n, reading)}")
    return True


def _touched(draft: Draft, name: str, model: e.Payload) -> e.Payload:
    """A wager like one of the round, that one with more chips on it, or taken back."""
    assert isinstance(model, e.WagerPlaced)
    kind = draft.rng.choice(("placed", "placed", "changed", "withdrawn"))
    if kind == "changed":
        return e.WagerChanged(model.wager_id, stake=2 * model.stake)
    return (
        e.WagerWithdrawn(model.wager_id) if kind == "withdrawn" else _new_wager(draft, name, model)
    )


def _uncall(draft: Draft, name: str) -> None:
    """No more bets is never called."""
    for n, reading in enumerate(draft.readings):
        if reading.round_id == name and isinstance(reading.payload, e.BettingClosed):
            draft.readings.pop(n)
            draft.did.append("drop BettingClosed")
            return


def _at_home(draft: Draft, round_id: str, payload: e.Payload) -> e.Payload:
    """A payload of another round as it would be said in this one."""
    if isinstance(payload, e.WagerPlaced):
        return _new_wager(draft, round_id, payload)
    here = [at for at in draft.readings if at.round_id == round_id]
    wagers = [at.payload.wager_id for at in here if isinstance(at.payload, e.WagerPlaced)]
    if isinstance(payload, OF_A_WAGER) and wagers:
        return replace(payload, wager_id=draft.rng.choice(wagers))
    if isinstance(payload, e.CorrectionMade) and here:
        wrong = draft.rng.choice(here)
        return replace(payload, event_id=f"{wrong.table_id}/{wrong.device_id}/{wrong.device_seq}")
    return payload


def _new_wager(draft: Draft, round_id: str, model: Any) -> e.WagerPlaced:
    """A wager as another one, under an id that is free."""
    players = [at.payload for at in draft.readings if isinstance(at.payload, e.WagerPlaced)]
    whose = draft.rng.choice(players) if players else model
    taken = {at.payload.wager_id for at in draft.readings if isinstance(at.payload, e.WagerPlaced)}
    number = next(n for n in range(90, 99) if f"{round_id}-{n}" not in taken)
    assert isinstance(model, e.WagerPlaced)
    return replace(model, wager_id=f"{round_id}-{number}", player_id=whose.player_id, box=whose.box)
