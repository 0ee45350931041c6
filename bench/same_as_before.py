"""Whether two source trees owe, flag and find the same, and what each replay costs.

python bench/same_as_before.py TREE [ROUNDS]     rounds at each of fifteen tables, by default 200

TREE is a checkout of an older commit; the tree of this file is compared with it. TREE simulates
three days with every fault and writes their logs. Both trees replay and check copies of the same
logs, in turn, with one worker, and settle every round sheet of TREE's pages. Exit code 1 where a
status, a due, a flag or a finding differs. Words are not compared, nor what new checks find.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

THIS = Path(__file__).parents[1]
SEEDS = ("one", "two", "four")  # TREE must be able to simulate them
TABLES = (
    *("A01:SA-AB", "B01:SA-BC", "C01:SA-BJ", "D01:SA-DT", "F01:SA-FPC", "H01:SA-HL", "N01:NN"),
    *(
        "P01:SA-PD",
        "R01:RO",
        "R02:SA-RO",
        "S01:SA-SB",
        "T01:TB",
        "T02:TH",
        "U01:SA-TP",
        "X01:SA-XD",
    ),
)
# Each table with the columns that are not words.
COMPARED = {
    "rounds": "table_id, round_id, game, edition, paytable, recorded_status, status, "
    "status_clauses, result, free_hand_due, changed_by_late",
    "dues": "table_id, round_id, wager_id, bet, stake, action, outcome, odds, gross_win, "
    "commission, paid, collected, returned, reserve_taken, reserve_returned, clauses, flags",
    "flags": "table_id, round_id, code, clause, subject",
    "findings": "table_id, round_id, check_id, subject, certain, house_minor, player_minor",
}
Compared = Mapping[str, Iterable[Sequence[Any]]]  # rows by table
FINDINGS = 5  # the exit code of `detect` where it found something
SHEET = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> None:
    before = Path(sys.argv[1]).resolve()
    rounds = sys.argv[2] if sys.argv[2:] else "200"
    differing = compare(
        "sheets", {"answers": answers(before, before)}, {"answers": answers(THIS, before)}
    )
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            differing += compare_day(before, seed, rounds, Path(folder))
    print(f"{differing:,} differences")
    sys.exit(differing > 0)


def answers(tree: Path, pages: Path) -> Iterator[tuple[Any, ...]]:
    """What a tree answers to every round sheet of the pages, without words."""
    texts = [path.read_text("utf-8") for path in sorted((pages / "docs/sheets").glob("*.md"))]
    found = [json.loads(text) for page in texts for text in SHEET.findall(page)]
    sheets = [sheet for sheet in found if "events" in sheet]
    given = "".join(json.dumps(sheet) + "\n" for sheet in sheets)
    said = roundproof(tree, "settle", given=given).splitlines()
    for number, (sheet, line) in enumerate(zip(sheets, said, strict=True)):
        told = json.loads(line)
        name = f"{number} {sheet['terms']['game']} {told['round']}"
        yield (name, told["status"])
        yield from ((name, json.dumps(line, sort_keys=True)) for line in told["lines"])
        yield from ((name, flag["code"], flag.get("clause")) for flag in told["flags"])


def compare_day(before: Path, seed: str, rounds: str, folder: Path) -> int:
    """Replay and check one day in both trees, and compare them."""
    made, found = folder / f"{seed}-made", {}
    day = ("--seed", seed, "--tables", ",".join(TABLES), "--rounds", rounds, "--faults", "all")
    roundproof(before, "simulate", *day, "--out", str(made))
    roundproof(before, "ingest", "file", str(made / "readings.jsonl"), "--home", str(made))
    for tree in (before, THIS):
        home = folder / f"{seed}-{'before' if tree == before else 'after'}"
        shutil.copytree(made / "log", home / "log")
        started = os.times()
        roundproof(tree, "replay", "--workers", "1", "--home", str(home))
        ended = os.times()
        seconds = sum(ended[2:4]) - sum(started[2:4])
        roundproof(tree, "detect", "--home", str(home))
        found[tree] = dict(rows(home, before))
        print(f"{seed} {home.name.split('-')[1]:<7}{cost(home, seconds)}", flush=True)
    return compare(seed, found[before], found[THIS])


def cost(home: Path, seconds: float) -> str:
    """Processor time of a replay, and what it keeps of an event."""
    with duckdb.connect(str(home / "audit.duckdb"), read_only=True) as connection:
        (events,) = connection.execute("select count(*) from events").fetchone() or (0,)
    derived = sum(path.stat().st_size for path in (home / "derived").rglob("*") if path.is_file())
    whole = (home / "audit.duckdb").stat().st_size
    return (
        f"{events:,} events, replay {seconds:.1f} s of processor, "
        f"{seconds / events * 1e6:.0f} µs an event, which is {derived / events:.0f} bytes derived "
        f"and {whole / events:.0f} in DuckDB"
    )


def rows(home: Path, before: Path) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """What a house derived, and what it found by the checks that TREE has."""
    checks = tuple(path.stem for path in sorted((before / "audit/checks").glob("*.sql")))
    with duckdb.connect(str(home / "audit.duckdb"), read_only=True) as connection:
        for table, columns in COMPARED.items():
            known = f" where check_id in {checks}" if table == "findings" else ""
            yield table, connection.execute(f"select {columns} from {table}{known}").fetchall()


def compare(what: str, before: Compared, after: Compared) -> int:
    """Print how many rows there are and each that only one side has; how many these are."""
    count = 0
    for table, rows_before in before.items():
        old, new = counted(rows_before), counted(after[table])
        print(f"{what} {table}: {old.total():,} before, {new.total():,} after")
        for side, rest in (("before", old - new), ("after", new - old)):
            count += rest.total()
            for row in sorted(rest):
                print(f"  only {side}: {row}")
    return count


def counted(found: Iterable[Sequence[Any]]) -> Counter[str]:
    return Counter(" | ".join(map(str, row)) for row in found)


def roundproof(tree: Path, *words: str, given: str = "") -> str:
    """What a command of a tree prints."""
    module = "audit.cli.main" if (tree / "audit/cli/main.py").exists() else "audit.cli"
    code = f"import sys; sys.argv[0] = 'roundproof'; from {module} import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tree,
        input=given,
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode not in (0, FINDINGS):
        sys.exit(f"{tree.name}: {' '.join(words[:3])}: {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
