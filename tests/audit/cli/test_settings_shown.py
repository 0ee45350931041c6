"""`config show` and `doctor` say what is wrong, and the rest all the same."""

import json
from pathlib import Path

import pytest

from audit.cli.errors import Code
from tests.support.command_line import called


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_bad_setting_is_shown_with_its_origin_and_the_others_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "two")
    monkeypatch.setenv("ROUNDPROOF_ZONE", "Asia/Nowhere")

    assert called("config", "show", "--origin") == Code.USAGE

    said = capsys.readouterr()
    bad = "bad: a whole number expected"
    assert f"workers = two  (environment ROUNDPROOF_WORKERS)  {bad}" in said.out
    assert "zone = Asia/Nowhere  (environment ROUNDPROOF_ZONE)  bad: a time zone such" in said.out
    assert "kafka_prefix = rp.  (default)" in said.out
    assert "setting workers: a whole number expected; and 1 more" in said.err


def test_names_that_are_no_settings_and_secrets_are_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roundproof.toml").write_text('kafka_password = "hush"\nwrokers = 3\nworkers = 1\n')

    assert called("config", "show", "--json") == Code.USAGE

    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["workers"] == {"value": "1", "origin": "file roundproof.toml"}
    assert told["wrokers"]["problem"] == "the name of a setting expected"
    assert "hush" not in said.out + said.err
    assert json.loads(said.err.splitlines()[-1])["error"]["code"] == Code.USAGE


def test_a_file_that_is_no_toml_is_named_beside_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roundproof.toml").write_text("workers: 3\n")

    assert called("config", "show", "--home", "elsewhere") == Code.USAGE

    said = capsys.readouterr().out
    assert "home = elsewhere" in said
    assert "roundproof.toml =   bad: TOML expected" in said


def test_another_command_stops_at_a_bad_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "two")

    assert called("replay") == Code.USAGE
    assert "setting workers: a whole number expected" in capsys.readouterr().err


def looked_at(capsys: pytest.CaptureFixture[str]) -> dict[str, bool]:
    return {line["what"]: line["well"] for line in json.loads(capsys.readouterr().out)}


def test_a_doctor_looks_at_machine_and_house_where_a_setting_is_bad(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "two")

    assert called("doctor", "--json", "--home", str(house)) == Code.USAGE
    seen = looked_at(capsys)
    assert {"folder", "disk", "log", "derived", "duckdb"} <= seen.keys()
    assert [what for what, well in seen.items() if not well] == ["settings"]


def test_a_doctor_goes_on_after_the_first_bad_line(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kafka's password is missing, an event is damaged and a derived file is gone."""
    monkeypatch.setenv("ROUNDPROOF_KAFKA", "127.0.0.1:1")
    monkeypatch.setenv("ROUNDPROOF_KAFKA_PROTOCOL", "SASL_SSL")
    (segment,) = (house / "log" / "events" / "T1").glob("*.avro")
    damaged = bytearray(segment.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    segment.write_bytes(damaged)
    next((house / "derived").rglob("*.parquet")).unlink()

    assert called("doctor", "--json", "--home", str(house)) == Code.USAGE

    seen = looked_at(capsys)
    assert list(seen) == [
        "kafka",
        "python",
        "packages",
        "folder",
        "disk",
        "log",
        "seal",
        "derived",
        "duckdb",
    ]
    assert [what for what, well in seen.items() if not well][:3] == ["kafka", "log", "derived"]
