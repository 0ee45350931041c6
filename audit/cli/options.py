"""Options that mean the same in every command."""

from typing import Annotated, Literal

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Lang = Annotated[
    Literal["en", "vi"] | None,
    typer.Option("--lang", help="English or Vietnamese words; else as the setting lang says."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only print what would be done.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]

FromLog = Annotated[str, typer.Option("--from", metavar="LOG", help="Which log: local or kafka.")]
