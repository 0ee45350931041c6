"""Gathers what a pack is made of: the round judged afresh, its events, findings, case and proofs.

Everything is read as the record stood at one checkpoint: the first that covers the events and the
steps of the case. So the same pack can be built again later, byte for byte.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from audit.access import access_log
from audit.cases import case_log, evidence_store
from audit.cases.case import Case
from audit.checks import catalogue, findings
from audit.checks.run import CheckFinding
from audit.cli.errors import Code, Stopped
from audit.evidence import redaction, span
from audit.evidence.redaction import Redaction
from audit.evidence.round_file import CameraFrame, RoundFile
from audit.evidence.span import EventSpan
from audit.house import seal
from audit.sql import database
from ingest.local.log import LocalLog
from ingest.log import EVENTS, LogReader, LogRecord
from ingest.seal import proof
from ingest.seal.proof import Proofs
from replay import rulebooks
from replay.batch import source
from replay.judge import judge_day
from replay.locate import LocatedRound, locate
from replay.rounds import fold
from replay.tables import round_rows
from schemas import bounds
from schemas import events as e

CONTEXT = (e.TableOpened, e.TermsPosted, e.StaffCameOn, e.ShoeLoaded)  # what a round rests on
SURVEILLANCE = "8.4.6"
PICTURES = ("image/jpeg", "image/png", "image/webp")


@dataclass(frozen=True)
class PackMaterial:
    """All that a pack is made of."""

    file: RoundFile
    span: EventSpan
    day: tuple[e.Event, ...]  # the table-day, for coverage and clocks
    hidden: Redaction
    proofs: Proofs
    case_records: tuple[LogRecord, ...]  # the steps of the case as the log has them
    accesses: tuple[e.AccessRecorded, ...]  # who looked at the round or its case before
    evidence: tuple[tuple[e.EvidenceAdded, bytes], ...]  # files that were taken into evidence
    second_digest: str  # of the round, derived a second time
    checks_ran: bool

    def event(self, offset: int) -> e.Event:
        """The event at a place of the table's log, which must be of its table-day."""
        return self.day[offset - self.day[0].seq]

    def record(self, event_id: str) -> LogRecord:
        """The record of an event of the span."""
        return self._records[event_id]

    @cached_property
    def _records(self) -> dict[str, LogRecord]:
        return {self.event(record.offset).event_id: record for record in self.span.records}


def gather(home: Path, name: str, party: str = "") -> PackMaterial:
    """What is on file about a case or a round; NotSealed where no checkpoint covers it yet."""
    case = case_log.load(home).cases.get(name)
    found = locate(home, case.raised.round_id if case else name)
    round = found.judged.round
    log = source.opened(home)
    sealed, _ = source.table_day(log, round.table_id, found.start)
    events = tuple(bounds.bounded(event) for event, _ in sealed)
    event_span = _span(log, found, events)
    proofs = _proofs(home, event_span, case)
    known, ran = _findings(home, round.table_id, round.round_id)
    evidence = tuple(_evidence(home, case))
    hidden = redaction.redaction(_party(party, events), events)
    names = frozenset({round.round_id, case.case_id if case else round.round_id})
    return PackMaterial(
        file=RoundFile(
            found.judged,
            round_rows.of_round(found.judged)[1],
            known,
            case,
            tuple(_frames(evidence)),
            hidden,
        ),
        span=event_span,
        day=events,
        hidden=hidden,
        proofs=proofs,
        case_records=tuple(_case_records(home, case)),
        accesses=tuple(_accesses(home, proofs.head.size, names)),
        evidence=evidence,
        second_digest=_second_digest(log, round.table_id, found.start, round.round_id),
        checks_ran=ran,
    )


