"""All commands of `roundproof case`, in the order of a dispute."""

import typer

from audit.commands.case import begin, gather, keep, look, resolve

app = typer.Typer(
    no_args_is_help=True,
    help="Work on a dispute, step by step, each with its clause (8.1 to 8.6).",
)
for part in (begin, look, gather, resolve, keep):
    app.add_typer(part.app)
