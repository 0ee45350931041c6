"""The command line: options anywhere, settings by rank, errors in one line with their code."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit import errors, root
from audit.errors import Code, Stopped
from ingest.log import LogCorrupt
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


def called(*words: str) -> int:
    """The exit code of the console script, run here."""
    with pytest.raises(SystemExit) as left:
        root.run(words)
    return int(left.value.code or 0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    cases("""
        replay --home {empty}             | 3   | roundproof demo             | no log yet
        replay --table T9                 | 3   | one such as T1 expected     | unknown table
        replay --day tomorrow             | 2   | a day such as 2026-03-01    | no day
        replay --workers 0                | 2   | greater than or equal to 1  | no worker
        replay --day 2031-01-01           | 3   | no table-day                | a day without play
        replay --table T1 --to-day 2001-01-01 | 3   | no table-day                | before all play
        replay --from-day 2026-03-02 --to-day 2026-03-01 | 2 | the first before the last | no span
        replay --table T1 --accept-shorter-log | 2 | whole house             | a loss is not in part
        replay --home {picture}           | 2   | a folder is expected  | a file as a house
        ingest file {picture} --home {picture} | 2 | a folder is expected | a file as a house
        doctor --home {picture}           | 2   | a folder is expected        | a file as a house
        config show --home=               | 2   | a folder expected           | an empty home
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
    """),
)
def test_exit_codes(  # noqa: PLR0917  (three are the table's columns)
    home: Path,
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
    line = text.split() if "--home" in text else [*text.split(), "--home", str(home)]

    assert called(*line) == int(code)
    told = capsys.readouterr()
    assert said in told.err
    assert "Traceback" not in told.err
    if code not in ("0", "2"):
        assert re.search(rf"^error {code} \(.*\): .*\nnext: .+$", told.err, re.MULTILINE)


def test_a_damaged_file_is_refused_with_code_four(home: Path) -> None:
    (path,) = home.glob("derived/T1/*/dues.parquet")
    path.write_bytes(path.read_bytes()[::-1])

    assert called("digest", "--home", str(home)) == Code.UNVERIFIED
    assert called("replay", "--home", str(home)) == Code.UNVERIFIED
    assert called("replay", "--fresh", "--home", str(home)) == Code.OK


def test_a_damaged_manifest_is_refused_with_code_four(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = home.glob("derived/T1/*/manifest.json")
    path.write_text("junk")

    for command in ("digest", "replay", "doctor", "explain R1"):
        code = called(*command.split(), "--home", str(home))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert f"{path}: a sealed manifest expected" in said
        assert "next: roundproof replay --fresh" in said
    assert called("replay", "--fresh", "--home", str(home)) == Code.OK
    assert called("doctor", "--home", str(home)) == Code.OK


def test_doctor_looks_at_every_derived_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = home.glob("derived/T1/*/dues.parquet")
    path.write_bytes(path.read_bytes()[::-1])

    assert called("doctor", "--home", str(home)) == Code.UNVERIFIED
    assert f"bad derived   {path}: SHA-256" in capsys.readouterr().out


def test_a_log_that_lost_events_is_refused_with_code_four(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = home.glob("log/events/T1/*.avro")
    whole = path.read_bytes()
    marker = whole[-16:]
    path.write_bytes(whole[: whole.rindex(marker, 0, len(whole) - 16) + 16])

    for command in ("replay", "replay --fresh", "digest", "doctor"):
        code = called(*command.split(), "--home", str(home))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert "table T1: the log is shorter than what was derived from it" in said
        assert "next: restore the log from its copy" in said
        assert "--accept-shorter-log" in said
    accepted = ("replay", "--fresh", "--accept-shorter-log", "--home", str(home))
    assert called(*accepted) == Code.OK
    assert called("doctor", "--home", str(home)) == Code.OK


def test_a_broken_log_is_refused_with_code_four(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = home.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)

    assert called("replay", "--fresh", "--home", str(home)) == Code.UNVERIFIED
    assert "table T1 offset" in capsys.readouterr().err
    assert called("doctor", "--home", str(home)) == Code.UNVERIFIED


def test_a_second_replay_is_told_to_wait(home: Path) -> None:
    with run._alone(home / "derived"):
        assert called("replay", "--home", str(home)) == Code.UNREACHABLE


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("replay.rulebooks.editions", interrupted)

    assert called("rules", "list") == Code.INTERRUPTED


# The process interrupts itself at the moment it begins to load a module.
WHILE_LOADING = """
import os, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)

