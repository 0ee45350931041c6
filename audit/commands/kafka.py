"""`roundproof kafka`: the topics of the house, made and looked at."""

from pathlib import Path
from typing import Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, DryRun

app = typer.Typer(no_args_is_help=True, help="The house's topics in Kafka.")

Days = Annotated[
    int | None,
    typer.Option("--retention-days", min=1, help="Days that topics keep [setting]"),
]
Devices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Give each device of the keys file a topic of its own."),
]
SHORT = (
    "correct the settings with your own tools (docs/kafka.md), "
    "or look at a desk's broker with --unsafe"
)


@app.command()
def init(
    ctx: typer.Context,
    partitions: Annotated[
        int | None,
        typer.Option(min=1, max=1_000, help="Of each topic [as in those that are there, else 12]"),
    ] = None,
    replication: Annotated[int, typer.Option(min=1, max=9, help="Copies; 1 on a desk.")] = 3,
    retention_days: Days = None,
    acls: Annotated[bool, typer.Option("--acls", help="Give each role its rights too.")] = False,
    devices: Devices = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make the topics that are not there yet; those that are stay as they are.

    \b
    Examples:
        roundproof kafka init --dry-run
        roundproof kafka init --acls
        roundproof kafka init --replication 1 --partitions 4
        roundproof kafka init --acls --devices keys.toml

    With --devices each device of the keys file has a topic rp.readings.DEVICE, and with --acls the
    user of its name alone may write there; roundproof ingest kafka --devices reads them.
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
        screen.say(f"{name} {would}made: {count} partitions, {replication} copies")
    for right in given:
        screen.say(f"{right} {would}given")
    there = len(wanted.streams) - len(made)
    screen.hint(f"{there} topics were there already; next: roundproof kafka check")


@app.command()
def check(
    ctx: typer.Context,
    retention_days: Days = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Weak settings are warnings: a desk, not a house.")
    ] = False,
    devices: Devices = None,
    as_json: AsJson = False,
) -> None:
    """Look at topics and brokers, and refuse settings that could lose an event.

    \b
    Examples:
        roundproof kafka check
        roundproof kafka check --unsafe --json

    Three copies, two of them in step, no unclean election, nothing made by itself, nothing thrown
    away before its time. Anything weaker is named, and the exit code is 4.
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
            screen.say(f"{'warning' if unsafe else 'weak':<8}{complaint}")
        if not found:
            screen.say(f"{len(wanted.streams)} topics at {kafka.bootstrap}, all as they should be")
    if found and not unsafe:
        missing = sum(complaint.missing for complaint in found)
        if missing:
            raise Stopped(f"{missing} topics are missing", "roundproof kafka init", Code.UNVERIFIED)
        raise Stopped(f"{len(found)} settings are too weak for a house", SHORT, Code.UNVERIFIED)


def _days(ctx: typer.Context) -> int:
    return settings.of(ctx).kafka_retention_days


def _named(devices: Path | None) -> tuple[str, ...]:
    from ingest.doors import device_keys

    return tuple(device_keys.grants(devices)) if devices else ()
