"""How long it takes to find and judge one round, in houses of growing size.

    python -m bench.find_round [--events 1000000 10000000]

Ten million events take about 4 GB of disk. The house is one simulated day of four games, replayed;
it then grows by copies of its tables under other names: their log, what was derived of them and
their names, as a replay would leave them. A name that nobody has is told by the same index.
Seconds are those of the processor, and by the clock. With --home DIR the houses are kept.
"""

import argparse
import random
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.grown_house import as_replayed, grown
from replay.batch import replay as batch_replay
from replay.batch import source
from replay.batch.plan import Choice
from replay.locate import UnknownRound, locate

TRIES = 5
NOBODY = "T9-00000-20260301-0001"


def main() -> None:
    """Print for each size how long a round takes to be found."""
    words = argparse.ArgumentParser()
    words.add_argument("--events", type=int, nargs="+", default=[100_000, 1_000_000])
    words.add_argument("--rounds", type=int, default=200)
    words.add_argument("--home", type=Path, help="keep the houses here, or use those that are here")
    asked = words.parse_args()
    for wanted in asked.events:
        with tempfile.TemporaryDirectory() as folder:
            home = asked.home / str(wanted) if asked.home else Path(folder)
            events = built(home, wanted, asked.rounds)
            found = [_spent(home, _any_round(home)) for _ in range(TRIES)]
            unknown = [_spent(home, NOBODY) for _ in range(TRIES)]
        print(f"{events:>12,} events", flush=True)
        for what, tries in (("a round found", found), ("no such name", unknown)):
            processor, clock = (statistics.median(each) for each in zip(*tries, strict=True))
            print(f"    {what:<16}{processor:6.2f} s of the processor, {clock:6.2f} s by the clock")


def built(home: Path, wanted: int, rounds: int) -> int:
    """A house of about so many events, as a replay leaves it; how many they are."""
    each = grown(home, 1, rounds)
    copies = max(1, wanted // each)
    if not (home / "derived").exists():
        batch_replay.replay(home, Choice())
        grown(home, copies, rounds)
        as_replayed(home)
    return each * copies


def _any_round(home: Path) -> str:
    log = source.opened(home)
    table = random.choice(source.tables(log))
    sealed, _ = source.table_day(log, table, 0)
    name = random.choice([event.round_id for event, _ in sealed if event.round_id])
    return f"{table}/{name}"


def _spent(home: Path, name: str) -> tuple[float, float]:
    processor, clock = time.process_time(), time.perf_counter()
    with suppress(UnknownRound):
        locate(home, name)
    return time.process_time() - processor, time.perf_counter() - clock


if __name__ == "__main__":
    main()
