"""Findings keep their ids, are never doubled, and go without being deleted."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pytest

from audit.checks import catalogue, findings, findings_log
from audit.checks import run as run_checks
from audit.checks.run import CheckFinding, finding_id
from audit.cli.errors import Code
from replay.tables import dictionary
from replay.tables.duckdb_file import FILE
from tests.support.check_cases import database
from tests.support.small_house import TABLES, Roundproof, noted, roundproof

pytestmark = pytest.mark.slow

__all__ = ["roundproof"]

Tmp = pytest.TempPathFactory
FINDING = ("PAY-01", "BET-01")  # in the small house; all checks together find no more
OVERPAID = finding_id("PAY-01", "T1", "R1", "W1")


def detect(home: Path, *ids: str) -> list[CheckFinding]:
    """Run checks over the house's file, as the command does; else those that find something."""
    return detected(home, *(ids or FINDING))[0]


def detected(home: Path, *ids: str) -> tuple[list[CheckFinding], Mapping[str, Exception]]:
    """The same, with the tables whose findings are damaged."""
    chosen = catalogue.chosen(ids)
    with opened(home) as connection:
        run_checks.prepare(connection, chosen)
        found = [finding for check in chosen for finding in run_checks.run(connection, check)]
        ran = [check.check_id for check in chosen]
        return found, findings.store(home, connection, ran, found)


