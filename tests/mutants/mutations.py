"""Changes of an honest day that know no rule of any game.

A draft is the day's readings in order of arrival. A mutation changes the draft and says in words
what it did. What it tells beside its words is whether an honest table could have said the same: a
carrier's mutation only touches the way in (arrival, doubles, clocks within their bounds), so
nobody may be accused for it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from random import Random
from typing import Any, NamedTuple

from schemas import events as e
from tests.mutants import days
from tests.mutants.days import HonestDay

# Of the gateway and of the frame of the day; a table without them is no table-day.
SPARED = (e.TableOpened, e.TableClosed, e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped)
MONEY = (e.WagerPlaced, e.WagerChanged, e.WagerWithdrawn)
OF_A_WAGER = (e.WagerChanged, e.WagerWithdrawn, e.StakeRead, e.WagerSettled)
WORDS = ("", "nonsense", "0", "XX")
# What a device may say twice, one right after the other, without anything having happened.
SAID_AGAIN = (
    e.BettingOpened, e.BettingClosed, e.ResultCalled, e.RoundClosed, e.CardDrawn, e.CardsObserved,
    e.DiceObserved, e.TokensObserved, e.StakeRead, e.BallTracked, e.BallLanded, e.DollyPlaced,
    e.ShakerStopped, e.ShakerOpened, e.BowlRemoved, e.TokensRevealed, e.DeviceBeat,
)  # fmt: skip
MISSED = (e.CardsObserved, e.DiceObserved, e.TokensObserved, e.DeviceBeat)  # what may fail to come
UNCALLED = 0.4  # late bets whose round has no call any more


@dataclass
class Draft:
    """A day that is being changed."""

    day: HonestDay
    rng: Random
    readings: list[e.Reading]
    did: list[str] = field(default_factory=list)  # what was done, in words
    touched: list[str] = field(default_factory=list)  # rounds
    changed: list[e.Reading] = field(default_factory=list)  # readings as they are now
    gone: list[e.Reading] = field(default_factory=list)  # readings as they were
    late: set[str] = field(default_factory=set)  # wagers made, changed or taken back after the call
    slips: int = 0  # changes that happen to honest devices now and then

    @property
    def innocent(self) -> bool:
        """Whether every change is one that happens to honest devices."""
        return self.slips == len(self.did)

    def pick(self, kinds: tuple[type[Any], ...] = (object,)) -> int | None:
        """The place of a reading inside a round; rare kinds as often as common ones."""
        places: dict[str, list[int]] = {}
        for n, (reading, name) in enumerate(zip(self.readings, self.rounds(), strict=True)):
            known = isinstance(reading.payload, kinds) and not isinstance(reading.payload, SPARED)
            if known and name:
                places.setdefault(type(reading.payload).__name__, []).append(n)
        if not places:
            return None
        return self.rng.choice(places[self.rng.choice(sorted(places))])

    def round_at(self, n: int) -> str | None:
        """The round that is open at a place; None between rounds."""
        rounds = self.rounds()
        return rounds[n] if n < len(rounds) else None

    def rounds(self) -> list[str | None]:
        """The round that is open at each place."""
        found: list[str | None] = []
        current: str | None = None
        for reading in self.readings:
            if isinstance(reading.payload, e.RoundOpened):
                current = reading.round_id
            found.append(current)
            if isinstance(reading.payload, e.RoundClosed):
                current = None
        return found

    def span(self) -> tuple[str, range]:
        """A round with wagers where there is one, and its places; one further for what follows."""
        staked = {at.round_id for at in self.readings if isinstance(at.payload, e.WagerPlaced)}
        rounds = [name for name in self.day.rounds if name in staked] or list(self.day.rounds)
        name = self.rng.choice(rounds)
        inside = [n for n, at in enumerate(self.readings) if at.round_id == name]
        if not inside:
            return name, range(1, len(self.readings))
        return name, range(inside[0] + 1, min(inside[-1] + 2, len(self.readings)))

    def put(self, n: int, reading: e.Reading) -> e.Reading:
        """A reading at a place, at a time between its neighbours'."""
        before = self.readings[max(0, n - 1)]
        after = self.readings[n] if n < len(self.readings) else before
        assert before.received_at is not None
        assert after.received_at is not None
        received = (before.received_at + after.received_at) // 2
        true = before.occurred_at if before.device_id == reading.device_id else received - 20_000
        placed = replace(reading, received_at=received, occurred_at=max(true, received - 20_000))
        self.readings.insert(n, placed)
        self.changed.append(placed)
        return placed

    def device(self, kind: str) -> tuple[str, str, int]:
        """The table's device of a kind: its kind, its id and its error bound."""
        for reading in self.readings:
            if reading.device_kind == kind:
                return kind, reading.device_id, reading.err_ms
        return kind, f"{kind}-{days.TABLE}", 60

    def is_late(self, n: int, round_id: str | None) -> bool:
        """Whether a place comes after the honest day's no more bets in a round."""
        closed = (
            at
            for at in self.day.readings
            if at.round_id == round_id and isinstance(at.payload, e.BettingClosed)
        )
        call = next(closed, None)
        arrived = self.readings[min(n, len(self.readings) - 1)].received_at or 0
        return call is not None and arrived > (call.received_at or 0)

    def note_late(self, n: int, reading: e.Reading) -> None:
        """Take note of a wager touched after the honest day's call."""
        if isinstance(reading.payload, MONEY) and self.is_late(n, reading.round_id):
            early = days.early_bets(self.day.code)
            bet = self.bet_of(reading.payload)
            if bet.partition(":")[0] in early:
                self.late.add(reading.payload.wager_id)

    def bet_of(self, payload: e.WagerPlaced | e.WagerChanged | e.WagerWithdrawn) -> str:
        """The bet that a wager was placed on."""
        if isinstance(payload, e.WagerPlaced):
            return payload.bet
        for reading in self.day.readings:
            placed = reading.payload
            if isinstance(placed, e.WagerPlaced) and placed.wager_id == payload.wager_id:
                return placed.bet
        return ""


