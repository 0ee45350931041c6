"""The findings' own stream of the log: what each run of the checks raised and withdrew.

A partition a table, each finding chained to the one before by its hash, so that none is changed or
taken away unseen. A partition that is damaged is named and nothing is added to it; the others go
on. The table `findings` of the DuckDB file is made of it, and made again whenever
the file is. The same runs over the same house give the same bytes: no clock is in it.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from audit.checks.run import CheckFinding, day_text
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt, LogReader
from schemas import codec, published
from schemas.codec import UNREADABLE
from schemas.events import FindingTold

STREAM = "findings"
RAISED, WITHDRAWN = "raised", "withdrawn"
STATES = {RAISED: "new", WITHDRAWN: "gone"}  # as the table has them
SHARED = tuple(name for name in CheckFinding._fields if name != "state")


class Told(NamedTuple):
    """The last word on a finding, and how often it was spoken of."""

    finding: CheckFinding
    version: int


class Head(NamedTuple):
    """How many findings of a table were told, and the hash of the last."""

    told: int
    sha256: bytes


class Standing(NamedTuple):
    """What the stream says: of every finding the last word, and where each table ends."""

    findings: Mapping[str, Told]
    heads: Mapping[str, Head]
    damaged: Mapping[str, Exception] = MappingProxyType({})  # tables whose findings cannot be read


def standing(home: Path) -> Standing:
    """Everything that was ever found in a house, and the tables of which that cannot be said."""
    return _standing(LocalLog(home / "log"))


def tell(
    home: Path,
    run_id: str,
    ran: Iterable[str],
    found: Sequence[CheckFinding],
    but_not: Collection[str] = (),
) -> Standing:
    """Append what a run raises anew and what it withdraws; how the findings stand then.

    Nothing is added to a table that is damaged, or that is named in `but_not`.
    """
    with LocalLog(home / "log", (STREAM,)) as log:
        known = _standing(log)
        batches: dict[str, list[bytes]] = {}
        heads = dict(known.heads)
        for finding, version, state in _changes(known.findings, set(ran), found):
            if finding.table_id in known.damaged or finding.table_id in but_not:
                continue
            before = heads.get(finding.table_id, Head(0, codec.NO_HASH))
            body = published.encode(_event(finding, version, state, run_id, before.sha256))
            heads[finding.table_id] = Head(before.told + 1, hashlib.sha256(body).digest())
            batches.setdefault(finding.table_id, []).append(body)
        if batches:
            log.append_each(STREAM, dict(sorted(batches.items())))
        return _standing(log) if batches else known


def _standing(log: LogReader) -> Standing:
    findings: dict[str, Told] = {}
    heads: dict[str, Head] = {}
    damaged: dict[str, Exception] = {}
    for table in log.partitions(STREAM):
        try:
            told = list(_told(log, table))
        except (LogCorrupt, OSError) as error:
            damaged[table] = error
            continue
        for head, event in told:
            heads[table] = head
            findings[event.finding_id] = Told(_finding(event), event.version)
    return Standing(findings, heads, damaged)


def _told(log: LogReader, table: str) -> Iterator[tuple[Head, FindingTold]]:
    """What was told of a table, each with the head after it; LogCorrupt where the chain breaks."""
    before = codec.NO_HASH
    for record in log.read(STREAM, table):
        try:
            event = published.decode_told(record.body)
        except UNREADABLE as error:
            what = f"a finding expected, {error!r} found"
            raise LogCorrupt(f"findings of {table} offset {record.offset}: {what}") from error
        if (event.table_id, event.prev_hash) != (table, before):
            what = f"the finding after {before.hex()[:8]}… expected, another found"
            raise LogCorrupt(f"findings of {table} offset {record.offset}: {what}")
        before = hashlib.sha256(record.body).digest()
        yield Head(record.offset + 1, before), event


def _changes(
    known: Mapping[str, Told], ran: set[str], found: Sequence[CheckFinding]
) -> Iterable[tuple[CheckFinding, int, str]]:
    """What is new or otherwise than told, and what the checks that ran no longer find."""
    now = {finding.finding_id: finding for finding in found}
    for name, finding in sorted(now.items()):
        before = known.get(name)
        if before is None or before.finding != finding:
            yield finding, before.version + 1 if before else 1, RAISED
    for name, told in sorted(known.items()):
        stands = told.finding.state == STATES[RAISED]
        if stands and told.finding.check_id in ran and name not in now:
            yield told.finding, told.version + 1, WITHDRAWN


def _event(
    finding: CheckFinding, version: int, state: str, run_id: str, prev_hash: bytes
) -> FindingTold:
    values = {name: getattr(finding, name) for name in SHARED}
    return FindingTold(**values, version=version, state=state, run_id=run_id, prev_hash=prev_hash)


def _finding(event: FindingTold) -> CheckFinding:
    values = {name: getattr(event, name) for name in SHARED}
    values["gaming_day"] = day_text(event.gaming_day)
    return CheckFinding(**values, state=STATES[event.state])
