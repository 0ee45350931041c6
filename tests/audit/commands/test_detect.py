"""`roundproof detect` and `roundproof checks` as people run them."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from audit.checks import catalogue
from audit.cli.errors import Code
from audit.pages import check as check_page
from replay.tables.duckdb_file import FILE
from tests.support.check_cases import database
from tests.support.small_house import TABLES, Roundproof, noted

PAGE = Path(__file__).parents[3] / "docs" / "checks.md"


def test_findings_are_counted_by_severity_and_check(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("detect", "--home", home)

    assert said.code == Code.FINDINGS
    rows = [line.split() for line in said.out.splitlines()]
    assert rows[0] == ["severity", "check", "title", "findings", "certain", "house", "players"]
    assert rows[1][:2] == ["S1", "BET-01"]
    assert rows[2][:2] == ["S1", "PAY-01"]
    assert rows[2][-4:] == ["1", "1", "100,000", "VND"]
    assert f"2 findings by 2 of {len(catalogue.checks())} checks" in said.out
    assert "house 110,000 VND, players nothing" in said.out


def test_a_wager_that_two_checks_name_counts_once_in_the_total(
    home: Path, roundproof: Roundproof
) -> None:
    with duckdb.connect(str(home / FILE)) as connection:  # the late chips were paid as well
        connection.execute(
            "update settlements set paid = 60000, paid_gap = 10000, differs = true"
            " where wager_id = 'W3'"
        )
    noted(home)

    said = roundproof("detect", "--check", "PAY-01", "--check", "BET-01", "--home", home)
    told = roundproof("detect", "--json", "--home", home)

    costs = [(row["check_id"], row["house_minor"]) for row in json.loads(told.out)["findings"]]
    assert costs == [("BET-01", "10000"), ("PAY-01", "100000"), ("PAY-01", "10000")]
    assert "at stake: house 110,000 VND, players nothing" in said.out
    assert "once, at its highest amount" in said.err
    assert json.loads(told.out)["at_stake"] == {"VND": {"house": "110000", "players": "0"}}


def test_a_house_without_findings_ends_with_zero(tmp_path: Path, roundproof: Roundproof) -> None:
    database({}, str(tmp_path / FILE)).close()
    noted(tmp_path)

    said = roundproof("detect", "--home", tmp_path)

    assert said.code == Code.OK
    assert said.out == f"nothing found by {len(catalogue.checks())} checks\n"


def test_only_the_checks_that_are_named_run(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("detect", "--check", "bet-01", "--check", "PAY-02", "--json", "--home", home)

    told = json.loads(said.out)
    assert told["checks"] == {"BET-01": 1, "PAY-02": 0}
    (finding,) = told["findings"]
    assert finding["house_minor"] == "10000"
    assert finding["currency"] == "VND"


def test_running_twice_says_the_same(home: Path, roundproof: Roundproof) -> None:
    first = roundproof("detect", "--json", "--home", home)

    second = roundproof("detect", "--json", "--home", home)

    assert second[:2] == first[:2]  # how fast it went stands on stderr


@pytest.mark.parametrize("command", [["detect"], ["findings"], ["sql", "select 1"]])
def test_a_house_that_was_never_replayed(
    tmp_path: Path, roundproof: Roundproof, command: list[str]
) -> None:
    said = roundproof(*command, "--home", tmp_path)

    assert said.code == Code.NOT_FOUND
    assert "nothing was derived here yet" in said.err
    assert "run roundproof replay first" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("command", [["detect"], ["findings"], ["sql", "select 1"]])
def test_a_file_that_is_no_database(
    tmp_path: Path, roundproof: Roundproof, command: list[str]
) -> None:
    (tmp_path / FILE).write_text("not a database, whatever its name says" * 100)
    noted(tmp_path)

    said = roundproof(*command, "--home", tmp_path)

    assert said.code == Code.UNVERIFIED
    assert "a DuckDB file expected" in said.err


def test_a_file_with_other_tables(tmp_path: Path, roundproof: Roundproof) -> None:
    duckdb.connect(str(tmp_path / FILE)).close()
    noted(tmp_path)

    said = roundproof("detect", "--home", tmp_path)

    assert said.code == Code.UNVERIFIED
    assert "the tables of this version expected" in said.err


@pytest.mark.parametrize("command", [["detect"], ["findings"], ["sql", "select 1"]])
def test_a_file_that_somebody_writes_to(
    home: Path, roundproof: Roundproof, command: list[str]
) -> None:
    held = f"import duckdb; c = duckdb.connect({str(home / FILE)!r}); print('held', flush=True)"
    writer = subprocess.Popen(
        [sys.executable, "-c", f"{held}; input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"held\n"

        said = roundproof(*command, "--home", home)

        writer.communicate(b"\n")
    assert said.code == Code.UNREACHABLE
    assert "another program has it open for writing" in said.err


def test_a_damaged_file_is_no_lock_whatever_its_words(
    tmp_path: Path, roundproof: Roundproof
) -> None:
    home = tmp_path / "locked-block"  # DuckDB names the path and the block in its message
    home.mkdir()
    database({}, str(home / FILE)).close()
    body = bytearray((home / FILE).read_bytes())
    body[5_000] ^= 1
    (home / FILE).write_bytes(body)
    noted(home)

    for command in ("detect", "findings"):
        said = roundproof(command, "--home", home)

        assert said.code == Code.UNVERIFIED
        assert "roundproof replay --fresh: it builds the file again" in said.err
        assert "delete" not in said.err


def test_a_broken_header_is_repaired_by_a_replay(house: Path, roundproof: Roundproof) -> None:
    (house / FILE).write_bytes(b"X" * 20 + (house / FILE).read_bytes()[20:])

    assert roundproof("detect", "--home", house).code == Code.UNVERIFIED
    mended = roundproof("replay", "--home", house)
    assert mended.code == Code.OK
    assert "changed, so the DuckDB file is built again: " in mended.err
    assert roundproof("detect", "--home", house).code in (Code.OK, Code.FINDINGS)


def test_a_check_that_cannot_be_run_holds_up_no_other(home: Path, roundproof: Roundproof) -> None:
    with duckdb.connect(str(home / FILE)) as connection:
        connection.execute("drop table beats; create table beats (event_id varchar)")
    noted(home)

    said = roundproof("detect", "--check", "INT-04", "--check", "PAY-01", "--home", home)

    assert said.code == Code.UNVERIFIED
    assert "check INT-04 failed" in said.err
    assert "PAY-01" in said.out


def test_an_unknown_check_is_not_found(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("detect", "--check", "PAY-99", "--home", home)

    assert said.code == Code.NOT_FOUND
    assert "PAY-01, PAY-02" in said.err


def test_the_catalogue_lists_every_check(roundproof: Roundproof) -> None:
    said = roundproof("checks")

    assert len(said.out.splitlines()) == 1 + len(catalogue.checks())


def test_one_check_is_shown_with_its_reason_and_query(roundproof: Roundproof) -> None:
    said = roundproof("checks", "show", "BET-01")

    assert "why       A stake that grows once betting has ended" in said.out
    assert "benign    The dealer squares up a fallen stack" in said.out
    assert "from late_readings as reading" in said.out


def test_the_page_of_checks_is_written_from_their_headers(roundproof: Roundproof) -> None:
    said = roundproof("checks", "--markdown")

    assert said.out == PAGE.read_text("utf-8")
    assert said.out == check_page.page(catalogue.checks().values())


HEADER = """\
-- check: XX-01
-- title: A test
-- severity: S1
-- clauses: TB:4.6
-- why: It shows a header.
-- benign: None known.
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("-- check: XX-01\nselect 1", "`-- title:` expected"),
        ("select 1", "`-- check:` expected"),
        (HEADER, "`-- live:` expected"),
        (f"{HEADER}-- live: round\n", "`-- trigger:` expected"),
        (f"{HEADER}-- live: no\n-- trigger: any rows\n", "no line `-- trigger:` expected"),
        (f"{HEADER}-- live: round\n-- trigger: full moon\n", "'full moon' found, one of any rows"),
        (f"{HEADER}-- live: table-day\n-- trigger: any rows\n", "one of table alarm expected"),
        (f"{HEADER}-- live: daily\n", "live round, table-day, no expected"),
    ],
)
def test_a_header_without_a_line_is_refused(text: str, why: str) -> None:
    with pytest.raises(catalogue.BadCheck, match=why):
        catalogue.parse("XX-01.sql", text)


def test_a_check_without_its_columns_is_refused() -> None:
    from audit.checks import run as run_checks

    check = catalogue.checks()["PAY-01"]._replace(sql="select 1 as subject, 2 as more")

    with (
        database(TABLES) as connection,
        pytest.raises(catalogue.BadCheck, match=r"table_id, .* missing, more unknown"),
    ):
        run_checks.rows(connection, check)
