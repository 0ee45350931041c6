"""`roundproof ingest forward|status|trim|adopt`: what the log holds, and Kafka has of it."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import columns, screen, settings, times
from audit.cli.errors import Code, Stopped, explained
from audit.cli.options import AsJson, DryRun, Yes

if TYPE_CHECKING:
    from ingest.forward.compare import Comparison
    from ingest.forward.lag import LaneLag
    from ingest.kafka.client import Kafka
    from ingest.local.adopt import PartitionReport
    from ingest.local.log import LocalLog
    from ingest.local.spool import Lane

app = typer.Typer()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FOLLOW_S = 1.0
HEAD = ("table", "events", "in Kafka", "lag", "bytes waiting", "oldest waiting", "last event")


@app.command()
def forward(
    ctx: typer.Context,
    follow: Annotated[bool, typer.Option("--follow", help="Go on until it is stopped.")] = False,
    as_json: AsJson = False,
) -> None:
    """Send what the log holds and Kafka does not; `ingest serve` and `file` do so themselves.

    \b
    Examples:
        roundproof ingest forward
        roundproof ingest forward --follow

    Sending is always safe to repeat: readers know a record by its sequence and bytes.
    """
    from audit.cli.signals import stopping
    from audit.house import open as open_house
    from ingest.log import LogLocked

    kafka = settings.must_have_kafka(ctx)
    sent, left = 0, open_house.Left()
    with stopping() as stopped:
        while True:
            try:
                with open_house.opened(log_of(ctx), kafka) as house:
                    assert house.forwarder is not None
                    left = open_house.forward_all(house.forwarder, kafka.delivery_s)
                    sent += house.forwarder.forwarded
            except LogLocked:
                if not follow:
                    raise
                left = open_house.Left()  # whoever writes there now forwards it too
            if not follow or stopped() or left.denied:
                break
            time.sleep(FOLLOW_S)
    if as_json:
        screen.say_json({"forwarded": sent, "wrong": left.why})
    else:
        screen.say(f"forwarded {sent:,} records")
    left.must_be_sent()
    left.require_no_stopped_table()


@app.command()
def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show what the log holds, how much of it waits for Kafka and since when, and dead letters.

    Example: roundproof ingest status
    """
    from ingest.local.log import LocalLog
    from ingest.log import DEAD_LETTERS, EVENTS, LogCorrupt

    log, kafka = LocalLog(log_of(ctx)), settings.kafka_of(ctx)
    told: dict[str, Any] = {}
    damaged: dict[str, Exception] = {}
    if kafka is None:
        names = log.partitions(EVENTS)
        told["tables"] = [_table_or_damage(log, name, damaged) for name in names]
    else:
        figures, away = _figures(log, kafka)
        told["tables"] = [
            _table_or_damage(log, name, damaged, figures.get((EVENTS, name)))
            for name in log.partitions(EVENTS)
        ]
        told["kafka"] = {"state": "away" if away else "ok", "reason": away}
        dead = [each for (stream, _), each in figures.items() if stream == DEAD_LETTERS]
        told["dead_letters_lag"] = sum(each.lag for each in dead)
    try:
        told["dead_letters"] = _reasons(log)
    except (LogCorrupt, OSError) as error:
        told["dead_letters"], damaged[DEAD_LETTERS] = {}, error
    if as_json:
        screen.say_json(told)
    else:
        _say_status(times.local_in(told, settings.of(ctx).zone))
    _must_be_undamaged(damaged)


