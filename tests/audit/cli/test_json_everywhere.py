"""Every command has --json, and its errors are JSON then too."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from audit.cli.app import command_line
from audit.cli.errors import Code
from tests.support.command_line import called, roundproof


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the words that call it."""
    inside = getattr(command, "commands", None)
    if inside is None or (path and command.invoke_without_command):
        yield path, command
    for name, each in (inside or {}).items():
        yield from commands(each, (*path, name))


EVERY = dict(commands(typer.main.get_command(command_line())))


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_has_it(path: tuple[str, ...]) -> None:
    options = [option for each in EVERY[path].params for option in each.opts]

    assert "--json" in options


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_a_word_that_is_none_is_told_in_json(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(*path, "--json", "--no-such-option") == Code.USAGE

    said = capsys.readouterr()
    told = json.loads(said.err)["error"]
    assert (said.out, told["code"], told["kind"]) == ("", 2, "usage")
    assert "--no-such-option" in told["message"]
    assert told["next"].startswith("roundproof ")


def test_an_error_of_a_command_is_told_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called("explain", "R1", "--json", "--home", str(tmp_path)) == Code.NOT_FOUND

    told = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    assert (told["code"], told["kind"]) == (3, "not found")
    assert told["message"]
    assert told["next"]


def test_after_two_dashes_it_is_a_word_like_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("rules", "show", "--", "--json") == Code.NOT_FOUND

    assert capsys.readouterr().err.startswith("error 3 (not found)")


@pytest.mark.parametrize("form", [["--json"], ["--format", "json"], ["--format=json"]])
@pytest.mark.parametrize(
    ("query", "code"),
    [
        (["select nope"], Code.USAGE),
        (["delete from rounds"], Code.NOT_ALLOWED),
        ([".describe nope"], Code.NOT_FOUND),
        ([""], Code.USAGE),
        (["select 1", "--bogus"], Code.USAGE),
    ],
)
def test_an_error_of_a_query_is_told_in_json(
    home: Path, query: list[str], code: Code, form: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert called("sql", *query, *form, "--home", str(home)) == code

    said = capfd.readouterr()
    told = json.loads(said.err.splitlines()[-1])["error"]
    assert (said.out, told["code"], bool(told["next"])) == ("", code, True)


@pytest.mark.parametrize("word", [".tables", ".describe rounds", ".dictionary", ".help"])
def test_a_word_of_the_session_is_told_in_json(
    home: Path, word: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert called("sql", word, "--json", "--home", str(home)) == Code.OK

    assert json.loads(capfd.readouterr().out)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_query_s_json_is_json_on_every_stream(home: Path, encoding: str) -> None:
    query = (
        "select 'Đỗ ₫ 😀' || chr(27) || chr(8238) as \"tên\", ['é' || chr(8238)] as b, "
        "('{\"é\":' || chr(9) || '1}')::json as c"
    )
    said = roundproof("sql", query, "--json", "--home", str(home), PYTHONIOENCODING=encoding)

    (row,) = json.loads(said.stdout)["rows"]
    assert row == {"tên": "Đỗ ₫ 😀\x1b\u202e", "b": ["é\u202e"], "c": {"é": 1}}
    assert not {"\x1b", "\u202e"} & set(said.stdout)


def test_no_form_of_json_holds_what_is_no_number(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    query = (
        "select 'nan'::double as a, '-inf'::double as b, 'inf'::float as c, ['nan'::double] as d, "
        "{'x': 'inf'::double} as e, map {'k': '-inf'::double} as f, 'NaN' as g, ['Infinity'] as h"
    )
    assert called("sql", query, "--format", "json", "--home", str(home)) == Code.OK

    (row,) = json.loads(capfd.readouterr().out, parse_constant=pytest.fail)["rows"]
    assert list(row.values()) == [None] * 3 + [
        [None],
        {"x": None},
        {"k": None},
        "NaN",
        ["Infinity"],
    ]
