"""How long the console takes to make its pages over a DuckDB file with ten million rounds.

    python -m bench.console_latency [--rounds 10000000]

One simulated day of every game is derived and checked; its rounds and table-days are then copied
back through the years under other names until the file is as large as asked. Times are those of
the application, with the access record written, without the network: of the processor, which the
limits are held to, and by the clock, which grows with whatever else the machine does. Each player
is opened first for a round that nobody opened before, then again. Last: how long after a new file
took its place an open line of news says so, by the clock.
"""

import argparse
import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import duckdb
from fastapi.testclient import TestClient

from audit.console import demo_accounts
from audit.console.app import ConsolePlace, make_app
from audit.console.live import Feed
from audit.console.recorder import recorder
from audit.console.serving import now_us
from audit.console.snapshot import Snapshot
from replay.tables import proven_file
from replay.tables.duckdb_file import FILE
from tests.support.console_house import made

LIMITS_MS = {"player": 150, "player again": 150, "floor": 100, "queue": 100, "finding shown": 500}
A_GAME = 6  # rounds of every game that are opened
TIMES = 15  # the floor and the queue are asked for so often
OLDER = (
    ("rounds", "opened_at", "closed_at", "settled_at", "ended_at"),
    ("table_days", "opened_at", "closed_at"),
)


def main() -> None:
    """Print the median of each page beside its limit."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rounds", type=int, default=10_000_000)
    words.add_argument("--home", type=Path, help="keep the house here, or use the one that is here")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = asked.home or Path(folder)
        if not (home / FILE).exists():
            made(home, 60)
            grow(home, asked.rounds)
        demo_accounts.make(home)
        found = dict(measured(home))
        found["finding shown"] = [(took, took) for took in (told_ms(home) for _ in range(TIMES))]
    for name, times in found.items():
        spent, clock = (statistics.median(each) for each in zip(*times, strict=True))
        verdict = "within" if spent <= LIMITS_MS[name] else "OVER"
        print(
            f"{name:<14} median of {len(times)}: {spent:6.1f} ms, {verdict} {LIMITS_MS[name]} ms;"
            f" by the clock {clock:6.1f} ms"
        )


def grow(home: Path, wanted: int) -> None:
    """Copy rounds, table-days and findings back through the days until there are enough."""
    with duckdb.connect(str(home / FILE)) as db:
        ((there,),) = db.execute("select count(*) from rounds").fetchall()
        copies = max(1, wanted // there)
        for table, *times in OLDER:
            older = ", ".join(f"{name} - to_days(copy::integer) as {name}" for name in times)
            named = "round_id || '~' || copy as round_id, " if table == "rounds" else ""
            db.execute(
                f"insert into {table} select * exclude (copy) replace ({named}{older}, "
                "(gaming_day - to_days(copy::integer))::date as gaming_day)"
                f" from {table}, range(1, {copies}) as copies(copy)"
            )
        ((rows,),) = db.execute("select count(*) from rounds").fetchall()
    proven_file.note(home / FILE, proven_file.sha256(home / FILE))
    print(f"{rows:,} rounds in {(home / FILE).stat().st_size / 2**30:.1f} GiB", flush=True)


def measured(home: Path) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """How long each page takes, in milliseconds of the processor and by the clock."""
    app = make_app(ConsolePlace(home, "Asia/Ho_Chi_Minh"), recorder(home, now_us))
    with TestClient(app) as client:
        session = app.state.sessions.open(app.state.accounts.account("op-1"))
        client.cookies.set("roundproof", session)
        rounds = list(_rounds(home))
        _spent(client, rounds.pop())  # imports and templates
        for name in ("floor", "queue"):
            _spent(client, f"/{name}")
            yield name, [_spent(client, f"/{name}") for _ in range(TIMES)]
        yield "player", [_spent(client, address) for address in rounds]
        yield "player again", [_spent(client, address) for address in rounds]


def told_ms(home: Path) -> float:
    """How long after a new file took its place somebody who listens is told."""
    beside = home / f"{FILE}.beside"
    if not beside.exists():
        shutil.copyfile(home / FILE, beside)
    return asyncio.run(_told(home, beside))


async def _told(home: Path, beside: Path) -> float:
    news = Feed(Snapshot(home)).news("op-1", lambda: False)
    await anext(news)
    beside.touch()
    swapped = time.perf_counter()
    (home / FILE).rename(home / f"{FILE}.old")
    beside.rename(home / FILE)
    await anext(news)
    (home / f"{FILE}.old").rename(beside)
    return 1000 * (time.perf_counter() - swapped)


def _rounds(home: Path) -> Iterator[str]:
    with duckdb.connect(str(home / FILE), read_only=True) as db:
        rows = db.execute(
            "select table_id, round_id from rounds where game <> '' and not contains(round_id, '~')"
            " qualify row_number() over (partition by game order by hash(round_id)) <= $1"
            " order by hash(round_id)",
            [A_GAME],
        ).fetchall()
    return (f"/t/{quote(table)}/r/{quote(name)}" for table, name in rows)


def _spent(client: TestClient, address: str) -> tuple[float, float]:
    begun, clock = time.process_time(), time.perf_counter()
    answer = client.get(address)
    spent = 1000 * (time.process_time() - begun), 1000 * (time.perf_counter() - clock)
    assert answer.status_code == 200, (address, answer.status_code)
    return spent


if __name__ == "__main__":
    main()
