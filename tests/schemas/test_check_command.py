"""`roundproof schemas`: what a person changing the contract sees."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import schemas
from audit.cli.app import command_line
from audit.cli.errors import Code, Stopped
from schemas import lock

HERE = Path(schemas.__file__).parent


@pytest.fixture
def house(tmp_path: Path) -> Path:
    shutil.copytree(HERE / "avsc", tmp_path / "avsc")
    shutil.copy(HERE / "schemas.lock", tmp_path)
    return tmp_path


def run(*words: object) -> Result:
    return CliRunner().invoke(command_line(), ["schemas", *map(str, words)])


def edit(house: Path, record: str, change: Callable[[dict[str, Any]], object]) -> None:
    file = house / "avsc" / f"roundproof.{record}.avsc"
    schema = json.loads(file.read_text("utf-8"))
    change(schema)
    file.write_text(json.dumps(schema), "utf-8")


def lid(schema: dict[str, Any]) -> None:
    added = {"name": "lid", "type": "boolean", "doc": "Whether a lid was on.", "default": True}
    schema["fields"].append(added)


def test_an_untouched_contract_is_as_locked(house: Path) -> None:
    result = run("check", "--folder", house)

    assert result.exit_code == Code.OK
    assert f"all as locked in version {lock.installed().newest}" in result.stdout


def test_the_working_contract_of_this_house_is_checked_by_default() -> None:
    assert run("check").stdout == run("check", "--folder", HERE).stdout


def test_a_new_field_is_compatible_but_locked_only_when_asked(house: Path) -> None:
    edit(house, "ShakerStopped", lid)
    before = (house / "schemas.lock").read_bytes()

    looked = run("check", "--folder", house)
    untouched = (house / "schemas.lock").read_bytes()
    locked = run("check", "--folder", house, "--write")
    again = run("check", "--folder", house)

    assert looked.exit_code == locked.exit_code == again.exit_code == Code.OK
    assert "changed: Event, Reading, ShakerStopped" in looked.stdout
    assert "schemas check --write" in looked.stderr
    assert untouched == before
    assert f"locked as version {lock.installed().newest + 1}" in locked.stdout
    assert "all as locked" in again.stdout


def test_a_removed_field_is_refused_with_file_field_rule_and_next_step(house: Path) -> None:
    edit(house, "ShakerStopped", lambda schema: schema["fields"].pop())
    before = (house / "schemas.lock").read_bytes()

    result = run("check", "--folder", house, "--write")

    assert isinstance(result.exception, Stopped)
    assert result.exception.code == Code.UNVERIFIED
    assert str(result.exception).startswith(
        "roundproof.ShakerStopped.avsc, field tumbles: a field is never"
    )
    assert "put it back" in result.exception.next_step
    assert (house / "schemas.lock").read_bytes() == before


def test_every_breach_is_said_not_only_the_first(house: Path) -> None:
    edit(house, "BallTracked", lambda schema: schema["fields"].pop())
    edit(house, "ShakerStopped", lambda schema: schema["fields"].pop())

    plain, document = run("check", "--folder", house), run("check", "--folder", house, "--json")

    assert "also roundproof.ShakerStopped.avsc, field tumbles" in plain.stderr
    assert [b["record"] for b in json.loads(document.stdout)["breaches"]] == [
        "BallTracked",
        "ShakerStopped",
    ]


def test_a_file_that_is_no_json_is_named(house: Path) -> None:
    (house / "avsc" / "roundproof.Guess.avsc").write_text("{", "utf-8")

    result = run("check", "--folder", house)

    assert isinstance(result.exception, Stopped)
    assert str(result.exception).startswith("roundproof.Guess.avsc: a record in JSON expected")
    assert result.exception.code == Code.UNVERIFIED


@pytest.mark.parametrize("text", ["junk", "[]", "{}", '{"version": 1}', "\x00", "5"])
@pytest.mark.parametrize("command", ["check", "list"])
def test_a_lock_that_is_none_is_named(house: Path, text: str, command: str) -> None:
    (house / "schemas.lock").write_text(text, "utf-8")

    result = run(command, "--folder", house)

    assert isinstance(result.exception, Stopped), result.exception
    assert "schemas.lock" in str(result.exception)
    assert result.exception.code == Code.UNVERIFIED
    assert result.exception.next_step


def test_list_and_show_say_the_same_in_json_and_in_words() -> None:
    listed, shown = json.loads(run("list", "--json").stdout), run("show", "ShakerStopped")

    assert listed["records"]["ShakerStopped"]["crc64"] in run("list").stdout
    assert "tumbles: int" in shown.stdout
    assert json.loads(run("show", "Event", "--json").stdout)["name"] == "Event"


def test_an_unknown_record_is_met_with_the_names_that_come_near() -> None:
    result = run("show", "shaker")

    assert isinstance(result.exception, Stopped)
    assert result.exception.code == Code.NOT_FOUND
    assert "ShakerOpened, ShakerStarted, ShakerStopped" in str(result.exception)
