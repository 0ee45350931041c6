"""Dead letters: listing them and trying them again. A redrive removes nothing; it adds a note."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ingest import dead_letter
from ingest.doors import kafka_topic
from ingest.gateway import STOPPED, Gateway
from ingest.log import DEAD_LETTERS, LogReader
from ingest.parse import batch as parse_batch
from ingest.parse import framing
from ingest.parse.batch import Unread
from ingest.parse.framing import Unframe
from schemas.events import DeadLetter, Reading
from schemas.shape import Refused

REDRIVEN = "redriven"  # the reason of a note: the letter was tried again and accepted
SHOWN = 64  # bytes of a letter that a list shows


class FiledLetter(NamedTuple):
    """A dead letter in a list; its id is the same in the log and in Kafka."""

    id: str
    letter: DeadLetter  # its body is the first bytes only
    state: str  # `new`, or `redriven`
    became: str  # the result of its redrive


def read(log: LogReader) -> Iterator[DeadLetter]:
    """Every letter of a log, with the notes of redrives."""
    for partition in log.partitions(DEAD_LETTERS):
        for record in log.read(DEAD_LETTERS, partition):
            yield dead_letter.decode(record.body)


def filed(found: Iterable[DeadLetter]) -> list[FiledLetter]:
    """The letters by time of receipt, each once, with the result of its redrive."""
    kept: dict[str, DeadLetter] = {}
    notes: dict[str, str] = {}
    for letter in found:
        if letter.reason == REDRIVEN:
            notes[letter.body.hex()] = letter.where
        else:
            kept.setdefault(dead_letter.digest(letter).hex(), _shortened(letter))
    return [
        FiledLetter(id, letter, REDRIVEN if id in notes else "new", notes.get(id, ""))
        for id, letter in sorted(kept.items(), key=lambda pair: pair[1].received_at)
    ]


def redrive(
    letter: DeadLetter, gateway: Gateway | None, now: int, unframe: Unframe | None = None
) -> str:
    """Try a letter again with today's schemas; returns the result in words.

    With `gateway=None`, only report what would happen.
    """
    try:
        readings = _readings(letter, unframe)
    except Refused as why:
        return f"still refused: {why.code}"
    if gateway is None:
        return f"would be taken: {len(readings)} readings"
    counts = gateway.take(readings, letter.source, holds=True)
    if counts.stopped:
        return f"still refused: {STOPPED}"
    if counts.dead_lettered:
        return "still refused: older_than_spool"
    told = (("accepted", counts.accepted), ("twins", counts.twins), ("conflicts", counts.conflicts))
    became = ", ".join(f"{count} {name}" for name, count in told if count) or "nothing in it"
    gateway.write_dead_letters([_note(letter, became, now)])
    return became


def _readings(letter: DeadLetter, unframe: Unframe | None) -> list[Reading]:
    """The readings of a letter; Refused where any of them is still refused."""
    if len(letter.body) < letter.size:
        raise Refused("too_large", "letter", f"{letter.size} bytes", str(len(letter.body)))
    body = letter.body
    if body[:1] == framing.CONFLUENT_MARKER:
        body = kafka_topic.reframed(body, unframe)
    found = list(parse_batch.batch(body))
    for each in found:
        if isinstance(each, Unread):
            raise each.why
    return [each for each in found if not isinstance(each, Unread)]


def _note(letter: DeadLetter, became: str, now: int) -> DeadLetter:
    """The note of a redrive: its body is the digest of the letter, its reason REDRIVEN."""
    digest = dead_letter.digest(letter)
    why = Refused(REDRIVEN, became, letter.reason, letter.source)
    return dead_letter.letter(
        why, digest, len(digest), source=DEAD_LETTERS, position=0, received_at=now
    )


def _shortened(letter: DeadLetter) -> DeadLetter:
    return replace(letter, body=letter.body[:SHOWN])
