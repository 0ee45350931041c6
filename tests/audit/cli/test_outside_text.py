"""Text from outside: whatever a device, a sheet or a message says, no terminal obeys it."""

import json
import os
import subprocess
import sys
import unicodedata
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

from audit.cli import app, screen, times
from audit.cli.errors import Code
from audit.commands import watch
from ingest import dead_letter
from ingest.doors import redrive
from ingest.gateway import Gateway
from ingest.kafka import topics
from ingest.local.log import LocalLog
from ingest.log import GATEWAY_STREAMS
from replay.batch import replay as batch_replay
from replay.batch.plan import Choice
from replay.tables import duckdb_file
from schemas import events as e
from tests.support import houses
from tests.support.command_line import called
from vision.clips import save_image

pytestmark = pytest.mark.slow

HIDDEN = "\x1b[31m\x9b2J\x00\r\x7f\u202e\u2066\u200b\u2028\ufeff"
HOSTILE = f"a{HIDDEN}\nerror 0: all is well"
NAMED = HOSTILE.replace("\x00", "")  # no file's name holds a NUL
ALONE = "\udc9b"  # half a character, as a byte that is no UTF-8 comes in on the command line


def unseen(text: str) -> set[str]:
    """The characters of a text that nobody sees, but for line breaks."""
    return {
        each
        for each in text
        if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") and each != "\n"
    }


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house whose players, reporters and dead letters have such names."""
    home = tmp_path_factory.mktemp("hostile")
    wager = e.WagerPlaced("W1", HOSTILE, "red", 100_000, box=HOSTILE)
    extra: list[houses.Said] = [
        (e.IrregularityReported(HOSTILE, HOSTILE, HOSTILE), "R1"),
        (e.RulingMade(HOSTILE, "RO:7.1", HOSTILE, HOSTILE), "R1"),
        (e.ResultCalled(HOSTILE), "R1"),
        (e.WagerSettled("W1", 700_000, 0, 0), "R1"),
    ]
    spun = houses.spin("R1", 3, wager)
    houses.written(home, "T1", [*houses.opened(), *spun[:-1], *extra, spun[-1]])
    with LocalLog(home / "log", GATEWAY_STREAMS) as log:
        Gateway(log, lambda: houses.BEGUN).write_dead_letters(
            [e.DeadLetter(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0, 0, 3, HOSTILE.encode())]
        )
    batch_replay.replay(home, Choice())
    duckdb_file.project(home)
    assert called("detect", "--home", str(home)) in (Code.OK, Code.FINDINGS)
    return home


def letter(home: Path) -> str:
    first = next(iter(LocalLog(home / "log").read("dlq", "gateway")))
    return dead_letter.digest(dead_letter.decode(first.body)).hex()


def finding(home: Path, capsys: pytest.CaptureFixture[str]) -> str:
    called("findings", "--json", "--home", str(home))
    return str(json.loads(capsys.readouterr().out)["findings"][0]["finding_id"])


SHOWN = (
    "explain R1",
    "explain W1",
    "whatif R1 --set pocket=4",
    "findings",
    "findings show FINDING",
    "detect",
    "find --table T1 --at 20:00",
    "sql 'from wagers'",
    "ingest status",
    "dlq list",
    "dlq show LETTER",
    "digest",
    "doctor",
    "config show --origin",
)


@pytest.mark.parametrize("words", SHOWN)
def test_what_is_shown_moves_no_cursor(
    hostile: Path, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen = words.replace("LETTER", letter(hostile))
    if "FINDING" in words:
        chosen = words.replace("FINDING", finding(hostile, capfd))
    code = called(*_split(chosen), "--home", str(hostile))
    said = capfd.readouterr()

    assert code in (Code.OK, Code.FINDINGS), said.err
    assert unseen(said.out + said.err) == set()
    assert "\nerror 0" not in said.out + said.err


@pytest.mark.parametrize("words", [each for each in SHOWN if not each.startswith("sql")])
def test_json_stays_json(hostile: Path, words: str, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = words.replace("LETTER", letter(hostile)).replace(" --origin", "")
    if "FINDING" in words:
        chosen = words.replace("FINDING", finding(hostile, capfd))
    called(*_split(chosen), "--json", "--home", str(hostile))
    said = capfd.readouterr().out

    assert unseen(said) == set()
    assert json.loads(said)


def test_json_says_what_was_said(hostile: Path, capfd: pytest.CaptureFixture[str]) -> None:
    called("dlq", "show", letter(hostile), "--json", "--home", str(hostile))

    assert json.loads(capfd.readouterr().out)["found"] == HOSTILE


@pytest.mark.parametrize(
    "words",
    [
        ("explain", HOSTILE),
        ("findings", "show", HOSTILE),
        ("findings", "--table", HOSTILE),
        ("find", "--at", "20:00", "--table", HOSTILE),
        ("checks", "show", HOSTILE),
        ("rules", "show", HOSTILE),
        ("dlq", "show", HOSTILE),
        ("simulate", "--tables", HOSTILE),
        ("replay", "--table", HOSTILE),
        ("sql", HOSTILE),
        ("settle", HOSTILE),
        ("ingest", "file", HOSTILE),
        ("vision", "read", HOSTILE),
        ("vision", "layouts", HOSTILE),
        ("vision", "verify", HOSTILE),
        ("archive", HOSTILE),
        ("watch", f"--{HOSTILE}"),
        ("kafka", HOSTILE),
        (HOSTILE,),
        (f"--{HOSTILE}",),
    ],
    ids=lambda words: " ".join(words[:-1]) or "nothing",
)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("ends", ["", ALONE], ids=["whole", "half"])
def test_an_error_moves_no_cursor(
    hostile: Path,
    words: tuple[str, ...],
    more: list[str],
    ends: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    asked = [word.replace("\x00", "") + (ends if HIDDEN in word else "") for word in words]
    code = called("--home", str(hostile), *asked, *more)
    said = capfd.readouterr()

    assert code not in (Code.OK, Code.UNEXPECTED), said.err
    assert unseen(said.out + said.err) == set()
    assert "\nerror 0" not in said.out + said.err
    if more:
        told = json.loads(said.err.splitlines()[-1])["error"]
        assert (told["code"], bool(told["kind"]), bool(told["next"])) == (code, True, True)


def test_a_sheet_is_shown_as_it_is_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sheet = json.dumps({"round": HOSTILE + "\ud800", "events": [], "terms": {"game": HOSTILE}})
    (tmp_path / "sheet.json").write_text(sheet, "utf-8")

    for more in ([], ["--table"], ["--json"]):
        assert called("settle", str(tmp_path / "sheet.json"), *more) == Code.USAGE
        assert unseen("".join(capfd.readouterr())) == set()


@pytest.mark.parametrize("around", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "LANG": "C"}])
@pytest.mark.parametrize(
    "words",
    [
        *("explain R1", "dlq list", "rules show TB", "explain R1 --json"),
        *("vision layouts TB", "archive list", "ingest status"),
    ],
)
def test_a_stdout_that_is_not_utf8_ends_nothing(
    hostile: Path, words: str, around: dict[str, str]
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "audit.cli.main", *words.split(), f"--home={hostile}"],
        capture_output=True, check=False, env=os.environ | around,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr.count(b"Traceback")) == (Code.OK, 0), ended.stderr
    text = ended.stdout.decode("ascii" if "PYTHONIOENCODING" in around else "utf-8")
    assert unseen(text) == set()
    if "--json" in words:
        assert json.loads(text)["round"] == "R1"


def test_every_character_that_nobody_sees_is_spelled_out() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))

    assert unseen(screen.visible(every)) == set()
    assert "\n" not in screen.visible(every)
    assert screen.visible("Đỗ Thị Ánh ₫ 漢字 é") == "Đỗ Thị Ánh ₫ 漢字 é"


def test_a_log_line_moves_no_cursor(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import structlog

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    app._log_to_stderr(debug=False)
    try:
        structlog.get_logger().warning("device_unknown", client=HOSTILE)
    finally:
        structlog.reset_defaults()

    assert unseen(capfd.readouterr().err) == set()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("at 2026-03-01T20:00:10.100Z", "at 2026-03-02T03:00:10.100+07:00"),
        ("2026-03-01T20:00:10Z, 9999-12-31T23:59:59Z", None),
        ("seen at 20:00:10.100 UTC", "seen at 03:00:10.100 +07:00"),
        ("2026-99-01T20:00:10Z", "2026-99-01T20:00:10Z"),
    ],
)
def test_moments_are_told_as_the_venues_clocks_show_them(text: str, told: str | None) -> None:
    found = times.local(text, "Asia/Ho_Chi_Minh", "2026-03-01")

    assert found == told or (told is None and found.startswith("2026-03-02T03:00:10+07:00"))


LAYOUT = f"""
game = "TB"
title = {json.dumps(HOSTILE)}
reads = "cards"
felt = [1500, 800]
[[zone]]
name = "game"
box = [60, 280, 300, 520]
"""


@pytest.mark.parametrize(
    "words",
    [
        ("vision", "layouts", "OWN.toml"),
        ("vision", "markers", f"{NAMED}.png"),
        ("vision", "read", "OWN.png"),
        ("vision", "clip", "OWN", "--frames", "0", "--out", f"{NAMED}-clip"),
        ("vision", "verify", f"CLIP{NAMED}"),
    ],
    ids=lambda words: words[1],
)
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_a_camera_command_shows_foreign_names_as_they_are_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    more: list[str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    _foreign_files(tmp_path, capfd)

    code = called("--home", str(tmp_path), *(word.replace("OWN", NAMED) for word in words), *more)
    said = capfd.readouterr()

    assert code == Code.OK, said.err
    assert unseen(said.out + said.err) == set()
    assert "\nerror 0" not in said.out + said.err
    if more:
        assert json.loads(said.out)


def _foreign_files(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A layout, a picture, a folder of pictures and a clip, all with hostile names."""
    picture = np.full((120, 160, 3), 90, np.uint8)
    (folder / NAMED).mkdir()
    for name in (f"{NAMED}.png", f"{NAMED}/0.png"):
        save_image.write(folder / name, picture)
    (folder / f"{NAMED}.toml").write_text(LAYOUT, "utf-8")
    assert called("vision", "clip", NAMED, "--frames", "0", "--out", "CLIP") == Code.OK
    (folder / "CLIP").rename(folder / f"CLIP{NAMED}")
    capfd.readouterr()


