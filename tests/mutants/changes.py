"""Readings that say something else: another value, another round, another time."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tests.mutants import days
from tests.mutants.draft import Draft, called

WORDS = ("", "nonsense", "0", "XX")


def change(draft: Draft) -> bool:
    """One field takes another value that tables of the game know."""
    return _change(draft, lawful)


def spoil(draft: Draft) -> bool:
    """One field takes a value that no table should say."""
    return _change(draft, unlawful)


def change_everywhere(draft: Draft) -> bool:
    """A value is another one wherever the round says it: every witness agrees."""
    n = draft.pick()
    if n is None:
        return False
    reading, name = draft.readings[n], draft.round_at(n)
    parts = [at for at in _scalars(reading.payload) if _telling(at[1])]
    if not parts:
        return False
    where, old = draft.rng.choice(parts)
    new = lawful(draft, type(reading.payload).__name__, where, old)
    if new is None or type(new) is not type(old) or new == old:
        return False
    rounds = draft.rounds()
    for at, other in enumerate(draft.readings):
        if name is None or rounds[at] == name:
            draft.readings[at] = replace(other, payload=_substituted(other.payload, old, new))
    draft.did.append(
        f"change {type(reading.payload).__name__}.{where} everywhere: {old!r} to {new!r}"
    )
    return True


def change_part(draft: Draft) -> bool:
    """One part of what a reading says changes: one card of several, one limit, one probability."""
    n = draft.pick(tuple({type(at.payload) for at in draft.readings if _lists(at.payload)}))
    if n is None:
        return False
    reading = draft.readings[n]
    lists = _lists(reading.payload)
    if not lists:
        return False
    name, value = draft.rng.choice(lists)
    at = draft.rng.randrange(len(value))
    known = days.values(draft.day.code).get((type(reading.payload).__name__, name), ())
    others = [part for each in known for part in each if part != value[at]]
    if not others:
        return False
    new: Any = (*value[:at], draft.rng.choice(others), *value[at + 1 :])
    draft.readings[n] = replace(reading, payload=replace(reading.payload, **{name: new}))
    draft.did.append(f"change a part of {called(reading)}.{name}: {value!r} to {new!r}")
    return True


def change_device(draft: Draft) -> bool:
    """A reading comes from another device of the table, or from one that nobody knows."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    known = sorted({(at.device_kind, at.device_id) for at in draft.readings})
    own = (reading.device_kind, reading.device_id)
    others = [at for at in known if at != own]
    kind, device_id = draft.rng.choice([*others, (own[0], f"{own[1]}-2"), (own[0], f"{own[1]}-2")])
    draft.readings[n] = replace(reading, device_kind=kind, device_id=device_id, device_seq=0)
    whose = "an unknown device" if kind == own[0] else kind
    draft.did.append(f"say {called(reading)} by {whose}")
    return True


def change_bound(draft: Draft) -> bool:
    """A device states another error bound of its clock, once."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    bound = draft.rng.choice((0, 1, 1_000, 10_000, 600_000))
    draft.readings[n] = replace(reading, err_ms=bound)
    draft.did.append(f"state a bound of {bound} ms with {called(reading)}")
    return True


def mislabel(draft: Draft) -> bool:
    """A reading says that it belongs to another round, or to none."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    others = [name for name in (*draft.day.rounds, None) if name != reading.round_id]
    label = draft.rng.choice(others)
    draft.readings[n] = replace(reading, round_id=label)
    draft.did.append(f"label {called(reading)} with {label or 'no round'}")
    return True


def shift_clock(draft: Draft) -> bool:
    """A reading claims another time than its own."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    by = draft.rng.choice((-30_000, -5_000, -1_000, -200, 200, 1_000, 5_000, 30_000))
    draft.readings[n] = replace(reading, occurred_at=reading.occurred_at + by * 1_000)
    draft.did.append(f"shift the time of {called(reading)} by {by} ms")
    return True


def _change(draft: Draft, other: "Callable[[Draft, str, str, Any], Any]") -> bool:
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    named = fields(reading.payload)
    if not named:
        return False
    name = draft.rng.choice(named).name
    old = getattr(reading.payload, name)
    new = other(draft, type(reading.payload).__name__, name, old)
    if new == old or (new is None and old is None):
        return False
    draft.readings[n] = replace(reading, payload=replace(reading.payload, **{name: new}))
    draft.did.append(f"change {called(reading)}.{name}: {old!r} to {new!r}")
    return True


def lawful(draft: Draft, kind: str, name: str, old: Any) -> Any:
    known = [at for at in days.values(draft.day.code).get((kind, name), ()) if at != old]
    if known:
        return draft.rng.choice(known)
    return unlawful(draft, kind, name, old) if isinstance(old, bool | int) else old


def unlawful(draft: Draft, kind: str, name: str, old: Any) -> Any:
    del kind, name
    match old:
        case bool():
            return not old
        case int():
            return draft.rng.choice((-1, 0, 1, old + 1, 2 * old, old // 2, -old, 10**12))
        case float():
            return draft.rng.choice((0.0, 0.5, 1.0))
        case str():
            return draft.rng.choice((*WORDS, old + "x", old.lower()))
        case tuple():
            return draft.rng.choice(((), old[:-1], old + old[-1:]))
        case None:
            return draft.rng.choice((None, 0, "nonsense"))
    return old


def _lists(payload: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """The fields of a payload that list something."""
    named = [(at.name, getattr(payload, at.name)) for at in fields(payload)]
    return [(name, value) for name, value in named if isinstance(value, tuple) and value]


def _scalars(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _scalars(getattr(value, each.name), each.name)
    elif isinstance(value, tuple):
        for part in value:
            yield from _scalars(part, path)
    elif not isinstance(value, bool | None):
        yield path, value


def _telling(value: Any) -> bool:
    """Whether a value says which thing is meant: short numbers and texts mean many things."""
    if isinstance(value, str):
        return len(value) > 1
    return isinstance(value, int) and value >= 1_000


def _substituted(value: Any, old: Any, new: Any) -> Any:
    if type(value) is type(old) and value == old:
        return new
    if isinstance(value, tuple):
        return tuple(_substituted(part, old, new) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value,
            **{at.name: _substituted(getattr(value, at.name), old, new) for at in fields(value)},
        )
    return value
