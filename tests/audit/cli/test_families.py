"""A command line loads the module of its own command, and nothing that the command does not use."""

import subprocess
import sys

import pytest
import typer

from audit.cli import families
from audit.cli.app import command_line

# What takes long to import, and commands that have no use for it.
SLOW = ("structlog", "asyncio", "duckdb", "pyarrow", "kafka", "cv2", "babel", "schemas.events")
LOADED = """
import sys
from audit.cli import app
try:
    app.run(sys.argv[2:])
except SystemExit:
    pass
print(*(name for name in sys.argv[1].split(",") if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("family", families.FAMILIES, ids=lambda family: family.module)
def test_a_family_has_the_commands_that_lead_to_it(family: families.Family) -> None:
    root = typer.Typer()
    root.callback()(lambda: None)
    families.mount(root, [family])

    found = typer.main.get_group(root).commands

    assert tuple(sorted(found)) == tuple(sorted(family.words))


def test_no_word_leads_to_two_families() -> None:
    words = [word for family in families.FAMILIES for word in family.words]

    assert len(words) == len(set(words)) > 20


def test_a_word_that_leads_nowhere_meets_every_command() -> None:
    some, every = (
        typer.main.get_group(command_line(word)).commands for word in ("replay", "replya")
    )

    assert set(some) == {"replay", "digest"}
    assert set(every) == {word for family in families.FAMILIES for word in family.words}


@pytest.mark.parametrize("words", [["config", "show"], ["replay", "--help"], ["settle", "--help"]])
def test_a_command_starts_without_what_it_does_not_use(words: list[str]) -> None:
    command = [sys.executable, "-c", LOADED, ",".join(SLOW), *words]

    ran = subprocess.run(command, capture_output=True, text=True, check=True)

    assert ran.stdout
    assert ran.stderr.split() == []
