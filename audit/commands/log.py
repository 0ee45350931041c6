"""`roundproof log`: seal the log, and verify it against what was signed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Stopped, explained
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from ingest.log import Lane
    from ingest.seal.sealing import Sealing

app = typer.Typer(no_args_is_help=True, help="Seal the log, and verify it against its seal.")


@app.command()
def seal(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Sign a checkpoint over everything that the log holds.

    Example: roundproof log seal

    `ingest serve`, `watch` and `archive run` do this by themselves while they work.

    Exit code 3 if there is no signing key; 4 if a table's log is not the one that was sealed: the
    command names it and seals the others.
    """
    from audit.house import open as open_house
    from audit.house import seal as house_seal

    done = house_seal.seal_now(settings.of(ctx).home, open_house.now())
    if as_json:
        screen.say_json(_document(done))
    elif done.head is None:
        screen.hint("the log is empty; next: roundproof ingest file FILE")
    else:
        screen.say(
            f"sealed {done.records:,} records of {len(done.grown)} lanes; "
            f"checkpoint {done.head.size} of {done.head.origin}"
        )
    _require_no_damage(done.damaged)


def _document(done: "Sealing") -> dict[str, Any]:
    from ingest.seal.checkpoint import encode_hash

    return {
        "origin": done.head.origin if done.head else "",
        "checkpoint": done.head.size if done.head else 0,
        "root": encode_hash(done.head.root) if done.head else "",
        "sealed": {"/".join(lane): count for lane, count in done.grown.items()},
        "damaged": {"/".join(lane): str(error) for lane, error in done.damaged.items()},
    }


def _require_no_damage(damaged: "Mapping[Lane, Exception]") -> None:
    for lane, error in list(damaged.items())[1:]:
        screen.hint(f"not sealed either, {'/'.join(lane)}: {explained(error)}")
    for lane, error in list(damaged.items())[:1]:
        stopped = explained(error)
        what = f"{'/'.join(lane)} was not sealed, the others were: {stopped}"
        raise Stopped(what, stopped.next_step, stopped.code)
