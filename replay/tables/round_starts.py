"""What stood before each round of a table-day, so that one round is judged without the others.

A round is judged with what the rounds before it left: terms, shoe, staff, seats, what its devices
misread, the memory of its game. A replay has all of it at hand and keeps it as JSON, with the
place of each event in the log; `judged_alone` reads those events and judges that round. Most of it
stays as it is from one round to the next, so each round has only what changed.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from replay.judge import Editions, Judgement, judge_next
from replay.likelihood.witness_errors import ComparedReading
from replay.rounds import Round, Shoe
from replay.ruled import Memory
from schemas import events as e

FILE = "round_starts.json.z"
LEVEL = 9
FLAGS = ("bounds_doubtful", "reading_missing", "reading_lost")
SHOE = ("shoe_id", "decks", "shuffled", "burned", "cards_out", "hands")
SHOE_ENDS = ("last_hand_announced", "cut_card_out", "stated")

State = Mapping[str, Any]  # what stood before a round, as plain JSON values


class NoStart(LookupError):
    """What stood before a round is not on file: its whole table-day must be judged."""


class RoundStart(NamedTuple):
    """What stood before one round, and which rounds are beside it."""

    state: State
    before: str
    after: str

    @property
    def places(self) -> list[int]:
        """Where the events lie that the round is made of, in the table's log."""
        shoe = self.state["shoe"] or {}
        named = [self.state["terms"], shoe.get("burn")]
        events = [*self.state["events"], *self.state["between"]]
        return sorted({*(place for place, _ in events), *(n for n in named if n is not None)})


def encoded(
    rounds: Iterable[tuple[Round, Mapping[str, Memory]]], events: Sequence[e.Event]
) -> bytes:
    """The rounds of a table-day, each with the memory it was judged with; nothing if ids repeat."""
    places = {event.event_id: event.seq for event in events}
    if len(places) != len(events):
        return b""
    payloads = {id(event.payload): event.seq for event in events}
    lines, known = [], dict[str, Any]()
    for round, memory in rounds:
        state = _state(round, memory, places, payloads)
        lines.append(_changes(known, state))
        known = state
    text = json.dumps(lines, separators=(",", ":"), ensure_ascii=False)
    return zlib.compress(text.encode(), LEVEL)


def find(body: bytes, round_id: str) -> RoundStart:
    """What stood before a round."""
    known: dict[str, Any] = {}
    before = ""
    states = _states(json.loads(zlib.decompress(body)))
    for known in states:
        if known["round_id"] == round_id:
            after = next(states, None)
            return RoundStart(known, before, after["round_id"] if after else "")
        before = known["round_id"]
    raise NoStart(round_id)


def judged_alone(
    start: RoundStart, events: Mapping[int, e.Event], table_id: str, day: str, editions: Editions
) -> Judgement:
    """The round, judged from its own events."""
    memory: dict[str, Memory] = dict(start.state["memory"])
    return judge_next(restored(start.state, events, table_id, day), editions, memory)


def restored(state: State, events: Mapping[int, e.Event], table_id: str, day: str) -> Round:
    """The round as it was folded; `events` by their place in the log."""

    def placed(pairs: Sequence[Sequence[int]]) -> tuple[e.Event, ...]:
        found = ((events[place], seq) for place, seq in pairs)
        return tuple(each if each.seq == seq else replace(each, seq=seq) for each, seq in found)

    terms = events[state["terms"]].payload if state["terms"] is not None else None
    assert terms is None or isinstance(terms, e.TermsPosted)
    return Round(
        state["round_id"],
        table_id,
        day,
        state["number"],
        terms,
        _shoe(state["shoe"], state["drawn"], events),
        state["staff"],
        placed(state["events"]),
        last_event_before=state["last"],
        before=placed(state["between"]),
        seats=tuple((seat, player) for seat, player in state["seats"]),
        shown={ComparedReading(*key.split("\x1f")): n for key, n in state["shown"].items()},
        moved=state["moved"],
        **{name: state[name] for name in FLAGS},
    )


def _state(
    round: Round,
    memory: Mapping[str, Memory],
    places: Mapping[str, int],
    payloads: Mapping[int, int],
) -> dict[str, Any]:
    shoe = round.shoe
    return {
        "round_id": round.round_id,
        "number": round.number,
        "terms": payloads[id(round.terms)] if round.terms else None,
        "shoe": shoe and _shoe_state(shoe, payloads),
        "drawn": dict(shoe.drawn) if shoe else {},
        "staff": dict(round.staff),
        "events": [(places[event.event_id], event.seq) for event in round.events],
        "between": [(places[event.event_id], event.seq) for event in round.before],
        "last": round.last_event_before,
        "seats": [list(seat) for seat in round.seats],
        "shown": {"\x1f".join(key): n for key, n in round.shown.items()},
        "moved": dict(round.moved),
        "memory": {code: dict(left) for code, left in memory.items()},
        **{name: getattr(round, name) for name in FLAGS},
    }


def _shoe_state(shoe: Shoe, payloads: Mapping[int, int]) -> dict[str, Any]:
    burn = payloads[id(shoe.burn)] if shoe.burn else None
    return {name: getattr(shoe, name) for name in (*SHOE, *SHOE_ENDS)} | {"burn": burn}


def _shoe(
    state: State | None, drawn: Mapping[str, int], events: Mapping[int, e.Event]
) -> Shoe | None:
    if state is None:
        return None
    burn = events[state["burn"]].payload if state["burn"] is not None else None
    assert burn is None or isinstance(burn, e.CardsBurned)
    named = {name: state[name] for name in (*SHOE, *SHOE_ENDS)}
    return Shoe(**named, burn=burn, drawn=drawn)


# Mappings that grow by a few members a round: a line has the members that changed.
GROWING = ("drawn", "shown")


def _changes(known: State, state: State) -> dict[str, Any]:
    """What differs from the round before; a growing mapping that lost a member is there whole."""
    changed = {name: value for name, value in state.items() if known.get(name, ...) != value}
    for name in GROWING:
        old = known.get(name, {})
        if name in changed and old and old.keys() <= state[name].keys():
            changed[f"+{name}"] = {
                key: n for key, n in changed.pop(name).items() if old.get(key) != n
            }
    return changed


def _states(lines: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    known: dict[str, Any] = {}
    for line in lines:
        grown = {name[1:]: known[name[1:]] | line[name] for name in line if name[0] == "+"}
        known = known | {name: value for name, value in line.items() if name[0] != "+"} | grown
        yield known
