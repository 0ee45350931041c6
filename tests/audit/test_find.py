"""`roundproof findings` and `roundproof find` as people run them."""

import json
from pathlib import Path

import pytest

from audit.errors import Code
from audit.run_checks import finding_id
from tests.audit.house import Roundproof
from tests.tables import cases

OVERPAID = finding_id("PAY-01", "T1", "R1", "W1")


@pytest.fixture
def detected(home: Path, roundproof: Roundproof) -> Path:
    """The house after its checks ran."""
    assert roundproof("detect", "--home", home).code == Code.FINDINGS
    return home


def test_the_costliest_comes_first(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "--home", detected)

    assert said.code == Code.OK
    first, second = said.out.splitlines()[1:]
    assert first.startswith(f"{OVERPAID}  S1        T1     R1     certain")
    assert first.endswith("house 100,000 VND")
    assert "possible" in second


def test_a_list_that_is_cut_says_so(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "--limit", "1", "--home", detected)

    assert len(said.out.splitlines()) == 2
    assert "first 1 of 2" in said.err


def test_findings_can_be_chosen(detected: Path, roundproof: Roundproof) -> None:
    chosen = ("--severity", "s1", "--check", "BET-01", "--table", "T1", "--round", "R2")
    said = roundproof("findings", *chosen, "--json", "--home", detected)
    none = roundproof("findings", "--severity", "S4", "--home", detected)

    assert [row["check_id"] for row in json.loads(said.out)["findings"]] == ["BET-01"]
    assert none.out == "no findings that fit\n"


@pytest.mark.parametrize(
    ("words", "why"),
    cases("""
        --table NOPE             | table 'NOPE': one of T1 expected | no such table
        --round NOPE             | round 'NOPE': no round of that id | no such round
        --table T1 --round NOPE  | round 'NOPE': no round of that id | no such round there
    """),
)
def test_what_is_not_in_the_house_is_not_found(
    detected: Path, roundproof: Roundproof, words: str, why: str
) -> None:
    said = roundproof("findings", *words.split(), "--home", detected)

    assert said.code == Code.NOT_FOUND
    assert why in said.err
    assert "next: " in said.err


def test_a_round_without_findings_is_no_error(home: Path, roundproof: Roundproof) -> None:
    roundproof("detect", "--check", "PAY-01", "--home", home)

    said = roundproof("findings", "--table", "T1", "--round", "R2", "--home", home)

    assert (said.code, said.out) == (Code.OK, "no findings that fit\n")


def test_a_house_whose_checks_never_ran(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "--home", home)

    assert (said.code, said.out) == (Code.OK, "")
    assert "run roundproof detect first" in said.err


def test_an_unknown_severity(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "--severity", "S9", "--home", home)

    assert said.code == Code.USAGE
    assert "one of S1, S2, S3, S4 expected" in said.err


def test_one_finding_is_told_whole(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "show", OVERPAID[:12], "--home", detected)

    assert "expected  banker 100,000 VND wins at 1 to 1: 95,000 VND paid" in said.out
    assert "found     195,000 VND paid" in said.out
    assert "clause    TB:5.1.1  For Commission Hoiana Tiger Baccarat version" in said.out
    assert "event     T1/console/30  2026-03-01T14:40:50.000000Z  console" in said.out
    assert 'WagerSettled  {"paid":195000}' in said.out
    assert "roundproof explain R1" in said.err


def test_a_finding_as_a_document(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "show", OVERPAID, "--json", "--home", detected)

    told = json.loads(said.out)
    assert told["house_minor"] == "100000"
    assert [event["type"] for event in told["events"]] == ["WagerPlaced", "WagerSettled"]
    assert list(told["clause_texts"]) == ["TB:5.1.1"]


def test_an_id_that_names_none_or_several(detected: Path, roundproof: Roundproof) -> None:
    none = roundproof("findings", "show", "PAY-09-0000000000", "--home", detected)
    several = roundproof("findings", "show", "", "--home", detected)

    assert none.code == Code.NOT_FOUND
    assert several.code == Code.USAGE
    assert OVERPAID in several.err


@pytest.mark.parametrize(
    ("words", "rounds"),
    cases("""
        --at 21:40 --within 5m                          | R1    | in the zone of the venue
        --at 21:45 --within 10m                         | R1 R2 | around both
        --at 14:50:45 --within 5s --zone UTC            | R2    | inside a round that is longer
        --at 2026-03-01T21:50+07:00 --within 30s        | R2    | with its own offset
        --at 21:40 --day 2026-03-01 --within 1h         | R1 R2 | on a named day
        --at 03:00 --within 10m                         |       | in the night after
    """),
)
def test_rounds_around_a_time(home: Path, roundproof: Roundproof, words: str, rounds: str) -> None:
    said = roundproof("find", "--table", "T1", *words.split(), "--json", "--home", home)

    assert said.code == Code.OK
    assert [round["round_id"] for round in json.loads(said.out)["rounds"]] == rounds.split()


def test_a_time_after_midnight_belongs_to_the_night_of_its_gaming_day(
    home: Path, roundproof: Roundproof
) -> None:
    said = roundproof("find", "--table", "T1", "--at", "03:00", "--json", "--home", home)

    assert json.loads(said.out)["from"] == "2026-03-01T19:50:00.000000Z"


def test_a_round_is_listed_with_its_bets_and_findings(
    detected: Path, roundproof: Roundproof
) -> None:
    said = roundproof("find", "--table", "T1", "--at", "21:40", "--home", detected)

    row = said.out.splitlines()[1]
    assert row.startswith("R1     21:40:00  B 7-5    settled  P1 banker 100,000 VND, P2 player")
    assert row.endswith(OVERPAID)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    cases("""
        --table T9 --at 21:40                        | 3 | one of T1 expected          | no table
        --table T1 --at 21:40 --day 2026-01-01       | 3 | 2026-03-01 expected         | no day
        --table T1 --at 21:40 --day zz               | 2 | a day such as 2026-03-01    | no date
        --table T1 --at noon                         | 2 | 21:40 or                    | no time
        --table T1 --at 21:40 --within ages          | 2 | 90s, 10m or 1h expected     | no span
        --table T1 --at 21:40 --zone Mars/Base       | 2 | a zone such as              | no zone
    """),
)
def test_a_question_that_cannot_be_understood(
    home: Path, roundproof: Roundproof, words: str, code: str, why: str
) -> None:
    said = roundproof("find", *words.split(), "--home", home)

    assert said.code == int(code)
    assert why in said.err
    assert "next: " in said.err
