"""A gaming day through the whole house, by the command line that people use."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit.catalogue import checks

TABLES = "T01:TB,T02:TB/non_commission,R01:RO,R02:RO,S01:SA-SB,S02:SA-SB/conventional"
MORE_TABLES = (  # games with checks of their own
    "N01:NN,K01:TH,F01:SA-FPC,H01:SA-HL,X01:SA-XD,B01:SA-BC,D01:SA-DT,P01:SA-PD,J01:SA-BJ,"
    "L01:SA-RO,A01:SA-AB,Y01:SA-TP"
)
HONEST_ROUNDS = 3_400


def roundproof(home: Path, *words: str, exits: int = 0) -> str:
    """What a command prints; it must end with the exit code that is expected."""
    command = [str(Path(sys.executable).with_name("roundproof")), "--home", str(home), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == exits, done.stderr
    return done.stdout


def findings_of(home: Path, *simulate: str, exits: int) -> tuple[list[dict[str, Any]], Any]:
    """What the checks find on a simulated day, and what was really done wrong."""
    day = home / "day"
    roundproof(home, "simulate", "--out", str(day), *simulate)
    roundproof(home, "ingest", "file", str(day / "readings.jsonl"))
    roundproof(home, "replay", "--workers", "2")
    roundproof(home, "detect", exits=exits)
    listed = json.loads(roundproof(home, "findings", "--json", "--limit", "100000"))
    return listed["findings"], json.loads((day / "truth.json").read_text())["faults"]


def test_an_honest_day_gives_no_findings(tmp_path: Path) -> None:
    words = ("--seed", "99", "--tables", TABLES, "--rounds", str(HONEST_ROUNDS))

    found, faults = findings_of(tmp_path, *words, exits=0)

    counted = "select count(*) as rounds, count(distinct game) as games from rounds"
    (seen,) = json.loads(roundproof(tmp_path, "sql", counted, "--format", "json"))["rows"]
    assert found == faults == []
    assert seen["rounds"] == 6 * HONEST_ROUNDS >= 20_000
    assert seen["games"] == 3


@pytest.mark.parametrize("seed", ["6", "11"])
def test_every_fault_is_found_and_nothing_else(tmp_path: Path, seed: str) -> None:
    tables = f"{TABLES},{MORE_TABLES}"
    words = ("--seed", seed, "--tables", tables, "--rounds", "250", "--faults", "all")

    found, faults = findings_of(tmp_path, *words, exits=5)

    missed = [fault for fault in faults if not any(_shows(fault, row) for row in found)]
    unexplained = [row for row in found if not any(_explains(fault, row) for fault in faults)]
    assert missed == []
    assert unexplained == []
    assert {row["check_id"] for row in found} == set(checks())


def _shows(fault: Any, row: Any) -> bool:
    """Whether a finding is the one the fault is named for."""
    return fault["fault"].split("/")[0] == row["check_id"] and _same_place(fault, row)


def _explains(fault: Any, row: Any) -> bool:
    return row["check_id"] in fault["explains"] and _same_place(fault, row)


def _same_place(fault: Any, row: Any) -> bool:
    """The same round, or the same table where one of them is about the whole table."""
    rounds = {fault["round_id"], row["round_id"]}
    return fault["table_id"] == row["table_id"] and (None in rounds or len(rounds) == 1)
