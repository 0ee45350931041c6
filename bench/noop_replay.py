"""A replay with nothing new against a full one of the same house, in one run, and their memory.

    python -m bench.noop_replay [--copies 8] [--rounds 60]

The house is one simulated day of every game, its tables copied under other names.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.grown_house import grown

LIMIT_KB = 1024 * 1024  # the goal: below one gibibyte, whatever the house's size


def main() -> None:
    """Print how long each took, their ratio, and the largest process."""
    words = argparse.ArgumentParser()
    words.add_argument("--copies", type=int, default=8)
    words.add_argument("--rounds", type=int, default=60)
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        events = grown(home, asked.copies, asked.rounds)
        full, noop = (_replayed(home, "replay") for _ in range(2))
        start = _replayed(home, "config", "show")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(
        f"{events:,} events, seconds of processor: full replay {full:.1f}, nothing new {noop:.1f}"
    )
    print(f"ratio noop / full {noop / full:.3f}; a command that does nothing takes {start:.1f}")
    print(f"largest process {peak / 1024:,.0f} MiB, goal below {LIMIT_KB / 1024:,.0f} MiB")


def _replayed(home: Path, *words: str) -> float:
    """The processor seconds of a command and its workers, alike on a busy machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "audit.cli.main", *words, "--home", str(home)]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