def test_a_forged_note_of_a_redrive_moves_no_cursor(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lost = e.DeadLetter("bad_json", "line 1", "a reading", "none", "file", 0, 0, 3, b"abc")
    note = replace(lost, reason=redrive.REDRIVEN, where=HOSTILE, body=dead_letter.digest(lost))
    with LocalLog(tmp_path / "log", GATEWAY_STREAMS) as log:
        Gateway(log, lambda: houses.BEGUN).write_dead_letters([lost, note])

    code = called("dlq", "redrive", letter(tmp_path), "--yes", "--home", str(tmp_path))
    said = capfd.readouterr()

    assert code == Code.OK, said.err
    assert "redriven before" in said.out
    assert unseen(said.out + said.err) == set()
    assert "\nerror 0" not in said.out + said.err


def test_a_brokers_setting_moves_no_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    weak = topics.WeakSetting(HOSTILE, HOSTILE, "3", HOSTILE)
    monkeypatch.setattr(topics, "check", lambda *_: [weak])
    monkeypatch.setenv("ROUNDPROOF_KAFKA", "localhost:1")

    code = called("kafka", "check", "--unsafe", "--home", str(tmp_path))
    said = capfd.readouterr()

    assert code == Code.OK, said.err
    assert unseen(said.out + said.err) == set()
    assert "\nerror 0" not in said.out + said.err


def _split(words: str) -> list[str]:
    import shlex

    return shlex.split(words)


def test_a_live_finding_moves_no_cursor(capfd: pytest.CaptureFixture[str]) -> None:
    kinds: dict[object, Any] = {str: HOSTILE, int: 1, bool: True, str | None: HOSTILE}
    values = {
        field.name: kinds.get(get_type_hints(e.Finding)[field.name], (HOSTILE,))
        for field in fields(e.Finding)
    }
    watch._say("UTC", "en", [e.Finding(**values)])
    watch._say_jsonl([e.Finding(**values)])

    line, document = capfd.readouterr().out.splitlines()
    assert unseen(line + document) == set()
    assert json.loads(document)["found"] == HOSTILE
