"""`roundproof doctor` and `roundproof config`: how the house itself is doing."""

from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.house.doctor import Health
    from ingest.kafka.client import Kafka

app = typer.Typer()
config = typer.Typer(help="What the settings are and where they come from.")
app.add_typer(config, name="config")


@config.command("show")
def show(
    ctx: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Say where each came from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show every setting.

    Example: roundproof config show --origin
    """
    rows = settings.origins({"home": ctx.find_root().params.get("home")})
    if as_json:
        screen.say_json(
            {
                row.name: {"value": row.value, "origin": row.origin}
                | ({"problem": row.problem} if row.problem else {})
                for row in rows
            }
        )
    for row in () if as_json else rows:
        told = f"{row.name} = {row.value}" + (f"  ({row.origin})" if origin else "")
        screen.say(screen.visible(told + (f"  bad: {row.problem}" if row.problem else "")))
    bad = [row for row in rows if row.problem]
    if bad:
        step = f"correct it where it comes from: {bad[0].origin}"
        more = f"; and {len(bad) - 1} more" if len(bad) > 1 else ""
        what = f"setting {bad[0].name}: {bad[0].problem}{more}"
        raise Stopped(what, step, Code.USAGE)


@app.command()
def doctor(
    ctx: typer.Context,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Weak settings of Kafka are well: a desk, not a house.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Look at what the house runs on, its folder, Kafka where it is set, log and DuckDB file.

    \b
    Examples:
        roundproof doctor
        roundproof doctor --unsafe               with a single Kafka node on a desk

    The log is the one that the last replay read; where that was another than the house's own, that
    one is looked at too, as the spool.
    """
    from audit.house.doctor import Health, look

    seen = list[Health]()
    try:
        set_to = settings.of(ctx)
        kafka, days = _kafka(ctx, seen), set_to.kafka_retention_days
        seen += look(set_to.home, kafka, days, unsafe=unsafe)
    except Stopped as bad:  # without settings there is no house to look at, but the machine
        seen += [Health("settings", str(bad), bad.next_step, bad.code), *look()]
    if as_json:
        screen.say_json([item._asdict() | {"well": not item.code} for item in seen])
    else:
        for item in seen:
            screen.say(f"{'bad' if item.code else 'ok':<4}{item.what:<10}{item.found}")
            if item.next_step:
                screen.say(f"    next: {item.next_step}")
    raise typer.Exit(next((item.code for item in seen if item.code), 0))


def _kafka(ctx: typer.Context, seen: "list[Health]") -> "Kafka | None":
    """How Kafka is reached; a line where the settings do not fit each other."""
    from audit.cli.errors import explained
    from audit.house.doctor import Health

    try:
        return settings.kafka_of(ctx)
    except (Stopped, OSError) as error:
        told = explained(error)
        seen.append(Health("kafka", str(told), told.next_step, told.code))
        return None
