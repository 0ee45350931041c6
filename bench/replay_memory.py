"""How much memory a replay takes, in houses of growing size: full, with nothing new, and fresh.

    python -m bench.replay_memory [--events 250000 1000000]

The house is one simulated day of four games, its tables copied under other names. Each replay is a
process of its own; the figure is the largest resident size of it and of its workers.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.grown_house import grown

LIMIT_MIB = 1024  # the goal: below one gibibyte, whatever the house's size
RUNS = (("full", "--workers=2"), ("nothing new",), ("fresh file", "--fresh", "--workers=2"))

# A process that runs one other and says how large the largest of that one's family became.
WEIGHED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def main() -> None:
    """Print for each size and each replay the largest process."""
    words = argparse.ArgumentParser()
    words.add_argument("--events", type=int, nargs="+", default=[250_000, 1_000_000])
    words.add_argument("--rounds", type=int, default=200)
    asked = words.parse_args()
    most = 0.0
    for wanted in asked.events:
        with tempfile.TemporaryDirectory() as folder:
            each = grown(Path(folder), 1, asked.rounds)
            events = grown(Path(folder), max(1, wanted // each), asked.rounds)
            for name, *options in RUNS:
                peak = _peak_mib(Path(folder), options)
                most = max(most, peak)
                print(f"{events:>12,} events, {name:<12}{peak:6,.0f} MiB", flush=True)
    print(f"largest process {most:,.0f} MiB, goal below {LIMIT_MIB:,} MiB")


def _peak_mib(home: Path, options: list[str]) -> float:
    replay = [sys.executable, "-m", "audit.cli.main", "replay", "--home", str(home), *options]
    told = subprocess.run(
        [sys.executable, "-c", WEIGHED, *replay], check=True, capture_output=True, text=True
    )
    return int(told.stdout) / 1024


if __name__ == "__main__":
    main()
