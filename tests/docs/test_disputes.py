"""The commands of docs/disputes.md run in their order."""

import re
import shlex
from pathlib import Path

import pytest

from audit.cases import case_log
from schemas import events as e
from tests.support import houses
from tests.support.command_line import called

PAGE = Path("docs/disputes.md")


def test_every_command_of_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = re.findall(r"^\$ roundproof (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    staff = (e.StaffCameOn("D1", "dealer"), None)
    spin = houses.spin("T1-R12", 3, houses.red(wager_id="T1-R12-3"))
    home = houses.written(tmp_path / "var", "T1", [*houses.opened(), staff, *spin])
    (tmp_path / "clip.mp4").write_bytes(b"frames")
    monkeypatch.chdir(tmp_path)

    codes = {command: called(*shlex.split(command), "--home", str(home)) for command in commands}

    assert [command for command, code in codes.items() if code] == []
    assert len(commands) > 18
    case = case_log.load(home).named("T1-R12-D1")
    assert case.stage == "closed"
    assert [hold.hold_id for hold in case.holds if hold.released] == ["H1"]