wanted = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupts())
from audit.cli import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "audit.settings", "audit.commands.sql"])
def test_an_interrupt_while_it_starts_leaves_no_trace(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WHILE_LOADING, module, "rules", "list"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stdout, ended.stderr) == (Code.INTERRUPTED, "", "")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with enough to replay that it can be interrupted."""
    return houses.simulated(tmp_path_factory.mktemp("busy"), rounds=400)


@pytest.mark.parametrize("after", [0.0, 0.03, 0.1, 0.3, 0.6])
def test_an_interrupted_replay_leaves_no_trace(busy: Path, after: float) -> None:
    begun = subprocess.Popen(
        [sys.executable, "-m", "audit.cli", "replay", "--fresh", "--workers=2", f"--home={busy}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    children = Path(f"/proc/{begun.pid}/task/{begun.pid}/children")
    while begun.poll() is None and len(children.read_text().split()) < 2:
        pass  # until its first worker is there
    with suppress(subprocess.TimeoutExpired):
        begun.wait(after)

    with suppress(ProcessLookupError):
        os.killpg(begun.pid, signal.SIGINT)
    said = begun.communicate(timeout=60)[1]

    assert begun.returncode in (Code.INTERRUPTED, Code.OK)
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said


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
def test_a_limit_on_files_is_told_like_a_full_disk(home: Path, tmp_path: Path, words: str) -> None:
    from replay.simulate import House, Wish, lines, plan

    day = House(Wish("1", plan.seats("R09:RO"), 60, houses.DAY)).readings()
    (tmp_path / "readings.jsonl").write_text("".join(f"{lines.line(one)}\n" for one in day))
    said = words.format(tmp=tmp_path)

    ended = subprocess.run(
        f"ulimit -f 8; {sys.executable} -m audit.cli --home {home} {said}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == Code.UNREACHABLE, ended.stderr
    assert "Traceback" not in ended.stderr
    assert re.search(r"^error 6 \(unreachable\): .*\nnext: .+$", ended.stderr, re.MULTILINE)


def test_a_house_that_may_not_be_read_is_not_allowed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: object, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(os, "scandir", refused)
    monkeypatch.setattr(os, "listdir", refused)

    assert called("replay", "--home", str(home)) == Code.NOT_ALLOWED
    said = capsys.readouterr().err
    assert "Permission denied" in said
    assert "next: ask for access" in said


def test_messages_do_without_the_names_of_our_classes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ("explain NONE", "whatif R1 --set x=1", "whatif R1 --set pocket=99"):
        called(*words.split(), "--home", str(home))
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


@pytest.mark.parametrize(
    "words", ["explain R1", "checks", "rules show TB", "sql .tables", "sql 'from range(900)'"]
)
def test_every_command_ends_well_when_its_reader_leaves_at_once(home: Path, words: str) -> None:
    command = f"{sys.executable} -u -m audit.cli --home {home} {words}"
    ended = subprocess.run(
        f"{command} | true; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert "error" not in ended.stderr


def test_root_options_may_stand_anywhere() -> None:
    words = ["explain", "R1", "--home", "x", "--debug", "--", "--home"]

    assert root.root_first(words) == ["--home", "x", "--debug", "explain", "R1", "--", "--home"]
    assert root.root_first(["a", "--home=x"]) == ["--home=x", "a"]
    assert root.root_first(["a", "--home"]) == ["--home", "", "a"]


def test_settings_rank_flag_over_environment_over_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roundproof.toml").write_text('home = "file"\nzone = "UTC"\nworkers = 3\n')
    monkeypatch.setenv("ROUNDPROOF_HOME", "environment")
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "5")

    assert called("config", "show", "--json", "--home", "flag") == 0

    found = json.loads(capsys.readouterr().out)
    assert found["home"] == {"value": "flag", "origin": "flag"}
    assert found["workers"] == {"value": "5", "origin": "environment ROUNDPROOF_WORKERS"}
    assert found["zone"] == {"value": "UTC", "origin": "file roundproof.toml"}


def test_an_empty_variable_counts_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "WORKERS", "ZONE"):
        monkeypatch.setenv(f"ROUNDPROOF_{name}", "")

    assert called("config", "show", "--json") == 0

    found = json.loads(capsys.readouterr().out)
    assert found["home"] == {"value": "var", "origin": "default"}
    assert {row["origin"] for row in found.values()} == {"default"}


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

    assert called("config", "show") == Code.USAGE
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

    told = walk(typer.main.get_command(root.app), ("roundproof",))
    assert len(told) >= 18
    for name, text in told:
        assert "Example" in text, name
        assert name in text, name


@pytest.mark.parametrize("surroundings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
def test_no_colour_outside_a_terminal(surroundings: dict[str, str]) -> None:
    seen = CliRunner(env=surroundings).invoke(root.app, ["--help"])

    assert seen.exit_code == 0
    assert "\x1b" not in seen.output


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    seen = CliRunner().invoke(root.app, ["--version"])

    assert seen.output == f"roundproof {version('roundproof')}\n"


def test_doctor_says_when_the_file_is_behind_the_log(home: Path) -> None:
    houses.written(home, "T1", houses.spin("R2", 5))

    seen = CliRunner().invoke(root.app, ["--home", str(home), "doctor"])

    assert seen.exit_code == Code.NOT_FOUND
    assert "is behind the log" in seen.output
    assert "next: roundproof replay" in seen.output


def test_stopped_carries_its_next_step() -> None:
    said: list[str] = []

    code = errors.report(Stopped("it failed", "do this", Code.USAGE), debug=False, say=said.append)

    assert (code, said) == (Code.USAGE, ["error 2 (usage): it failed", "next: do this"])
