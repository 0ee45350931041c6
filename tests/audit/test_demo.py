"""The demo: every fault it puts in is found, and it only ever makes its own folder anew."""

import json
from pathlib import Path

from typer.testing import CliRunner

from audit.commands import demo
from audit.errors import Stopped
from audit.root import app


def test_the_demo_finds_what_it_put_in(tmp_path: Path) -> None:
    seen = CliRunner().invoke(app, ["--home", str(tmp_path), "demo", "--rounds", "40"])

    assert seen.exit_code == 0, seen.output
    truth = json.loads((tmp_path / "demo/simulated/truth.json").read_text("utf-8"))
    (found,) = (line for line in seen.stdout.splitlines() if line.startswith("Found: "))
    assert len(truth["faults"]) == len(demo.FAULTS)
    for fault in demo.FAULTS:
        assert fault in found
    assert [line.split(":")[0] for line in seen.stdout.splitlines()[-5:]] == [
        "Seen",
        "Found",
        "Data",
        "Try",
        "Or",
    ]


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo/thesis.txt").write_text("mine", "utf-8")

    seen = CliRunner().invoke(app, ["--home", str(tmp_path), "demo"])

    assert isinstance(seen.exception, Stopped)
    assert (tmp_path / "demo/thesis.txt").read_text("utf-8") == "mine"
