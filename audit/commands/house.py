"""`roundproof doctor` and `roundproof config`: the health of the installation and its settings."""

from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.house.doctor import Health
    from ingest.kafka.client import Kafka

app = typer.Typer()
config = typer.Typer(help="Show the settings and where they come from.")
app.add_typer(config, name="config")


@config.command("show")
def show(
    ctx: typer.Context,
    origin: Annotated[
        bool, typer.Option("--origin", help="Show where each value comes from.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show every setting.

    Example: roundproof config show --origin

    A flag wins over the environment (ROUNDPROOF_...), which wins over roundproof.toml and the
    default. Exit code 2 if a value is wrong.
    """
    rows = settings.origins_of(ctx)
    if as_json:
        screen.say_json(
            {
                row.name: {"value": row.value, "origin": row.origin}
                | ({"problem": row.problem} if row.problem else {})
                for row in rows
            }
        )
    for row in () if as_json else rows:
        line = f"{row.name} = {row.value}" + (f"  ({row.origin})" if origin else "")
        screen.say(screen.visible(line + (f"  bad: {row.problem}" if row.problem else "")))
    bad = [row for row in rows if row.problem]
    if bad:
        step = f"correct the value; it comes from: {bad[0].origin}"
        more = f"; and {len(bad) - 1} more" if len(bad) > 1 else ""
        what = f"setting {bad[0].name}: {bad[0].problem}{more}"
        raise Stopped(what, step, Code.USAGE)


@app.command()
def doctor(
    ctx: typer.Context,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Accept weak Kafka settings, as of a test broker.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the installation: Python, disk, Kafka, log, tables.

    \b
    Examples:
        roundproof doctor
        roundproof doctor --unsafe               with a single test broker

    It reads the log of the last replay; if that was the archive or Kafka, it also reads the local
    log, as `spool`. It checks everything even if something is bad, and ends with the exit code of
    the first bad line; 0 if all is well.
    """
    from audit.house.doctor import Health, look

    seen = list[Health]()
    try:
        set_to = settings.of(ctx)
        kafka, days = _kafka(ctx, seen), set_to.kafka_retention_days
        seen += look(set_to.home, kafka, days, unsafe=unsafe)
    except Stopped as bad:  # Kafka needs valid settings; the machine and the house do not
        seen.append(Health("settings", str(bad), bad.next_step, bad.code))
        seen += look(settings.valid_home(ctx))
    if as_json:
        screen.say_json([item._asdict() | {"well": not item.code} for item in seen])
    else:
        for item in seen:
            screen.say(f"{'bad' if item.code else 'ok':<4}{item.what:<10}{item.found}")
            if item.next_step:
                screen.say(f"    next: {item.next_step}")
    raise typer.Exit(next((item.code for item in seen if item.code), 0))


def _kafka(ctx: typer.Context, seen: "list[Health]") -> "Kafka | None":
    """The connection settings for Kafka; a bad line if they contradict each other."""
    from audit.cli.errors import explained
    from audit.house.doctor import Health

    try:
        return settings.kafka_of(ctx)
    except (Stopped, OSError) as error:
        stopped = explained(error)
        seen.append(Health("kafka", str(stopped), stopped.next_step, stopped.code))
        return None
