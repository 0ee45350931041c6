"""The command line: errors in one line, with their code and the next step."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from audit.cli import errors
from audit.cli.errors import Code, Stopped
from ingest.log import LogCorrupt
from tests.support import houses
from tests.support.command_line import called
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("words", "code", "said"),
    cases("""
        replay --home {empty}             | 3   | roundproof demo             | no log yet
        replay --from archive             | 3   | an archive expected, no such folder | no archive
        replay --table T9                 | 3   | one such as T1 expected     | unknown table
        replay --day tomorrow             | 2   | a day such as 2026-03-01    | no day
        replay --workers 0                | 2   | greater than or equal to 1  | no worker
        replay --day 2031-01-01           | 3   | no table-day                | a day without play
        replay --table T1 --to-day 2001-01-01 | 3   | no table-day                | before all play
        replay --from-day 2026-03-02 --to-day 2026-03-01 | 2 | the first day comes after | no span
        replay --table T1 --accept-shorter-log | 2 | applies to all tables | a loss is not in part
        replay --home {picture}           | 2   | a folder expected, a file | a file as a house
        ingest file {picture} --home {picture} | 2 | a folder expected, a file | a file as a house
        doctor --home {picture}           | 2   | a folder expected, a file   | a file as a house
        config show --home=               | 2   | a folder expected           | an empty house
        digest --home {empty}             | 3   | next: roundproof            | nothing derived
        explain R2                        | 3   | one such as R1, W1 expected | unknown round
        explain R1 --home {empty}         | 3   | there is none at all        | empty house
        whatif R1 --set card:player.1=9H  | 2   | no card was drawn           | no cards in roulette
        whatif R1 --set pocket=99         | 2   | a pocket 0 to 36 or none    | no such pocket
        whatif R1                         | 2   | --set or --reading expected | nothing to change
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
        find 21.40                        | 2   | next: roundproof find --help | a word alone
        whatif R1 --set                   | 2   | Option '--set' requires      | no value
    """),
)
def test_exit_codes(  # noqa: PLR0917  (three are the table's columns)
    house: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: str,
    code: str,
    said: str,
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "picture").write_bytes(b"\x89PNG")
    text = words.format(empty=empty, picture=tmp_path / "picture")
    line = text.split() if "--home" in text else [*text.split(), "--home", str(house)]

    assert called(*line) == int(code)
    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err
    if code != "0":
        assert re.search(rf"^error {code} \(.*\): .*\nnext: .+$", told.err, re.MULTILINE)


def test_the_unexpected_shows_its_trace_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("replay.rulebooks.editions", broken)

    assert called("rules", "list") == Code.UNEXPECTED
    quiet = capsys.readouterr().err
    assert called("rules", "list", "--debug") == Code.UNEXPECTED
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
        pytest.param(errno.EFBIG, Code.UNREACHABLE, id="a limit on files"),
        pytest.param(errno.EEXIST, Code.USAGE, id="file where a folder is made"),
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


@pytest.mark.parametrize(
    "words",
    [
        "simulate --tables R01:RO --rounds 40 --out {tmp}/day",
        "ingest file {tmp}/readings.jsonl",
        "replay --fresh --workers 1",
        "replay --fresh --workers 2",
        "sql 'from range(20000)' --format csv --out {tmp}/a.csv",
        "sql 'from range(200000)' --format parquet --out {tmp}/a.parquet",
    ],
)
def test_a_limit_on_files_is_told_like_a_full_disk(house: Path, tmp_path: Path, words: str) -> None:
    from replay.simulate import DayRequest, SeededHouse, lines, plan

    day = SeededHouse(DayRequest("1", plan.table_setups("R09:RO"), 60, houses.DAY)).readings()
    (tmp_path / "readings.jsonl").write_text("".join(f"{lines.line(one)}\n" for one in day))
    said = words.format(tmp=tmp_path)

    # -B: Python 3.11 would keep compiled modules that the limit cut short.
    ended = subprocess.run(
        f"ulimit -f 8; {sys.executable} -B -m audit.cli.main --home {house} {said}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == Code.UNREACHABLE, ended.stderr
    assert "Traceback" not in ended.stderr
    assert re.search(r"^error 6 \(unreachable\): .*\nnext: .+$", ended.stderr, re.MULTILINE)


def test_a_house_that_may_not_be_read_is_not_allowed(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: object, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(os, "scandir", refused)
    monkeypatch.setattr(os, "listdir", refused)

    assert called("replay", "--home", str(house)) == Code.NOT_ALLOWED
    said = capsys.readouterr().err
    assert "Permission denied" in said
    assert "next: ask for access" in said


def test_messages_do_without_the_names_of_our_classes(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ("explain NONE", "whatif R1 --set x=1", "whatif R1 --set pocket=99"):
        called(*words.split(), "--home", str(house))
        assert not re.search(r"[A-Z][a-z]+[A-Z]\w+: |Refused", capsys.readouterr().err), words
    broken = errors.explained(LogCorrupt("table T1 offset 3"))
    assert str(broken) == "LogCorrupt: table T1 offset 3"


def test_every_known_exception_is_there() -> None:
    from importlib import import_module

    for module, name, code, step in errors.KNOWN:
        kind = getattr(import_module(module), name)
        assert issubclass(kind, Exception), name
        assert code in errors.NAMES
        assert step


def test_stopped_carries_its_next_step() -> None:
    said: list[str] = []

    code = errors.report(Stopped("it failed", "do this", Code.USAGE), debug=False, say=said.append)

    assert (code, said) == (Code.USAGE, ["error 2 (usage): it failed", "next: do this"])