def _span(log: LogReader, found: LocatedRound, events: tuple[e.Event, ...]) -> EventSpan:
    table, start = found.judged.round.table_id, found.start
    offsets = {event.event_id: start + n for n, event in enumerate(events)}
    first, last = span.bounds(found.day, found.judged.round.round_id, offsets)
    context = {n for n in range(start, first) if isinstance(events[n - start].payload, CONTEXT)}
    records = list(islice(log.read(EVENTS, table, start), last - start))
    before = tuple(record for record in records[: first - start] if record.offset in context)
    return EventSpan(table, first, tuple(records[first - start :]), before)


def _proofs(home: Path, events: EventSpan, case: Case | None) -> Proofs:
    """Proofs at the first checkpoint that covers the events and the case."""
    house = seal.sealed(home)
    at = proof.covering(house, events.table, events.end)
    if case:
        last = max(record.offset for record in _case_records(home, case))
        at = max(at, proof.covering(house, case.table_id, last + 1, case_log.STREAM))
    return Proofs(house, at)


def _case_records(home: Path, case: Case | None) -> Iterator[LogRecord]:
    """The records of the case's steps, in their order."""
    if case is None:
        return
    log = LocalLog(home / "log")
    steps = case_log.events(log, case.table_id)
    for record, (_, event) in zip(log.read(case_log.STREAM, case.table_id), steps, strict=True):
        if event.case_id == case.case_id:
            yield record


def _accesses(home: Path, at: int, names: frozenset[str]) -> Iterator[e.AccessRecorded]:
    """Who asked to see the round or its case, as far as the checkpoint reaches."""
    heads = seal.sealed(home).heads((access_log.STREAM, access_log.PARTITION))
    sealed = max((head.size for head in heads if head.leaf < at), default=0)
    for made in islice(access_log.records(home), sealed):
        if names & set(made.subjects):
            yield made


def _evidence(home: Path, case: Case | None) -> Iterator[tuple[e.EvidenceAdded, bytes]]:
    """The files of the case, each compared with its hash."""
    for _, added in case.all(e.EvidenceAdded) if case else ():
        yield added, evidence_store.get(home, added.sha256).read_bytes()


def _frames(evidence: tuple[tuple[e.EvidenceAdded, bytes], ...]) -> Iterator[CameraFrame]:
    for added, body in evidence:
        if added.basis == SURVEILLANCE and added.media_type in PICTURES:
            suffix = added.media_type.removeprefix("image/").replace("jpeg", "jpg")
            name = f"{added.evidence_id}.{suffix}"
            yield CameraFrame(name, body, added.name, added.sha256)


def _findings(home: Path, table: str, round_id: str) -> tuple[tuple[CheckFinding, ...], bool]:
    """The findings of the round, and whether the checks ran at all."""
    wanted = findings.Wanted(table_id=table, round_id=round_id)
    try:
        with database.opened(home) as connection:
            return tuple(findings.read(connection, wanted)), findings.exists(connection)
    except Stopped as error:
        if error.code != Code.NOT_FOUND:
            raise
        return (), False


def _second_digest(log: LogReader, table: str, start: int, round_id: str) -> str:
    """The digest of the round, derived once more from the log."""
    sealed, _ = source.table_day(log, table, start)
    events = [bounds.bounded(event) for event, _ in sealed]
    rounds = fold(source.gaming_day(sealed), events)
    for judged in judge_day(rounds, rulebooks.in_force):
        if judged.round.round_id == round_id:
            return round_rows.of_round(judged)[1]
    raise AssertionError(f"{round_id}: derived once and not again")


def _party(party: str, events: tuple[e.Event, ...]) -> str:
    """The party, who must have played at the table that day."""
    known = sorted({name for event in events if (name := getattr(event.payload, "player_id", ""))})
    if party and party not in known:
        near = ", ".join(known[:4])
        what = f"player {party!r}: a player of this table and day expected, such as {near}"
        raise Stopped(what, "roundproof explain ROUND lists the players of a round", Code.NOT_FOUND)
    return party


def check_ids() -> tuple[str, ...]:
    """Every check of this version."""
    return tuple(catalogue.checks())
