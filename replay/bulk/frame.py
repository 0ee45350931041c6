"""A table-day's folded rounds as columns: one array a field, a table for each kind of event.

Text becomes a code into `words`, the same word the same code wherever a field of that name stands,
so that settlements find their wagers without comparing text. Cards, faces and results have few
words: whatever must be asked of a word is asked once a word, and looked up for all events.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import UnionType
from typing import Any, NamedTuple, cast, get_args, get_origin

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from replay.rounds import Round, Shoe
from schemas import events as e

Column = npt.NDArray[Any]
SET_ASIDE = 255  # the code of events that count for nothing
NONE = np.iinfo(np.int64).min  # a number that nobody told
KINDS: tuple[type[Any], ...] = get_args(e.Payload)
CODE = {kind: code for code, kind in enumerate(KINDS)}
# Fields that are compared with those of another name.
SAME_WORDS = {
    (e.CardsObserved, "zone"): "hand",
    (e.CardsObserved, "seen"): "card",
    (e.DiceObserved, "seen"): "faces",
    (e.TokensObserved, "seen"): "faces",
}
PLAIN = (None, UnionType)  # a field is one value, or may be None
SHAPES = (str, int, bool, e.Chips)
OF_SHOE = ("decks", "rounds", "out", "read", "marks", "id")
COME_OUT = ("wager_id", "player_id", "bet")
NO_TEXT = ""  # also where nobody told anything


@dataclass(frozen=True, slots=True)
class Kind:
    """The events of one kind, in the order of the frame."""

    round: Column  # the round of each
    place: Column  # its place among all events of the frame
    fields: Mapping[str, Column]  # by name: numbers as they are, text as its code

    def __getitem__(self, field: str) -> Column:
        return self.fields[field]

    def __len__(self) -> int:
        return len(self.round)

    def where(self, kept: Column) -> "Kind":
        """Only some of the events."""
        fields = {name: column[kept] for name, column in self.fields.items()}
        return Kind(self.round[kept], self.place[kept], fields)


@dataclass(frozen=True, slots=True)
class RoundFrame:
    """The rounds of one table and day that were played under the same posted terms."""

    rounds: Sequence[Round]  # for the plain lane; the columns below are made of them
    round: Column  # of each event
    kind: Column  # code of each event's kind
    seq: Column
    event_id: Any  # of each event, an Arrow column as the texts below
    round_id: Any  # of each round
    marked: Column  # of each round: whether the fold moved, missed or doubted anything near it
    shoe: Mapping[str, Column]  # of each round: the shoe as it was opened
    kinds: Mapping[type[Any], Kind]
    before: Mapping[type[Any], Kind]  # events between the round before and each round
    words: Mapping[str, Sequence[str]]  # by name of the field: the text of each code
    texts: Mapping[str, Any]  # the words that come out again

    def __len__(self) -> int:
        return len(self.rounds)

    def of(self, kind: type[Any]) -> Kind:
        """The events of a kind; none where there are none."""
        return self.kinds.get(kind) or EMPTY[kind]

    def ahead(self, kind: type[Any]) -> Kind:
        """The events of a kind before each round."""
        return self.before.get(kind) or EMPTY[kind]

    def without(self, places: Sequence[int]) -> "RoundFrame":
        """The frame with some events set aside: they have no kind any more."""
        kind = self.kind.copy()
        kind[list(places)] = SET_ASIDE
        kept = kind != SET_ASIDE
        kinds = {name: at.where(kept[at.place]) for name, at in self.kinds.items()}
        return replace(self, kind=kind, kinds=kinds)

    def count(self, kind: type[Any]) -> Column:
        """How many events of a kind each round has."""
        return np.bincount(self.of(kind).round, minlength=len(self))

    def coded(self, field: str, known: Mapping[str, int], unknown: int = -1) -> Column:
        """The codes of a field as those of a game, word by word."""
        words = self.words.get(field, ())
        return np.fromiter((known.get(word, unknown) for word in words), np.int64, len(words))


def frame(rounds: Sequence[Round]) -> RoundFrame:
    """The columns of some rounds."""
    words = _Words()
    found: dict[type[Any], _Rows] = {}
    ahead: dict[type[Any], _Rows] = {}
    events: list[e.Event] = []
    for n, round in enumerate(rounds):
        for event in round.before:
            _add(ahead, event.payload, n, -1)
        for event in round.events:
            _add(found, event.payload, n, len(events))
            events.append(event)
    kinds = {kind: _kind(kind, rows, words) for kind, rows in found.items()}
    if e.CardDrawn in found:
        of_drawn = {**kinds[e.CardDrawn].fields, "copies": _copies(rounds, found[e.CardDrawn])}
        kinds[e.CardDrawn] = replace(kinds[e.CardDrawn], fields=of_drawn)
    return RoundFrame(
        rounds,
        round=np.repeat(np.arange(len(rounds)), [len(round.events) for round in rounds]),
        kind=_numbers([CODE[type(event.payload)] for event in events]),
        seq=_numbers([event.seq for event in events]),
        event_id=pa.array([event.event_id for event in events], pa.string()),
        round_id=pa.array([round.round_id for round in rounds], pa.string()),
        marked=np.array([_is_marked(round) for round in rounds], dtype=bool),
        shoe=_shoes(rounds, words),
        kinds=kinds,
        before={kind: _kind(kind, rows, words) for kind, rows in ahead.items()},
        words=words.said,
        texts={name: pa.array(words.said.get(name, ()), pa.string()) for name in COME_OUT},
    )


class _Rows(NamedTuple):
    rounds: list[int]
    places: list[int]
    payloads: list[Any]


class _Words:
    """The words of each field, coded in the order they came."""

    def __init__(self) -> None:
        self._codes: dict[str, dict[str, int]] = {}
        self._kind: type[Any] = object

    def of(self, kind: type[Any]) -> "_Words":
        """The same words, for fields of a kind."""
        self._kind = kind
        return self

    @property
    def said(self) -> dict[str, tuple[str, ...]]:
        """The text of each code, by field."""
        return {name: tuple(codes) for name, codes in self._codes.items()}

    def column(self, name: str, values: Sequence[str | None]) -> Column:
        """A column of text as codes."""
        name = SAME_WORDS.get((self._kind, name), name)
        codes = self._codes.setdefault(name, {})
        return _numbers([codes.setdefault(value or NO_TEXT, len(codes)) for value in values])


def _add(rows: dict[type[Any], _Rows], payload: Any, round: int, place: int) -> None:
    kept = rows.setdefault(type(payload), _Rows([], [], []))
    kept.rounds.append(round)
    kept.places.append(place)
    kept.payloads.append(payload)


def _is_marked(round: Round) -> bool:
    return bool(round.moved) or round.bounds_doubtful or round.reading_missing


def _shoes(rounds: Sequence[Round], words: "_Words") -> Mapping[str, Column]:
    """The shoe of each round: its decks (0 where there is none), rounds, cards out, and marks."""
    shoes = [round.shoe for round in rounds]
    names = words.column("shoe_id", [at.shoe_id if at else None for at in shoes]).tolist()
    rows = [
        (at.decks, at.hands, at.cards_out, sum(at.drawn.values()), _shoe_marks(at), name)
        if at
        else (0,) * len(OF_SHOE)
        for at, name in zip(shoes, names, strict=True)
    ]
    return dict(zip(OF_SHOE, np.array(rows, np.int64).reshape(-1, len(OF_SHOE)).T, strict=True))


def _shoe_marks(shoe: Shoe) -> int:
    """How many things about a shoe are not usual: unshuffled, not burned, at its end, or stated."""
    ending = shoe.cut_card_out + shoe.last_hand_announced
    return (not shoe.shuffled) + (not shoe.burned) + ending + shoe.stated


def _copies(rounds: Sequence[Round], drawn: _Rows) -> Column:
    """How often each card drawn has come from its shoe, itself included."""
    copies, own, last = [], Counter[str](), -1
    for n, draw in zip(drawn.rounds, drawn.payloads, strict=True):
        if n != last:
            own, last = Counter(), n
        own[draw.card or ""] += 1
        shoe = rounds[n].shoe
        copies.append(own[draw.card or ""] + (shoe.drawn.get(draw.card or "", 0) if shoe else 0))
    return _numbers(copies)


def _kind(kind: type[Any], rows: _Rows, words: _Words) -> Kind:
    columns: dict[str, Column] = {}
    for name, shape in SHAPES_OF[kind].items():
        values = [getattr(at, name) for at in rows.payloads]
        columns |= _columns(name, shape, values, words.of(kind))
    return Kind(_numbers(rows.rounds), _numbers(rows.places), columns)


def _columns(name: str, shape: Any, values: list[Any], words: _Words) -> dict[str, Column]:
    """A field as its columns: faces as one word, a camera's best guess, chips in their parts."""
    if shape is str:
        return {name: words.column(name, values)}
    if shape is int:
        return {name: _numbers([NONE if value is None else value for value in values])}
    if shape is e.Chips:
        return _of_chips(values, words)
    if shape is e.Guess:
        best = [value[0] if value else e.Guess(NO_TEXT, 0.0) for value in values]
        sure = np.array([guess.probability for guess in best])
        return {"seen": words.column("seen", [at.seen for at in best]), "probability": sure}
    return {name: words.column(name, ["-".join(value) for value in values])}