@app.command()
def trim(
    ctx: typer.Context,
    keep_days: Annotated[
        int | None, typer.Option(min=1, help="Table-days that stay [setting spool_keep_days]")
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove from the disk the table-days that Kafka holds and that are old enough.

    \b
    Examples:
        roundproof ingest trim --keep-days 30 --dry-run
        roundproof ingest trim --keep-days 30 --yes

    An old reading that comes again is then a dead letter, older_than_spool. A table whose log is
    damaged is named and keeps its files, with exit code 4; the others are trimmed.
    """
    from audit.house import open as open_house
    from ingest.forward import trim as trims
    from ingest.log import EVENTS

    keep = keep_days or settings.of(ctx).spool_keep_days
    if not keep:
        step = "name --keep-days, or set spool_keep_days"
        raise Stopped("everything is kept: no number of table-days is set", step, Code.USAGE)
    kafka = settings.must_have_kafka(ctx)
    with open_house.opened(log_of(ctx), kafka) as house:
        stands = _compared(house.log, kafka).stands
        sent = {lane[1]: stand.next for lane, stand in stands.items() if lane[0] == EVENTS}
        plans, damaged = trims.plans(house.log, keep, sent)
        rows = [
            {"table_id": made.table_id, "keeps_from": made.base, "bytes": made.size}
            for made in plans
        ]
        if not dry_run and plans:
            must_be_wanted(f"{sum(made.size for made in plans):,} bytes go", yes=yes)
            damaged |= trims.apply_all(house.log, plans)
    told = [(made, row) for made, row in zip(plans, rows, strict=True)]
    told = [(made, row) for made, row in told if made.table_id not in damaged]
    if as_json:
        document = {"dry_run": dry_run, "keep_days": keep, "tables": [row for _, row in told]}
        screen.say_json(document | {"damaged": {name: str(why) for name, why in damaged.items()}})
    else:
        would = "would go" if dry_run else "gone"
        for made, _ in told:
            kept = f"kept from {made.base:,}"
            screen.say(f"{made.table_id:<12} {made.size:>14,} bytes {would}, {kept}")
        if not plans:
            screen.hint("no file holds only table-days that are old enough and in Kafka")
    _must_be_undamaged(damaged)


@app.command()
def adopt(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help="Only these tables [default: all of them]"),
    ] = None,
    accept_loss: Annotated[
        bool,
        typer.Option("--accept-loss", help="Also a log that lost records, or whose last changed."),
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take a log as it lies for whole, and give it the heads that it lacks.

    \b
    Examples:
        roundproof ingest adopt --dry-run        what has no head, or lost records
        roundproof ingest adopt --yes            after an upgrade from a release without heads
        roundproof ingest adopt T12              after its files were put back from the archive
        roundproof ingest adopt T12 --accept-loss

    A head says how many records a table has and which is the last, so that a log that was cut and
    a bit that flipped in its last record are seen. Nothing makes one anew but this command: look
    at the table first, and compare it with Kafka or the archive where there is one.
    """
    from ingest.local import adopt as adoption
    from ingest.local.log import RECORD_OF, LocalLog

    with LocalLog(log_of(ctx), tuple(RECORD_OF)) as log:
        found = list(adoption.reports(log.root, names or ()))
        _must_be_there(names or (), {each.lane[1] for each in found})
        taken = (adoption.MISSING, adoption.LOST) if accept_loss else (adoption.MISSING,)
        chosen = [each for each in found if each.state in taken]
        if chosen and not dry_run:
            must_be_wanted(f"{len(chosen)} partitions count as whole from now on", yes=yes)
            for each in chosen:
                adoption.adopt(log, each)
    left = [each for each in found if each.state != adoption.WHOLE and each not in chosen]
    rows = [_adopted(each, adopted=each in chosen and not dry_run) for each in (*chosen, *left)]
    if as_json:
        screen.say_json({"dry_run": dry_run, "partitions": rows, "looked_at": len(found)})
    else:
        word = "would be adopted" if dry_run else "adopted"
        for each in chosen:
            place, count = "/".join(each.lane), each.records
            screen.say(screen.visible(f"{place}: {word} with {count:,} records; {each.wrong}"))
        screen.hint(f"{len(found):,} partitions looked at, {len(chosen):,} {word}")
    _must_be_whole(left)


def _adopted(found: "PartitionReport", *, adopted: bool) -> dict[str, Any]:
    stream, partition = found.lane
    said = found._asdict() | {"stream": stream, "partition": partition, "adopted": adopted}
    del said["lane"]
    return said


def _must_be_there(names: Sequence[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            step = "roundproof ingest status lists the tables"
            raise Stopped(f"table {name!r}: nothing of it is in the log", step, Code.NOT_FOUND)


def _must_be_whole(left: "Sequence[PartitionReport]") -> None:
    from ingest.local.adopt import LOST

    for each in left:
        screen.hint(f"{'/'.join(each.lane)} is {each.state}: {each.wrong}")
    if left:
        what = f"{len(left)} partitions are not whole, {'/'.join(left[0].lane)} first"
        lost = all(each.state == LOST for each in left)
        step = "restore the log from its copy"
        more = "; only if the loss is known and accepted, give --accept-loss" if lost else ""
        raise Stopped(what, step + more, Code.UNVERIFIED)


def must_be_wanted(what: str, *, yes: bool) -> None:
    """Ask, unless it was said already."""
    if not yes and not typer.confirm(f"{what}; go on?", err=True):
        raise Stopped(f"{what}: not wanted", "give --yes to do it without asking", Code.USAGE)


def _figures(log: "LocalLog", kafka: "Kafka") -> tuple[dict["Lane", "LaneLag"], str]:
    """What waits, by lane; and what is wrong where Kafka cannot be asked."""
    from ingest.forward import last_seen
    from ingest.forward.compare import Comparison
    from ingest.forward.kafka_position import KafkaPosition
    from ingest.forward.lag import LagMeter
    from ingest.local.spool import Spool
    from ingest.log import GATEWAY_STREAMS, LogUnwritable

    away = ""
    try:
        seen = _compared(log, kafka)
    except LogUnwritable as error:
        away = str(error)
        stands = {lane: KafkaPosition(sent) for lane, sent in last_seen.load(log).items()}
        seen = Comparison(Spool(log, GATEWAY_STREAMS).ends(), stands)
    scales, found = LagMeter(log), dict["Lane", "LaneLag"]()
    for lane, end in seen.ends.items():
        stand = seen.stands.get(lane, KafkaPosition(0))
        found[lane] = scales.measure(lane, end, stand.next, stand.wrong)
    return found, away


def _compared(log: "LocalLog", kafka: "Kafka") -> "Comparison":
    """What the log holds, and how much of each lane Kafka does."""
    from ingest.forward.compare import compare
    from ingest.forward.kafka_sink import KafkaSink
    from ingest.log import GATEWAY_STREAMS

    with KafkaSink(kafka) as sink:
        return compare(log, sink, GATEWAY_STREAMS)


def _table_or_damage(
    log: "LocalLog",
    table_id: str,
    damaged: dict[str, Exception],
    figures: "LaneLag | None" = None,
) -> dict[str, Any]:
    """A table's line; one whose log is damaged has one too, and no other waits for it."""
    from ingest.forward.lag import LaneLag
    from ingest.log import EVENTS, LogCorrupt

    try:
        row = _table(log, table_id, figures.records if figures else None)
    except (LogCorrupt, OSError) as error:
        damaged[table_id] = error
        wrong = figures or LaneLag((EVENTS, table_id), 0, 0)
        row = {"table_id": table_id, "events": wrong.records, "last_at": ""}
        return row | _shown_figures(wrong) | {"stopped": str(error)}
    return row | (_shown_figures(figures) if figures else {})


def _must_be_undamaged(damaged: "Mapping[str, Exception]") -> None:
    for table, error in list(damaged.items())[1:]:
        screen.hint(f"{table}: {explained(error)}; next: {explained(error).next_step}")
    if damaged:
        told = explained(next(iter(damaged.values())))
        what = f"the log is damaged at {', '.join(damaged)}: {told}"
        raise Stopped(what, told.next_step, told.code)


def _table(log: "LocalLog", table_id: str, end: int | None = None) -> dict[str, Any]:
    """A table's events, up to an end where one is given: more may have come since."""
    from ingest.log import EVENTS
    from ingest.seal import chain as event_chain

    end = log.end(EVENTS, table_id) if end is None else end
    last = next(event_chain.events(log, table_id, max(0, end - 1)), None)
    last_at = shown(last[0].ingested_at) if last else ""
    return {"table_id": table_id, "events": end, "last_at": last_at}


def _shown_figures(figures: "LaneLag") -> dict[str, Any]:
    oldest = "" if figures.oldest_at is None else shown(figures.oldest_at)
    return {
        "forwarded": figures.forwarded,
        "lag": figures.lag,
        "oldest_waiting_at": oldest,
        "spool_bytes": figures.bytes_waiting,
        "stopped": figures.wrong,
    }


def _reasons(log: "LocalLog") -> dict[str, int]:
    from ingest.doors import redrive as dead

    found = Counter(letter.reason for letter in dead.read(log))
    del found[dead.REDRIVEN]  # a note on a letter is none
    return dict(sorted(found.items()))


def _say_status(told: dict[str, Any]) -> None:
    tables = told["tables"]
    if "kafka" in told and tables:
        keys = ("table_id", "events", "forwarded", "lag", "spool_bytes", "oldest_waiting_at")
        rows = [[*(table[key] for key in keys), table["last_at"]] for table in tables]
        for line in columns.lines(HEAD, rows):
            screen.say(line)
        if told["dead_letters_lag"]:
            screen.say(f"{told['dead_letters_lag']:,} dead letters wait for Kafka")
    else:
        for table in tables:
            screen.say(f"{table['table_id']:<12} {table['events']:>12,} events  {table['last_at']}")
    for table in tables:
        if table.get("stopped"):
            screen.say(screen.visible(f"{'stopped':<12} {table['stopped']}"))
    if not tables:
        screen.hint("the log is empty; next: roundproof ingest file FILE")
    for reason, count in told["dead_letters"].items():
        screen.say(screen.visible(f"{'dead letters':<12} {count:>12,} {reason}"))
    if told.get("kafka", {}).get("state") == "away":
        why = told["kafka"]["reason"]
        screen.hint(f"Kafka is away, so this is how far it was when last seen: {why}")


def shown(micros: int) -> str:
    """A time for people and programs."""
    try:
        moment = EPOCH + timedelta(microseconds=micros)
    except OverflowError:  # a collector's clock may say anything
        return f"{micros} microseconds"
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def log_of(ctx: typer.Context) -> Path:
    """Where the log of the house lies."""
    return settings.of(ctx).home / "log"
