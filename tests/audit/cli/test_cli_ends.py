"""The command line: interrupts, full disks and readers that leave end it cleanly."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from audit.cli import signals
from audit.cli.errors import Code
from replay.tables import parquet
from tests.support import houses
from tests.support.command_line import called, roundproof

pytestmark = pytest.mark.slow

MAIN = "audit.cli.main"


def test_a_second_replay_is_told_to_wait(house: Path) -> None:
    with parquet.alone(house / "derived"):
        assert called("replay", "--home", str(house)) == Code.UNREACHABLE


def test_an_interrupt_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("replay.rulebooks.editions", interrupted)

    assert called("rules", "list") == Code.INTERRUPTED
    assert capsys.readouterr() == ("", "interrupted\n")


# The process interrupts itself at the moment it begins to load a module.
WHILE_LOADING = """
import os, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)

wanted = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupts())
from audit.cli.main import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "audit.cli.settings", "audit.commands.rules"])
def test_an_interrupt_while_it_starts_is_one_word(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WHILE_LOADING, module, "rules", "list"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stdout, ended.stderr) == (Code.INTERRUPTED, "", "interrupted\n")


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("audit.house.doctor", "doctor"),
        ("replay.explain", "explain R1"),
        ("audit.checks.run", "detect"),
        ("audit.pages.finding", "findings"),
        ("audit.house.rounds_near", "find --table T1 --at 21:40"),
        ("audit.sql.output", "sql 'from rounds'"),
        ("replay.sheets.sheet", "settle docs/sheets/TB.json"),
        ("replay.batch.plan", "replay"),
        ("replay.batch.digest", "digest"),
        ("ingest.doors.file", "ingest file README.md"),
        ("replay.simulate", "simulate --rounds 1"),
        ("schemas.lock", "schemas check"),
        ("vision.felt.layout", "vision layouts"),
        ("ingest.kafka.topics", "kafka check"),
        ("ingest.kafka.topics", "kafka init"),
        ("ingest.archive.store", "archive list"),
        ("ingest.archive.store", "archive verify"),
        ("audit.house.live_seal", "archive run"),
    ],
)
def test_an_interrupt_in_any_command_is_one_word(house: Path, module: str, words: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WHILE_LOADING, module, *shlex.split(words), f"--home={house}"],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3],
        env=os.environ | {"ROUNDPROOF_KAFKA": "127.0.0.1:1"},
    )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (Code.INTERRUPTED, "interrupted\n")


# The process interrupts itself while DuckDB works on a query.
WITHIN_A_QUERY = """
import os, signal, sys, threading
import duckdb
from audit.cli import errors

duckdb.execute("set threads = 1")  # so that the main thread itself works, which hears signals
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    duckdb.execute("select sum(a.range * b.range) from range(1000000) a, range(10000000) b")
except BaseException as error:
    sys.exit(errors.report(error, debug=False))
"""


def test_an_interrupt_within_a_query_is_one_word() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WITHIN_A_QUERY],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (Code.INTERRUPTED, "interrupted\n")


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, Code.INTERRUPTED, "interrupted"), (signal.SIGTERM, Code.OK, "")],
)
def test_a_service_ends_in_order_and_says_by_whom(
    tmp_path: Path, number: int, code: int, word: str
) -> None:
    around = os.environ | {"ROUNDPROOF_DEVICE_KEYS": "shoe-3/shoe/T12=0123456789abcdef"}
    serve = [
        sys.executable,
        "-m",
        "audit.cli.main",
        "ingest",
        "serve",
        "--port=0",
        f"--home={tmp_path}",
    ]
    with subprocess.Popen(serve, env=around, stderr=subprocess.PIPE, text=True) as service:
        assert service.stderr is not None
        assert "listening" in service.stderr.readline()
        service.send_signal(number)
        said = service.stderr.read().strip()

    assert (service.returncode, said) == (code, word)


