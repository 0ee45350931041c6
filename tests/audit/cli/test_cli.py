"""The command line: options anywhere, settings by rank, results apart from the rest."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.cli.errors import Code
from tests.support.command_line import called, roundproof


def test_root_options_may_stand_anywhere() -> None:
    words = ["explain", "R1", "--home", "x", "--debug", "--", "--home"]

    assert app.root_first(words) == ["--home", "x", "--debug", "explain", "R1", "--", "--home"]
    assert app.root_first(["a", "--home=x"]) == ["--home=x", "a"]
    assert app.root_first(["a", "--home"]) == ["--home", "", "a"]


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


def test_results_go_to_stdout_and_the_rest_to_stderr(house: Path) -> None:
    seen = roundproof("replay", "--fresh", "--json", "--home", str(house))

    document = json.loads(seen.stdout)
    assert (seen.returncode, document["done"], document["rounds"]) == (0, 1, 1)
    assert seen.stderr.splitlines()[-1] == "next: roundproof detect"


def test_every_command_says_what_it_does_and_shows_an_example() -> None:
    import typer

    def walk(command: object, path: tuple[str, ...]) -> list[tuple[str, str]]:
        inside = getattr(command, "commands", None)
        if inside:
            return [pair for name, sub in inside.items() for pair in walk(sub, (*path, name))]
        return [(" ".join(path), str(getattr(command, "help", "")))]

    told = walk(typer.main.get_command(app.command_line()), ("roundproof",))
    assert len(told) >= 18
    for name, text in told:
        assert "Example" in text, name
        assert name in text, name


@pytest.mark.parametrize("surroundings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
def test_no_colour_outside_a_terminal(surroundings: dict[str, str]) -> None:
    seen = CliRunner(env=surroundings).invoke(app.command_line(), ["--help"])

    assert seen.exit_code == 0
    assert "\x1b" not in seen.output


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    seen = CliRunner().invoke(app.command_line(), ["--version"])

    assert seen.output == f"roundproof {version('roundproof')}\n"