def _of_chips(values: Sequence[e.Chips | None], words: _Words) -> dict[str, Column]:
    """Colour chips; the table's name is empty where they are chips of the house."""
    known = [chips or e.Chips(NO_TEXT, NO_TEXT, 0, 0) for chips in values]
    return {
        "chips_table": words.column("chips_table", [chips.table_id for chips in known]),
        "colour": words.column("colour", [chips.colour for chips in known]),
        "chips": _numbers([chips.count for chips in known]),
        "value": _numbers([chips.value for chips in known]),
    }


def _shapes(kind: type[Any]) -> Mapping[str, Any]:
    """What each field is: text, a number, chips, guesses, or a list of words."""
    found: dict[str, Any] = {}
    for field in fields(cast("Any", kind)):
        said = get_args(field.type) or (field.type,)
        several = get_origin(field.type) is tuple
        if several and said[0] in (str, e.Guess):
            found[field.name] = list if said[0] is str else e.Guess
        elif get_origin(field.type) in PLAIN and (
            shape := next((at for at in SHAPES if at in said), None)
        ):
            found[field.name] = int if shape is bool else shape
    return found


def _numbers(values: Sequence[int]) -> Column:
    return np.array(values, dtype=np.int64)


SHAPES_OF = {kind: _shapes(kind) for kind in KINDS}
EMPTY = {kind: _kind(kind, _Rows([], [], []), _Words()) for kind in KINDS}
