"""The demo: every fault it puts in is found, and it only ever makes its own folder anew."""

import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from audit.cases import case_log
from audit.cli.app import command_line
from audit.cli.errors import Stopped
from audit.commands import demo
from audit.console import demo_accounts, serving, stills
from audit.console.accounts import Accounts
from audit.console.roles import AccountRole
from audit.console.store import ConsoleStore
from replay import rulebooks
from replay.locate import locate


def test_the_demo_finds_what_it_put_in(tmp_path: Path) -> None:
    seen = CliRunner().invoke(command_line(), ["--home", str(tmp_path), "demo", "--rounds", "40"])

    assert seen.exit_code == 0, seen.output
    games = {edition.code for edition in rulebooks.editions()}
    with duckdb.connect(str(tmp_path / "demo/audit.duckdb"), read_only=True) as house:
        played = house.execute("select distinct game from rounds where status = 'settled'")
        assert {game for (game,) in played.fetchall()} == games
    assert f" rounds of {len(games)} games at " in seen.stdout
    truth = json.loads((tmp_path / "demo/simulated/truth.json").read_text("utf-8"))
    (found,) = (line for line in seen.stdout.splitlines() if line.startswith("Found: "))
    assert len(truth["faults"]) == len(demo.FAULTS)
    for fault in demo.FAULTS:
        assert fault in found
    assert [line.split(":")[0] for line in seen.stdout.splitlines()[-4:]] == [
        "Pack",
        "Try",
        "Console",
        "Password of them all, in the demo only",
    ]


def test_the_demo_ends_with_a_dispute_that_is_packed_and_verified(tmp_path: Path) -> None:
    words = ["--home", str(tmp_path), "demo", "--rounds", "40", "--json"]
    document = json.loads(CliRunner().invoke(command_line(), words).stdout)
    home, path = tmp_path / "demo", Path(document["pack"])
    case = case_log.load(home).named(document["case"])
    worst = max(
        document["findings"], key=lambda row: int(row["house_minor"]) + int(row["player_minor"])
    )

    assert case.raised.finding_id == worst["finding_id"]
    assert case.stage == "told"
    assert not case.unpaid
    assert case.decision
    assert case.confirmation
    plain = [sys.executable, "-I", str(home / "verify.py"), str(path)]
    done = subprocess.run(plain, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"steps of case {case.case_id} are in the sealed log too" in done.stdout
    names = zipfile.ZipFile(path).namelist()
    assert {"report.en.pdf", "report.vi.pdf", "decision/decision.json"} <= set(names)
    assert "8.4.6-surveillance/frames/E1.jpg" in names
    played = locate(home, worst["round_id"]).judged.round.events
    begun, over = min(each.occurred_at for each in played), max(each.occurred_at for each in played)
    cameras = [each.device_id for each in played if each.device_kind == "camera"]
    assert stills.of_round(home, sorted(set(cameras)), begun, over)


def test_everybody_whom_the_demo_names_signs_in_to_its_console(tmp_path: Path) -> None:
    demo_accounts.make(tmp_path)
    people = Accounts(ConsoleStore(tmp_path), time.time)

    signed_in = [people.proven(each.name, demo_accounts.PASSWORD) for each in demo_accounts.PEOPLE]

    assert {each.role for each in signed_in if each} == set(AccountRole)


def test_the_demo_serves_its_console_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Path] = []
    monkeypatch.setattr(serving, "serve", lambda home, *_, **__: served.append(home))
    words = ["--home", str(tmp_path), "demo", "--rounds", "20", "--console"]

    seen = CliRunner().invoke(command_line(), words)

    assert seen.exit_code == 0, seen.output
    assert served == [tmp_path / "demo"]


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo/thesis.txt").write_text("mine", "utf-8")

    seen = CliRunner().invoke(command_line(), ["--home", str(tmp_path), "demo"])

    assert isinstance(seen.exception, Stopped)
    assert (tmp_path / "demo/thesis.txt").read_text("utf-8") == "mine"
