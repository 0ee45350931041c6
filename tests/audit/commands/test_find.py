"""`roundproof findings` and `roundproof find` as people run them."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from audit.checks.run import finding_id
from audit.checks.titles import titles
from audit.cli.errors import Code
from replay.tables.duckdb_file import FILE
from tests.support.command_line import called
from tests.support.small_house import Roundproof, noted
from tests.support.tables import cases

OVERPAID = finding_id("PAY-01", "T1", "R1", "W1")


@pytest.fixture(scope="module")
def checked(small_house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The house after its checks ran."""
    home = shutil.copytree(small_house, tmp_path_factory.mktemp("checked") / "house")
    assert called("detect", "--home", str(home)) == Code.FINDINGS
    return Path(home)


@pytest.fixture
def detected(checked: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(checked, tmp_path, dirs_exist_ok=True))


def test_the_costliest_comes_first(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "--home", detected)

    assert said.code == Code.OK
    first, second = said.out.splitlines()[1:]
    paid = "2026-03-01T21:40:50"  # not when it was placed
    assert first.startswith(f"{OVERPAID}  S1        T1     R1     {paid}  certain")
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
    assert none.out == "no findings match\n"


@pytest.mark.parametrize(
    ("words", "why"),
    cases("""
        --table NOPE             | table 'NOPE': one of T1 expected | no such table
        --round NOPE             | round 'NOPE': there is no round of that id | no such round
        --table T1 --round NOPE  | round 'NOPE': there is no round of that id | no such round there
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

    assert (said.code, said.out) == (Code.OK, "no findings match\n")


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

    assert "expected  Banker 100,000 VND wins at 1 to 1: 95,000 VND paid" in said.out
    assert "found     195,000 VND paid" in said.out
    assert "clause    TB:5.1.1  For Commission Hoiana Tiger Baccarat version" in said.out
    assert "event     T1/console/30  2026-03-01T21:40:50.000000+07:00  console" in said.out
    assert "when      2026-03-01T21:40:50.000000+07:00" in said.out
    assert "          WagerSettled  (the log of this house does not hold it)\n" in said.out
    assert "roundproof explain R1" in said.err


def test_a_finding_has_its_title_in_the_language_that_is_asked_for(
    detected: Path, roundproof: Roundproof
) -> None:
    said = roundproof("findings", "show", OVERPAID, "--lang", "vi", "--home", detected)
    listed = roundproof("checks", "--lang", "vi")

    title = titles("vi")["A winner was paid too much, or a loser was paid"]
    assert said.out.startswith(f"{OVERPAID}  {title}\n")
    assert title in listed.out


def test_a_finding_as_a_document(detected: Path, roundproof: Roundproof) -> None:
    said = roundproof("findings", "show", OVERPAID, "--json", "--home", detected)

    told = json.loads(said.out)
    assert told["house_minor"] == "100000"
    assert told["seen_at"] == "2026-03-01T14:40:50.000000Z"
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


def test_it_says_where_it_looked_with_the_date_and_in_the_zone_of_its_list(
    home: Path, roundproof: Roundproof
) -> None:
    spans = {
        words: roundproof("find", "--table", "T1", *words.split(), "--home", home).err
        for words in ("--at 23:55", "--at 2026-03-01T14:50Z", "--at 14:50 --zone UTC")
    }

    assert spans["--at 23:55"].startswith(
        "table T1, gaming day 2026-03-01, "
        "2026-03-01 23:45:00 to 2026-03-02 00:05:00, Asia/Ho_Chi_Minh\n"
    )
    assert spans["--at 2026-03-01T14:50Z"].startswith(
        "table T1, all gaming days, 2026-03-01 21:40:00 to 2026-03-01 22:00:00, Asia/Ho_Chi_Minh\n"
    )
    assert "2026-03-01 14:40:00 to 2026-03-01 15:00:00, UTC\n" in spans["--at 14:50 --zone UTC"]


def test_a_date_is_looked_at_though_later_days_are_there(
    home: Path, roundproof: Roundproof
) -> None:
    with duckdb.connect(str(home / FILE)) as db:
        db.execute(
            "insert into table_days select * replace ('2026-03-05'::date as gaming_day) "
            "from table_days"
        )
    noted(home)

    said = roundproof("find", "--table=T1", "--at=2026-03-01T21:40", "--json", "--home", home)

    assert [round["round_id"] for round in json.loads(said.out)["rounds"]] == ["R1", "R2"]


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
    assert row.startswith(
        "R1     03-01 21:40:00  B 7-5    settled  P1 banker 100,000 VND, P2 player"
    )
    assert row.endswith(OVERPAID)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    cases("""
        --table T9 --at 21:40                        | 3 | one of T1 expected          | no table
        --table T1 --at 21:40 --day 2026-01-01       | 3 | 2026-03-01 expected         | no day
        --table T1 --at 21:40 --day zz               | 2 | a day such as 2026-03-01    | no date
        --table T1 --at noon                         | 2 | 21:40 or                    | no time
        --table T1 --at 21.40                        | 2 | 21:40 or                    | an amount
        --table T1 --at 2140                         | 2 | 21:40 or                    | no colon
        --within 5m                                  | 2 | a table, a time or | nothing
        --amount 1.5                                 | 2 | whole minor units | no amount
        --amount 1000000000000001                    | 2 | 0 to 1,000,000,000,000,000  | beyond
        --card 1Z                                    | 2 | a rank and a suit           | no card
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


@pytest.mark.parametrize(
    ("words", "rounds"),
    cases("""
        --player P1                          | R1 R2 | a player's rounds
        --player P2                          | R1    | who played once
        --amount 50,000                      | R1 R2 | a stake or a payment
        --amount 195000                      | R1    | a payment
        --amount 195000 --player P1          | R1    | a payment of the player's own wager
        --amount 195000 --player P2          |       | a payment of somebody else's wager
        --amount 100000 --player P2          |       | a stake of somebody else's wager
        --amount 50000 --player P1           | R2    | one player's stake, beside another's
        --bet banker                         | R1    | a bet
        --bet player --player P1             | R2    | a bet of one player
        --bet banker --amount 50000          |       | an amount of another bet
        --bet Banker --amount 100000         | R1    | large letters or small
        --seat 2 --player P1                 | R2    | a player in a box
        --seat 2 --amount 100000             |       | an amount of another box
        --seat 2 --bet player --amount 50000 | R2    | everything fits one wager
        --outcome 9-4                        | R2    | part of the outcome
        --outcome settled                    | R1 R2 | the status
        --outcome void                       |       | that no round has
        --player P1 --at 21:50 --within 1m   | R2    | a player around a time
        --table T1 --day 2026-03-01          | R1 R2 | a whole day
        --seat 7                             |       | nobody sat there
        --card 9H                            |       | nobody read it
        --number 17                          |       | no wheel here
        --dealer D9                          |       | not on duty
    """),
)
def test_rounds_by_what_somebody_remembers(
    home: Path, roundproof: Roundproof, words: str, rounds: str
) -> None:
    said = roundproof("find", *words.split(), "--json", "--home", home)

    assert said.code == Code.OK
    assert [round["round_id"] for round in json.loads(said.out)["rounds"]] == rounds.split()


def test_nothing_found_says_when_the_table_was_open(home: Path, roundproof: Roundproof) -> None:
    said = roundproof("find", "--table", "T1", "--at", "03:00", "--home", home)

    assert said.out == "no round matches\n"
    assert (
        "table T1 was open 2026-03-01 18:00 to 2026-03-03 03:00 (gaming day 2026-03-01)" in said.err
    )
