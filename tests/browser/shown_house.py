"""The house that the pictures show: the demo's day and dispute, a wheel of two days, dead letters.

It is made by what a house would run; beside it stand a second dispute that is still open, and
somebody's markers and judgements, so that no screen is empty that has something to say.
"""

import contextlib
import json
from collections import Counter
from pathlib import Path

import duckdb
from fastapi import FastAPI
from fastapi.testclient import TestClient

from audit.cli.app import run as command
from audit.console import demo_accounts
from audit.console.app import ConsolePlace, make_app
from audit.console.recorder import recorder
from audit.console.serving import now_us
from replay.simulate import DayRequest, plan, simulate
from replay.tables import duckdb_file
from tests.support import console_house

ROUNDS, SPINS = 60, 1_000
WHEEL = "R01:RO"
EARLIER = ("2026-02-27", "2026-02-28")
TORN = b'{"table_id": "T01", "device_id": "shoe-T01"\nnot a reading at all\n{"table_id": 7}\n'


def made(folder: Path) -> Path:
    """Make the house in a folder; the place of the house in it."""
    with contextlib.suppress(SystemExit):
        command(["--home", str(folder), "demo", "--rounds", str(ROUNDS)])
    home = folder / "demo"
    _wheel(home, folder)
    _unread(home, folder)
    torn = folder / "torn.jsonl"
    torn.write_bytes(TORN)
    console_house.taken_in(home, torn)
    console_house.derived(home)
    demo_accounts.make(home)
    _worked(home)
    return home


def _wheel(home: Path, folder: Path) -> None:
    """Two days of a roulette table, long enough to say something of its wheel."""
    sent = Counter[str]()
    for number, day in enumerate(EARLIER):
        wish = DayRequest(str(number), plan.table_setups(WHEEL), SPINS, day, {})
        readings = simulate(wish, folder / day, "jsonl").path
        console_house.taken_in(home, _going_on(readings, sent))


def _going_on(readings: Path, sent: Counter[str]) -> Path:
    """The readings with numbers that go on where each device left off the day before."""
    day = [json.loads(line) for line in readings.read_text("utf-8").splitlines()]
    for each in day:
        sent[each["device_id"]] += 1
        each["device_seq"] = sent[each["device_id"]]
    readings.write_text("".join(json.dumps(each) + "\n" for each in day), "utf-8")
    return readings


def _unread(home: Path, folder: Path) -> None:
    """A table with a round that nobody can derive."""
    wish = DayRequest("7", plan.table_setups("T17:TB"), 20, "2026-03-01", console_house.FAULTS)
    console_house.taken_in(home, simulate(wish, folder / "unread", "jsonl").path)


def _worked(home: Path) -> None:
    """A few hours of people at their desks: a judgement, a marker, a dispute that is open."""
    app = make_app(ConsolePlace(home, "Asia/Ho_Chi_Minh"), recorder(home, now_us))
    with duckdb.connect(str(home / duckdb_file.FILE), read_only=True) as db:
        rows = db.execute(
            "select finding_id, table_id, round_id, epoch_us(opened_at) from findings"
            " join rounds using (table_id, round_id) where table_id <> 'R01'"
            " order by severity, finding_id"
        ).fetchall()
    finding, table, round_id, opened_us = rows[0]
    _post(app, "op-1", f"/queue/{finding}/reviews", verb="ack")
    marker = {"kind": "marker", "at_us": opened_us, "note": "chips moved, ask camera 2"}
    _post(app, "op-1", f"/t/{table}/r/{round_id}/remarks", **marker)
    _post(app, "op-1", f"/queue/{rows[-1][0]}/reviews", verb="explain", reason="squared up")
    claim = {"table": table, "round": round_id, "claim": "the stake was taken away"}
    _post(app, "pm-1", "/cases", finding=finding, **claim)


def _post(app: FastAPI, who: str, path: str, **form: object) -> None:
    client = TestClient(app, follow_redirects=False)
    token = app.state.sessions.open(app.state.accounts.account(who))
    client.cookies.set("roundproof", token)
    answer = client.post(path, data={"csrf": app.state.sessions.find(token).csrf, **form})
    assert answer.status_code in (200, 303), (path, answer.status_code, answer.text[-600:])
