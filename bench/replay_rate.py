"""How fast the plain lane replays: rounds and events a second on one core, and where time goes.

python bench/replay_rate.py [ROUNDS]     rounds at each of four tables, by default 1,000
"""

import gc
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from ingest.gateway import Gateway
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay import rulebooks
from replay.batch import replay as batch_replay
from replay.batch import source
from replay.batch.plan import Choice
from replay.judge import judge_day
from replay.rounds import fold
from replay.simulate.game_play import TableSetup
from replay.simulate.house import DayRequest, SeededHouse
from replay.tables import derive, parquet

DAY = "2026-03-01"
TABLES = ("B01:TB", "B02:TB/non_commission", "R01:RO", "S01:SA-SB")


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 1_000
    with tempfile.TemporaryDirectory() as folder:
        home = simulated(Path(folder), rounds)
        begun = time.perf_counter()
        report = batch_replay.replay(home, Choice())
        whole = time.perf_counter() - begun
        spent = stages(home)
    print(f"{report.rounds:,} rounds, {report.events:,} events, {len(TABLES)} tables, one worker")
    print(f"{report.rounds / whole:,.0f} rounds/s, {report.events / whole:,.0f} events/s")
    total = sum(spent.values())
    for stage, seconds in spent.items():
        print(f"{stage:<8}{seconds / total:>6.0%}{seconds / report.events * 1e6:>8.1f} µs an event")


def simulated(home: Path, rounds: int) -> Path:
    """A house with a lawful day in its log."""
    seats = tuple(
        TableSetup(name, *game.split("/")) for name, game in (t.split(":") for t in TABLES)
    )
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        door = Gateway(log, lambda: 0, trusts_received_at=True)
        door.take(SeededHouse(DayRequest("bench", seats, rounds, DAY)).readings(), "bench")
    return home


def stages(home: Path) -> dict[str, float]:
    """Processor seconds of each stage, over all tables."""
    spent = dict.fromkeys(("decode", "fold", "judge", "rows", "write"), 0.0)
    log = source.opened(home)
    gc.disable()
    for table in source.tables(log):
        marks = [time.process_time()]
        sealed, _ = source.table_day(log, table, 0)
        marks.append(time.process_time())
        folded = list(fold(DAY, [event for event, _ in sealed]))
        marks.append(time.process_time())
        list(judge_day(folded, rulebooks.in_force))
        marks.append(time.process_time())
        day = derive.derive(DAY, sealed, rulebooks.in_force)  # which folds and judges once more
        marks.append(time.process_time())
        made = parquet.Manifest(table, DAY, 0, len(sealed), "", "", 0, day.digest, {})
        parquet.write(home / "bench", DAY, parquet.parquet(day.rows), made)
        marks.append(time.process_time())
        decode, folding, judging, deriving, writing = (
            later - earlier for earlier, later in pairwise(marks)
        )
        spent["decode"] += decode
        spent["fold"] += folding
        spent["judge"] += judging
        spent["rows"] += deriving - folding - judging
        spent["write"] += writing
    gc.enable()
    return spent


if __name__ == "__main__":
    main()
