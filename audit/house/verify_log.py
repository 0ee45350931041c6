"""Verify a house's log, archive or topic against its seal, whole or one gaming day."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from audit.house import seal
from ingest.local.log import LocalLog
from ingest.log import EVENTS, FAILURES, Lane, LogReader
from ingest.seal import keys, note, verification
from ingest.seal.note import COSIGNS, PublicKey
from ingest.seal.verification import HouseVerdict, LaneVerdict, WrongRecord
from replay.batch import source
from replay.tables import parquet
from schemas import avro, codec, history
from schemas import events as e


class LogVerdict(NamedTuple):
    """What the comparison of a log with its seal gave."""

    house: HouseVerdict
    lanes: Sequence[LaneVerdict]
    keys: Sequence[PublicKey]  # that signed the newest checkpoint, witnesses included

    @property
    def wrong(self) -> list[LaneVerdict]:
        """The lanes that are not as sealed."""
        return [each for each in self.lanes if each.wrong]

    @property
    def caches(self) -> list[str]:
        """What is wrong with the tree files alone."""
        return [each.cache for each in self.lanes if each.cache]


def raw_log(home: Path, kind: str) -> LogReader:
    """A log of the house as its files are; heads and manifests may be wrong, events are judged."""
    return LocalLog(home / source.FOLDERS[kind], heads=False)


def trusted_keys(home: Path, vkey: str = "") -> list[PublicKey]:
    """The keys that may have signed: the house's own, or one that is given and its successors."""
    folder = seal.key_folder(home)
    if vkey:
        return keys.followed(note.public_key(vkey), keys.rotations(folder))
    return keys.public_keys(folder)


def verify(
    home: Path,
    log: LogReader,
    trusted: Sequence[PublicKey],
    day: str = "",
    advance: Callable[[int], None] = lambda _: None,
) -> LogVerdict:
    """Compare every lane of a log with the seal, or one gaming day of every table."""
    sealed = seal.sealed(home)
    house = verification.verify_checkpoints(sealed, trusted)
    own = LocalLog(home / "log")
    found: list[LaneVerdict] = []
    for lane in _lanes(log, house, own):
        files = sealed.tree(lane)
        if not day:
            made = verification.verify_lane(log, lane, house, files)
            found.append(_ended(made, log, own))
        elif lane[0] == EVENTS:
            found += [
                verification.verify_span(log, lane, span, house, files)
                for span in day_spans(home, log, lane[1], day)
            ]
        advance(1)
    known = [*trusted, *keys.trusted(seal.key_folder(home), COSIGNS)]
    signers = note.parse(house.state.note).signers(known) if house.state.note else []
    return LogVerdict(house, found, signers)


def day_spans(home: Path, log: LogReader, table: str, day: str) -> list[tuple[int, int]]:
    """The sequences of a table's events of a gaming day: from an opening to the next.

    What a replay derived says where to look; where the events there do not agree, all are read.
    """
    hints = [
        (known.start, known.end)
        for _, known in parquet.days(home / "derived", table, sound_only=True)
        if known.gaming_day == day
    ]
    if hints and all(_is_day(log, table, span, day) for span in hints):
        return hints
    return list(_walked_spans(log, table, day))


def _is_day(log: LogReader, table: str, span: tuple[int, int], day: str) -> bool:
    try:
        opened = next(log.read(EVENTS, table, span[0]), None)
        following = next(log.read(EVENTS, table, span[1]), None)
    except FAILURES:
        return False
    return (
        opened is not None
        and _opening(opened.body, opened.schema) == day
        and (following is None or _opening(following.body, following.schema) is not None)
    )


def _walked_spans(log: LogReader, table: str, day: str) -> Iterator[tuple[int, int]]:
    start, current, end = 0, "", 0
    try:
        for record in log.read(EVENTS, table):
            opened = _opening(record.body, record.schema)
            if opened is not None:
                if current == day and record.offset > start:
                    yield start, record.offset
                start, current = record.offset, opened
            end = record.offset + 1
    except FAILURES:
        end += 1  # the record that cannot be read counts to the day, so that it is named
    if current == day:
        yield start, end


def _opening(body: bytes, schema: str) -> str | None:
    """The gaming day that an event opens; None where it is no opening, or no event."""
    try:
        stream = BytesIO(body)
        if schema != avro.FINGERPRINT:
            payload = history.decode_event_as(schema, stream).payload
        else:
            codec.decode_head(stream)
            if codec.said_kind(body[stream.tell() :]) != e.TableOpened.__name__:
                return None
            payload, _ = codec.decode_said(stream)
    except codec.UNREADABLE:
        return None
    return payload.gaming_day if isinstance(payload, e.TableOpened) else None


def _lanes(log: LogReader, house: HouseVerdict, own: LocalLog) -> list[Lane]:
    """Every lane that was sealed or is there; other logs than the house's own hold events alone."""
    is_own = isinstance(log, LocalLog) and log.root == own.root
    streams = seal.SEALED_STREAMS if is_own else (EVENTS,)
    there = {(stream, name) for stream in streams for name in log.partitions(stream)}
    return sorted(there | {lane for lane in house.heads if lane[0] in streams})


def _ended(made: LaneVerdict, log: LogReader, own: LocalLog) -> LaneVerdict:
    """The verdict, with what the head beside the house's own records knows of their end."""
    if made.wrong or not (isinstance(log, LocalLog) and log.root == own.root):
        return made
    try:
        own.require_end(*made.lane, made.records)
        for _ in own.read(*made.lane, max(0, made.records - 1)):
            pass
    except FAILURES as error:
        last = max(made.sealed, made.records - 1)
        return made._replace(wrong=WrongRecord(last, str(error), None))
    return made
