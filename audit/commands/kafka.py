"""`roundproof kafka`: create and check our topics in Kafka."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, DryRun

app = typer.Typer(no_args_is_help=True, help="Create and check the topics in Kafka.")

Days = Annotated[
    int | None,
    typer.Option(
        "--retention-days",
        min=1,
        help="Days that topics keep messages [default: setting kafka_retention_days]",
    ),
]
Devices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Include the own topic of each device in this keys file."),
]
SHORT = (
    "correct the settings with your Kafka tools (docs/kafka.md), "
    "or check a test broker with --unsafe"
)


@app.command()
def init(
    ctx: typer.Context,
    partitions: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000,
            help="Partitions of each topic [default: as the existing topics, else 12]",
        ),
    ] = None,
    replication: Annotated[
        int, typer.Option(min=1, max=9, help="Copies of each partition; 1 with a single broker.")
    ] = 3,
    retention_days: Days = None,
    acls: Annotated[bool, typer.Option("--acls", help="Also give each user its rights.")] = False,
    devices: Devices = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Create the missing topics; existing ones stay as they are.

    \b
    Examples:
        roundproof kafka init --dry-run
        roundproof kafka init --acls
        roundproof kafka init --replication 1 --partitions 4
        roundproof kafka init --acls --devices keys.toml

    With --devices each device of the keys file gets a topic rp.readings.DEVICE; with --acls only
    the user of that name may write to it. roundproof ingest kafka --devices reads these topics.

    Exit code 6 if Kafka is unreachable or has too few brokers; 7 if you may not create topics.
    """
    from ingest.kafka import topics

    kafka = settings.must_have_kafka(ctx)
    count = partitions or topics.partitions(kafka) or topics.PARTITIONS
    named = _named(devices)
    wanted = topics.TopicSettings(count, replication, retention_days or _days(ctx), named)
    made = topics.init(kafka, wanted, dry_run=dry_run)
    given = topics.allow(kafka, named, dry_run=dry_run) if acls else []
    if as_json:
        screen.say_json({"dry_run": dry_run, "rights": given, "topics": made})
        return
    would = "would be " if dry_run else ""
    for name in made:
        screen.say_line(f"{name} {would}created: {count} partitions, {replication} copies")
    for right in given:
        screen.say_line(f"{right} {would}given")
    there = len(wanted.streams) - len(made)
    screen.hint(f"{there} topics existed already; next: roundproof kafka check")


@app.command()
def check(
    ctx: typer.Context,
    retention_days: Days = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Only warn about weak settings, as of a test broker.")
    ] = False,
    devices: Devices = None,
    as_json: AsJson = False,
) -> None:
    """Check that topics and brokers cannot lose an event.

    \b
    Examples:
        roundproof kafka check
        roundproof kafka check --unsafe --json

    It expects three copies of each partition, at least two of them in sync, no unclean leader
    election, no automatic topic creation, and a retention that is long enough. It names every
    weaker setting and ends with exit code 4; with --unsafe these are warnings.
    """
    from ingest.kafka import topics

    kafka = settings.must_have_kafka(ctx)
    wanted = topics.TopicSettings(
        retention_days=retention_days or _days(ctx), devices=_named(devices)
    )
    found = topics.check(kafka, wanted)
    if as_json:
        weak = [complaint._asdict() for complaint in found]
        screen.say_json({"sound": not found, "unsafe": unsafe, "weak": weak})
    else:
        for complaint in found:
            screen.say_line(f"{'warning' if unsafe else 'weak':<8}{complaint}")
        if not found:
            screen.say_line(
                f"{len(wanted.streams)} topics at {kafka.bootstrap}, all settings are safe"
            )
    if found and not unsafe:
        missing = sum(complaint.missing for complaint in found)
        if missing:
            raise Stopped(f"{missing} topics are missing", "roundproof kafka init", Code.UNVERIFIED)
        raise Stopped(f"{len(found)} settings could lose an event", SHORT, Code.UNVERIFIED)


def _days(ctx: typer.Context) -> int:
    return settings.of(ctx).kafka_retention_days


def _named(devices: Path | None) -> tuple[str, ...]:
    from ingest.doors import device_keys

    return tuple(device_keys.grants(devices)) if devices else ()