Mutate = Callable[[Draft], bool]  # whether there was anything to change


class Mutation(NamedTuple):
    """A named way to change a day."""

    name: str
    mutate: Mutate
    carrier: bool = False  # whether only the way of readings to the gateway changes
    weight: int = 1


def drop(draft: Draft) -> bool:
    """A reading never comes."""
    n = draft.pick()
    if n is None:
        return False
    gone = draft.readings.pop(n)
    draft.gone.append(gone)
    draft.did.append(f"drop {_called(gone)}")
    return True


def repeat(draft: Draft) -> bool:
    """A device says the same once more under a new number."""
    n = draft.pick()
    if n is None:
        return False
    again = draft.readings[n]
    at = min(n + draft.rng.choice((1, 1, 2, 5, 15)), len(draft.readings))
    draft.note_late(at, draft.put(at, again))
    draft.did.append(f"repeat {_called(again)}{_where(draft, at, again)}")
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
        replace(second, received_at=first.received_at, occurred_at=_moved(second, first)),
        replace(first, received_at=second.received_at, occurred_at=_moved(first, second)),
    )
    draft.changed += draft.readings[n : n + 2]
    draft.note_late(n + 1, draft.readings[n + 1])
    draft.did.append(f"swap {_called(first)} and {_called(second)}")
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
    draft.gone.append(reading)
    at = to - (to > n)
    draft.note_late(at, draft.put(at, reading))
    draft.did.append(f"move {_called(reading)}{_where(draft, at, reading)}")
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
    draft.gone.append(reading)
    at = min(mark, len(draft.readings) - 1)  # the place is behind the mark, or before it
    draft.note_late(at, draft.put(at, reading))
    draft.did.append(f"move {_called(reading)} over {_called(over)}")
    return True


def change(draft: Draft) -> bool:
    """One field takes another value that tables of the game know."""
    return _change(draft, _lawful)


def spoil(draft: Draft) -> bool:
    """One field takes a value that no table should say."""
    return _change(draft, _unlawful)


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
    new = _lawful(draft, type(reading.payload).__name__, where, old)
    if new is None or type(new) is not type(old) or new == old:
        return False
    rounds = draft.rounds()
    for at, other in enumerate(draft.readings):
        if rounds[at] == name:
            draft.readings[at] = replace(other, payload=_substituted(other.payload, old, new))
    draft.did.append(
        f"change {type(reading.payload).__name__}.{where} everywhere: {old!r} to {new!r}"
    )
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
    draft.changed.append(draft.readings[n])
    draft.gone.append(reading)
    draft.did.append(f"label {_called(reading)} with {label or 'no round'}")
    return True


