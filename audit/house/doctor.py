"""The health of an installation: Python, packages, folder, Kafka, log, DuckDB file."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.cli.errors import Code

if TYPE_CHECKING:
    from ingest.kafka.client import Kafka

GIB = 1 << 30  # bytes; at least this much must be free


class Health(NamedTuple):
    """The result of one check; with a next step and an exit code if it is bad."""

    what: str
    found: str
    next_step: str = ""
    code: Code = Code.OK


def look(
    home: Path | None = None,
    kafka: "Kafka | None" = None,
    retention_days: int = 1,
    *,
    unsafe: bool = False,
    whole: bool = True,
) -> Iterator[Health]:
    """Check everything a replay needs; Kafka only if it is set.

    A bad result does not end the other checks. Without `whole`, nothing reads every event.
    """
    yield Health("python", sys.version.split()[0])
    yield _packages()
    if home is None:
        return
    yield _looked("folder", lambda: _writable(home))
    yield _looked("disk", lambda: _room(home))
    if kafka is not None:
        yield _looked("kafka", lambda: _topics(kafka, retention_days, unsafe=unsafe))
    spool = _looked("spool", lambda: _spool(home) or NOTHING) if whole else NOTHING
    if spool is not NOTHING:
        yield spool
    if whole:
        yield _looked("log", lambda: _chain(home))
    yield _looked("seal", lambda: _seal(home))
    if not whole:
        return
    findings = _looked("findings", lambda: _findings(home))
    if findings is not NOTHING:
        yield findings
    yield _looked("derived", lambda: _derived(home))
    yield _looked("duckdb", lambda: _projection(home))


NOTHING = Health("", "")


def _looked(what: str, look_at: Callable[[], Health]) -> Health:
    """The result of a check; an exception in it is a bad result."""
    from audit.cli.errors import explained

    try:
        return look_at()
    except Exception as error:
        stopped = explained(error)
        return Health(what, str(stopped), stopped.next_step, stopped.code)


def _packages() -> Health:
    missing = []
    names = [line.split(";") for line in requires("roundproof") or () if "extra ==" not in line]
    for name in (name[0].split(">")[0].strip() for name in names):
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Health("packages", f"{', '.join(missing)} missing", "make .venv/run", Code.NOT_FOUND)
    return Health("packages", f"all {len(names)} installed, roundproof {version('roundproof')}")


def _writable(home: Path) -> Health:
    place = home
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK):
        step = "ask for access, or choose another folder with --home"
        return Health("folder", f"{place} is not writable", step, Code.NOT_ALLOWED)
    return Health("folder", f"{home} is writable" + ("" if home.exists() else ", not created yet"))


def _room(home: Path) -> Health:
    place = home
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    found = f"{free / GIB:,.1f} GiB free"
    if free < GIB:
        return Health("disk", found, "free disk space", Code.UNREACHABLE)
    return Health("disk", found)


def _topics(kafka: "Kafka", retention_days: int, *, unsafe: bool) -> Health:
    """The brokers answer and the topics exist; their settings are safe, unless `unsafe`."""
    from audit.cli.errors import explained
    from ingest.kafka import topics
    from ingest.log import LogUnwritable

    try:
        weak = topics.check(kafka, topics.TopicSettings(retention_days=retention_days))
    except LogUnwritable as error:
        stopped = explained(error)
        return Health("kafka", str(stopped), stopped.next_step, stopped.code)
    if missing := [complaint.of for complaint in weak if complaint.missing]:
        found = f"{len(missing)} topics are missing at {kafka.bootstrap}, {missing[0]} among them"
        return Health("kafka", found, "roundproof kafka init", Code.UNVERIFIED)
    if weak and unsafe:
        found = f"{len(topics.STREAMS)} topics at {kafka.bootstrap}, {len(weak)} settings weak"
        return Health("kafka", f"{found}: fit for tests, not for a casino")
    if weak:
        more = f", and {len(weak) - 1} more" if len(weak) > 1 else ""
        return Health("kafka", f"{weak[0]}{more}", "roundproof kafka check", Code.UNVERIFIED)
    return Health("kafka", f"{len(topics.STREAMS)} topics at {kafka.bootstrap}, settings are safe")


def _spool(home: Path) -> Health | None:
    """The local log, if the last replay read another one."""
    from replay.batch import source

    if source.remembered(home) != source.LOCAL and source.tables(source.opened(home, source.LOCAL)):
        return _read("spool", home, source.LOCAL)
    return None


def _chain(home: Path) -> Health:
    """The hash chain of the log that the last replay read."""
    from replay.batch import source

    return _read("log", home, source.remembered(home))


def _read(what: str, home: Path, kind: str) -> Health:
    """Read every event of a log and check its hash chain."""
    from ingest.log import EVENTS, LogCorrupt
    from ingest.seal import chain as event_chain
    from replay.batch import source

    log, folder, events = source.opened(home, kind), home / source.FOLDERS[kind], 0
    tables = source.tables(log)
    if not tables:
        own = "roundproof ingest file FILE, or roundproof demo"
        step = own if kind == source.LOCAL else f"roundproof replay --from {kind}"
        return Health(what, f"{folder} has no events yet", step, Code.NOT_FOUND)
    broken = dict[str, Exception]()
    for table in tables:
        try:
            events += sum(1 for _ in event_chain.links(log.read(EVENTS, table), table))
        except (LogCorrupt, OSError) as error:
            broken[table] = error
    if broken:
        return _damaged(what, broken)
    return Health(what, f"{folder}: {events:,} events of {len(tables)} tables, the chain holds")


def _seal(home: Path) -> Health:
    """How far the log is sealed; `log verify` compares it with the seal."""
    from audit.house import seal
    from ingest.local.log import LocalLog
    from ingest.seal.keys import NoKey

    state, log = seal.sealed(home).state(), LocalLog(home / "log")
    try:
        name = seal.signing_key(home).name
    except NoKey:
        if state.head is None:
            return Health("seal", "no signing key, so nothing is sealed: roundproof keys new NAME")
        raise
    heads = {lane: log.head_of(*lane) for lane in seal.lanes(log)}
    waits = sum(
        head.end - (state.lanes[lane].size if lane in state.lanes else 0)
        for lane, head in heads.items()
        if head
    )
    size = state.head.size if state.head else 0
    return Health("seal", f"checkpoint {size} of {name}; {waits:,} records wait for the next one")


def _findings(home: Path) -> Health:
    """The hash chain of the findings log, and the same findings in the DuckDB file."""
    import duckdb

    from audit.checks import findings, findings_log
    from replay.tables import proven_file
    from replay.tables.duckdb_file import FILE

    known = findings_log.standing(home)
    damaged = known.damaged
    if (home / FILE).exists():
        try:
            with proven_file.connected(home / FILE) as connection:
                damaged = findings.must_be_as_told(home, connection)
        except (duckdb.Error, proven_file.FileChanged):  # the check of the file reports it
            pass
    if damaged:
        return _damaged("findings", damaged)
    if not known.heads:
        return NOTHING
    told = sum(head.told for head in known.heads.values())
    return Health("findings", f"{told:,} records of {len(known.heads)} tables, the chain holds")


def _damaged(what: str, broken: Mapping[str, Exception]) -> Health:
    """The error of the first damaged table in full, and the other tables by name."""
    from audit.cli.errors import explained

    (_, error), *others = broken.items()
    stopped = explained(error)
    more = f"; also damaged: {', '.join(name for name, _ in others)}" if others else ""
    return Health(what, f"{stopped}{more}", stopped.next_step, stopped.code)


def _derived(home: Path) -> Health:
    """Every derived file is as the replay wrote it, and the log still holds its events."""
    from audit.cli.errors import explained
    from replay.batch import digest

    found = digest.digest(home)
    if found.failed:
        errors = [explained(each.error) for each in found.failed]
        steps = dict.fromkeys(each.next_step for each in errors)
        return Health("derived", "; ".join(map(str, errors)), "; ".join(steps), errors[0].code)
    return Health("derived", f"{len(found.days)} table-days, every file as it was written")


def _projection(home: Path) -> Health:
    """The DuckDB file holds the table-days that the log and the rules call for, and no others."""
    import duckdb

    from replay.batch import digest
    from replay.tables import duckdb_file, parquet, proven_file

    place = home / duckdb_file.FILE
    if not place.exists():
        return Health("duckdb", f"{place} does not exist", "roundproof replay", Code.NOT_FOUND)
    try:
        with proven_file.connected(place) as db:
            held = sorted(db.execute("select table_id, digest from table_days").fetchall())
        wanted = sorted(
            (day.table_id, day.digest) for _, day in parquet.days(home / "derived", sound_only=True)
        )
        behind = digest.behind(home)
    except duckdb.Error as error:
        return Health("duckdb", str(error), "roundproof replay --fresh", Code.UNVERIFIED)
    if behind or held != wanted:
        return Health("duckdb", f"{place} is behind the log", "roundproof replay", Code.NOT_FOUND)
    return Health("duckdb", f"{place} is up to date, {len(held)} table-days")
