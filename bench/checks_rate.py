"""What all checks cost over many rounds, as a multiple of one scan of the columns they read.

python bench/checks_rate.py [ROUNDS]     rounds of the house, by default 200,000

Every game plays a day with every fault it can show, and a common day with a few. The common day is
then laid down again under other tables until the house has so many rounds. The scan reads, in one
query a table, every column that a check or a view names, and takes the hash of each row. Seconds
are those of the processor, on all cores. With --home DIR the house is kept and used again. With
--keep FILE the findings are kept as JSON lines, to be compared with those of another version.
"""

import argparse
import itertools
import json
import re
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from audit.checks import catalogue, views
from audit.checks import run as run_checks
from audit.sql import database
from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.simulate import plan
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from replay.tables import dictionary, proven_file
from replay.tables.duckdb_file import FILE, project

GOAL = 6
DAY = "2026-03-01"
FAULTY = 220  # rounds of a table that shows every fault
COMMON = 110
FEW = dict.fromkeys(
    ("BET-01", "BET-03", "BET-05", "BET-06", "INT-01", "INT-06", "INT-11", "IRR-04", "IRR-05",
     "PAY-01", "PAY-02", "PAY-03", "REC-01", "REC-06"), 1
)  # fmt: skip
SEED = "11"
NAME = "bench"  # how every table's name begins, and thus every id that is made of it


class Spent(NamedTuple):
    """What a run took, and what it found."""

    views_s: dict[str, float]  # views that several checks read
    checks_s: dict[str, float]
    found: list[run_checks.CheckFinding]

    @property
    def whole_s(self) -> float:
        """Everything together."""
        return sum(self.views_s.values()) + sum(self.checks_s.values())


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("rounds", nargs="?", type=int, default=200_000)
    asked.add_argument("--home", type=Path, help="keep the house here, or use the one that is here")
    asked.add_argument("--keep", type=Path, help="write the findings to this file")
    wish = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = wish.home or Path(folder)
        if not (home / FILE).exists():
            build(home, wish.rounds)
        with database.opened(home) as connection:
            rounds, events = (_count(connection, table) for table in ("rounds", "events"))
            scanned = min(scan(connection) for _ in range(2))
            spent = checked(connection)
    print(f"{rounds:,} rounds, {events:,} events, {len(spent.found):,} findings")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"one scan {scanned:.1f} s; checks {spent.whole_s:.1f} s; at most {peak:.1f} GiB of memory"
    )
    shares = {f"view {name}": seconds for name, seconds in spent.views_s.items()} | spent.checks_s
    for name, seconds in sorted(shares.items(), key=lambda pair: -pair[1]):
        print(f"    {name:<26}{seconds:6.2f} s{seconds / spent.whole_s:7.1%}")
    print(f"all checks cost {spent.whole_s / scanned:.1f} scans (goal {GOAL})")
    if wish.keep:
        lines = (json.dumps(finding, ensure_ascii=False) for finding in spent.found)
        wish.keep.write_text("\n".join(lines) + "\n", "utf-8")


def build(home: Path, rounds: int) -> None:
    """A house of so many rounds; only its first tables were really played."""
    games = plan.mix()
    _played(
        home,
        tuple(TableSetup(f"{NAME}-f{n:02d}", *game) for n, game in enumerate(games)),
        FAULTY,
        None,
    )
    _played(
        home,
        tuple(TableSetup(f"{NAME}-c{n:02d}", *game) for n, game in enumerate(games)),
        COMMON,
        FEW,
    )
    batch_replay.replay(home, Choice(), workers=2)
    project(home)
    with duckdb.connect(str(home / FILE)) as connection:
        common = COMMON * len(games)
        copies = max(1, (rounds - _count(connection, "rounds")) // common)
        for table in dictionary.dictionary().values():
            _copied(connection, table, [f"copy{n:03d}" for n in range(1, copies + 1)])
    proven_file.note(home / FILE, proven_file.sha256(home / FILE))


def scan(connection: duckdb.DuckDBPyConnection) -> float:
    """The seconds it takes to read every column that a check or a view names."""
    words = set(
        re.findall(r"\w+", "\n".join([views.text(), *(c.sql for c in catalogue.checks().values())]))
    )
    begun = time.process_time()
    for table in dictionary.dictionary().values():
        if table.name in words:
            columns = ", ".join(c.name for c in table.columns if c.name in words)
            connection.execute(f"select max(hash({columns})) from {table.name}").fetchall()
    return time.process_time() - begun


def checked(connection: duckdb.DuckDBPyConnection) -> Spent:
    """Every check, as `roundproof detect` runs them."""
    moments = {"": time.process_time()}
    run_checks.prepare(
        connection,
        catalogue.checks().values(),
        made=lambda view: moments.setdefault(view, time.process_time()),
    )
    steps = itertools.pairwise(moments.items())
    shared = {view: end - begun for (_, begun), (view, end) in steps}
    found, each = list[run_checks.CheckFinding](), dict[str, float]()
    for check in catalogue.checks().values():
        begun = time.process_time()
        found += run_checks.run(connection, check)
        each[check.check_id] = time.process_time() - begun
    return Spent(shared, each, found)


def _played(
    home: Path, seats: tuple[TableSetup, ...], rounds: int, faults: dict[str, int] | None
) -> None:
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: 0, trusts_received_at=True)
        door.take(SeededHouse(DayRequest(SEED, seats, rounds, DAY, faults)).readings(), NAME)


def _copied(
    connection: duckdb.DuckDBPyConnection, table: dictionary.Table, names: Sequence[str]
) -> None:
    """Lay the common day down again: the same rows, with another name in every id."""
    held = {column.name for column in table.columns}
    mine = "table_id" if "table_id" in held else "round_id"
    if mine not in held:
        return
    connection.execute(
        f"create or replace temp table common as "
        f"from {table.name} where starts_with({mine}, '{NAME}-c')"
    )
    connection.begin()
    for name in names:
        columns = ", ".join(_renamed(column, name) for column in table.columns)
        connection.execute(f"insert into {table.name} select {columns} from common")
    connection.commit()


def _renamed(column: dictionary.Column, name: str) -> str:
    match column.kind:
        case "varchar":
            return f"replace({column.name}, '{NAME}-c', '{name}-c')"
        case "varchar[]":
            return f"list_transform({column.name}, lambda id: replace(id, '{NAME}-c', '{name}-c'))"
    return column.name


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    ((count,),) = connection.execute(f"select count(*) from {table}").fetchall()
    return int(count)


if __name__ == "__main__":
    main()
