"""Arrow starts no thread of its own in our processes.

A thread of Arrow's pools that is still at work when the interpreter goes ends the process with
SIGABRT, after everything was done and said. Counted in a fresh process, because a pool that once
ran stays.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import houses

COUNTED = """
import os, sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from replay.batch import replay as run
from replay.batch.plan import Choice
from replay.tables import duckdb_file as project, parquet as derived

home = Path(sys.argv[1])


def threads():
    return len(os.listdir("/proc/self/task"))


def read():
    for folder, manifest in derived.days(home / "derived"):
        for name in manifest.files:
            if name.endswith(".parquet"):
                derived.read(folder, manifest, name.removesuffix(".parquet"))


def plainly():
    first = next(home.glob("derived/*/*/rounds.parquet"))
    pq.read_table(first)


works = {
    "replay": lambda: run.replay(home, Choice()),
    "read": read,
    "project": lambda: project.project(home),
    "plainly": plainly,
}
with duckdb.connect(config=project.MODEST):  # DuckDB's own are not in question
    pass
before = threads()
for work in sys.argv[2].split():
    works[work]()
print(threads() - before)
"""


def started(home: Path, works: str) -> int:
    """The threads that a fresh process has more of after it did these works."""
    command = [sys.executable, "-c", COUNTED, str(home), works]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


@pytest.mark.parametrize(
    "works",
    [
        pytest.param("replay", id="derive and index"),
        pytest.param("replay read", id="read every derived file"),
        pytest.param("replay project", id="put everything into the DuckDB file"),
    ],
)
def test_arrow_starts_no_thread(tmp_path: Path, works: str) -> None:
    home = houses.simulated(tmp_path, rounds=2)

    assert started(home, works) == 0


def test_a_thread_of_arrow_would_be_counted(tmp_path: Path) -> None:
    home = houses.simulated(tmp_path, rounds=2)

    assert started(home, "replay plainly") > 0
