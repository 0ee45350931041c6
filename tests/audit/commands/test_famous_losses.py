"""Losses that casinos are known for are stopped where the demos say."""

import json
from pathlib import Path

import pytest

from audit.cli.errors import Code
from tests.support.command_line import called


def shown(home: Path, name: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert called("--home", str(home), "demo", name, "--json") == Code.OK
    out = capsys.readouterr().out
    found: dict[str, object] = json.loads(out[out.index("{") :])
    return found


def test_an_unshuffled_shoe_is_found_within_two_hands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = shown(tmp_path, "golden-nugget", capsys)["first"]

    assert isinstance(first, dict)
    assert first["certain"]
    assert int(first["round_id"].rpartition("-")[2]) <= 2


def test_a_packet_that_a_false_shuffle_kept_is_found_when_it_comes_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = shown(tmp_path, "false-shuffle", capsys)["first"]

    assert isinstance(first, dict)
    assert first["certain"]
    assert first["found"].startswith("20 cards came as in round T01-20260301-0011")


def test_a_layout_that_pays_too_much_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = shown(tmp_path, "sic-bo-paytable", capsys)["refused"]

    assert isinstance(refused, list)
    assert refused[0] == "fit: total:4: returns 258.3333 %, more than it costs"


def test_an_unknown_demo_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called("--home", str(tmp_path), "demo", "titanic") == Code.NOT_FOUND
    assert (
        "one of golden-nugget, false-shuffle, sic-bo-paytable expected" in capsys.readouterr().err
    )