def test_an_interrupt_of_one_command_does_not_end_the_next() -> None:
    with signals.stopping() as stopped:
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()

    assert called("rules", "list") == Code.OK


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with enough to replay that it can be interrupted."""
    return houses.simulated(tmp_path_factory.mktemp("busy"), rounds=400)


@pytest.mark.parametrize("after", [0.0, 0.03, 0.1, 0.3, 0.6])
def test_an_interrupted_replay_leaves_no_trace(busy: Path, after: float) -> None:
    begun = subprocess.Popen(
        [sys.executable, "-m", MAIN, "replay", "--fresh", "--workers=2", f"--home={busy}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    children = Path(f"/proc/{begun.pid}/task/{begun.pid}/children")
    while begun.poll() is None and len(children.read_text().split()) < 2:
        time.sleep(0.005)  # until its first worker is there
    with suppress(subprocess.TimeoutExpired):
        begun.wait(after)

    with suppress(ProcessLookupError):
        os.killpg(begun.pid, signal.SIGINT)
    said = begun.communicate(timeout=240)[1]

    assert begun.returncode in (Code.INTERRUPTED, Code.OK)
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said


def test_a_full_disk_behind_the_output_is_noticed() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "audit.cli.main", "rules", "list"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert ended.returncode == Code.UNREACHABLE
    assert "No space left on device" in ended.stderr
    assert "free disk space" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    ended = subprocess.run(
        f"{sys.executable} -m {MAIN} rules show RO --json | head -n 1; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "{\n", "")


LONG = (
    "explain R1", "whatif R1 --set pocket=4", "find --table T1", "findings", "checks", "digest",
    "checks show PAY-01", "rules list", "rules show TB", "sql .tables", "sql 'from range(900)'",
    "sql 'from range(99999)' --json", "ingest status", "dlq list", "config show",
    "--help", "detect --help", "archive list", "archive run --help", "kafka check --help",
    "vision layouts",
)  # fmt: skip


def left(home: Path, words: str, pipe: str = "|", unbuffered: str = "-u") -> tuple[int, str]:
    """The exit code of a command whose reader left before it said a word, and its stderr."""
    command = f"{sys.executable} {unbuffered} -m audit.cli.main --home {home} {words}"
    ended = subprocess.run(
        f"(sleep 0.1; {command}) {pipe} true; exit ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("words", LONG)
def test_every_command_ends_well_when_its_reader_leaves_at_once(house: Path, words: str) -> None:
    code, said = left(house, words)

    assert code == 0, said
    assert "Traceback" not in said
    assert "error" not in said


@pytest.mark.parametrize(
    ("pipe", "unbuffered"), [("|", ""), ("|&", "-u")], ids=["at the end", "both streams at once"]
)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("detect", Code.FINDINGS),
        ("detect --json", Code.FINDINGS),
        ("explain NOPE --json", Code.NOT_FOUND),
        ("checks --no-such-option", Code.USAGE),
        ("settle SHEETS", Code.USAGE),
        ("settle SHEETS --table", Code.USAGE),
        ("sql 'select nope'", Code.USAGE),
        ("archive verify", Code.NOT_FOUND),
        ("kafka check", Code.USAGE),
    ],
)
def test_a_reader_that_leaves_changes_no_exit_code(
    overpaid: Path, words: str, code: Code, pipe: str, unbuffered: str
) -> None:
    sheets = overpaid / "sheets.jsonl"
    sheets.write_text(f"{SHEET}\n{{}}\n{SHEET}\n", "utf-8")
    ended, said = left(overpaid, words.replace("SHEETS", str(sheets)), pipe, unbuffered)

    assert ended == code, said
    assert "Traceback" not in said


@pytest.fixture
def overpaid(home: Path) -> Path:
    """A house in which the checks find something."""
    return home


SHEET = json.dumps({
    "terms": {"game": "SA-SB", "currency": "VND"},
    "events": [{"type": "ShakerOpened", "faces": ["2", "3", "4"]}],
})  # fmt: skip


def test_what_was_under_way_is_finished_when_the_reader_leaves(overpaid: Path) -> None:
    left(overpaid, "detect", "|&")

    listed = roundproof("findings", "--json", "--home", str(overpaid))
    assert json.loads(listed.stdout)["total"] == 2


def test_a_broken_pipe_that_is_not_the_output_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("audit.checks.catalogue.checks", broken)

    assert called("checks") == Code.UNREACHABLE
    assert "Broken pipe" in capfd.readouterr().err


IGNORED = "trap '' INT; exec "  # as a shell starts what a script runs with `&`


def test_these_tests_pass_where_interrupts_are_ignored() -> None:
    of_this_file = f"{Path(__file__)}::test_an_interrupt_while_it_starts_is_one_word"
    ended = subprocess.run(
        f"{IGNORED} {sys.executable} -m pytest -p no:cacheprovider {of_this_file}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (ended.returncode, "3 passed" in ended.stdout) == (0, True), ended.stdout


def test_a_command_that_was_started_deaf_to_interrupts_stays_so() -> None:
    loading = [sys.executable, "-c", WHILE_LOADING, "audit.cli.settings", "rules", "list"]
    ended = subprocess.run(
        IGNORED + shlex.join(loading),
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == Code.OK
    assert "TB" in ended.stdout
