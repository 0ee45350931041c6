"""`roundproof watch`: judge rounds as they settle, and publish the findings."""

from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped

if TYPE_CHECKING:
    from schemas.events import Finding

app = typer.Typer()


@app.command("watch")
def watch(
    ctx: typer.Context,
    group: Annotated[
        str, typer.Option(help="Kafka consumer group; its workers share the tables.")
    ] = "",
    name: Annotated[
        str, typer.Option(help="Name of this worker; after a restart it gets its tables back.")
    ] = "",
    metrics: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="PORT",
            help="Serve metrics for Prometheus here; 0 picks a free port.",
        ),
    ] = None,
    until_idle: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="End after this long without a new event."),
    ] = None,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", "--json", help="Print one JSON document per line.")
    ] = False,
) -> None:
    """Run the checks live, as rounds settle in Kafka.

    It reads the events from Kafka, judges each round as it settles, runs the live checks, and
    prints and publishes the findings.

    \b
    Examples:
        roundproof watch                         watch until stopped
        roundproof watch --metrics 9108          serve metrics at http://127.0.0.1:9108/metrics
        roundproof watch --until-idle 5 --jsonl  judge what Kafka holds now, for other programs

    Start it several times, and the workers share the tables. You may stop or kill a worker at any
    moment: the one that takes over loses no finding and publishes none twice.

    While Kafka is unreachable it waits; with --until-idle it waits for that time, at least half a
    minute, and ends with exit code 6, or 3 if the topic is missing.
    """
    from audit.cli.signals import stopping
    from audit.house import live_seal
    from audit.watch.kafka_worker import WatchWorker
    from audit.watch.metrics import WatchMetrics
    from ingest.kafka.retry import ShutdownRequested

    kafka = settings.must_have_kafka(ctx)
    figures = WatchMetrics()
    if metrics is not None:
        screen.hint(f"metrics at http://127.0.0.1:{_served(figures, metrics)}/metrics")
    with stopping() as stopped, live_seal.sealing(live_seal.any_log(*settings.sealing_of(ctx))):
        say = (
            _say_jsonl if as_jsonl else partial(_say, settings.of(ctx).zone, settings.of(ctx).lang)
        )
        named = {"group": group, "name": name}
        # The next run judges what was not committed, and prints no finding twice.
        with suppress(ShutdownRequested):
            service = WatchWorker(kafka, say, figures, stopped=stopped, idle_s=until_idle, **named)
            screen.hint(f"watching {kafka.topic('events')} at {kafka.bootstrap}; stop with Ctrl-C")
            with closing(service):
                service.run()


def _say(zone: str, language: str, findings: Sequence["Finding"]) -> None:
    from audit.checks.titles import title
    from audit.checks.wording import game_of, worded
    from audit.cli import times
    from schemas.money import shown

    for finding in findings:
        word = "" if finding.state == "raised" else "withdrawn: "
        sure = "" if finding.certain else " (possible)"
        place = finding.round_id or finding.table_id
        cost = max(finding.house_minor, finding.player_minor)
        money = f", {shown(cost, finding.currency or '')} at stake" if cost else ""
        said = worded(finding.found, language, game_of(finding.clauses))
        found = times.local(said, zone, finding.gaming_day or "")
        what = f"{word}{title(finding.title, language)}{sure}: {found}{money}"
        screen.say_line(f"{finding.severity} {finding.finding_id} {place} {what}")
    screen.must_be_read()


def _say_jsonl(findings: Sequence["Finding"]) -> None:
    for finding in findings:
        screen.say_json_line(_document(finding))
    screen.must_be_read()


def _document(finding: "Finding") -> dict[str, Any]:
    from dataclasses import asdict

    amounts = {name: str(getattr(finding, name)) for name in ("house_minor", "player_minor")}
    return asdict(finding) | amounts


def _served(figures: Any, port: int) -> int:
    try:
        return int(figures.serve(port))
    except OSError as error:
        what = f"port {port} for the metrics: {error.strerror}"
        raise Stopped(what, "choose another port with --metrics", Code.UNREACHABLE) from error
