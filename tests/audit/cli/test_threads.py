"""No command leaves a thread of Arrow behind (tests/replay/batch/test_threads.py says why)."""

import subprocess
import sys
from pathlib import Path

from tests.support import houses

COUNTED = """
import os, sys

import duckdb
import pyarrow.parquet

from audit.cli import app as root
from replay.tables import duckdb_file as project


def threads():
    return len(os.listdir("/proc/self/task"))


home, answer = sys.argv[1:]
with duckdb.connect(config=project.MODEST):  # DuckDB's own are not in question
    pass
before = threads()
for arguments in (
    ["replay", "--workers=1"],
    ["detect"],
    ["sql", "from rounds", "--format=parquet", f"--out={answer}"],
    ["doctor"],
):
    try:
        root.run(["--home", home, *arguments])
    except SystemExit as left:
        assert not left.code, (arguments, left.code)
    print(arguments[0], threads() - before, file=sys.stderr)
"""


def test_no_command_leaves_a_thread_behind(tmp_path: Path) -> None:
    home, answer = houses.simulated(tmp_path / "house", rounds=2), tmp_path / "answer.parquet"
    command = [sys.executable, "-c", COUNTED, str(home), str(answer)]

    done = subprocess.run(command, check=True, capture_output=True, text=True)

    counted = [line for line in done.stderr.splitlines() if line[-1:].isdigit()]
    assert counted == ["replay 0", "detect 0", "sql 0", "doctor 0"]
