"""`roundproof watch`: rounds judged as they settle, and findings as they come."""

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
        str, typer.Option(help="Consumer group; workers of one group share the tables.")
    ] = "",
    name: Annotated[
        str, typer.Option(help="This worker's own name; under it, it has its tables back at once.")
    ] = "",
    metrics: Annotated[
        int | None,
        typer.Option(min=0, max=65535, metavar="PORT", help="Figures for Prometheus; 0: any port."),
    ] = None,
    until_idle: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="End when nothing came for so long."),
    ] = None,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", "--json", help="One JSON document a line.")
    ] = False,
) -> None:
    """Watch the tables: judge rounds as they settle, run the live checks, publish what they find.

    \b
    Examples:
        roundproof watch                         until it is stopped
        roundproof watch --metrics 9108          figures at http://127.0.0.1:9108/metrics
        roundproof watch --until-idle 5 --jsonl  what is there now, for other programs

    Start it several times and the workers share the tables. It may be stopped or killed at any
    moment: whoever takes over loses nothing and repeats nothing. While Kafka is away it waits; with
    --until-idle for half a minute, or as long as that if it is longer, and then it ends with 6, or
    with 3 where the topic is missing.
    """
    from audit.cli.signals import stopping
    from audit.watch.kafka_worker import Service
    from audit.watch.metrics import Figures
    from ingest.kafka.retry import ShutdownRequested

    kafka = settings.must_have_kafka(ctx)
    figures = Figures()
    if metrics is not None:
        screen.hint(f"figures at http://127.0.0.1:{_served(figures, metrics)}/metrics")
    with stopping() as stopped:
        say = _say_jsonl if as_jsonl else partial(_say, settings.of(ctx).zone)
        named = {"group": group, "name": name}
        with suppress(
            ShutdownRequested
        ):  # what it did not commit is judged again, and not said again
            service = Service(kafka, say, figures, stopped=stopped, idle_s=until_idle, **named)
            screen.hint(f"watching {kafka.topic('events')} at {kafka.bootstrap}; stop with Ctrl-C")
            with closing(service):
                service.run()


def _say(zone: str, findings: Sequence["Finding"]) -> None:
    from audit.cli import times
    from schemas.money import shown

    for at in findings:
        word = "" if at.state == "raised" else "withdrawn: "
        sure = "" if at.certain else " (possible)"
        place = at.round_id or at.table_id
        cost = max(at.house_minor, at.player_minor)
        money = f", {shown(cost, at.currency or '')} at stake" if cost else ""
        found = times.local(at.found, zone, at.gaming_day or "")
        what = f"{word}{at.title}{sure}: {found}{money}"
        screen.say(screen.visible(f"{at.severity} {at.finding_id} {place} {what}"))
    screen.must_be_read()


def _say_jsonl(findings: Sequence["Finding"]) -> None:
    for at in findings:
        screen.say_json_line(_document(at))
    screen.must_be_read()


def _document(at: "Finding") -> dict[str, Any]:
    from dataclasses import asdict

    amounts = {name: str(getattr(at, name)) for name in ("house_minor", "player_minor")}
    return asdict(at) | amounts


def _served(figures: Any, port: int) -> int:
    try:
        return int(figures.serve(port))
    except OSError as error:
        what = f"port {port} for the figures: {error.strerror}"
        raise Stopped(what, "choose another one with --metrics", Code.UNREACHABLE) from error
