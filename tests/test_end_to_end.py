"""A gaming day of all fifteen games through the whole house, by the commands that people use."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit.checks.catalogue import checks
from replay import rulebooks
from replay.simulate import plan
from replay.simulate.faults.breaches import beneath
from replay.simulate.faults.fault import of_game
from tests.support import flag_page, untranslated
from tests.support.faulty_days import SHOWN_ELSEWHERE

pytestmark = pytest.mark.slow

TABLES = (  # every game, and a second table where it has two certified paytables or wheels
    "T01:TB,T02:TB/non_commission,R01:RO,R02:RO,S01:SA-SB,N01:NN,K01:TH,"
    "F01:SA-FPC,H01:SA-HL,X01:SA-XD,B01:SA-BC,D01:SA-DT,P01:SA-PD,J01:SA-BJ,L01:SA-RO,A01:SA-AB,"
    "Y01:SA-TP"
)
GAMES = {seat.table_id: seat.code for seat in plan.table_setups(TABLES)}
CODES = {edition.code: edition.game for edition in rulebooks.editions()}
# `make long` plays 1,120 rounds a table, over 20,000 in all, and more seeds of faults.
HONEST_ROUNDS = int(os.environ.get("ROUNDPROOF_ROUNDS", "80"))
SEEDS = os.environ.get("ROUNDPROOF_SEEDS", "6").split(",")


def roundproof(home: Path, *words: str, exits: int = 0) -> str:
    """What a command prints; it must end with the exit code that is expected."""
    command = [str(Path(sys.executable).with_name("roundproof")), "--home", str(home), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == exits, done.stderr
    return done.stdout


def findings_of(home: Path, *simulate: str, exits: int) -> tuple[list[dict[str, Any]], Any]:
    """What the checks find on a simulated day, and what was really done wrong."""
    day = home / "day"
    roundproof(home, "simulate", "--out", str(day), "--tables", TABLES, *simulate)
    roundproof(home, "ingest", "file", str(day / "readings.jsonl"))
    roundproof(home, "replay", "--workers", "2")
    roundproof(home, "detect", exits=exits)
    listed = json.loads(roundproof(home, "findings", "--json", "--limit", "100000"))
    return listed["findings"], json.loads((day / "truth.json").read_text())["faults"]


def untold_flags(home: Path) -> list[Any]:
    """Flags that name a broken rule, of rounds in which nothing is found."""
    notes = "', '".join(flag_page.listed(flag_page.NOTES))
    unless = "', '".join(flag_page.listed(flag_page.UNLESS))
    query = f"""
        select flag.game, flag.code, flag.round_id
        from flags as flag
        join rounds as round using (table_id, round_id)
        where flag.code not in ('{notes}')
            and not (flag.code in ('{unless}') and round.status = round.recorded_status)
            and not exists (
                from findings as finding
                where finding.table_id = flag.table_id
                    and finding.round_id = flag.round_id
            )
        order by all
    """
    found: list[Any] = json.loads(roundproof(home, "sql", query, "--format", "json"))["rows"]
    return found


def test_an_honest_day_of_every_game_gives_no_findings(tmp_path: Path) -> None:
    words = ("--seed", "99", "--rounds", str(HONEST_ROUNDS))

    found, faults = findings_of(tmp_path, *words, exits=0)

    counted = "select game, count(*) as rounds from rounds group by game order by game"
    seen = json.loads(roundproof(tmp_path, "sql", counted, "--format", "json"))["rows"]
    assert found == faults == []
    assert {row["game"] for row in seen} == set(CODES)
    assert min(row["rounds"] for row in seen) == HONEST_ROUNDS
    assert sum(row["rounds"] for row in seen) == len(GAMES) * HONEST_ROUNDS


# Remarks of the rules on a day of all faults that no pattern fits yet, such as two colours without
# a label; it only goes down.
STILL_ENGLISH = 5


@pytest.mark.parametrize("seed", SEEDS)
def test_every_fault_is_found_with_its_clause_and_its_money(tmp_path: Path, seed: str) -> None:
    found, faults = findings_of(
        tmp_path, "--seed", seed, "--rounds", "200", "--faults", "all", exits=5
    )

    done = {(GAMES[fault["table_id"]], fault["fault"]) for fault in faults}
    assert done >= {(code, name) for code in CODES for name in of_game(code, CODES[code])}
    assert [_named(fault) for fault in faults if not _shown(fault, found)] == []
    assert [_named(fault) for fault in faults if not _cited(fault, found)] == []
    assert [_named(fault) for fault in faults if not _weighed(fault, found)] == []
    assert [row for row in found if not any(_explains(fault, row) for fault in faults)] == []
    assert [row for row in found if not _of_its_own_book(row)] == []
    assert {row["check_id"] for row in found} >= set(checks()) - set(SHOWN_ELSEWHERE)
    assert untold_flags(tmp_path) == []
    english = [
        text
        for table, code in GAMES.items()
        for text in untranslated.left(
            (row[at] for row in found if row["table_id"] == table for at in ("expected", "found")),
            code,
        )
    ]
    assert len(english) <= STILL_ENGLISH, english


def _named(fault: Any) -> tuple[str, ...]:
    return (GAMES[fault["table_id"]], *(str(fault[key]) for key in ("fault", "round_id")))


def _shown(fault: Any, found: list[Any]) -> list[Any]:
    """The findings of the check that the fault is named for."""
    check = fault["fault"].split("/")[0]
    return [row for row in found if row["check_id"] == check and _same_place(fault, row)]


def _cited(fault: Any, found: list[Any]) -> bool:
    """Whether one of them cites what the fault breaks, or a part of it."""
    cited = {anchor for row in _shown(fault, found) for anchor in row["clauses"]}
    return any(beneath(anchor, clause) for anchor in cited for clause in fault["clauses"])


def _weighed(fault: Any, found: list[Any]) -> bool:
    """Whether what is found because of the fault adds up to what each side is short of."""
    rows = [row for row in found if _explains(fault, row)]
    sides = ("house_minor", "player_minor")
    return all(sum(int(row[side]) for row in rows) == (fault[side] or 0) for side in sides)


def _explains(fault: Any, row: Any) -> bool:
    """Whether a finding is the fault itself, or a consequence of it in the same round."""
    if row["check_id"] == fault["fault"].split("/")[0]:
        return _same_place(fault, row)
    here = (fault["table_id"], fault["round_id"]) == (row["table_id"], row["round_id"])
    return here and row["check_id"] in fault["explains"] and _of_its_money(fault, row)


def _of_its_money(fault: Any, row: Any) -> bool:
    """Whether a finding on a settlement is on a wager that the fault touched, by that amount.

    One on the order of payments (PAY-13) names no wager and no amount.
    """
    gap = int(row["house_minor"]) - int(row["player_minor"])
    if row["check_id"] == "PAY-13":
        return gap == 0
    return not row["check_id"].startswith("PAY-") or fault["costs"].get(row["subject"]) == gap


def _of_its_own_book(row: Any) -> bool:
    """Whether a finding cites clauses, all of them of the game at its table."""
    code = GAMES[row["table_id"]]
    return row["clauses"] and all(anchor.startswith(f"{code}:") for anchor in row["clauses"])


def _same_place(fault: Any, row: Any) -> bool:
    """The same round, or the same table where one of them is about the whole table."""
    rounds = {fault["round_id"], row["round_id"]}
    return fault["table_id"] == row["table_id"] and (None in rounds or len(rounds) == 1)
