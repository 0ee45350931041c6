"""Readings that never come, come again, or happen at another time."""

from dataclasses import replace

from schemas import events as e
from tests.mutants.draft import SPARED, Draft, called, moved, where


def drop(draft: Draft) -> bool:
    """A reading never comes."""
    n = draft.pick()
    if n is None:
        return False
    gone = draft.readings.pop(n)
    draft.did.append(f"drop {called(gone)}")
    return True


def repeat(draft: Draft) -> bool:
    """A device says the same once more under a new number."""
    n = draft.pick()
    if n is None:
        return False
    again = draft.readings[n]
    at = min(n + draft.rng.choice((1, 1, 2, 5, 15)), len(draft.readings))
    draft.note_late(at, draft.put(at, again))
    draft.did.append(f"repeat {called(again)}{where(draft, at, again)}")
    return True


def swap(draft: Draft) -> bool:
    """Two neighbours happen in the other order."""
    n = draft.pick()
    if (
        n is None
        or n + 1 >= len(draft.readings)
        or isinstance(draft.readings[n + 1].payload, SPARED)
    ):
        return False
    first, second = draft.readings[n : n + 2]
    draft.readings[n : n + 2] = (
        replace(second, received_at=first.received_at, occurred_at=moved(second, first)),
        replace(first, received_at=second.received_at, occurred_at=moved(first, second)),
    )
    draft.note_late(n + 1, draft.readings[n + 1])
    draft.did.append(f"swap {called(first)} and {called(second)}")
    return True


def move(draft: Draft) -> bool:
    """A reading happens at another time of its round."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    rounds = draft.rounds()
    inside = [at for at, name in enumerate(rounds) if name == rounds[n]]
    to = draft.rng.choice([*inside, inside[-1] + 1])
    if to in (n, n + 1) or to >= len(draft.readings):
        return False
    draft.readings.pop(n)
    at = to - (to > n)
    draft.note_late(at, draft.put(at, reading))
    draft.did.append(f"move {called(reading)}{where(draft, at, reading)}")
    return True


def move_to_another_round(draft: Draft) -> bool:
    """A reading happens in another round, under its own label or under that one's."""
    n = draft.pick()
    if n is None:
        return False
    reading, its = draft.readings[n], draft.round_at(n)
    others = [name for name in draft.day.rounds if name != its]
    rounds = draft.rounds()
    name = draft.rng.choice(others)
    places = [at for at, open_round in enumerate(rounds) if open_round == name and at != n]
    if not places:
        return False
    to = draft.rng.choice(places)
    relabelled = reading.round_id is not None and draft.rng.random() < 0.5
    draft.readings.pop(n)
    at = to - (to > n)
    label = name if relabelled else reading.round_id
    draft.note_late(at, draft.put(at, replace(reading, round_id=label)))
    draft.did.append(
        f"move {called(reading)} to another round, {'its' if relabelled else 'own'} label"
    )
    return True


def exchange(draft: Draft) -> bool:
    """Two readings of one kind change places: two cards, two settlements, two wagers."""
    n = draft.pick()
    if n is None:
        return False
    first = draft.readings[n]
    others = [
        at
        for at, other in enumerate(draft.readings)
        if type(other.payload) is type(first.payload) and other.payload != first.payload
    ]
    if not others:
        return False
    m = draft.rng.choice(others)
    second = draft.readings[m]
    draft.readings[n] = replace(first, payload=second.payload)
    draft.readings[m] = replace(second, payload=first.payload)
    draft.did.append(f"exchange two {called(first)} of {_same_round(draft, n, m)}")
    return True


def silence(draft: Draft) -> bool:
    """A device says nothing in a round, or nothing of one kind."""
    n = draft.pick()
    if n is None:
        return False
    model, name = draft.readings[n], draft.round_at(n)
    of_kind = draft.rng.random() < 0.5
    left = []
    for reading, its in zip(draft.readings, draft.rounds(), strict=True):
        said = type(reading.payload) is type(model.payload) or not of_kind
        own = its == name and reading.device_id == model.device_id
        if not (own and said and _may_go(reading)):
            left.append(reading)
    if len(left) == len(draft.readings):
        return False
    draft.readings = left
    what = called(model) if of_kind else "anything"
    draft.did.append(f"{model.device_kind} does not say {what}{'' if name else ' between rounds'}")
    return True


def move_over_a_mark(draft: Draft) -> bool:
    """A reading happens just beyond the call, the result or the close, on the other side of it."""
    n = draft.pick()
    if n is None:
        return False
    reading, name = draft.readings[n], draft.round_at(n)
    marks = [
        at
        for at, (other, its) in enumerate(zip(draft.readings, draft.rounds(), strict=True))
        if its == name
        and isinstance(other.payload, e.BettingClosed | e.ResultCalled | e.RoundClosed)
        and at != n
    ]
    if not marks:
        return False
    mark = draft.rng.choice(marks)
    over = draft.readings[mark]
    draft.readings.pop(n)
    at = min(mark, len(draft.readings) - 1)  # the place is behind the mark, or before it
    draft.note_late(at, draft.put(at, reading))
    draft.did.append(f"move {called(reading)} over {called(over)}")
    return True


def _same_round(draft: Draft, n: int, m: int) -> str:
    return "one round" if draft.round_at(n) == draft.round_at(m) else "two rounds"


def _may_go(reading: e.Reading) -> bool:
    """Whether a round is still there without a reading."""
    return not isinstance(reading.payload, (*SPARED, e.RoundOpened, e.RoundClosed))
