"""The command line: a log or a derived file that is not what it was is refused."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.cli.errors import Code
from replay.batch import source
from tests.support import houses
from tests.support.command_line import called


def test_a_damaged_file_is_named_and_its_table_day_derived_again(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = house.glob("derived/T1/*/dues.parquet")
    whole = path.read_bytes()
    path.write_bytes(whole[::-1])

    assert called("digest", "--home", str(house)) == Code.UNVERIFIED
    assert called("doctor", "--home", str(house)) == Code.UNVERIFIED
    capsys.readouterr()
    assert called("replay", "--home", str(house)) == Code.OK
    assert f"derived again: {path}: SHA-256" in capsys.readouterr().err
    assert path.read_bytes() == whole
    assert called("doctor", "--home", str(house)) == Code.OK


def test_a_damaged_manifest_is_named_and_its_table_day_derived_again(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = house.glob("derived/T1/*/manifest.json")
    whole = path.read_bytes()
    path.write_text("junk")

    assert called("explain", "R1", "--home", str(house)) == Code.OK  # it reads the log alone
    capsys.readouterr()
    for command in ("digest", "doctor"):
        code = called(*command.split(), "--home", str(house))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert f"{path}: a sealed manifest expected" in said
        assert "next: roundproof replay" in said
    assert called("replay", "--home", str(house)) == Code.OK
    assert path.read_bytes() == whole
    assert called("doctor", "--home", str(house)) == Code.OK


def test_doctor_lists_every_damaged_derived_file(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [
        *house.glob("derived/T1/*/dues.parquet"),
        *house.glob("derived/T1/*/rounds.parquet"),
    ]
    for path in paths:
        path.write_bytes(path.read_bytes()[::-1])

    assert called("doctor", "--home", str(house)) == Code.UNVERIFIED
    said = capsys.readouterr().out
    assert [f"{path}: SHA-256" in said for path in paths] == [True, True]


def test_a_damaged_table_hides_its_own_rounds_only(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    houses.written(house, "T2", [*houses.opened(), *houses.spin("R9", 3, houses.red())])
    assert called("replay", "--home", str(house)) == Code.OK
    (path,) = house.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[-60] ^= 1
    path.write_bytes(body)

    # The names were written down while the log was whole, so the first answer is true as it stands.
    for unknown in (Code.NOT_FOUND, Code.UNVERIFIED):  # before a replay meets the damage, and after
        assert called("explain", "R9", "--home", str(house)) == Code.OK
        assert called("whatif", "R9", "--set", "pocket=17", "--home", str(house)) == Code.OK
        capsys.readouterr()
        assert called("explain", "no such round", "--home", str(house)) == unknown
        said = capsys.readouterr().err
        assert (f"LogCorrupt: {path}" in said) is (unknown is Code.UNVERIFIED)
        assert called("replay", "--home", str(house)) == Code.UNVERIFIED


def test_doctor_looks_at_every_derived_file(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = house.glob("derived/T1/*/dues.parquet")
    path.write_bytes(path.read_bytes()[::-1])

    assert called("doctor", "--home", str(house)) == Code.UNVERIFIED
    assert f"bad derived   {path}: SHA-256" in capsys.readouterr().out


def test_a_log_that_lost_events_is_refused_with_code_four(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = house.glob("log/events/T1/*.avro")
    whole = path.read_bytes()
    marker = whole[-16:]
    path.write_bytes(whole[: whole.rindex(marker, 0, len(whole) - 16) + 16])

    for command in ("replay", "replay --fresh", "digest", "doctor"):
        code = called(*command.split(), "--home", str(house))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert f"LogCut: {path.parent}: " in said
        assert "roundproof ingest adopt TABLE --accept-loss" in said
    adopt = ("ingest", "adopt", "T1", "--accept-loss", "--yes", "--home", str(house))
    assert called(*adopt) == Code.OK
    for command in ("replay", "replay --fresh", "digest", "doctor"):
        code = called(*command.split(), "--home", str(house))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert "table T1: the log is shorter than what was derived from it" in said
        assert "next: restore the log from its backup" in said
        assert "--accept-shorter-log" in said
    accepted = ("replay", "--fresh", "--accept-shorter-log", "--home", str(house))
    assert called(*accepted) == Code.OK
    assert called("doctor", "--home", str(house)) == Code.OK


def test_a_log_without_its_head_is_refused_until_it_is_adopted(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (house / "log/events/T1/.head").unlink()

    for command in ("replay", "replay --fresh", "digest", "doctor", "ingest status"):
        code = called(*command.split(), "--home", str(house))
        said = "".join(capsys.readouterr())
        assert (command, code) == (command, Code.UNVERIFIED)
        assert f"HeadMissing: {house / 'log/events/T1/.head'}" in said
        assert "roundproof ingest adopt TABLE" in said
    assert called("ingest", "adopt", "T1", "--yes", "--home", str(house)) == Code.OK
    assert called("doctor", "--home", str(house)) == Code.OK


def test_a_broken_log_is_refused_with_code_four(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = house.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)

    assert called("replay", "--fresh", "--home", str(house)) == Code.UNVERIFIED
    assert "table T1 offset" in capsys.readouterr().err
    assert called("doctor", "--home", str(house)) == Code.UNVERIFIED


def test_doctor_names_the_log_it_reads_and_reads_the_spool_beside_another_one(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called("doctor", "--home", str(house))
    own = capsys.readouterr().out
    (house / source.REMEMBERED).write_text("kafka\n")
    called("doctor", "--home", str(house))
    pulled = capsys.readouterr().out
    (path,) = house.glob("log/events/T1/*.avro")
    body = bytearray(path.read_bytes())
    body[body.index(b"red")] ^= 1
    path.write_bytes(body)
    code = called("doctor", "--home", str(house))

    assert f"ok  log       {house / 'log'}: " in own
    assert "spool" not in own
    assert f"ok  spool     {house / 'log'}: " in pulled
    assert f"bad log       {house / 'pulled'} has no events yet" in pulled
    assert code == Code.UNVERIFIED
    assert "bad spool     " in capsys.readouterr().out


def test_doctor_says_when_the_file_is_behind_the_log(house: Path) -> None:
    houses.written(house, "T1", houses.spin("R2", 5))

    seen = CliRunner().invoke(app.command_line(), ["--home", str(house), "doctor"])

    assert seen.exit_code == Code.NOT_FOUND
    assert "is behind the log" in seen.output
    assert "next: roundproof replay" in seen.output
