"""`roundproof doctor` and `roundproof config`: how the house itself is doing."""

from typing import Annotated

import typer

from audit import screen, settings

app = typer.Typer()
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
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
    rows = settings.origins(settings.of(ctx))
    if as_json:
        screen.say_json({row.name: {"value": row.value, "origin": row.origin} for row in rows})
        return
    for row in rows:
        screen.say(f"{row.name} = {row.value}" + (f"  ({row.origin})" if origin else ""))


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
    from audit.doctor import look

    set_to = settings.of(ctx)
    kafka, days = settings.kafka_of(ctx), set_to.kafka_retention_days
    seen = list(look(set_to.home, kafka, days, unsafe=unsafe))
    if as_json:
        screen.say_json([item._asdict() | {"well": not item.code} for item in seen])
    else:
        for item in seen:
            screen.say(f"{'bad' if item.code else 'ok':<4}{item.what:<10}{item.found}")
            if item.next_step:
                screen.say(f"    next: {item.next_step}")
    raise typer.Exit(next((item.code for item in seen if item.code), 0))