def opened(home: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(str(home / FILE), read_only=True)


def read(home: Path, wanted: findings.Wanted = findings.Wanted()) -> list[CheckFinding]:  # noqa: B008
    with opened(home) as connection:
        return findings.read(connection, wanted)


def change(home: Path, statement: str) -> None:
    """Somebody who can write the file changes it."""
    with duckdb.connect(str(home / FILE)) as connection:
        connection.execute(statement)
    noted(home)


def test_an_id_is_the_same_for_the_same_thing_for_ever() -> None:
    assert finding_id("PAY-01", "T1", "R1", "W1") == "PAY-01-f5a43b9dd1"
    assert finding_id("PAY-01", "T1", None, "W1") != finding_id("PAY-01", "T1", "None", "W1")
    assert finding_id("PAY-01", "T1", "R1W", "1") != finding_id("PAY-01", "T1", "R1", "W1")


def test_a_finding_says_everything(home: Path) -> None:
    detected(home)  # by all checks

    overpaid, grown = read(home)

    assert overpaid == CheckFinding(
        finding_id=OVERPAID,
        check_id="PAY-01",
        severity="S1",
        title="A winner was paid too much, or a loser was paid",
        table_id="T1",
        gaming_day="2026-03-01",
        round_id="R1",
        subject="W1",
        certain=True,
        expected="banker 100,000 VND wins at 1 to 1: 95,000 VND paid, 5,000 VND commission, "
        "0 VND collected, 100,000 VND returned",
        found="195,000 VND paid, 5,000 VND commission, 0 VND collected, 100,000 VND returned",
        clauses=("TB:5.1.1",),
        evidence=("T1/console/12", "T1/console/30"),
        house_minor=100_000,
        player_minor=0,
        currency="VND",
        state="new",
    )
    assert (grown.check_id, grown.certain) == ("BET-01", False)
    assert grown.clauses == ("TB:4.6",), "the clauses of the game at this table"


@pytest.mark.parametrize(
    ("check_id", "posted", "clauses"),
    [
        ("INT-08", "TH", ("TH:8.4.1",)),
        ("INT-08", "", None),
        ("BET-13", "RO", ()),
    ],
    ids=["posted after the round", "never posted", "a rulebook the check has no clause of"],
)
def test_a_finding_cites_no_other_rulebook(
    check_id: str, posted: str, clauses: tuple[str, ...] | None
) -> None:
    filled = {
        "rounds": "game | opened_seq\n  | 10",
        "flags": "code | clause\nTERMS_MISSING | \nWAGER_ON_FREE_HAND | ",
        "events": "event_id | seq\nE10 | 10",
    }
    if posted:
        filled["terms"] = f"event_id | game | seq\nE30 | {posted} | 30"
    check = catalogue.checks()[check_id]

    with database(filled) as opened:
        (found,) = run_checks.run(opened, check)

    assert found.clauses == (check.clauses if clauses is None else clauses)


def test_a_second_run_changes_nothing(home: Path) -> None:
    detect(home)
    first = read(home)

    detect(home)

    assert read(home) == first


def settled(paid: int, beyond_due: int) -> str:
    """The statement that makes the settlement of W1 say so, as a replay would."""
    amounts = f"paid = {paid}, paid_gap = {beyond_due}, differs = {beyond_due != 0}"
    return f"update settlements set {amounts} where wager_id = 'W1'"


def test_what_no_longer_holds_is_gone_and_comes_back_under_its_id(
    home: Path,
) -> None:
    detect(home)

    change(home, settled(paid=95_000, beyond_due=0))
    detect(home)
    gone = {finding.finding_id: finding.state for finding in read(home, ALL)}
    change(home, settled(paid=195_000, beyond_due=100_000))
    detect(home)

    assert gone[OVERPAID] == "gone"
    assert {finding.state for finding in read(home, ALL)} == {"new"}


def test_checks_that_did_not_run_leave_their_findings_alone(
    home: Path,
) -> None:
    detect(home)
    change(home, "delete from payments")

    detect(home, "BET-01")

    assert OVERPAID in {finding.finding_id for finding in read(home)}


@pytest.mark.parametrize(
    "statement",
    [
        "delete from findings where check_id = 'PAY-01'",
        "update findings set state = 'gone' where check_id = 'PAY-01'",
        "update findings set house_minor = 0",
    ],
)
def test_a_finding_that_was_changed_in_the_file_is_told_and_comes_back(
    home: Path, statement: str
) -> None:
    detect(home)
    before = read(home)
    change(home, statement)

    with opened(home) as connection, pytest.raises(findings.FindingsDiffer, match=r"PAY-01|BET-01"):
        findings.must_be_as_told(home, connection)
    detect(home)

    assert read(home) == before


def test_findings_that_leave_the_log_are_missed(home: Path) -> None:
    detect(home)
    shutil.rmtree(home / "log" / findings_log.STREAM / "T1")

    before = read(home)
    assert "findings of table T1: 2 entries" in str(detected(home)[1]["T1"])
    with duckdb.connect() as fresh:
        fresh.execute(dictionary.sql())  # the views that are put in read them
        findings.filler(home)(fresh)
        lost = findings.shorter(fresh, findings_log.standing(home))
        assert "0 others found" in str(lost["T1"])
        assert findings.read(fresh) == before
    assert read(home) == before


def at_two_tables(home: Path) -> CheckFinding:
    """The house with findings of T1, and one of T2 that no check finds any more."""
    first, *_ = detect(home)
    other = first._replace(table_id="T2", finding_id=finding_id("PAY-01", "T2", "R1", "W1"))
    with opened(home) as connection:
        findings.store(home, connection, (), [other])
    return other


def flip(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[body.index(b"PAY-01")] ^= 1
    path.write_bytes(body)


def behead(path: Path) -> None:
    path.write_bytes(b"PK" + path.read_bytes()[2:])


DAMAGES: dict[str, Callable[[Path], None]] = {
    "flipped": flip,
    "no header": behead,
    "no head": lambda path: (path.parent / ".head").unlink(),
    "no file": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_findings_of_one_table_are_named_and_the_others_go_on(
    home: Path, damage: Callable[[Path], None], roundproof: Roundproof
) -> None:
    other = at_two_tables(home)
    before = {finding.finding_id for finding in read(home)}
    (path,) = (home / "log" / findings_log.STREAM / "T1").glob("*.avro")
    copies = {each: each.read_bytes() for each in path.parent.iterdir()}
    damage(path)

    listed = roundproof("findings", "--home", home, "--json")
    ran = roundproof("detect", "--home", home, "--json")
    after = {finding.finding_id for finding in read(home)}
    for place, body in copies.items():
        place.write_bytes(body)
    mended = roundproof("findings", "--home", home)

    assert other.finding_id in before
    assert (listed.code, ran.code, mended.code) == (Code.UNVERIFIED, Code.UNVERIFIED, Code.OK)
    told = json.loads(listed.out)
    assert {finding["finding_id"] for finding in told["findings"]} == before
    assert list(told["damaged"]) == list(json.loads(ran.out)["damaged"]) == ["T1"]
    assert "the findings log of T1 is damaged" in listed.err
    assert after == before - {other.finding_id}  # T2's was withdrawn, T1's are as they were


def test_doctor_names_damaged_findings(home: Path, roundproof: Roundproof) -> None:
    detect(home)
    (path,) = (home / "log" / findings_log.STREAM / "T1").glob("*.avro")
    whole = roundproof("doctor", "--home", home)
    flip(path)

    damaged = roundproof("doctor", "--home", home)

    assert "ok  findings  2 records of 1 tables" in whole.out
    assert "bad findings  " in damaged.out


def test_every_bit_of_the_findings_is_covered(home: Path) -> None:
    detect(home)
    (path,) = (home / "log" / findings_log.STREAM / "T1").glob("*.avro")
    whole = path.read_bytes()
    first = whole.index(b"PAY-01") - 3
    silent = []
    for at in range(first, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        if not findings_log.standing(home).damaged:
            silent.append(at)

    assert len(range(first, len(whole), 7)) > 50
    assert silent == []


def test_the_same_house_gives_the_same_bytes(home: Path, tmp_path_factory: Tmp) -> None:
    other = shutil.copytree(home, tmp_path_factory.mktemp("other") / "house")
    for each in (home, other):
        detect(each)
        detect(each)

    one, two = ((each / "log/findings/T1/00000000.avro").read_bytes() for each in (home, other))
    assert one == two


def test_a_file_from_before_the_log_had_findings_brings_its_own_in(home: Path) -> None:
    detect(home)
    before = read(home)
    change(home, "update findings set state = 'gone' where check_id = 'BET-01'")
    change(home, "drop table finding_heads")
    shutil.rmtree(home / "log" / findings_log.STREAM)

    with duckdb.connect() as fresh:
        fresh.execute(dictionary.sql())  # the views that are put in read them
        findings.filler(home)(fresh)
        found = findings.read(fresh, ALL)

    assert {finding.check_id: finding.state for finding in found} == {
        "PAY-01": "new",
        "BET-01": "gone",
    }
    assert [finding for finding in found if finding.state == "new"] == before[:1]


def test_whoever_reads_the_file_is_not_in_the_way(home: Path) -> None:
    with opened(home) as reader:
        detect(home)

        assert not findings.exists(reader)
    assert len(read(home)) == 2


def test_the_file_and_the_log_are_closed_to_others(home: Path) -> None:
    detect(home)

    inside = list(home.rglob("*"))
    files = {path.stat().st_mode & 0o777 for path in inside if path.is_file()}
    folders = {path.stat().st_mode & 0o777 for path in inside if path.is_dir()}
    assert (home / FILE) in inside
    assert (files, folders) == ({0o640}, {0o750})


def test_findings_are_chosen_by_severity_check_table_and_round(
    home: Path,
) -> None:
    detect(home)

    def ids(**wanted: object) -> list[str]:
        chosen = findings.Wanted(**wanted)  # type: ignore[arg-type]  # the cases name the fields
        return [finding.check_id for finding in read(home, chosen)]

    assert ids(severities=("S1",)) == ["PAY-01", "BET-01"]
    assert ids(severities=("S2",)) == []
    assert ids(checks=("BET-01",)) == ["BET-01"]
    assert ids(table_id="T2") == []
    assert ids(round_id="R1") == ["PAY-01"]


def test_every_column_is_described_in_the_file(home: Path) -> None:
    detect(home)

    with opened(home) as connection:
        told = connection.execute(
            "select column_name, comment from duckdb_columns() where table_name = 'findings'"
        ).fetchall()

    assert dict(told) == {column.name: column.about for column in findings.about().columns}


def test_money_is_said_as_everywhere_in_the_house() -> None:
    from schemas.money import EXPONENT, shown

    with database(TABLES) as connection:
        for currency in (*EXPONENT, "PHP", "USD", ""):
            for minor in (0, 5, -5, 99, 100, -1_234_567, 9_000_000_000_000_000):
                said = connection.execute("select money(?, ?)", [minor, currency]).fetchone()

                assert said == (shown(minor, currency),)
        unknown = connection.execute("select money(267900, null)").fetchone()
        assert unknown == (shown(267_900, ""),)


ALL = findings.Wanted(gone=True)