def shift_clock(draft: Draft) -> bool:
    """A reading claims another time than its own."""
    n = draft.pick()
    if n is None:
        return False
    reading = draft.readings[n]
    by = draft.rng.choice((-30_000, -5_000, -1_000, -200, 200, 1_000, 5_000, 30_000))
    draft.readings[n] = replace(reading, occurred_at=reading.occurred_at + by * 1_000)
    draft.changed.append(draft.readings[n])
    draft.did.append(f"shift the time of {_called(reading)} by {by} ms")
    return True


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
            draft.gone.append(draft.readings.pop(n))
            draft.did.append(f"miss {_called(reading)}")
        case "again":
            draft.put(n + 1, reading)
            draft.did.append(f"say {_called(reading)} twice")
        case "clock":
            within = reading.err_ms // 2
            by = draft.rng.randint(-within, within)
            draft.readings[n] = replace(reading, occurred_at=reading.occurred_at + by * 1_000)
            draft.changed.append(draft.readings[n])
            draft.did.append(f"set the time of {_called(reading)}: {by} ms")
    draft.slips += 1
    return True


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
    draft.did.append(f"insert {_called(reading)}{_where(draft, n, reading)}")
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
    draft.did.append(f"borrow {_called(reading)} of {whose}{_where(draft, n, reading)}")
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
    draft.did.append(f"send {_called(reading)} twice")
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
    draft.readings.sort(key=_received_at)
    draft.did.append(f"delay {_called(reading)} by {late_ms} ms")
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
    draft.readings.sort(key=_received_at)
    draft.did.append(
        f"hold {len(held) + len(rest)} readings of {model.device_kind} for {late_ms} ms"
    )
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


MUTATIONS = (
    Mutation("drop", drop, weight=3),
    Mutation("repeat", repeat, weight=2),
    Mutation("swap", swap, weight=2),
    Mutation("move", move, weight=3),
    Mutation("move over a mark", move_over_a_mark, weight=3),
    Mutation("change", change, weight=5),
    Mutation("spoil", spoil, weight=3),
    Mutation("change everywhere", change_everywhere, weight=3),
    Mutation("mislabel", mislabel),
    Mutation("shift clock", shift_clock),
    Mutation("slip", slip, weight=3),
    Mutation("insert", insert, weight=5),
    Mutation("insert wager", insert_wager, weight=3),
    Mutation("bet late", bet_late, weight=3),
    Mutation("borrow", borrow, weight=3),
    Mutation("come twice", come_twice, carrier=True),
    Mutation("come late", come_late, carrier=True, weight=3),
    Mutation("hold device", hold_device, carrier=True, weight=2),
    Mutation("skew device", skew_device, carrier=True),
)


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
    draft.gone.append(reading)
    draft.changed.append(draft.readings[n])
    draft.did.append(f"change {_called(reading)}.{name}: {old!r} to {new!r}")
    return True


def _lawful(draft: Draft, kind: str, name: str, old: Any) -> Any:
    known = [at for at in days.values(draft.day.code).get((kind, name), ()) if at != old]
    if known:
        return draft.rng.choice(known)
    return _unlawful(draft, kind, name, old) if isinstance(old, bool | int) else old


def _unlawful(draft: Draft, kind: str, name: str, old: Any) -> Any:
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


def _insert(draft: Draft, names: Sequence[str]) -> bool:
    known = days.samples(draft.day.code)
    names = [name for name in names if name in known]
    sample = draft.rng.choice(known[draft.rng.choice(names)])
    round_id, span = draft.span()
    n = draft.rng.choice(span)
    kind, device_id, err_ms = draft.device(sample.kind)
    payload = _at_home(draft, round_id, sample.payload)
    label = round_id if kind in ("console", "camera", "wheel") else None
    reading = e.Reading(days.TABLE, kind, device_id, 0, 0, payload, err_ms, label, 0)
    draft.note_late(n, draft.put(n, reading))
    draft.did.append(f"insert {_called(reading)}{_where(draft, n, reading)}")
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
            draft.gone.append(draft.readings.pop(n))
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


def _moved(reading: e.Reading, to: e.Reading) -> int:
    """The time that a device would have given had it spoken when another did."""
    return reading.occurred_at + (to.received_at or 0) - (reading.received_at or 0)


def _offsets(draft: Draft, kind: str) -> int:
    """How far a device's clock stands from the middle of its arrivals, about."""
    gaps = [
        at.occurred_at - (at.received_at or 0) for at in draft.readings if at.device_kind == kind
    ]
    return sorted(gaps)[len(gaps) // 2] + 24_000


def _received_at(reading: e.Reading) -> int:
    return reading.received_at or 0


def _called(reading: e.Reading) -> str:
    return type(reading.payload).__name__


def _where(draft: Draft, n: int, reading: e.Reading) -> str:
    """Whether a place comes before or after the honest day's no more bets."""
    name = draft.round_at(n) or reading.round_id
    if draft.round_at(n) is None:
        return " after the close"
    return " after the call" if draft.is_late(n, name) else " before the call"


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
