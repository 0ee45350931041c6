"""The cases' own stream of the log: a partition a table, each step chained to the one before.

A step is one record, so a killed command leaves it whole or not at all. A partition that is damaged
is named and nothing is added to it; the cases of other tables go on. Reading the state, checking a
step against it and appending the step happen under the stream's lock, so two people at two desks
never both take a step that only one of them may take.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from audit.cases import rules
from audit.cases.case import Case, fold
from audit.cases.rules import Actor, Refusal
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt, LogReader, is_id
from schemas import case_codec, codec
from schemas import events as e
from schemas.codec import UNREADABLE

STREAM = "cases"
MakeStep = Callable[[Case], e.CaseStep]  # a step may depend on the case, such as its next number


class UnknownCase(LookupError):
    """No case of that id, or several that begin so."""


class StepRefused(Exception):
    """A step that may not be taken; `refusal` says why and who may."""

    def __init__(self, case_id: str, refusal: Refusal) -> None:
        super().__init__(f"case {case_id}: {refusal}" if case_id else str(refusal))
        self.case_id, self.refusal = case_id, refusal


class Taking(NamedTuple):
    """A person at a desk: who acts, when it was done, when it is written down."""

    actor: Actor
    done_at: int  # UTC microseconds
    recorded_at: int


class CaseHead(NamedTuple):
    """How many case events a table has, and the hash of the last."""

    steps: int
    sha256: bytes


NO_HEAD = CaseHead(0, codec.NO_HASH)


class CaseBook(NamedTuple):
    """Every case of a house, where each table's stream ends, and what cannot be read."""

    cases: Mapping[str, Case]
    heads: Mapping[str, CaseHead]
    damaged: Mapping[str, Exception] = MappingProxyType({})  # tables whose cases cannot be read

    def named(self, case_id: str) -> Case:
        """The case of this id, or the only one whose id begins so; UnknownCase where none is."""
        if case_id in self.cases:
            return self.cases[case_id]
        near = [name for name in sorted(self.cases) if name.startswith(case_id)]
        if len(near) == 1:
            return self.cases[near[0]]
        if near:
            raise UnknownCase(f"case {case_id!r}: {len(near)} begin so, such as {near[0]}")
        for error in self.damaged.values():  # it may be one that cannot be read
            raise error
        known = f"one such as {min(self.cases)} expected" if self.cases else "there is none at all"
        raise UnknownCase(f"no case {case_id!r}: {known}")


def load(home: Path) -> CaseBook:
    """Every case of a house, and the tables of which that cannot be said."""
    return load_from(LocalLog(home / "log"))


def open_case(home: Path, table_id: str, raised: e.DisputeRaised, taking: Taking) -> Case:
    """Raise a dispute; StepRefused where this person may not."""
    refused = rules.raising(taking.actor)
    if refused:
        raise StepRefused("", refused)
    with LocalLog(home / "log", (STREAM,), waits=True) as log:
        book = load_from(log)
        case_id = _new_id(book, raised.round_id)
        event = _append(log, book, _event(table_id, case_id, 1, raised, taking))
    return Case((event,))


def take(home: Path, case_id: str, make: MakeStep, taking: Taking) -> Case:
    """Take a step in a case; StepRefused where the rules refuse it."""
    with LocalLog(home / "log", (STREAM,), waits=True) as log:
        book = load_from(log)
        case = book.named(case_id)
        step = make(case)
        refused = rules.refusal(case, taking.actor, step)
        if refused:
            raise StepRefused(case.case_id, refused)
        number = len(case.steps) + 1
        event = _append(log, book, _event(case.table_id, case.case_id, number, step, taking))
    return case.after(event)


def _event(
    table_id: str, case_id: str, number: int, step: e.CaseStep, taking: Taking
) -> e.CaseEvent:
    return e.CaseEvent(
        table_id=table_id,
        case_id=case_id,
        number=number,
        prev_hash=codec.NO_HASH,
        person_id=taking.actor.person_id,
        rank=taking.actor.rank,
        done_at=taking.done_at,
        recorded_at=taking.recorded_at,
        step=step,
    )


def _append(log: LocalLog, book: CaseBook, event: e.CaseEvent) -> e.CaseEvent:
    """Chain the event to the table's last one and append it."""
    if event.table_id in book.damaged:
        raise book.damaged[event.table_id]
    before = book.heads.get(event.table_id, NO_HEAD)
    event = replace(event, prev_hash=before.sha256)
    log.append(STREAM, event.table_id, [case_codec.encode(event)])
    return event


def _new_id(book: CaseBook, round_id: str) -> str:
    """The round's id and the number of its dispute."""
    name = round_id if is_id(f"{round_id}-D999") else _short_name(round_id)
    taken = sum(case.raised.round_id == round_id for case in book.cases.values())
    return f"{name}-D{taken + 1}"


def _short_name(text: str) -> str:
    """A short name for a text that is too long to be part of an id."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_from(log: LogReader) -> CaseBook:
    """Every case of a log, and the tables of which that cannot be said."""
    cases: dict[str, Case] = {}
    heads: dict[str, CaseHead] = {}
    damaged: dict[str, Exception] = {}
    for table in log.partitions(STREAM):
        try:
            found = list(events(log, table))
            known = fold(event for _, event in found)
            _require_lawful(table, known)
        except (LogCorrupt, OSError) as error:
            damaged[table] = error
            continue
        cases |= known
        heads[table] = found[-1][0] if found else NO_HEAD
    return CaseBook(dict(sorted(cases.items())), heads, damaged)


def events(log: LogReader, table: str) -> Iterator[tuple[CaseHead, e.CaseEvent]]:
    """A table's case events, each with the head after it; LogCorrupt where the chain breaks."""
    before = codec.NO_HASH
    for record in log.read(STREAM, table):
        where = f"cases of {table} offset {record.offset}"
        try:
            event = case_codec.decode_case(record.body, record.schema)
        except UNREADABLE as error:
            raise LogCorrupt(f"{where}: a case event expected, {error!r} found") from error
        if (event.table_id, event.prev_hash) != (table, before):
            what = f"the case event after {before.hex()[:8]}… expected, another found"
            raise LogCorrupt(f"{where}: {what}")
        before = hashlib.sha256(record.body).digest()
        yield CaseHead(record.offset + 1, before), event


def _require_lawful(table: str, cases: Mapping[str, Case]) -> None:
    """Every case begins with its raising and counts its steps; LogCorrupt where one does not."""
    for case in cases.values():
        numbers = [event.number for event in case.steps]
        raised = isinstance(case.steps[0].step, e.DisputeRaised)
        if not raised or numbers != list(range(1, len(numbers) + 1)):
            what = f"steps 1 to {len(numbers)} from the raising on expected, others found"
            raise LogCorrupt(f"cases of {table}: case {case.case_id}: {what}")
