"""Takes from a day of readings what lay on one table and when, to film it.

The simulated camera's readings are the truth of what lay there. The film shows it, and the readings
of `vision watch` then replace the simulated ones.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from ingest import avro_container
from ingest.parse import batch as parse_batch
from schemas import events as e

CAMERA = "camera"
READ_PROBABILITY = 0.9  # a card below this was unreadable
DELAY_US = 30_000  # from a frame to the gateway, if a reading has no arrival time


class NoFilm(ValueError):
    """The day or table cannot be filmed; the message says why."""


class CardLaid(NamedTuple):
    """A card in its place; no code if it was unreadable."""

    zone: str
    slot: int
    code: str | None
    at_us: int
    drawn_us: int | None = None  # when it left the shoe, if the shoe reports it
    hidden: bool = False  # it lies face down throughout


class PiecesThrown(NamedTuple):
    """Dice or tokens of one throw."""

    shows: tuple[str, ...]
    at_us: int
    flat: bool = True
    overlap: bool = False
    read: bool = True


class ViewDisturbed(NamedTuple):
    """The camera reported a disturbed view."""

    kind: str
    at_us: int


@dataclass(slots=True)
class FilmedRound:
    """What happened on the felt in one round."""

    round_id: str
    number: int
    opened_us: int
    closed_us: int = 0
    laid: list[CardLaid] = field(default_factory=list)
    thrown: list[PiecesThrown] = field(default_factory=list)
    spoilt: list[ViewDisturbed] = field(default_factory=list)
    wagers_us: list[int] = field(default_factory=list)
    drawn: list[tuple[str, int, bool]] = field(default_factory=list)  # hand, time, exposed


class FilmedTable(NamedTuple):
    """One table: its rounds, its game and its camera."""

    table_id: str
    game: str
    camera: str
    plays: tuple[FilmedRound, ...]


def readings(path: Path) -> Iterator[e.Reading]:
    """Read a day; NoFilm if a line is no reading."""
    with path.open("rb") as stream:
        start = stream.read(len(avro_container.MAGIC))
        stream.seek(0)
        found = parse_batch.container if start == avro_container.MAGIC else parse_batch.lines
        for arrival in found(stream):
            if isinstance(arrival, parse_batch.Unread):
                raise NoFilm(f"{path}: readings expected; at byte {arrival.position} {arrival.why}")
            yield arrival


def table_day(path: Path, table_id: str, rounds: Container[int] | None = None) -> FilmedTable:
    """What lay on one table; NoFilm if there is no such table, or no camera over it."""
    tables, game, cameras = set[str](), "", dict[str, None]()
    plays: dict[str, FilmedRound] = {}
    current: FilmedRound | None = None
    for reading in readings(path):
        tables.add(reading.table_id)
        if reading.table_id != table_id:
            continue
        if isinstance(reading.payload, e.TermsPosted):
            game = game or reading.payload.game
        if reading.device_kind == CAMERA:
            cameras[reading.device_id] = None
        current = _noted(reading, plays, current)
    _must_be_there(path, table_id, tables, plays, cameras)
    filmed = [play for play in plays.values() if rounds is None or play.number in rounds]
    if not filmed:
        last = max(play.number for play in plays.values())
        raise NoFilm(
            f"{path}: rounds of 1 to {last} at table {table_id} expected, others asked for"
        )
    return FilmedTable(table_id, game, next(iter(cameras)), tuple(map(_whole, filmed)))


def without_camera(path: Path, table_id: str) -> Iterator[e.Reading]:
    """The day without the readings of one table's camera."""
    for reading in readings(path):
        if reading.table_id != table_id or reading.device_kind != CAMERA:
            yield reading


def together(path: Path, others: Sequence[Path]) -> Iterator[e.Reading]:
    """Merge camera readings into a day by arrival, table by table."""
    waiting: dict[str, list[e.Reading]] = {}
    for other in others:
        for reading in readings(other):
            waiting.setdefault(reading.table_id, []).append(_timed(reading))
    for rows in waiting.values():
        rows.sort(key=_received_us)
    for reading in readings(path):
        rows = waiting.get(reading.table_id, [])
        while rows and _received_us(rows[0]) <= _received_us(reading):
            yield rows.pop(0)
        yield reading
    for _, rows in sorted(waiting.items()):
        yield from rows


