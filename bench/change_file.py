"""What one new table-day costs the DuckDB file: built anew, put into a copy, the copy alone.

    python -m bench.change_file [--copies 8 32] [--rounds 60]

The house is one simulated day of four games, its tables copied under other names. Of each way the
processor seconds and, since a copy waits for the disk, the seconds on the clock.
"""

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.grown_house import grown
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import parquet
from replay.tables.duckdb_file import FILE, project


def main() -> None:
    """Print for each size what each way took."""
    words = argparse.ArgumentParser()
    words.add_argument("--copies", type=int, nargs="+", default=[8, 32])
    words.add_argument("--rounds", type=int, default=60)
    asked = words.parse_args()
    for copies in asked.copies:
        with tempfile.TemporaryDirectory() as folder:
            events = grown(Path(folder), copies, asked.rounds)
            measured(Path(folder), events)


def measured(home: Path, events: int) -> None:
    """Replay a house, change one of its table-days, and print what each way took."""
    batch_replay.replay(home, Choice(), workers=2)
    spent = {"built anew": _spent(lambda: project(home, whole=True))}
    for path in parquet.folders(home / "derived", "T2-00000"):
        shutil.rmtree(path)
    project(home)
    batch_replay.replay(home, Choice())
    spent["one table-day put in"] = _spent(lambda: project(home))
    spent["the copy alone"] = _spent(lambda: shutil.copyfile(home / FILE, home / "copy"))
    size = (home / FILE).stat().st_size / 2**20
    print(f"{events:,} events, a file of {size:,.0f} MiB; processor and clock seconds:")
    for name, (processor, clock) in spent.items():
        print(f"    {name:<22}{processor:7.2f}{clock:7.2f}")


def _spent(act: Callable[[], object]) -> tuple[float, float]:
    before, begun = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    act()
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


if __name__ == "__main__":
    main()
