"""A house of all fifteen games for the console, and the console served over it."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import uvicorn
from fastapi import FastAPI

from audit.checks import catalogue, findings
from audit.checks import run as run_checks
from audit.console.app import ConsolePlace, make_app
from audit.console.recorder import recorder
from audit.console.roles import AccountRole
from audit.console.serving import now_us
from audit.sql import database
from ingest.doors import file as file_door
from ingest.gateway import Gateway
from ingest.kafka.client import Kafka
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.simulate import DayRequest, plan, simulate
from replay.tables import duckdb_file
from tests.support.once import copied_once

PASSWORD = "a password long enough"
PEOPLE = {"op-1": AccountRole.SURVEILLANCE, "sup-1": AccountRole.SUPERVISOR}
FAULTS = {"PAY-01": 1, "BET-01": 1, "REC-01": 1, "PAY-08": 1}


class Served(NamedTuple):
    """A console that answers, and its house."""

    address: str
    home: Path
    app: FastAPI


def made(home: Path, rounds: int = 10) -> None:
    """Play a day of every game with a few faults, derive and check it."""
    brought_in(home, rounds, FAULTS)
    derived(home)


def derived(home: Path) -> None:
    """Replay the log and run every check."""
    batch_replay.replay(home, Choice())
    duckdb_file.project(home, also=findings.filler(home))
    checks = list(catalogue.checks().values())
    with database.opened(home) as connection:
        run_checks.prepare(connection, checks)
        found = [each for check in checks for each in run_checks.run(connection, check)]
        findings.store(home, connection, [check.check_id for check in checks], found)


def brought_in(home: Path, rounds: int, faults: Mapping[str, int]) -> None:
    """Play a day of every game and bring its readings into the log."""
    seats = plan.table_setups(str(len(plan.mix())))
    day = simulate(DayRequest("7", seats, rounds, "2026-03-01", faults), home / "day", "jsonl")
    taken_in(home, day.path)


def taken_in(home: Path, readings: Path) -> None:
    """Bring readings into the log as if they came when they were made."""
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        gateway = Gateway(log, lambda: time.time_ns() // 1_000, trusts_received_at=True)
        file_door.bring_in(readings, gateway, lambda _: None)


@contextmanager
def served(home: Path, kafka: Kafka | None = None, *, recording: bool = False) -> Iterator[Served]:
    """The console over a house, in a thread, with an account of each plain role."""
    record = recorder(home, now_us) if recording else _record
    app = make_app(ConsolePlace(home, "Asia/Ho_Chi_Minh", kafka=kafka), record)
    for name, role in PEOPLE.items():
        if app.state.accounts.account(name) is None:
            app.state.accounts.accept(app.state.accounts.invite(name, role), PASSWORD)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", home, app)
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()


def _record(who: str, role: str, did: str, subject: str, *, refused: str = "") -> None:
    """Access records are tested elsewhere; here they are dropped."""
    del who, role, did, subject, refused


@pytest.fixture(scope="session")
def console_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house, made once for all workers of a run; each has a copy of its own."""
    return copied_once(tmp_path_factory, "console", made)


@pytest.fixture(scope="module")
def console(console_house: Path) -> Iterator[Served]:
    """The console over it."""
    with served(console_house) as found:
        yield found
