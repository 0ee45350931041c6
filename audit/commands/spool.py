"""`roundproof ingest forward|status|trim|adopt`: the local log, and how much of it Kafka has."""

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
    from ingest.log import Lane

app = typer.Typer()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FOLLOW_S = 1.0
HEAD = ("table", "events", "in Kafka", "lag", "bytes waiting", "oldest waiting", "last event")


@app.command()
def forward(
    ctx: typer.Context,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep forwarding until you stop it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Send to Kafka what only the local log holds.

    `ingest serve`, `ingest file` and `ingest kafka` forward events by themselves. Cases and access
    records are forwarded by this command, and by `ingest serve` each time it seals.

    \b
    Examples:
        roundproof ingest forward
        roundproof ingest forward --follow

    You may repeat it at any time: readers recognise a record by its sequence number and bytes.

    Exit code 6 if Kafka is unreachable; 4 if a table is stopped, which docs/operating.md explains.
    """
    from audit.cli.signals import stopping
    from audit.house import open as open_house
    from ingest.kafka import desk_topics
    from ingest.local.log import LocalLog
    from ingest.log import LogLocked

    kafka = settings.must_have_kafka(ctx)
    sent, of_desk, left = 0, 0, open_house.Unsent()
    with stopping() as stopped:
        while True:
            try:
                with open_house.opened(log_of(ctx), kafka) as house:
                    assert house.forwarder is not None
                    left = open_house.forward_all(house.forwarder, kafka.delivery_s)
                    sent += house.forwarder.forwarded
                if left.error is None:
                    root = log_of(ctx)
                    of_desk += desk_topics.forward(kafka, LocalLog(root), root)
            except LogLocked:
                if not follow:
                    raise
                left = open_house.Unsent()  # the process that writes the log forwards it too
            if not follow or stopped() or left.denied:
                break
            time.sleep(FOLLOW_S)
    if as_json:
        screen.say_json({"forwarded": sent, "cases_and_access": of_desk, "wrong": left.why})
    else:
        screen.say(f"forwarded {sent:,} records")
        if of_desk:
            screen.hint(f"and {of_desk:,} records of cases and access")
    left.require_sent()
    left.require_no_stopped_table()


@app.command()
def status(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Show the log of each table and what waits for Kafka.

    Example: roundproof ingest status

    Also counts dead letters by reason. Exit code 4 if the log of a table is damaged; the other
    tables are listed.
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
    _require_no_damage(damaged)


@app.command()
def trim(
    ctx: typer.Context,
    keep_days: Annotated[
        int | None,
        typer.Option(
            min=1, help="Gaming days of a table to keep [default: setting spool_keep_days]"
        ),
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete old gaming days that Kafka holds and a checkpoint seals from the disk.

    \b
    Examples:
        roundproof ingest trim --keep-days 30 --dry-run
        roundproof ingest trim --keep-days 30 --yes

    If a device sends a reading of a deleted day again, it becomes a dead letter with the reason
    older_than_spool.

    Exit code 4 if the log of a table is damaged: its files stay, and the other tables are trimmed.
    """
    from audit.house import open as open_house
    from ingest.forward import trim as trims
    from ingest.log import EVENTS

    keep = keep_days or settings.of(ctx).spool_keep_days
    if not keep:
        step = "give --keep-days, or set spool_keep_days"
        raise Stopped("no number of gaming days to keep is set", step, Code.USAGE)
    kafka = settings.must_have_kafka(ctx)
    with open_house.opened(log_of(ctx), kafka) as house:
        stands = _compared(house.log, kafka).stands
        sent = {lane[1]: stand.next for lane, stand in stands.items() if lane[0] == EVENTS}
        sealed = _sealed_events(settings.of(ctx).home)
        safe = {table: min(end, sealed.get(table, 0)) for table, end in sent.items()}
        plans, damaged = trims.plans(house.log, keep, safe)
        rows = [
            {"table_id": made.table_id, "keeps_from": made.base, "bytes": made.size}
            for made in plans
        ]
        if not dry_run and plans:
            must_be_wanted(f"this deletes {sum(made.size for made in plans):,} bytes", yes=yes)
            damaged |= trims.apply_all(house.log, plans)
    trimmed = [
        (made, row) for made, row in zip(plans, rows, strict=True) if made.table_id not in damaged
    ]
    if as_json:
        document = {"dry_run": dry_run, "keep_days": keep, "tables": [row for _, row in trimmed]}
        screen.say_json(document | {"damaged": {name: str(why) for name, why in damaged.items()}})
    else:
        deleted = "would be deleted" if dry_run else "deleted"
        for made, _ in trimmed:
            kept = f"kept from event {made.base:,} on"
            screen.say(f"{made.table_id:<12} {made.size:>14,} bytes {deleted}, {kept}")
        if not plans:
            screen.hint(
                "nothing to trim: every segment still holds a recent, unforwarded or unsealed "
                "table-day"
            )
        for table, end in sent.items():
            if safe[table] < end:
                what = (
                    f"{table}: no checkpoint seals the events from {safe[table]:,} on, so they stay"
                )
                screen.hint(f"{what}; next: roundproof log seal")
    _require_no_damage(damaged)


def _sealed_events(home: Path) -> dict[str, int]:
    """How many events of each table the newest checkpoint seals.

    What left the disk can be proven only by its hash in the tree, so nothing else may leave.
    """
    from audit.house import seal
    from ingest.log import EVENTS

    lanes = seal.sealed(home).state().lanes
    return {name: head.size for (stream, name), head in lanes.items() if stream == EVENTS}


@app.command()
def adopt(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE", help="Only these tables [default: all]"),
    ] = None,
    accept_loss: Annotated[
        bool,
        typer.Option(
            "--accept-loss", help="Also accept a log that lost records or whose last one changed."
        ),
    ] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Accept a log without a head as complete, and write its head.

    The head of a table's log says how many records it has and what the last one is; without it
    nobody notices that the log was cut short, or that its last record changed. Only this command
    writes a missing head: first compare the table with Kafka or the archive, if you have one.

    \b
    Examples:
        roundproof ingest adopt --dry-run        list the logs without a head or with lost records
        roundproof ingest adopt --yes            after an upgrade from a release without heads
        roundproof ingest adopt T12              after you copied its files back from the archive
        roundproof ingest adopt T12 --accept-loss

    Exit code 4 if a log is still incomplete afterwards; 3 if a table is not in the log.
    """
    from ingest.local import adopt as adoption
    from ingest.local.log import RECORD_OF, LocalLog

    with LocalLog(log_of(ctx), tuple(RECORD_OF)) as log:
        found = list(adoption.reports(log.root, names or ()))
        _must_be_there(names or (), {each.lane[1] for each in found})
        taken = (adoption.MISSING, adoption.LOST) if accept_loss else (adoption.MISSING,)
        chosen = [each for each in found if each.state in taken]
        if chosen and not dry_run:
            must_be_wanted(f"{len(chosen)} partitions count as complete from now on", yes=yes)
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
        screen.hint(f"{len(found):,} partitions checked, {len(chosen):,} {word}")
    _must_be_whole(left)


def _adopted(found: "PartitionReport", *, adopted: bool) -> dict[str, Any]:
    stream, partition = found.lane
    document = found._asdict() | {"stream": stream, "partition": partition, "adopted": adopted}
    del document["lane"]
    return document


def _must_be_there(names: Sequence[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            step = "roundproof ingest status lists the tables"
            raise Stopped(f"table {name!r}: not in the log", step, Code.NOT_FOUND)


def _must_be_whole(left: "Sequence[PartitionReport]") -> None:
    from ingest.local.adopt import LOST

    for each in left:
        screen.hint(f"{'/'.join(each.lane)} is {each.state}: {each.wrong}")
    if left:
        what = f"{len(left)} partitions are incomplete, {'/'.join(left[0].lane)} first"
        lost = all(each.state == LOST for each in left)
        step = "restore the log from its backup"
        more = "; only if you know and accept the loss, give --accept-loss" if lost else ""
        raise Stopped(what, step + more, Code.UNVERIFIED)


def must_be_wanted(what: str, *, yes: bool) -> None:
    """Ask for confirmation, unless the user gave --yes."""
    if not yes and not typer.confirm(f"{what}; go on?", err=True):
        raise Stopped(f"{what}: you said no", "give --yes to do it without asking", Code.USAGE)


def _figures(log: "LocalLog", kafka: "Kafka") -> tuple[dict["Lane", "LaneLag"], str]:
    """What waits for Kafka, by lane; and the reason if Kafka is unreachable."""
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
    """What the log holds, and how much of each lane is in Kafka."""
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
    """A table's row; a damaged log gets one too, and its error goes into `damaged`."""
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


def _require_no_damage(damaged: "Mapping[str, Exception]") -> None:
    for table, error in list(damaged.items())[1:]:
        screen.hint(f"{table}: {explained(error)}; next: {explained(error).next_step}")
    if damaged:
        stopped = explained(next(iter(damaged.values())))
        what = f"the log is damaged at {', '.join(damaged)}: {stopped}"
        raise Stopped(what, stopped.next_step, stopped.code)


def _table(log: "LocalLog", table_id: str, end: int | None = None) -> dict[str, Any]:
    """A table's events, up to `end` if given: more may have come since."""
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
    del found[dead.REDRIVEN]  # a mark on another letter, not a letter
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
        screen.hint(f"Kafka is unreachable, so these figures are from the last contact: {why}")


def shown(micros: int) -> str:
    """A time in RFC 3339, to the microsecond."""
    try:
        moment = EPOCH + timedelta(microseconds=micros)
    except OverflowError:  # a device's clock may be anything
        return f"{micros} microseconds"
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def log_of(ctx: typer.Context) -> Path:
    """The folder of the local log."""
    return settings.of(ctx).home / "log"