def _noted(
    reading: e.Reading, plays: dict[str, FilmedRound], current: FilmedRound | None
) -> FilmedRound | None:
    """Take in one reading of the table; return the round that is open after it."""
    at_us, named = reading.occurred_at, plays.get(reading.round_id or "")
    play = named or current
    match reading.payload:
        case e.RoundOpened(number=number):
            round_id = reading.round_id or f"{reading.table_id}-{number}"
            return plays.setdefault(round_id, FilmedRound(round_id, number, at_us))
        case e.RoundClosed():
            if play is not None:
                play.closed_us = at_us
            return None if play is current else current
        case payload if play is not None:
            _taken_in(play, payload, at_us)
    return current


def _taken_in(play: FilmedRound, payload: e.Payload, at_us: int) -> None:
    match payload:
        case e.CardDrawn(hand=hand, exposed=exposed):
            play.drawn.append((hand, at_us, exposed))
        case e.WagerPlaced():
            play.wagers_us.append(at_us)
        case e.CardsObserved(zone=zone, slot=slot, guesses=guesses):
            play.laid.append(CardLaid(zone, slot, _best(guesses), at_us))
        case e.DiceObserved(guesses=guesses, flat=flat, overlap=overlap) if guesses:
            shows, read = tuple(guesses[0].seen.split("-")), _best(guesses) is not None
            play.thrown.append(PiecesThrown(shows, at_us, flat, overlap, read))
        case e.TokensObserved(guesses=guesses) if guesses:
            shows, read = tuple(guesses[0].seen.split("-")), _best(guesses) is not None
            play.thrown.append(PiecesThrown(shows, at_us, read=read))
        case e.CameraDisturbed(kind=kind):
            play.spoilt.append(ViewDisturbed(kind, at_us))


def _best(guesses: Sequence[e.Guess]) -> str | None:
    return guesses[0].seen if guesses and guesses[0].probability >= READ_PROBABILITY else None


def _whole(play: FilmedRound) -> FilmedRound:
    """Add to a round when its cards left the shoe, and the cards that stay face down."""
    drawn: dict[tuple[str, int], tuple[int, bool]] = {}
    count: dict[str, int] = {}
    for hand, at_us, exposed in play.drawn:
        count[hand] = count.get(hand, 0) + 1
        drawn[hand, count[hand]] = at_us, exposed
    known = {(card.zone, card.slot) for card in play.laid}
    laid = [card._replace(drawn_us=_drawn_us(drawn, card)) for card in play.laid]
    laid += [
        CardLaid(hand, slot, None, at_us, at_us, hidden=True)
        for (hand, slot), (at_us, exposed) in drawn.items()
        if not exposed and (hand, slot) not in known
    ]
    seen = [card.at_us for card in laid] + [throw.at_us for throw in play.thrown]
    last = max(seen, default=play.opened_us)
    return replace(play, laid=laid, closed_us=max(play.closed_us, last + 1_500_000))


def _drawn_us(drawn: Mapping[tuple[str, int], tuple[int, bool]], card: CardLaid) -> int | None:
    at_us, _ = drawn.get((card.zone, card.slot), (None, True))
    return at_us if at_us is not None and at_us <= card.at_us else None


def _timed(reading: e.Reading) -> e.Reading:
    if reading.received_at is not None:
        return reading
    return replace(reading, received_at=reading.occurred_at + DELAY_US)


def _received_us(reading: e.Reading) -> int:
    return reading.occurred_at if reading.received_at is None else reading.received_at


def _must_be_there(
    path: Path,
    table_id: str,
    tables: set[str],
    plays: Mapping[str, FilmedRound],
    cameras: Mapping[str, None],
) -> None:
    if not tables:
        raise NoFilm(f"{path}: a day's readings expected, none found")
    if table_id not in tables:
        raise NoFilm(f"{path}: table {table_id} expected, {_few(tables)} found")
    if not cameras:
        raise NoFilm(f"{path}: a camera at table {table_id} expected, its game has none")
    if not plays:
        raise NoFilm(f"{path}: rounds at table {table_id} expected, none found")


def _few(names: set[str]) -> str:
    first, *rest = sorted(names)
    return f"{first} to {max(rest)}" if len(rest) > 2 else ", ".join((first, *rest))
