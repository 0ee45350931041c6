"""The README's commands, run in order in an empty folder; what it shows is what they print."""

import os
import re
import secrets
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

README = Path(__file__).parent.parent / "README.md"
QUESTIONS = README.parent / "docs" / "questions.md"
ANYTHING = "…"  # stands for any text in a line, or alone for any lines


@pytest.mark.timeout(900)  # some forty commands, one after another
def test_every_command_prints_what_the_readme_shows(broker: str, tmp_path: Path) -> None:
    alone, kafka = README.read_text("utf-8").split("## With Kafka")
    prefix = f"t{secrets.token_hex(4)}."
    given = {"ROUNDPROOF_KAFKA": broker, "ROUNDPROOF_KAFKA_PREFIX": prefix}
    nothing: dict[str, str] = {}
    commands = [(words, shown, nothing) for words, shown in _commands(alone + _questions())]
    commands += [(words, shown, given) for words, shown in _commands(kafka)]
    assert len(commands) >= 13

    for command, shown, environment in commands:
        printed = _run(command, tmp_path, environment).replace(prefix, "rp.")

        assert re.fullmatch(_pattern(shown), printed), f"$ {command}\n{printed}"


def _questions() -> str:
    """The page of questions goes by the README's day."""
    return QUESTIONS.read_text("utf-8")


def test_every_page_the_readme_names_is_there() -> None:
    linked = re.findall(r"\]\(([^)#]+)\)", README.read_text("utf-8"))

    assert [page for page in linked if not (README.parent / page).exists()] == []


def _commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command of the console blocks with the lines shown below it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        lines = block.splitlines()
        for n, line in enumerate(lines):
            if line.startswith("$ "):
                shown = list(takewhile(lambda at: not at.startswith("$ "), lines[n + 1 :]))
                found.append((line[2:], shown))
    return found


def _run(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints on its standard output, blank lines and edges aside."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {key: value for key, value in os.environ.items() if not key.startswith("ROUNDPROOF_")}
    env |= environment
    done = subprocess.run(
        command, shell=True, cwd=folder, env=env | {"PATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode in (0, 5), done.stderr
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines() if line.strip())


def _pattern(shown: list[str]) -> str:
    lines = [line.rstrip() for line in shown if line.strip()]
    return "".join(
        r"(?:.*\n)*?" if line == ANYTHING else re.escape(line).replace(ANYTHING, ".*") + r"\n"
        for line in lines
    )
