"""The screen: columns that line up, and progress that says where it stands."""

from collections.abc import Iterator

import pytest

from audit.cli import columns, screen


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    lines = columns.lines(("bet", "stake"), [("banker", 1_000_000), ("tie", 5)])

    assert lines == [
        "bet         stake",
        "banker  1,000,000",
        "tie             5",
    ]


def test_no_rows_leave_the_head_alone() -> None:
    assert columns.lines(("bet", "stake"), []) == ["bet  stake"]


def test_without_a_terminal_progress_is_a_line_every_five_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock: Iterator[float] = iter([0.0, 2.0, 5.0, 6.0, 10.0])
    monkeypatch.setattr("audit.cli.screen.time.monotonic", lambda: next(clock))

    with screen.progress("replay", 4_000, "events") as advance:
        for _ in range(4):
            advance(1_000)

    assert capsys.readouterr().err.splitlines() == [
        "replay: 2,000 of 4,000 events, 400/s",
        "replay: 4,000 of 4,000 events, 400/s",
    ]


def test_a_document_has_sorted_keys_and_keeps_its_letters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen.say_json({"b": "₫", "a": 1})

    assert capsys.readouterr().out == '{\n  "a": 1,\n  "b": "₫"\n}\n'


LONG = "PAY-01-3f9a2c1b07-and-longer-than-any-narrow-terminal"


def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A table with an id and a sentence on a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    columns.table(("finding", "found"), [(LONG, "some words that go on and on and on and on")])
    return capsys.readouterr().out


def test_an_id_never_wraps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = shown(monkeypatch, capsys)

    assert LONG in told
    assert "some words that go on and on and on and on" not in told  # a sentence may


@pytest.mark.parametrize(("wanted", "bold"), [("", True), ("1", False)])
def test_no_colour_means_no_bold_either(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wanted: str, bold: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", wanted)

    assert ("\x1b[" in shown(monkeypatch, capsys)) == bold


def test_what_is_no_number_is_null_in_json() -> None:
    rows = {"a": float("nan"), "b": [float("inf"), {"c": -float("inf")}], "d": (0.5, "NaN")}

    assert screen.json_text(rows) == '{"a": null, "b": [null, {"c": null}], "d": [0.5, "NaN"]}'
