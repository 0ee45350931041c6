"""`roundproof simulate`: a simulated gaming day as device readings, with deliberate faults."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import columns, screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Force

if TYPE_CHECKING:
    from replay.simulate import DayRequest, SimulatedFiles

app = typer.Typer()

# Options that have no effect with --list-faults, by parameter.
WITHOUT_EFFECT = {
    "seed": "--seed",
    "rounds": "--rounds",
    "fault": "--fault",
    "faults": "--faults",
    "out": "--out",
    "form": "--format",
    "force": "--force",
}


@app.command("simulate")
def simulate(
    ctx: typer.Context,
    seed: Annotated[str, typer.Option(help="The same seed gives the same bytes.")] = "1",
    tables: Annotated[
        str | None,
        typer.Option(
            help="Number of tables, or a list: T01:TB,T02:TB/non_commission,R01:RO [default: 4]"
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds at each table.")] = 200,
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=N", help="A fault and how often: PAY-01=2; may be repeated."),
    ] = None,
    faults: Annotated[
        str, typer.Option(help="`all` puts in every fault that a game can show; or `none`.")
    ] = "none",
    day: Annotated[str, typer.Option(help="The gaming day.")] = "2026-03-01",
    out: Annotated[Path, typer.Option(help="Folder for the readings and the truth file.")] = Path(
        "simulated"
    ),
    form: Annotated[
        str, typer.Option("--format", help="Format of the readings: jsonl or avro.")
    ] = "jsonl",
    force: Force = False,
    list_faults: Annotated[
        bool, typer.Option("--list-faults", help="List the faults of each game and exit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a gaming day as device readings, with faults.

    \b
    Examples:
        roundproof simulate --seed 7 --tables 6 --rounds 300 --out day
        roundproof simulate --tables T01:TB,R01:RO --fault PAY-01=2 --fault BET-01
        roundproof simulate --tables 4 --rounds 400 --faults all
        roundproof simulate --list-faults

    A fault has the id of the check that must find it; truth.json names the rounds with faults.
    """
    from replay.simulate import FORMATS
    from replay.simulate.faults.fault import UnknownFault
    from replay.simulate.plan import BadRequest
    from replay.simulate.table import Stuck

    if list_faults:
        _refuse_options_without_effect(ctx)
    if form not in FORMATS:
        raise _usage(f"format {form!r}: {' or '.join(FORMATS)} expected")
    try:
        wish = _wish(seed, tables or _few(list_faults), rounds, fault or [], faults, day)
        if list_faults:
            _say_faults(wish, as_json=as_json)
            return
        made = _made(wish, out, form, force=force)
    except BadRequest as error:
        raise _usage(str(error)) from error
    except Stuck as error:
        raise Stopped(str(error), "try another seed, or more rounds", Code.USAGE) from error
    except UnknownFault as error:
        step = "roundproof simulate --list-faults lists the faults of each game"
        raise Stopped(str(error), step, Code.NOT_FOUND) from error
    _say(wish, made, as_json=as_json)


def _refuse_options_without_effect(ctx: typer.Context) -> None:
    """Refuse options that --list-faults would ignore: it needs only tables and a day."""
    for name, option in WITHOUT_EFFECT.items():
        if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE":
            raise _usage(f"--list-faults ignores {option}; leave one of them out")


def _few(list_faults: bool) -> str:
    """Four tables; or one of every game, to list their faults."""
    from replay.simulate import plan

    return str(len(plan.mix())) if list_faults else "4"


def _wish(
    seed: str, tables: str, rounds: int, fault: list[str], faults: str, day: str
) -> "DayRequest":
    from replay.simulate import DayRequest, plan

    return DayRequest(
        seed, plan.table_setups(tables), rounds, plan.day(day), plan.fault_counts(fault, faults)
    )


def _made(wish: "DayRequest", out: Path, form: str, *, force: bool) -> "SimulatedFiles":
    from replay.simulate import simulate
    from replay.simulate.house import TRUTH

    there = [path for path in (out / f"readings.{form}", out / TRUTH) if path.exists()]
    if there and not force:
        raise Stopped(
            f"{there[0]} exists already",
            "choose another folder with --out, or overwrite it with --force",
            Code.USAGE,
        )
    with screen.progress("simulate", wish.rounds * len(wish.tables), "rounds") as advance:
        return simulate(wish, out, form, advance)


def _say(wish: "DayRequest", made: "SimulatedFiles", *, as_json: bool) -> None:
    done = Counter(entry.fault for entry in made.truth)
    if as_json:
        screen.say_json(
            {
                "seed": wish.seed,
                "day": wish.day,
                "tables": len(wish.tables),
                "rounds": wish.rounds * len(wish.tables),
                "readings": made.readings,
                "faults": dict(done),
                "readings_file": str(made.path),
                "truth_file": str(made.truth_path),
            }
        )
        return
    played = wish.rounds * len(wish.tables)
    screen.say(f"{played:,} rounds at {len(wish.tables)} tables: {made.readings:,} readings")
    screen.say(f"{done.total():,} faults of {len(done)} kinds, named in {made.truth_path}")
    screen.hint(f"next: roundproof ingest file {made.path}")


def _say_faults(wish: "DayRequest", *, as_json: bool) -> None:
    from replay.simulate import plan

    rows: dict[tuple[str, str], set[str]] = {}
    for seat in wish.tables:
        for name, fault in plan.known(seat, wish.day).items():
            rows.setdefault((name, fault.does), set()).add(seat.code)
    listed: list[dict[str, Any]] = [
        {"fault": name, "does": does, "games": sorted(codes)}
        for (name, does), codes in sorted(rows.items())
    ]
    if as_json:
        screen.say_json(listed)
        return
    shown = [(row["fault"], row["does"], " ".join(row["games"])) for row in listed]
    for line in columns.lines(("fault", "does", "games"), shown):
        screen.say(line)


def _usage(what: str) -> Stopped:
    return Stopped(what, "roundproof simulate --help shows examples", Code.USAGE)
