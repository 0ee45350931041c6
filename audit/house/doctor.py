"""How the house is doing: what it runs on, its folder, its log, its DuckDB file."""

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

ROOM = 1 << 30  # bytes that should be free


class Health(NamedTuple):
    """One thing that was looked at; the next step and the exit code where it is not well."""

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
) -> Iterator[Health]:
    """Everything a replay needs, each looked at once; Kafka where the settings name one.

    What is bad is said, and the rest is looked at all the same.
    """
    yield Health("python", sys.version.split()[0])
    yield _packages()
    if home is None:
        return
    yield _looked("folder", lambda: _writable(home))
    yield _looked("disk", lambda: _room(home))
    if kafka is not None:
        yield _looked("kafka", lambda: _topics(kafka, retention_days, unsafe=unsafe))
    spool = _looked("spool", lambda: _spool(home) or NOTHING)
    if spool is not NOTHING:
        yield spool
    yield _looked("log", lambda: _chain(home))
    findings = _looked("findings", lambda: _findings(home))
    if findings is not NOTHING:
        yield findings
    yield _looked("derived", lambda: _derived(home))
    yield _looked("duckdb", lambda: _projection(home))


NOTHING = Health("", "")


def _looked(what: str, look_at: Callable[[], Health]) -> Health:
    """What a look shows; what it stumbles over is bad, and ends no other look."""
    from audit.cli.errors import explained

    try:
        return look_at()
    except Exception as error:
        told = explained(error)
        return Health(what, str(told), told.next_step, told.code)


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
    return Health("packages", f"all {len(names)} there, roundproof {version('roundproof')}")


def _writable(home: Path) -> Health:
    place = home
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK):
        step = "ask for access to it, or choose another folder with --home"
        return Health("folder", f"{place} cannot be written", step, Code.NOT_ALLOWED)
    return Health("folder", f"{home} can be written" + ("" if home.exists() else ", not made yet"))


def _room(home: Path) -> Health:
    place = home
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    found = f"{free / ROOM:,.1f} GiB free"
    if free < ROOM:
        return Health("disk", found, "make room on the disk", Code.UNREACHABLE)
    return Health("disk", found)


def _topics(kafka: "Kafka", retention_days: int, *, unsafe: bool) -> Health:
    """The cluster answers, and its topics are as a house needs them; on a desk they are there."""
    from audit.cli.errors import explained
    from ingest.kafka import topics
    from ingest.log import LogUnwritable

    try:
        weak = topics.check(kafka, topics.TopicSettings(retention_days=retention_days))
    except LogUnwritable as error:
        told = explained(error)
        return Health("kafka", str(told), told.next_step, told.code)
    if missing := [complaint.of for complaint in weak if complaint.missing]:
        found = f"{len(missing)} topics are missing at {kafka.bootstrap}, {missing[0]} among them"
        return Health("kafka", found, "roundproof kafka init", Code.UNVERIFIED)
    if weak and unsafe:
        found = f"{len(topics.STREAMS)} topics at {kafka.bootstrap}, {len(weak)} settings weak"
        return Health("kafka", f"{found}: a desk, not a house")
    if weak:
        more = f", and {len(weak) - 1} more" if len(weak) > 1 else ""
        return Health("kafka", f"{weak[0]}{more}", "roundproof kafka check", Code.UNVERIFIED)
    return Health("kafka", f"{len(topics.STREAMS)} topics at {kafka.bootstrap}, as they should be")


def _spool(home: Path) -> Health | None:
    """The house's own log, where the last replay read another one."""
    from replay.batch import source

    if source.remembered(home) != source.LOCAL and source.tables(source.opened(home, source.LOCAL)):
        return _read("spool", home, source.LOCAL)
    return None


def _chain(home: Path) -> Health:
    """Every event in its place, in the log that the last replay read and explanations are from."""
    from replay.batch import source

    return _read("log", home, source.remembered(home))


def _read(what: str, home: Path, kind: str) -> Health:
    """Every event of a log read, each carrying the hash of the one before."""
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


def _findings(home: Path) -> Health:
    """Every finding that was ever told, in its chain, and the same in the DuckDB file."""
    import duckdb

    from audit.checks import findings, findings_log
    from replay.tables.duckdb_file import FILE

    known = findings_log.standing(home)
    damaged = known.damaged
    if (home / FILE).exists():
        try:
            with duckdb.connect(str(home / FILE), read_only=True) as connection:
                damaged = findings.must_be_as_told(home, connection)
        except duckdb.Error:  # the look at the file itself says what is wrong with it
            pass
    if damaged:
        return _damaged("findings", damaged)
    if not known.heads:
        return NOTHING
    told = sum(head.told for head in known.heads.values())
    return Health("findings", f"{told:,} told of {len(known.heads)} tables, the chain holds")


def _damaged(what: str, broken: Mapping[str, Exception]) -> Health:
    """The first of some damaged tables in full, and the others by name."""
    from audit.cli.errors import explained

    (_, error), *others = broken.items()
    told = explained(error)
    more = f"; also damaged: {', '.join(name for name, _ in others)}" if others else ""
    return Health(what, f"{told}{more}", told.next_step, told.code)


def _derived(home: Path) -> Health:
    """Every derived file as the replay wrote it, from events that the log still holds."""
    from audit.cli.errors import explained
    from replay.batch import digest

    found = digest.digest(home)
    if found.failed:
        told = [explained(each.error) for each in found.failed]
        steps = dict.fromkeys(each.next_step for each in told)
        return Health("derived", "; ".join(map(str, told)), "; ".join(steps), told[0].code)
    return Health("derived", f"{len(found.days)} table-days, every file as it was written")


def _projection(home: Path) -> Health:
    """The DuckDB file holds the very table-days that the log and the rules call for."""
    import duckdb

    from replay.batch import digest
    from replay.tables import duckdb_file, parquet

    place = home / duckdb_file.FILE
    if not place.exists():
        return Health("duckdb", f"{place} is not there", "roundproof replay", Code.NOT_FOUND)
    try:
        with duckdb.connect(str(place), read_only=True) as db:
            held = sorted(db.execute("select table_id, digest from table_days").fetchall())
        wanted = sorted(
            (day.table_id, day.digest) for _, day in parquet.days(home / "derived", sound_only=True)
        )
        behind = digest.behind(home)
    except duckdb.Error as error:
        return Health("duckdb", str(error), "roundproof replay --fresh", Code.UNVERIFIED)
    if behind or held != wanted:
        return Health("duckdb", f"{place} is behind the log", "roundproof replay", Code.NOT_FOUND)
    return Health("duckdb", f"{place} is as new as the log, {len(held)} table-days")
