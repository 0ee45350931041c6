"""`roundproof demo`: a gaming day from end to end, as `make demo` runs it."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from audit import screen, settings
from audit.errors import Code, Stopped

if TYPE_CHECKING:
    from audit.run_checks import Finding
    from replay.simulate import Made

app = typer.Typer()

SEED, DAY, ROUNDS = "demo", "2026-03-01", 40
FAULTS = ("PAY-01", "PAY-03", "PAY-04", "BET-01", "DEAL-01", "IRR-06", "INT-01")
MARK = "made-by-the-demo"  # a file that says the folder may be made anew


class Seen(NamedTuple):
    """What the day showed."""

    rounds: int
    events: int
    tables: int
    games: int
    findings: list["Finding"]
    digest: str


@app.command()
def demo(
    ctx: typer.Context,
    rounds: Annotated[int, typer.Option("--rounds", min=20, help="Rounds a table.")] = ROUNDS,
) -> None:
    """Simulate a gaming day of every game with a few faults, bring it in, replay and check it.

    Example: roundproof demo

    Everything is put into the folder demo of the house, which is made anew each time.
    """
    home = _fresh(settings.of(ctx).home / "demo")
    with _stage("simulate a day"):
        made = _simulated(home, rounds)
    with _stage("bring its readings into the log"):
        _brought_in(home, made)
    with _stage("replay every round"):
        seen = _replayed(home, settings.of(ctx).workers)
    with _stage("run the checks"):
        seen = seen._replace(findings=_checked(home))
    costliest = max(seen.findings, key=_cost, default=None)
    if costliest and costliest.round_id:
        _explain(home, costliest)
    _conclude(home, made, seen, costliest)


def _fresh(home: Path) -> Path:
    if home.exists() and not (home / MARK).exists():
        raise Stopped(
            f"{home} was not made by the demo and is left alone",
            "move it away, or choose another house with --home",
            Code.USAGE,
        )
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True)
    (home / MARK).touch()
    return home


def _simulated(home: Path, rounds: int) -> "Made":
    from replay.simulate import Wish, plan, simulate

    seats = plan.seats(str(len(plan.mix())))
    wish = Wish(SEED, seats, rounds, DAY, dict.fromkeys(FAULTS, 1))
    with screen.progress("simulate", rounds * len(wish.tables), "rounds") as advance:
        return simulate(wish, home / "simulated", "jsonl", advance)


def _brought_in(home: Path, made: "Made") -> None:
    from ingest import files, gateway
    from ingest.log_local import LocalLog

    with (
        LocalLog(home / "log", gateway.STREAMS) as log,
        screen.progress("ingest", made.path.stat().st_size, "bytes") as advance,
    ):
        door = gateway.Gateway(log, lambda: time.time_ns() // 1_000, trusts_received_at=True)
        files.bring_in(made.path, door, advance)


def _replayed(home: Path, workers: int) -> Seen:
    from audit import database
    from replay import digest, plan, project, run

    total = sum(planned.events for planned in plan.plans(home, plan.Choice()))
    with screen.progress("replay", total, "events") as advance:
        done = run.replay(home, plan.Choice(), workers=workers, tell=advance)
    project.project(home)
    with database.opened(home) as connection:
        asked = "select count(distinct table_id), count(distinct game) from rounds"
        ((tables, games),) = connection.execute(asked).fetchall()
    return Seen(done.rounds, done.events, tables, games, [], digest.digest(home).total)


def _checked(home: Path) -> list["Finding"]:
    from audit import catalogue, database, findings, run_checks

    checks = list(catalogue.checks().values())
    with database.opened(home, write=True) as connection:
        run_checks.prepare(connection)
        found = [finding for check in checks for finding in run_checks.run(connection, check)]
        findings.store(connection, [check.check_id for check in checks], found)
        return findings.read(connection)


def _explain(home: Path, finding: "Finding") -> None:
    from audit import round_pages
    from replay.explain import explanation
    from replay.locate import locate

    judged = locate(home, str(finding.round_id)).judged
    wagers = [due.wager_id for due in judged.dues if due.wager_id == finding.subject]
    screen.say(f"\nThe costliest finding, {finding.finding_id}: {finding.title}")
    screen.say(f"expected {finding.expected}\nfound    {finding.found}\n")
    for line in round_pages.lines(explanation(judged, *wagers)):
        screen.say(line)
    screen.say()


def _conclude(home: Path, made: "Made", seen: Seen, costliest: "Finding | None") -> None:
    from schemas.money import shown

    kinds = sorted({finding.check_id for finding in seen.findings})
    stake = shown(_cost(costliest), costliest.currency or "") if costliest else "nothing"
    name = costliest.round_id if costliest else "ROUND"
    screen.say(
        f"Seen: {seen.rounds:,} rounds of {seen.games} games at {seen.tables} tables, "
        f"{seen.events:,} events, digest {seen.digest[:16]}…"
    )
    screen.say(
        f"Found: {len(seen.findings)} findings ({', '.join(kinds)}), {len(made.truth)} faults were "
        f"put in on purpose; the costliest is {stake}"
    )
    screen.say(
        f"Data: {home}/audit.duckdb (tables), {home}/log (events), {made.truth_path} (truth)"
    )
    screen.say(f"Try: roundproof findings --home {home}; roundproof explain {name} --home {home}")
    screen.say(f'Or: roundproof sql "from table_days" --home {home}')


def _cost(finding: "Finding") -> int:
    return finding.house_minor + finding.player_minor


@contextmanager
def _stage(what: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    screen.say(f"{what}: {time.monotonic() - begun:.1f} s")
