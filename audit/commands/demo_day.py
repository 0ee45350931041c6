"""A simulated day through the whole house, as every demo runs it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.cli import screen

if TYPE_CHECKING:
    from audit.checks.run import CheckFinding
    from replay.simulate import DayRequest, SimulatedFiles


class DemoDay(NamedTuple):
    """What the replay and the checks made of the day."""

    rounds: int
    events: int
    tables: int
    games: int
    findings: list["CheckFinding"]
    digest: str


def simulated(home: Path, wish: "DayRequest") -> "SimulatedFiles":
    """The readings of a day, in a folder of the demo's house."""
    from replay.simulate import simulate

    with screen.progress("simulate", wish.rounds * len(wish.tables), "rounds") as advance:
        return simulate(wish, home / "simulated", "jsonl", advance)


def brought_in(home: Path, made: "SimulatedFiles") -> None:
    """Its readings in the log."""
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


def replayed(home: Path, workers: int) -> DemoDay:
    """The log replayed into the audit database."""
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
        query = "select count(distinct table_id), count(distinct game) from rounds"
        ((tables, games),) = connection.execute(query).fetchall()
    total_digest = digest.total(digest.proven(home, done.whole).days)
    return DemoDay(done.rounds, done.events, tables, games, [], total_digest)


def checked(home: Path) -> list["CheckFinding"]:
    """What every check finds, kept as findings."""
    from audit.checks import case_rows, catalogue, findings
    from audit.checks import run as run_checks
    from audit.sql import database

    checks = list(catalogue.checks().values())
    with database.opened(home) as connection:
        case_rows.lend(connection, home)
        run_checks.prepare(connection, checks)
        found = [finding for check in checks for finding in run_checks.run(connection, check)]
        findings.store(home, connection, [check.check_id for check in checks], found)
    with database.opened(home) as connection:
        return findings.read(connection)
