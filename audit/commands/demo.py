"""`roundproof demo`: a gaming day from end to end, as `make demo` runs it."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.checks.run import Finding
    from replay.simulate import SimulatedFiles

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
    as_json: AsJson = False,
) -> None:
    """Simulate a gaming day of every game with a few faults, bring it in, replay and check it.

    Example: roundproof demo

    Everything is put into the folder demo of the house, which is made anew each time.
    """
    house = settings.of(ctx)
    home = _fresh(house.home / "demo")
    say = screen.hint if as_json else screen.say
    with _stage("simulate a day", say):
        made = _simulated(home, rounds)
    with _stage("bring its readings into the log", say):
        _brought_in(home, made)
    with _stage("replay every round", say):
        seen = _replayed(home, house.workers)
    with _stage("run the checks", say):
        seen = seen._replace(findings=_checked(home))
    costliest = max(seen.findings, key=_cost, default=None)
    if as_json:
        screen.say_json(_document(home, made, seen))
        return
    if costliest and costliest.round_id:
        _explain(home, costliest, house.zone)
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


def _simulated(home: Path, rounds: int) -> "SimulatedFiles":
    from replay.simulate import DayRequest, plan, simulate

    seats = plan.table_setups(str(len(plan.mix())))
    wish = DayRequest(SEED, seats, rounds, DAY, dict.fromkeys(FAULTS, 1))
    with screen.progress("simulate", rounds * len(wish.tables), "rounds") as advance:
        return simulate(wish, home / "simulated", "jsonl", advance)


def _brought_in(home: Path, made: "SimulatedFiles") -> None:
    from ingest import gateway
    from ingest.doors import file as file_door
    from ingest.local.log import LocalLog
    from ingest.log import GATEWAY_STREAMS

    with (
        LocalLog(home / "log", GATEWAY_STREAMS) as log,
        screen.progress("ingest", made.path.stat().st_size, "bytes") as advance,
    ):
        door = gateway.Gateway(log, lambda: time.time_ns() // 1_000, trusts_received_at=True)
        file_door.bring_in(made.path, door, advance)


def _replayed(home: Path, workers: int) -> Seen:
    from audit.checks import findings
    from audit.sql import database
    from replay.batch import digest, plan
    from replay.batch import replay as batch_replay
    from replay.tables import duckdb_file

    plans = plan.plans(home, plan.Choice())
    total = sum(planned.events for planned in plans)
    with screen.progress("replay", total, "events") as advance:
        done = batch_replay.replay(home, plan.Choice(), workers=workers, tell=advance, plans=plans)
    duckdb_file.project(home, also=findings.filler(home))
    with database.opened(home) as connection:
        asked = "select count(distinct table_id), count(distinct game) from rounds"
        ((tables, games),) = connection.execute(asked).fetchall()
    total_digest = digest.total(digest.proven(home, done.hashed).days)
    return Seen(done.rounds, done.events, tables, games, [], total_digest)


def _checked(home: Path) -> list["Finding"]:
    from audit.checks import catalogue, findings
    from audit.checks import run as run_checks
    from audit.sql import database

    checks = list(catalogue.checks().values())
    with database.opened(home) as connection:
        run_checks.prepare(connection, checks)
        found = [finding for check in checks for finding in run_checks.run(connection, check)]
        findings.store(home, connection, [check.check_id for check in checks], found)
    with database.opened(home) as connection:
        return findings.read(connection)


def _document(home: Path, made: "SimulatedFiles", seen: Seen) -> dict[str, Any]:
    from audit.pages.finding import document

    return seen._asdict() | {
        "findings": [document(finding) for finding in seen.findings],
        "faults": len(made.truth),
        "home": str(home),
        "truth_file": str(made.truth_path),
    }


def _explain(home: Path, finding: "Finding", zone: str) -> None:
    from audit.cli import times
    from audit.pages import round as round_page
    from replay.explain import explanation
    from replay.locate import locate

    judged = locate(home, str(finding.round_id)).judged
    wagers = [due.wager_id for due in judged.dues if due.wager_id == finding.subject]
    screen.say(f"\nThe costliest finding, {finding.finding_id}: {finding.title}")
    day = finding.gaming_day or ""
    screen.say(f"expected {times.local(finding.expected, zone, day)}")
    screen.say(f"found    {times.local(finding.found, zone, day)}\n")
    for line in round_page.lines(explanation(judged, *wagers), zone):
        screen.say(line)
    screen.say()


def _conclude(home: Path, made: "SimulatedFiles", seen: Seen, costliest: "Finding | None") -> None:
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
def _stage(what: str, say: Callable[[str], None]) -> Iterator[None]:
    begun = time.monotonic()
    yield
    say(f"{what}: {time.monotonic() - begun:.1f} s")
