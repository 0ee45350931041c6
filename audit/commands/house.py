"""`roundproof doctor` and `roundproof config`: how the house itself is doing."""

from typing import Annotated

import typer

from audit import screen, settings

app = typer.Typer()
config = typer.Typer(help="What the settings are and where they come from.")
app.add_typer(config, name="config")


@config.command("show")
def show(
    ctx: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Say where each came from.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
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
