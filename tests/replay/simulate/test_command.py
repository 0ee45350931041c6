"""`roundproof simulate`: what it writes, says and refuses."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli.app import command_line
from audit.cli.errors import Code, Stopped
from replay import rulebooks
from tests.support.tables import cases


def run(*arguments: str) -> tuple[int, str, BaseException | None]:
    result = CliRunner().invoke(command_line(), ["simulate", *arguments])
    return result.exit_code, result.stdout, result.exception


def test_it_writes_readings_and_truth_and_says_so(tmp_path: Path) -> None:
    code, text, _ = run("--tables", "3", "--rounds", "12", "--fault", "PAY-01=2", "--out",
                        str(tmp_path), "--json")  # fmt: skip

    said = json.loads(text)
    assert code == Code.OK
    assert said["faults"] == {"PAY-01": 2}
    assert said["rounds"] == 36
    lines = (tmp_path / "readings.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == said["readings"]


def test_it_lists_the_faults_of_the_tables() -> None:
    _, text, _ = run("--tables", "R01:RO", "--list-faults", "--json")

    faults = {row["fault"]: row for row in json.loads(text)}
    assert faults["IRR-07"]["games"] == ["RO"]
    assert "DEAL-01" not in faults


def test_without_tables_it_lists_the_faults_of_every_game() -> None:
    _, text, _ = run("--list-faults", "--json")

    assert {code for row in json.loads(text) for code in row["games"]} == set(rulebooks.codes())


@pytest.mark.parametrize(
    ("arguments", "code"),
    cases("""
        --tables T01                          | 2 | a table without a game
        --fault NO-99                         | 3 | an unknown fault
        --faults some                         | 2 | neither all nor none
        --format xml                          | 2 | an unknown format
        --day yesterday                       | 2 | no day
        --rounds 5 --fault PAY-01=50          | 2 | more faults than rounds
        --fault PAY-01=0                      | 2 | a fault that is to happen never
        --fault PAY-01=                       | 2 | a count that is none
        --fault PAY-01=²                      | 2 | a figure that is no number
        --fault =2                            | 2 | a count of nothing
        --fault PAY-01 --faults all           | 2 | one fault beside all of them
        --tables R01:RO --fault DEAL-01       | 3 | a fault that the game cannot show
    """),
)
def test_a_wrong_wish_is_explained(tmp_path: Path, arguments: str, code: str) -> None:
    _, _, error = run(*arguments.split(), "--out", str(tmp_path / "new"))

    assert isinstance(error, Stopped)
    assert error.code == int(code)
    assert not (tmp_path / "new").exists()


def test_what_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    small = ("--tables", "S01:SA-SB", "--rounds", "3", "--out", str(tmp_path))
    run(*small)

    _, _, error = run(*small)
    code, _, _ = run(*small, "--force")

    assert isinstance(error, Stopped)
    assert error.code == Code.USAGE
    assert code == Code.OK


@pytest.mark.parametrize(
    "ignored",
    ["--seed 7", "--rounds 9", "--fault PAY-01", "--faults all", "--format avro", "--force"],
)
def test_a_list_of_faults_refuses_what_it_would_ignore(ignored: str) -> None:
    _, _, error = run("--list-faults", *ignored.split())

    assert isinstance(error, Stopped)
    assert f"--list-faults ignores {ignored.split(maxsplit=1)[0]}" in str(error)


def test_another_format_does_not_write_over_the_truth_either(tmp_path: Path) -> None:
    assert run("--tables", "R01:RO", "--rounds", "2", "--out", str(tmp_path))[0] == Code.OK

    _, _, error = run(
        "--tables", "R01:RO", "--rounds", "2", "--out", str(tmp_path), "--format", "avro"
    )

    assert "truth.json exists already" in str(error)
