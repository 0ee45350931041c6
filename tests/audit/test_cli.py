"""The command line: options anywhere, settings by rank, errors in one line with their code."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit import cli, errors
from audit.errors import Code, Stopped
from replay import project, run
from replay.plan import Choice
from tests import houses
from tests.tables import cases


def roundproof(*words: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "audit.cli", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | more,
    )


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with one table-day, replayed."""
    home = tmp_path_factory.mktemp("replayed")
    houses.written(home, "T1", [*houses.opened(), *houses.spin("R1", 3, houses.red())])
    run.replay(home, Choice())
    project.project(home)
    return home


@pytest.fixture
def home(replayed: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(replayed, tmp_path / "house"))


def called(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of the console script, run here."""
    monkeypatch.setattr(sys, "argv", ["roundproof", *words])
    with pytest.raises(SystemExit) as left:
        cli.main()
    return int(left.value.code or 0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    cases("""
        replay --home {empty}             | 3   | roundproof demo             | no log yet
        replay --table T9                 | 3   | one such as T1 expected     | unknown table
        replay --day tomorrow             | 2   | a day such as 2026-03-01    | no day
        replay --workers 0                | 2   | greater than or equal to 1  | no worker
        digest --home {empty}             | 3   | next: roundproof            | nothing derived
        explain R2                        | 3   | one such as R1, W1 expected | unknown round
        explain R1 --home {empty}         | 3   | there is none at all        | empty house
        whatif R1 --set card:player.1=9H  | 2   | no card was drawn           | no cards in roulette
        whatif R1 --set pocket=99         | 2   | 0 to 37 expected, 99 found  | no such pocket
        whatif R1 --set terms.game=ZZ     | 3   | rulebook 'ZZ'               | unknown rulebook
        whatif R1 --reading zero_trio=x   | 2   | both, only_0_1_2 expected   | unknown reading
        settle {empty}/none.json          | 3   | No such file or directory   | no such file
        settle {empty}                    | 2   | Is a directory              | a folder
        settle {picture}                  | 2   | UTF-8 expected, byte 0x89   | no text
        rules show ZZ                     | 3   | rulebook 'ZZ': one of       | unknown code
        rules show RO:99                  | 3   | not in edition              | unknown clause
        digest                            | 0   |                             | all is well
        explain R1                        | 0   |                             | a round
        doctor                            | 0   |                             | healthy
        sing                              | 2   | No such command 'sing'      | unknown command
    """),
)
def test_exit_codes(  # noqa: PLR0917  (three are the table's columns)
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    code: str,
    said: str,
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "picture").write_bytes(b"\x89PNG")
    text = words.format(empty=empty, picture=tmp_path / "picture")
    line = text.split() if "--home" in text else [*text.split(), "--home", str(home)]

    assert called(monkeypatch, *line) == int(code)
    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err
    if code not in ("0", "2"):
        assert re.search(rf"^error {code} \(.*\): .*\nnext: .+$", told.err, re.MULTILINE)


def test_a_damaged_file_is_refused_with_code_four(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = home.glob("derived/T1/*/dues.parquet")
    path.write_bytes(path.read_bytes()[::-1])

    assert called(monkeypatch, "digest", "--home", str(home)) == Code.UNVERIFIED
    assert called(monkeypatch, "replay", "--home", str(home)) == Code.UNVERIFIED
    assert called(monkeypatch, "replay", "--fresh", "--home", str(home)) == Code.OK


def test_a_broken_log_is_refused_with_code_four(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = home.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)

    assert called(monkeypatch, "replay", "--fresh", "--home", str(home)) == Code.UNVERIFIED
    assert "table T1 offset" in capsys.readouterr().err
    assert called(monkeypatch, "doctor", "--home", str(home)) == Code.UNVERIFIED


def test_a_second_replay_is_told_to_wait(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with run._alone(home / "derived"):
        assert called(monkeypatch, "replay", "--home", str(home)) == Code.UNREACHABLE


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("replay.rulebooks.editions", interrupted)

    assert called(monkeypatch, "rules", "list") == Code.INTERRUPTED


def test_the_unexpected_shows_its_trace_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("replay.rulebooks.editions", broken)

    assert called(monkeypatch, "rules", "list") == Code.UNEXPECTED
    quiet = capsys.readouterr().err
    assert called(monkeypatch, "rules", "list", "--debug") == Code.UNEXPECTED
    loud = capsys.readouterr().err
    assert "RuntimeError: a bug" in quiet
    assert "--debug" in quiet
    assert "Traceback" not in quiet
    assert "Traceback" in loud


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(errno.ENOSPC, Code.UNREACHABLE, id="disk full"),
        pytest.param(errno.EDQUOT, Code.UNREACHABLE, id="quota"),
        pytest.param(errno.EIO, Code.UNREACHABLE, id="broken disk"),
        pytest.param(errno.EACCES, Code.NOT_ALLOWED, id="no permission"),
        pytest.param(errno.EROFS, Code.NOT_ALLOWED, id="read-only"),
        pytest.param(errno.ENOENT, Code.NOT_FOUND, id="missing"),
        pytest.param(errno.ENOTDIR, Code.USAGE, id="file for a folder"),
    ],
)
def test_every_disk_error_has_its_code_and_next_step(number: int, code: Code) -> None:
    told = errors.explained(OSError(number, os.strerror(number), "var/log"))

    assert told.code is code
    assert str(told) == f"var/log: {os.strerror(number)}"
    assert told.next_step


def test_every_known_exception_is_there() -> None:
    from importlib import import_module

    for module, name, code, step in errors.KNOWN:
        kind = getattr(import_module(module), name)
        assert issubclass(kind, Exception), name
        assert code in errors.NAMES
        assert step


def test_a_full_disk_behind_the_output_is_noticed() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "audit.cli", "rules", "list"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert ended.returncode == Code.UNREACHABLE
    assert "No space left on device" in ended.stderr
    assert "make room" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    ended = subprocess.run(
        f"{sys.executable} -m audit.cli rules show RO --json | head -n 1; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "{\n", "")


def test_root_options_may_stand_anywhere() -> None:
    words = ["explain", "R1", "--home", "x", "--debug", "--", "--home"]

    assert cli.root_first(words) == ["--home", "x", "--debug", "explain", "R1", "--", "--home"]
    assert cli.root_first(["a", "--home=x"]) == ["--home=x", "a"]
    assert cli.root_first(["a", "--home"]) == ["--home", "", "a"]


def test_settings_rank_flag_over_environment_over_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roundproof.toml").write_text('home = "file"\nzone = "UTC"\nworkers = 3\n')
    monkeypatch.setenv("ROUNDPROOF_HOME", "environment")
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "5")

    assert called(monkeypatch, "config", "show", "--json", "--home", "flag") == 0

    found = json.loads(capsys.readouterr().out)
    assert found["home"] == {"value": "flag", "origin": "flag"}
    assert found["workers"] == {"value": "5", "origin": "environment ROUNDPROOF_WORKERS"}
    assert found["zone"] == {"value": "UTC", "origin": "file roundproof.toml"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("workers = 0", "workers", id="out of range"),
        pytest.param("hoem = 'x'", "hoem", id="misspelt"),
        pytest.param("workers = ", "roundproof.toml", id="no TOML"),
    ],
)
def test_a_wrong_setting_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roundproof.toml").write_text(text)

    assert called(monkeypatch, "config", "show") == Code.USAGE
    assert said in capsys.readouterr().err


def test_results_go_to_stdout_and_the_rest_to_stderr(home: Path) -> None:
    seen = roundproof("replay", "--fresh", "--json", "--home", str(home))

    document = json.loads(seen.stdout)
    assert (seen.returncode, document["done"], document["rounds"]) == (0, 1, 1)
    assert seen.stderr == "next: roundproof detect\n"


def test_every_command_says_what_it_does_and_shows_an_example() -> None:
    import typer

    def walk(command: object, path: tuple[str, ...]) -> list[tuple[str, str]]:
        inside = getattr(command, "commands", None)
        if inside:
            return [pair for name, sub in inside.items() for pair in walk(sub, (*path, name))]
        return [(" ".join(path), str(getattr(command, "help", "")))]

    told = walk(typer.main.get_command(cli.app), ("roundproof",))
    assert len(told) >= 18
    for name, text in told:
        assert "Example" in text, name
        assert name in text, name


@pytest.mark.parametrize("surroundings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
def test_no_colour_outside_a_terminal(surroundings: dict[str, str]) -> None:
    seen = CliRunner(env=surroundings).invoke(cli.app, ["--help"])

    assert seen.exit_code == 0
    assert "\x1b" not in seen.output


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    seen = CliRunner().invoke(cli.app, ["--version"])

    assert seen.output == f"roundproof {version('roundproof')}\n"


def test_doctor_says_when_the_file_is_behind_the_log(home: Path) -> None:
    houses.written(home, "T1", houses.spin("R2", 5))

    seen = CliRunner().invoke(cli.app, ["--home", str(home), "doctor"])

    assert seen.exit_code == Code.NOT_FOUND
    assert "is behind the log" in seen.output
    assert "next: roundproof replay" in seen.output


def test_stopped_carries_its_next_step() -> None:
    said: list[str] = []

    code = errors.report(Stopped("it failed", "do this", Code.USAGE), debug=False, say=said.append)

    assert (code, said) == (Code.USAGE, ["error 2 (usage): it failed", "next: do this"])
